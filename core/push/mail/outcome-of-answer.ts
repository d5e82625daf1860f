import type { IncomingHttpHeaders } from "node:http";
import * as v from "valibot";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { QUOTA_RETRY_AFTER_MS } from "../limits.ts";
import type { PostAnswer } from "../post.ts";

const Taken = v.pipe(v.string(), v.parseJson(), v.object({ MessageId: v.string() }));

/** The name of SES's error, which is logged and stored: nothing but a name may pass for one. */
const errorOf = (headers: IncomingHttpHeaders): string | undefined =>
  /^(?<name>[A-Za-z]{1,60})(?::|$)/.exec(String(headers["x-amzn-errortype"] ?? ""))?.groups?.["name"];

/** SES's errors that concern this service's account or its sender address, not the message. */
const ABOUT_US: readonly string[] = [
  "AccountSuspendedException",
  "MailFromDomainNotVerifiedException",
  "SendingPausedException",
  "NotFoundException",
];

/** What the answer of SES means. A daily quota that is used up is a 429 like too many a second. */
export const outcomeOfAnswer = ({ status, headers, body }: PostAnswer): PushOutcome => {
  const code = errorOf(headers) ?? `HTTP_${status}`;
  if (status === 200) {
    const taken = v.safeParse(Taken, body);
    return { kind: "accepted", messageId: taken.success ? taken.output.MessageId : "" };
  }
  if (status === 429 || code === "LimitExceededException")
    return { kind: "retry", code, retryAfterMs: QUOTA_RETRY_AFTER_MS };
  if (status === 401 || status === 403 || ABOUT_US.includes(code)) return { kind: "auth", code };
  if (status === 408 || status === 503) return { kind: "retry", code };
  // SES does not say of its other failures whether the message was taken; nor does an answer that is none of its own.
  if (status >= 500 || status < 400) return { kind: "unknown", code };
  return { kind: "invalid", code };
};
