import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody } from "../body.ts";
import { createTokenBucket } from "../bucket.ts";
import type { Runtime } from "../runtime/runtime.ts";
import type { ApiModel } from "../template/model.ts";
import type { RouteModel, SelfModel } from "../template/routes.ts";
import { type Claims, createAuthorizer, type PublicKey } from "./authorizer.ts";
import { createCorsHeaders, answerPreflight } from "./cors.ts";
import { type Answer, type Incoming, toAnswer, toEvent } from "./event.ts";
import { createRouter } from "./router.ts";

type GatewayOptions = {
  api: ApiModel;
  keys: readonly PublicKey[];
  runtime: Pick<Runtime, "invoke">;
  onProblem: (message: string) => void;
};

const BODY_MAX_BYTES = 10 * 1024 * 1024;
/** The limit for request line and headers, above which Node answers 431. The limit also applies to headers of answers. */
export const HEADERS_MAX_BYTES = 10_240;

const countHeaderBytes = ({ headers }: Answer): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(String(value)), 0);

const createMessageAnswer = (status: number, message: string): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify({ message })),
});
const createInternalErrorAnswer = (): Answer => createMessageAnswer(500, "Internal Server Error");
const createUnauthorizedAnswer = (): Answer => ({
  ...createMessageAnswer(401, "Unauthorized"),
  headers: { "content-type": "application/json", "www-authenticate": "Bearer" },
});

/** Returns a function that counts a request, and returns false if the request exceeds the limits. */
const createThrottle = (throttle: ApiModel["throttle"]) => {
  if (throttle === undefined) return () => true;
  return createTokenBucket(throttle.burst, 1000 / throttle.requestsPerSecond, () => performance.now());
};

/** Returns `admits`, which counts a request and returns false above its route's limits, and `getOrCreateAuthorizer`. */
const createThrottlesAndAuthorizers = ({ routes, selves, throttle }: ApiModel, keys: readonly PublicKey[]) => {
  const shared = createThrottle(throttle);
  const admits = new Map(
    [...routes, ...selves].map((route) => [
      route,
      route.throttle === undefined ? shared : createThrottle(route.throttle),
    ]),
  );
  const authorizers = new Map<RouteModel["authorizer"], ReturnType<typeof createAuthorizer>>();
  const getOrCreateAuthorizer = (authorizer: NonNullable<RouteModel["authorizer"]>) => {
    const made = authorizers.get(authorizer) ?? createAuthorizer(authorizer, keys);
    authorizers.set(authorizer, made);
    return made;
  };
  return { admits: (route: RouteModel | SelfModel): boolean => admits.get(route)?.() !== false, getOrCreateAuthorizer };
};

type Invoker = Pick<GatewayOptions, "runtime" | "onProblem">;

/** Invokes the function of a route, and returns its answer, or the error with which API Gateway answers. */
const invokeFunction = async (
  { runtime, onProblem }: Invoker,
  route: RouteModel,
  requestId: string,
  event: object,
): Promise<Answer> => {
  if (!route.permitted) {
    onProblem(
      `${route.functionName} has no permission that lets API Gateway call it for ${route.method} ${route.path}`,
    );
    return createInternalErrorAnswer();
  }
  const late = Promise.withResolvers<"late">();
  const timer = setTimeout(() => late.resolve("late"), route.timeoutMs);
  const result = await Promise.race([runtime.invoke(route.functionName, requestId, event), late.promise]);
  clearTimeout(timer);
  if (result === "late") return createMessageAnswer(503, "Service Unavailable");
  if (result.kind === "too_large") return createMessageAnswer(413, "Request Entity Too Large");
  const answered = result.kind === "ok" ? toAnswer(result.payload) : undefined;
  if (answered === undefined) return createInternalErrorAnswer();
  if (countHeaderBytes(answered) <= HEADERS_MAX_BYTES) return answered;
  onProblem(`${route.functionName} answered with more than ${HEADERS_MAX_BYTES} bytes of headers`);
  return createInternalErrorAnswer();
};

const sendAnswer = (request: IncomingMessage, response: ServerResponse, { status, headers, body }: Answer): void => {
  response.writeHead(status, { ...headers, ...(status === 204 ? {} : { "content-length": body.length }) });
  response.end(request.method === "HEAD" || status === 204 ? undefined : body);
};

type IncomingRequest = Pick<Incoming, "request" | "url" | "path" | "body" | "requestId">;

/** Returns a listener that handles requests like API Gateway: routes, limits, authorizers and CORS. */
export const createGateway = ({ api, keys, runtime, onProblem }: GatewayOptions) => {
  const findRoute = createRouter<RouteModel | SelfModel>([...api.routes, ...api.selves]);
  const { admits, getOrCreateAuthorizer } = createThrottlesAndAuthorizers(api, keys);

  const invokeRoute = async (incoming: IncomingRequest, method: string): Promise<Answer> => {
    const { request, path } = incoming;
    const found = findRoute(method, path);
    if (found.kind === "malformed") return createMessageAnswer(400, "Bad Request");
    if (found.kind === "missing") return createMessageAnswer(404, "Not Found");
    const { route, parameters } = found;
    if (!admits(route)) return createMessageAnswer(429, "Too Many Requests");
    if ("asks" in route) return invokeRoute(incoming, route.asks);
    let claims: Claims | undefined;
    if (route.authorizer !== undefined) {
      claims = getOrCreateAuthorizer(route.authorizer)(request.headers.authorization);
      if (claims === undefined) return createUnauthorizedAnswer();
    }
    const event = toEvent(api, { ...incoming, method, parameters, route, claims });
    return invokeFunction({ runtime, onProblem }, route, incoming.requestId, event);
  };

  const answerRequest = async (request: IncomingMessage, requestId: string): Promise<Answer> => {
    const body = await readBody(request, BODY_MAX_BYTES);
    if (body === undefined) return createMessageAnswer(413, "Request Entity Too Large");
    const preflighted = answerPreflight(api.cors, request);
    if (preflighted !== undefined) return preflighted;
    const target = request.url ?? "/";
    const path = target.split("?", 1)[0] ?? "/";
    const url = new URL(`http://local/${target.slice(path.length)}`);
    return invokeRoute({ request, url, path, body, requestId }, request.method ?? "");
  };

  const handleRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const requestId = randomUUID();
    const answered = await answerRequest(request, requestId);
    const headers = { ...answered.headers, ...createCorsHeaders(api.cors, request), "apigw-requestid": requestId };
    sendAnswer(request, response, { ...answered, headers });
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    handleRequest(request, response).catch((error: unknown) => {
      // A client that disconnects during a request is not a problem.
      if (!request.destroyed && !response.destroyed) onProblem(`the gateway failed: ${String(error)}`);
      response.destroy();
    });
  };
};
