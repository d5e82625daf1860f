import type { IncomingHttpHeaders } from "node:http";
import type { PushOutcome } from "../../domain/delivery/push/outcome.ts";
import { QUOTA_RETRY_AFTER_MS } from "../limits.ts";
import { retryAfterMs } from "../retry-after.ts";

/** What push services write into a 400 when they refuse this service's keys. */
const REFUSED_KEYS = /VapidPkHashMismatch|BadJwtToken|UnauthorizedRegistration/;

/** What the answer of a push service (RFC 8030) means. */
export const outcomeOfAnswer = (
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  nowMs: number,
): PushOutcome => {
  const code = `HTTP_${status}`;
  if (status >= 200 && status < 300) return { kind: "accepted", messageId: headers.location ?? "" };
  if (status === 404 || status === 410) return { kind: "unregistered" };
  if (status === 401 || status === 403 || (status === 400 && REFUSED_KEYS.test(body))) return { kind: "auth", code };
  if (status !== 408 && status !== 429 && status < 500) return { kind: "invalid", code };
  const waitMs = retryAfterMs(headers["retry-after"], nowMs) ?? (status === 429 ? QUOTA_RETRY_AFTER_MS : undefined);
  return waitMs === undefined ? { kind: "retry", code } : { kind: "retry", code, retryAfterMs: waitMs };
};
