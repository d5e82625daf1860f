import * as v from "valibot";
import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import { QUOTA_RETRY_AFTER_MS } from "./limits.ts";
import { parseRetryAfter } from "../domain/basics/retry-after.ts";

/** The fields of firebase-admin's errors that are used. Other fields contain tokens and the message: never log or store them. */
const SendError = v.object({
  code: v.string(),
  httpResponse: v.optional(
    v.object({ status: v.number(), headers: v.record(v.string(), v.unknown()), data: v.unknown() }),
  ),
  cause: v.optional(v.unknown()),
});

const FcmErrorBody = v.object({
  error: v.object({
    status: v.optional(v.string()),
    details: v.optional(v.array(v.object({ "@type": v.string(), errorCode: v.optional(v.string()) })), []),
  }),
});

const SystemError = v.object({ code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{1,40}$/)) });

/** Returns a text if the text is an error code, because only codes may be logged and stored. */
const toCodeOrUndefined = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Z][A-Z_]{1,60}$/.test(text) ? text : undefined;

/** Creates the outcome of a push that may be retried. `waitMs`: the minimum pause before the retry, if known. */
const createRetryOutcome = (code: string, waitMs: number | undefined): PushOutcome =>
  waitMs === undefined ? { kind: "retry", code } : { kind: "retry", code, retryAfterMs: waitMs };

/** Returns the outcome for FCM's error code, because firebase-admin calls any 404 unregistered, even one of a wrong project. */
const interpretAnswer = (status: number, answer: unknown, retryAfter: unknown, nowMs: number): PushOutcome => {
  const body = v.safeParse(FcmErrorBody, answer);
  const error = body.success ? body.output.error : undefined;
  const fcmCode = toCodeOrUndefined(error?.details.find((detail) => detail["@type"].endsWith(".FcmError"))?.errorCode);
  const code = fcmCode ?? toCodeOrUndefined(error?.status) ?? `HTTP_${status}`;

  if (fcmCode === "UNREGISTERED") return { kind: "unregistered" };
  if (fcmCode === "SENDER_ID_MISMATCH") return { kind: "foreign", code, proven: false };
  if (status === 401 || status === 403 || status === 404) return { kind: "auth", code };
  if (status === 429) return createRetryOutcome(code, parseRetryAfter(retryAfter, nowMs) ?? QUOTA_RETRY_AFTER_MS);
  if (status === 408 || status === 500 || status === 503)
    return createRetryOutcome(code, parseRetryAfter(retryAfter, nowMs));
  // A gateway's error or a malformed success does not say whether FCM accepted the push.
  if (status >= 500 || status < 400) return { kind: "unknown", code };
  return { kind: "invalid", code };
};

/** Returns the outcome of a push for which firebase-admin threw a value. `mayHaveArrived`: whether FCM may have the push. */
export const interpretError = (thrown: unknown, mayHaveArrived: boolean, nowMs: number): PushOutcome => {
  const parsed = v.safeParse(SendError, thrown);
  const response = parsed.success ? parsed.output.httpResponse : undefined;
  if (response !== undefined)
    return interpretAnswer(response.status, response.data, response.headers["retry-after"], nowMs);
  if (parsed.success && parsed.output.code.startsWith("messaging/invalid-"))
    return { kind: "invalid", code: "REFUSED_BY_CLIENT" };

  const cause = v.safeParse(SystemError, parsed.success ? parsed.output.cause : undefined);
  const code = cause.success ? cause.output.code : "NETWORK";
  return mayHaveArrived ? { kind: "unknown", code } : { kind: "retry", code };
};
