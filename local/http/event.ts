import type { IncomingMessage } from "node:http";
import * as v from "valibot";
import { account } from "../template/resolve.ts";
import type { ApiModel } from "../template/model.ts";
import type { RouteModel } from "../template/routes.ts";
import type { Claims } from "./authorizer.ts";

const joinValuesByName = (pairs: Iterable<readonly [string, string]>): Record<string, string> => {
  const found = new Map<string, string>();
  for (const [name, value] of pairs) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : `${before},${value}`);
  }
  return Object.fromEntries(found);
};

/** Returns the headers as API Gateway passes them: in lower case, and without the headers that API Gateway drops. */
const joinHeaders = ({ rawHeaders }: IncomingMessage): Record<string, string> => {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2)
    pairs.push([rawHeaders[index]?.toLowerCase() ?? "", rawHeaders[index + 1] ?? ""]);
  return joinValuesByName(
    pairs.filter(([name]) => !["cookie", "connection", "expect", "transfer-encoding"].includes(name)),
  );
};

/** Returns whether API Gateway passes a body of a type as text. Forms and bodies without a type become base64. */
const isTextType = (contentType: string): boolean =>
  /^(?:text\/[^;]*|application\/(?:json|xml|javascript))\s*(?:;|$)/i.test(contentType);

export type Incoming = {
  request: IncomingMessage;
  method: string;
  url: URL;
  path: string;
  parameters: Record<string, string>;
  body: Buffer;
  route: RouteModel;
  claims: Claims | undefined;
  requestId: string;
};

/** Creates an event in the payload format 2.0 of HTTP APIs. */
export const toEvent = (api: ApiModel, incoming: Incoming) => {
  const { request, method, url, path, parameters, body, route, claims, requestId } = incoming;
  const headers = joinHeaders(request);
  const cookies = request.headers.cookie?.split("; ");
  const query = joinValuesByName(url.searchParams);
  const isBase64Encoded = !isTextType(headers["content-type"] ?? "");
  const now = new Date();
  const domainName = request.headers.host ?? "";
  const routeKey = `${route.method} ${route.path}`.trim();
  return {
    version: "2.0",
    routeKey,
    rawPath: path,
    rawQueryString: url.search.slice(1),
    ...(cookies === undefined ? {} : { cookies }),
    headers: {
      ...headers,
      "x-forwarded-for": request.socket.remoteAddress ?? "",
      "x-forwarded-port": String(request.socket.localPort ?? ""),
      "x-forwarded-proto": "http",
    },
    ...(Object.keys(query).length === 0 ? {} : { queryStringParameters: query }),
    ...(Object.keys(parameters).length === 0 ? {} : { pathParameters: parameters }),
    requestContext: {
      accountId: account,
      apiId: api.id,
      ...(claims === undefined ? {} : { authorizer: { jwt: { claims, scopes: null } } }),
      domainName,
      domainPrefix: domainName.split(".")[0],
      http: {
        method,
        path,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress,
        userAgent: headers["user-agent"] ?? "",
      },
      requestId,
      routeKey,
      stage: "$default",
      time: now.toUTCString(),
      timeEpoch: now.getTime(),
    },
    ...(body.length === 0 ? {} : { body: body.toString(isBase64Encoded ? "base64" : "utf8") }),
    isBase64Encoded,
  };
};

const Value = v.union([v.string(), v.number(), v.boolean()]);
const Result = v.object({
  statusCode: v.pipe(v.union([v.number(), v.pipe(v.string(), v.toNumber())]), v.integer()),
  headers: v.optional(v.record(v.string(), Value), {}),
  cookies: v.optional(v.array(v.string()), []),
  body: v.optional(v.string(), ""),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/** The headers of answers that API Gateway renames. */
const RENAMED: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-md5",
  "date",
  "expect",
  "max-forwards",
  "proxy-authenticate",
  "server",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "via",
  "www-authenticate",
]);
/** Returns the name as API Gateway sends it: in lower case, with a prefix if the name is reserved. */
const toAnswerHeaderName = (name: string): string => {
  const lower = name.toLowerCase();
  return RENAMED.has(lower) ? `x-amzn-remapped-${lower}` : lower;
};

export type Answer = { status: number; headers: Record<string, string | string[]>; body: Buffer };

/** Converts a function's result to an answer, if valid. A result without a status becomes the body of a 200. */
export const toAnswer = (payload: string): Answer | undefined => {
  const result: unknown = JSON.parse(payload);
  const hasStatus = typeof result === "object" && result !== null && "statusCode" in result;
  if (!hasStatus) {
    const body = typeof result === "string" ? result : payload;
    return { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from(body) };
  }
  const parsed = v.safeParse(Result, result);
  if (!parsed.success) return undefined;
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.output;
  const lower = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [toAnswerHeaderName(name), String(value)]),
  );
  return {
    status: statusCode,
    headers: {
      ...(body === "" ? {} : { "content-type": "text/plain;charset=UTF-8" }),
      ...lower,
      ...(cookies.length === 0 ? {} : { "set-cookie": cookies }),
    },
    body: Buffer.from(body, isBase64Encoded ? "base64" : "utf8"),
  };
};
