import type { PushMessage } from "./message.ts";

/**
 * What became of one push to one device. The kinds differ in what the caller may do next:
 *
 * - `accepted`: FCM has it. Never send it again.
 * - `unregistered`: FCM says that the token is dead. The only answer on which a token is pruned.
 * - `invalid`: FCM will never take this message for this token. Do not repeat, do not prune.
 * - `retry`: certainly not taken, so that repeating makes no duplicate. `retryAfterMs` is the least time to wait.
 * - `auth`: our credentials, or those of APNs, are refused. Repeating is useless until a person has acted: alarm.
 * - `unknown`: the request went out and no answer came back. Nobody knows whether FCM took it; repeat at most once.
 *
 * A `code` is one of a fixed vocabulary or FCM's own error code: it holds no token, header or text of the message.
 */
export type PushOutcome =
  | { kind: "accepted"; messageId: string }
  | { kind: "unregistered" }
  | { kind: "invalid"; code: string }
  | { kind: "retry"; code: string; retryAfterMs?: number }
  | { kind: "auth"; code: string }
  | { kind: "unknown"; code: string };

/** The way to a device. `send` never rejects, and settles within its deadline whatever the network does. */
export type Push = { send: (message: PushMessage) => Promise<PushOutcome> };
