import type { HttpHandler } from "../../functions/http/endpoint.ts";
import { routes } from "../../interface/routes.ts";

export type Call = {
  /** The claims of the session; an id alone means a valid access token of that user, or machine. */
  as?: string | Record<string, unknown>;
  headers?: Record<string, string>;
  method?: string;
  rawPath?: string;
  path?: Record<string, string>;
  /** The route that API Gateway chose, with the parameters' names. */
  routeKey?: string;
  query?: Record<string, string>;
  /** A string is sent unchanged, anything else as JSON. */
  body?: unknown;
};

export const findRouteKey = (name: string): string => {
  const route = routes.find(({ entry }) => entry.endsWith(`/${name}`));
  if (route === undefined) throw new Error(`no route has the function ${name}`);
  return `${route.method} ${route.path}`;
};

export type Answer<Body> = { status: number; headers: Record<string, string>; body: Body };

const toClaims = (as: Call["as"]) => {
  if (as === undefined) return undefined;
  if (typeof as !== "string") return as;
  const sub = as.slice("usr_".length);
  return { token_use: "access", sub, ...(as.startsWith("mch_") ? { client_id: sub } : {}) };
};

/** Calls the API; checks the headers of every answer, and leaves them out of the result. */
export const call = async <Body = unknown>(
  handler: HttpHandler,
  { as, headers, method, rawPath, path, routeKey, query, body }: Call = {},
): Promise<Answer<Body>> => {
  const claims = toClaims(as);
  const event = {
    version: "2.0",
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(path === undefined ? {} : { pathParameters: path }),
    ...(routeKey === undefined ? {} : { routeKey }),
    ...(query === undefined ? {} : { queryStringParameters: query }),
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    isBase64Encoded: false,
    ...(rawPath === undefined ? {} : { rawPath }),
    requestContext: {
      requestId: "req-1",
      ...(method === undefined ? {} : { http: { method } }),
      ...(claims === undefined ? {} : { authorizer: { jwt: { claims, scopes: null } } }),
    },
  };
  const answer = await handler(event, {});
  const { "Cache-Control": kept, "X-Content-Type-Options": sniffed, ...given } = answer.headers;
  if (kept !== "no-store" || sniffed !== "nosniff") throw new Error("every answer says no-store and nosniff");
  const parseBody = ({ body: text, headers: given }: typeof answer): unknown => {
    if (text === "") return undefined;
    return given["Content-Type"]?.includes("json") === true ? JSON.parse(text) : text;
  };
  return {
    status: answer.statusCode,
    headers: given,
    body: parseBody(answer) as Body,
  };
};
