import withMiddleware, { type MiddyfiedHandler } from "@middy/core";
import type { Deps } from "../../core/deps.ts";
import { toProblem, type Reply } from "./problem.ts";
import { toRequest, type HttpRequest } from "./request.ts";

/** The answer as API Gateway takes it. */
export type GatewayAnswer = { statusCode: number; headers: Record<string, string>; body: string };

export type HttpHandler = MiddyfiedHandler<unknown, GatewayAnswer>;

const toAnswer = ({ status, body, headers }: Reply): GatewayAnswer => ({
  statusCode: status,
  headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
  body: body === undefined ? "" : JSON.stringify(body),
});

const requestIdOf = (event: unknown): string => {
  try {
    return toRequest(event).requestId;
  } catch {
    return "unknown";
  }
};

/** Makes a Lambda handler of an endpoint: reads the request, writes its answer, and turns what it throws into a problem. */
export const route = (deps: Pick<Deps, "log">, handle: (request: HttpRequest) => Promise<Reply>): HttpHandler =>
  withMiddleware<unknown, GatewayAnswer>()
    .onError((failure) => {
      const requestId = requestIdOf(failure.event);
      const { reply, failed } = toProblem(failure.error, requestId);
      if (failed) deps.log.error("http.failed", failure.error, { requestId });
      return toAnswer(reply);
    })
    .handler(async (event: unknown) => toAnswer(await handle(toRequest(event))));
