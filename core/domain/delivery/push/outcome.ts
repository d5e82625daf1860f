import type { PushMessage } from "./message.ts";

/**
 * What became of one push to one device. The kinds differ in what the caller may do next:
 *
 * - `accepted`: the push service has it. Never send it again.
 * - `unregistered`: the push service says that this address is dead. Only on this answer is a device pruned.
 * - `invalid`: the push service will never take this message for this address. Do not repeat, do not prune.
 * - `retry`: certainly not taken, so repeating makes no duplicate. `retryAfterMs` is the least time to wait.
 * - `auth`: our credentials, or those of APNs, are refused. Repeating is useless until a person has acted: alarm.
 * - `unknown`: the request went out and no answer came back. Nobody knows whether it was taken; repeat at most once.
 *
 * A `code` is one of a fixed vocabulary or FCM's own error code. It holds no address, header or text of the message.
 */
export type PushOutcome =
  | { kind: "accepted"; messageId: string }
  | { kind: "unregistered" }
  | { kind: "invalid"; code: string }
  | { kind: "retry"; code: string; retryAfterMs?: number }
  | { kind: "auth"; code: string }
  | { kind: "unknown"; code: string };

/** One way to reach devices. `send` never rejects, and settles within its deadline whatever the network does. */
export type Way<Message> = { send: (message: Message) => Promise<PushOutcome> };

/** All ways together: the message decides which one it takes. */
export type Push = Way<PushMessage>;
