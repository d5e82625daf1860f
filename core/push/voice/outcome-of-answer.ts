import type { IncomingHttpHeaders } from "node:http";
import * as v from "valibot";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { QUOTA_RETRY_AFTER_MS } from "../limits.ts";
import type { PostAnswer } from "../post.ts";

const Started = v.pipe(v.string(), v.parseJson(), v.object({ ContactId: v.string() }));

/** The name of Connect's error, which is logged and stored: nothing but a name may pass for one. */
const errorOf = (headers: IncomingHttpHeaders): string | undefined =>
  /^(?<name>[A-Za-z]{1,60})(?::|$)/.exec(String(headers["x-amzn-errortype"] ?? ""))?.groups?.["name"];

/** Connect's errors that concern one number: a country that the instance may not call, or no number at all. */
const ABOUT_NUMBER: readonly string[] = ["DestinationNotAllowedException", "InvalidParameterException"];

/** What the answer of Amazon Connect means. */
export const outcomeOfAnswer = ({ status, headers, body }: PostAnswer): PushOutcome => {
  const code = errorOf(headers) ?? `HTTP_${status}`;
  if (status === 200) {
    const started = v.safeParse(Started, body);
    return { kind: "accepted", messageId: started.success ? started.output.ContactId : "" };
  }
  if (ABOUT_NUMBER.includes(code)) return { kind: "invalid", code };
  // So many calls at once, or a month: some of them end, or the quota is raised.
  if (code === "LimitExceededException") return { kind: "retry", code, retryAfterMs: QUOTA_RETRY_AFTER_MS };
  // Two calls a second may be begun, five in a row.
  if (status === 429 || code === "ThrottlingException") return { kind: "retry", code };
  if (status === 408 || status === 503) return { kind: "retry", code };
  // A failure that is not explained says nothing about whether the call is made; its repetition makes no second one.
  if (status >= 500 || status < 400) return { kind: "unknown", code };
  return { kind: "auth", code };
};
