import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { parseOrThrow } from "../../core/domain/basics/read-own.ts";
import { env } from "../../core/wiring.ts";
import { toProblem } from "../http/problem.ts";
import { toRequest } from "../http/request.ts";
import { refuseUnknownRoute } from "../http/route-hint.ts";
import { createSite, SiteEvent, SiteIndex, type SiteAnswer } from "../http/site.ts";

const Setting = v.object({
  LAMBDA_TASK_ROOT: v.string(),
  [env.baseUrl]: v.string(),
  [env.signInUrl]: v.string(),
  [env.signInProvider]: v.optional(v.string()),
  [env.voiceFrom]: v.optional(v.string()),
  [env.userPoolClientId]: v.string(),
  [env.userPoolUrl]: v.string(),
});

const answerUnknownRoute = (event: unknown): SiteAnswer => {
  const { method, rawPath, requestId } = toRequest(event);
  const { status, headers, body } = toProblem(refuseUnknownRoute(method, rawPath), requestId).reply;
  return { statusCode: status, headers: { ...headers }, body: JSON.stringify(body), isBase64Encoded: false };
};

/** Serves the files that were built into the function. Reads each file once. */
export const serveConsole = (environment: unknown): ((event: unknown) => Promise<SiteAnswer>) => {
  const setting = parseOrThrow("the environment", Setting, environment);
  const provider = setting[env.signInProvider];
  const phone = setting[env.voiceFrom];
  const directory = join(setting.LAMBDA_TASK_ROOT, "site");
  const kept = new Map<string, Uint8Array>();
  const readSiteFile = (name: string): Uint8Array => {
    const bytes = kept.get(name) ?? readFileSync(join(directory, name));
    kept.set(name, bytes);
    return bytes;
  };
  const index = parseOrThrow(
    "site.json",
    v.pipe(v.string(), v.parseJson(), SiteIndex),
    Buffer.from(readSiteFile("site.json")).toString(),
  );
  const serve = createSite(
    index,
    {
      origin: setting[env.baseUrl],
      signIn: setting[env.signInUrl],
      clientId: setting[env.userPoolClientId],
      userPool: setting[env.userPoolUrl],
      ...(provider === undefined ? {} : { provider }),
      ...(phone === undefined ? {} : { phone }),
    },
    readSiteFile,
  );
  return async (event) => {
    const { rawPath, headers } = parseOrThrow("the event from API Gateway", SiteEvent, event);
    // API routes do not match an extra leading slash. A program that sends the slash needs a problem document, not a page.
    if (/^\/{2,}v1(?:\/|$)/.test(rawPath)) return answerUnknownRoute(event);
    return serve({ path: rawPath, headers });
  };
};
export const handler = serveConsole(process.env);
