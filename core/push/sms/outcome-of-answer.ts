import * as v from "valibot";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { QUOTA_RETRY_AFTER_MS } from "../limits.ts";
import type { PostAnswer } from "../post.ts";

const Taken = v.pipe(v.string(), v.parseJson(), v.object({ MessageId: v.string() }));

/** Names alone are logged and stored: the texts name the number. */
const name = v.optional(v.pipe(v.string(), v.regex(/^(?:[\w.]{1,100}#)?[A-Za-z_]{1,80}$/)));
const Refused = v.pipe(v.string(), v.parseJson(), v.object({ __type: name, Reason: name }));

/** Reasons that concern this service's account, its origination identity or its settings, not the number. */
const ABOUT_US: readonly string[] = [
  "NO_ORIGINATION_IDENTITIES_FOUND",
  "MESSAGE_TYPE_MISMATCH",
  "RESOURCE_NOT_ACTIVE",
  "RESOURCE_NOT_ACCESSIBLE",
  "SENDER_ID_NOT_REGISTERED",
  "SENDER_ID_REQUIRES_REGISTRATION",
];

/** What the answer of AWS End User Messaging means. All of its refusals are 400; the error's name and reason differ. */
export const outcomeOfAnswer = ({ status, body }: PostAnswer): PushOutcome => {
  if (status === 200) {
    const taken = v.safeParse(Taken, body);
    return { kind: "accepted", messageId: taken.success ? taken.output.MessageId : "" };
  }
  const refused = v.safeParse(Refused, body);
  const { __type = "", Reason: reason } = refused.success ? refused.output : {};
  const error = __type.slice(__type.indexOf("#") + 1);
  const code = reason ?? (error === "" ? `HTTP_${status}` : error);
  if (status === 429 || error === "ThrottlingException") return { kind: "retry", code };
  // The account's or the day's limit: it may be raised, or end, before the alert expires.
  if (error === "ServiceQuotaExceededException") return { kind: "retry", code, retryAfterMs: QUOTA_RETRY_AFTER_MS };
  if (status === 503 || status === 408) return { kind: "retry", code };
  // A failure that is not explained says nothing about whether the message was taken.
  if (status >= 500 || status < 400) return { kind: "unknown", code };
  const mayBeNumber = error === "ValidationException" || error === "ConflictException";
  return mayBeNumber && !ABOUT_US.includes(code) ? { kind: "invalid", code } : { kind: "auth", code };
};
