import * as v from "valibot";
import { retryAfterMs } from "../domain/basics/retry-after.ts";
import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import { QUOTA_RETRY_AFTER_MS } from "./limits.ts";
import type { PostAnswer } from "./post.ts";

const json = <Body extends v.GenericSchema>(body: Body) => v.pipe(v.string(), v.parseJson(), body);

const Sent = json(v.object({ name: v.string() }));

const Refusal = json(
  v.object({
    error: v.object({
      status: v.optional(v.string()),
      details: v.optional(v.array(v.object({ "@type": v.string(), errorCode: v.optional(v.string()) })), []),
    }),
  }),
);

/** Codes are logged and stored, so nothing but a code may pass for one. */
const asCode = (text: string | undefined): string | undefined =>
  text !== undefined && /^[A-Z][A-Z_]{1,60}$/.test(text) ? text : undefined;

const retry = (code: string, waitMs: number | undefined): PushOutcome =>
  waitMs === undefined ? { kind: "retry", code } : { kind: "retry", code, retryAfterMs: waitMs };

/**
 * What FCM's answer means for a device. FCM's own code decides if there is one. The status cannot: a project that does not
 * exist is a 404, too, and would cost every user their devices.
 */
export const outcomeOfFcm = ({ status, headers, body }: PostAnswer, nowMs: number): PushOutcome => {
  if (status === 200) {
    const sent = v.safeParse(Sent, body);
    return sent.success ? { kind: "accepted", messageId: sent.output.name } : { kind: "unknown", code: "HTTP_200" };
  }
  const refusal = v.safeParse(Refusal, body);
  const error = refusal.success ? refusal.output.error : undefined;
  const fcmCode = asCode(error?.details.find((detail) => detail["@type"].endsWith(".FcmError"))?.errorCode);
  const code = fcmCode ?? asCode(error?.status) ?? `HTTP_${status}`;
  const retryAfter = retryAfterMs(headers["retry-after"], nowMs);

  if (fcmCode === "UNREGISTERED") return { kind: "unregistered" };
  if (fcmCode === "SENDER_ID_MISMATCH") return { kind: "foreign", code, proven: false };
  if (status === 401 || status === 403 || status === 404) return { kind: "auth", code };
  if (status === 429) return retry(code, retryAfter ?? QUOTA_RETRY_AFTER_MS);
  if (status === 408 || status === 500 || status === 503) return retry(code, retryAfter);
  // A gateway's error says nothing about what the servers behind it did.
  if (status >= 500 || status < 400) return { kind: "unknown", code };
  return { kind: "invalid", code };
};
