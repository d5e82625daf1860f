import type { IncomingHttpHeaders } from "node:http";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { QUOTA_RETRY_AFTER_MS } from "../limits.ts";
import { parseRetryAfter } from "../../domain/basics/retry-after.ts";

/**
 * How push services report a subscription that was made with another key: Apple (400), Mozilla (401), Google (403), Microsoft
 * (401, in a header). Apple's BadJwtToken, and expired or malformed tokens, are faults of the service's own keys.
 */
const SAYS_OTHER_KEY = [
  /VapidPkHashMismatch/,
  /VAPID public key mismatch/,
  /not correspond to the (?:credentials used to create the subscription|sender ID used to subscribe)/,
  /public key\b.*\bchannel url|channel url\b.*\bpublic key/i,
];
const MICROSOFT_SAYS = "x-wns-error-description";

export const OTHER_KEY = "VAPID_KEY_MISMATCH";

/** Some push services refuse this service's keys with status 400. */
const REFUSED_KEYS = /BadJwtToken|UnauthorizedRegistration/;

/** Returns whether a push service's answer refuses the key that signed the push. `status`: the HTTP status. */
const isKeyRefusal = (status: number, body: string): boolean =>
  status === 401 || status === 403 || (status === 400 && REFUSED_KEYS.test(body));

/** Returns a push's outcome, as the push service's HTTP answer states it. `nowMs`: the current time, for Retry-After. */
export const interpretWebPushAnswer = (
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  nowMs: number,
): PushOutcome => {
  const code = `HTTP_${status}`;
  if (status >= 200 && status < 300) return { kind: "accepted", messageId: headers.location ?? "" };
  if (status === 404 || status === 410) return { kind: "unregistered" };
  const says = `${body} ${String(headers[MICROSOFT_SAYS] ?? "")}`;
  if ([400, 401, 403].includes(status) && SAYS_OTHER_KEY.some((sign) => sign.test(says)))
    return { kind: "foreign", code: OTHER_KEY, proven: false };
  if (isKeyRefusal(status, body)) return { kind: "auth", code };
  if (status !== 408 && status !== 429 && status < 500) return { kind: "invalid", code };
  const waitMs = parseRetryAfter(headers["retry-after"], nowMs) ?? (status === 429 ? QUOTA_RETRY_AFTER_MS : undefined);
  return waitMs === undefined ? { kind: "retry", code } : { kind: "retry", code, retryAfterMs: waitMs };
};
