import * as v from "valibot";
import { parseOrThrow } from "../../core/domain/basics/read-own.ts";

/** The fields of API Gateway's event (HTTP API, payload 2.0) that the service uses. */
const GatewayEvent = v.object({
  headers: v.optional(v.record(v.string(), v.string()), {}),
  pathParameters: v.optional(v.record(v.string(), v.string()), {}),
  queryStringParameters: v.optional(v.record(v.string(), v.string()), {}),
  body: v.optional(v.string()),
  isBase64Encoded: v.optional(v.boolean(), false),
  rawPath: v.optional(v.string(), ""),
  routeKey: v.optional(v.string(), ""),
  requestContext: v.object({
    requestId: v.string(),
    http: v.optional(v.object({ method: v.string() }), { method: "" }),
    authorizer: v.optional(
      v.object({ jwt: v.optional(v.object({ claims: v.optional(v.record(v.string(), v.unknown()), {}) })) }),
    ),
  }),
});

/** An HTTP request without its body, which is parsed only after access is checked. */
export type HttpRequest = {
  requestId: string;
  method: string;
  rawPath: string;
  /** The route as API Gateway matched it: method and path with parameter names. */
  routeKey: string;
  /** The headers by name in lower case. API Gateway joins repeated headers with a comma. */
  headers: ReadonlyMap<string, string>;
  path: ReadonlyMap<string, string>;
  query: ReadonlyMap<string, string>;
  /** The claims of the session token, which the authorizer has checked. */
  claims: ReadonlyMap<string, unknown>;
  rawBody: { text: string; isBase64: boolean } | undefined;
};

export const toRequest = (event: unknown): HttpRequest => {
  const parsed = parseOrThrow("the event from API Gateway", GatewayEvent, event);
  return {
    requestId: parsed.requestContext.requestId,
    method: parsed.requestContext.http.method,
    rawPath: parsed.rawPath,
    routeKey: parsed.routeKey,
    headers: new Map(Object.entries(parsed.headers).map(([name, value]) => [name.toLowerCase(), value])),
    path: new Map(Object.entries(parsed.pathParameters)),
    query: new Map(Object.entries(parsed.queryStringParameters)),
    claims: new Map(Object.entries(parsed.requestContext.authorizer?.jwt?.claims ?? {})),
    rawBody: parsed.body === undefined ? undefined : { text: parsed.body, isBase64: parsed.isBase64Encoded },
  };
};

/** Returns the scheme and host of the URL that the caller used. */
export const readBaseUrl = ({ headers }: Pick<HttpRequest, "headers">): string =>
  `${headers.get("x-forwarded-proto") ?? "https"}://${headers.get("host") ?? "localhost"}`;

/** Returns the URL for tools that cannot send headers, with the API key at its end. */
export const createSourceUrl = (request: Pick<HttpRequest, "headers">, source: string, key: string): string =>
  `${readBaseUrl(request)}/v1/events/from/${source}/${key}`;

export const createHeartbeatUrl = (request: Pick<HttpRequest, "headers">, secret: string): string =>
  `${readBaseUrl(request)}/v1/heartbeats/${secret}`;
