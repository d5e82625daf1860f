import type { GatewayAnswer } from "./answer.ts";
import lambdaPipeline, { type MiddlewareObj } from "@middy/core";
import type { Deps } from "../../core/deps.ts";
import { toProblem, type Reply } from "./problem.ts";
import { toRequest, type HttpRequest } from "./request.ts";
import { unlessKnown } from "./unchanged.ts";

/** A step of the pipeline. It refuses by throwing, or adds what it has found to the request. */
export type Step<Added extends object = object> = MiddlewareObj<HttpRequest & Added>;

/** An endpoint as Lambda calls it, with API Gateway's event, which the pipeline turns into the request. */
export type HttpHandler = { handle(event: unknown, context: unknown): Promise<GatewayAnswer> }["handle"];

/** Answers are private: shared caches store none of them, and browsers do not guess their type. */
const PRIVATE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const toAnswer = ({ status, body, headers }: Reply): GatewayAnswer => ({
  statusCode: status,
  headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...PRIVATE, ...headers },
  body: body === undefined ? "" : JSON.stringify(body),
});

export const reply = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): GatewayAnswer =>
  toAnswer({ status, body, headers });
/** An answer that is not JSON. `contentType` says what it is. */
export const plain = (contentType: string, text: string): GatewayAnswer => ({
  statusCode: 200,
  headers: { "Content-Type": contentType, ...PRIVATE },
  body: text,
});
export const ok = (body: object): GatewayAnswer => reply(200, body);
export const created = (body: object): GatewayAnswer => reply(201, body);
export const noContent = (headers: Readonly<Record<string, string>> = {}): GatewayAnswer =>
  toAnswer({ status: 204, headers });

/**
 * A pipeline from the gateway's event to an answer. Whatever a step or the handler throws becomes a problem. Steps
 * stand in the order in which a request is judged: who is asking (`session`), are they allowed (`member`), what do they
 * want (`pathId`), is the body readable and valid (`body`).
 */
export const endpoint = (deps: Pick<Deps, "log">) =>
  lambdaPipeline<HttpRequest, GatewayAnswer>()
    .before((call) => {
      call.event = toRequest(call.event);
    })
    .after(async (call) => {
      if (call.response) call.response = await unlessKnown(call.event, call.response);
    })
    .onError((call) => {
      // An unreadable event is not the caller's fault: API Gateway writes it.
      const requestId = "requestId" in call.event ? call.event.requestId : "unknown";
      const { reply, failed } = toProblem(call.error, requestId);
      if (failed) deps.log.error("http.failed", call.error, { requestId });
      return toAnswer(reply);
    });
