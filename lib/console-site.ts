import { HttpMethod, HttpRouteKey } from "aws-cdk-lib/aws-apigatewayv2";
import { Construct } from "constructs";
import { env } from "../core/wiring.ts";
import { toFunctionName } from "./build.ts";
import { userPoolUrl } from "./identity.ts";
import type { ServiceApi } from "./http-api.ts";
import { site } from "../interface/routes.ts";
import { PROVIDER } from "./single-sign-on.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";

export type ConsoleSiteProps = { setting: FunctionSetting; http: ServiceApi; signInUrl: string };

/** The timeout is short, because the function only answers with files of its bundle. */
const TIMEOUT_SECONDS = 5;
const MEMORY_MB = 256;

/** The console, under the API's URL: a public function that serves files. Only the API gives access to data. */
export class ConsoleSite extends Construct {
  constructor(scope: Construct, id: string, { setting, http, signInUrl }: ConsoleSiteProps) {
    super(scope, id);
    const name = toFunctionName(site.entry);
    const { function: handler } = new ServiceFunction(this, {
      setting,
      name,
      description: "The console's files",
      access: site.access,
      timeoutSeconds: TIMEOUT_SECONDS,
      memoryMb: MEMORY_MB,
      environment: {
        [env.baseUrl]: http.baseUrl,
        [env.signInUrl]: signInUrl,
        [env.userPoolClientId]: http.consoleClient.userPoolClientId,
        [env.userPoolUrl]: userPoolUrl,
        ...(setting.config.voice === undefined ? {} : { [env.voiceFrom]: setting.config.voice.from }),
        ...(setting.config.singleSignOn?.mode === "only" ? { [env.signInProvider]: PROVIDER } : {}),
      },
    });
    http.addOpenRoutes({
      name,
      handler,
      keys: [HttpMethod.GET, HttpMethod.HEAD].flatMap((method) =>
        site.paths.map((path) => HttpRouteKey.with(path, method)),
      ),
      busyKeys: site.opening.map((path) => HttpRouteKey.with(path, HttpMethod.GET)),
      why: "The sign-in page is for people without a session; it contains no data.",
    });
  }
}
