import { HttpMethod, HttpNoneAuthorizer } from "aws-cdk-lib/aws-apigatewayv2";
import { HttpLambdaIntegration } from "aws-cdk-lib/aws-apigatewayv2-integrations";
import { Construct } from "constructs";
import { env } from "../core/wiring.ts";
import { acceptFindings } from "./accept-findings.ts";
import { functionName } from "./build.ts";
import type { ServiceApi } from "./http-api.ts";
import { site } from "./routes.ts";
import { type FunctionSetting, ServiceFunction } from "./service-function.ts";

export type ConsoleSiteProps = { setting: FunctionSetting; http: ServiceApi; signInUrl: string };

/** The files are read and kept; an answer is one of them. */
const TIMEOUT_SECONDS = 5;
const MEMORY_MB = 256;

/** The console beside the API: one function, open to everybody, that hands out files. Who may see data, the API decides. */
export class ConsoleSite extends Construct {
  constructor(scope: Construct, id: string, { setting, http, signInUrl }: ConsoleSiteProps) {
    super(scope, id);
    const name = functionName(site.entry);
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
      },
    });
    for (const path of site.paths)
      for (const route of http.api.addRoutes({
        path,
        methods: [HttpMethod.GET],
        integration: new HttpLambdaIntegration(`${name}${path}`, handler),
        authorizer: new HttpNoneAuthorizer(),
      }))
        acceptFindings(route, {
          "AwsSolutions-APIG4": "A page that people sign in on is there for those who have not; it holds no data.",
        });
  }
}
