import type { GatewayAnswer } from "./answer.ts";
import lambdaPipeline, { type MiddlewareObj } from "@middy/core";
import type { Deps } from "../../core/deps.ts";
import { toProblem, type HttpReply } from "./problem.ts";
import { toRequest, type HttpRequest } from "./request.ts";
import { replyNotModified } from "./not-modified.ts";

/** A step of the pipeline. A step throws to refuse the request, or adds the data that it has read to the request. */
export type Middleware<Added extends object = object> = MiddlewareObj<HttpRequest & Added>;

export type HttpHandler = { handle(event: unknown, context: unknown): Promise<GatewayAnswer> }["handle"];

/** Shared caches must not store answers, and browsers must not guess their type. */
const PRIVATE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

const toAnswer = ({ status, body, headers }: HttpReply): GatewayAnswer => ({
  statusCode: status,
  headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...PRIVATE, ...headers },
  body: body === undefined ? "" : JSON.stringify(body),
});

export const reply = (status: number, body: object, headers: Readonly<Record<string, string>> = {}): GatewayAnswer =>
  toAnswer({ status, body, headers });
export const replyText = (contentType: string, text: string): GatewayAnswer => ({
  statusCode: 200,
  headers: { "Content-Type": contentType, ...PRIVATE },
  body: text,
});
export const replyOk = (body: object): GatewayAnswer => reply(200, body);
export const replyCreated = (body: object): GatewayAnswer => reply(201, body);
export const replyNoContent = (headers: Readonly<Record<string, string>> = {}): GatewayAnswer =>
  toAnswer({ status: 204, headers });

/** Creates a pipeline from API Gateway's event to an answer. Add steps in this order: caller, permission, path ids, body. */
export const createPipeline = (deps: Pick<Deps, "log">) =>
  lambdaPipeline<HttpRequest, GatewayAnswer>()
    .before((call) => {
      call.event = toRequest(call.event);
    })
    .after(async (call) => {
      if (call.response) call.response = await replyNotModified(call.event, call.response);
    })
    .onError((call) => {
      // An unreadable event is not the caller's fault, because API Gateway creates it.
      const requestId = "requestId" in call.event ? call.event.requestId : "unknown";
      const { reply, failed } = toProblem(call.error, requestId);
      if (failed) deps.log.error("http.failed", call.error, { requestId });
      return toAnswer(reply);
    });
