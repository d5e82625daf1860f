import type { Device, PushAddress } from "../../device/device.ts";
import type { PushMessage } from "./message.ts";

/** The kind of limit that is reached: per second, concurrent, or per day or month. */
export type Slow = "rate" | "busy" | "quota";

/**
 * The outcome of one push to one device. The kinds differ in what the caller may do next:
 *
 * - `accepted`: the push service has it. Never send it again.
 * - `unregistered`: the push service says that this address does not exist any more. Only on this answer is a device pruned.
 * - `invalid`: the push service will never take this message for this address. Do not repeat, do not prune.
 * - `retry`: the push service did not take it, so repeating makes no duplicate. `retryAfterMs` is the shortest pause;
 *   `slow` says that a limit of the account is reached.
 * - `auth`: our credentials, or those of APNs, are refused. Repeating is useless until a person has acted, so alarm.
 * - `foreign`: the push service says that this address belongs to another sender's credentials. `proven` if ours are
 *   known to be good, so that the device is at fault; if not, ours may have been replaced by mistake.
 * - `unknown`: the request went out and no answer came back. Nobody knows whether it was taken; repeat at most once.
 *
 * A `code` is one of a fixed list or FCM's own error code. No code contains an address, header or text of the message.
 */
export type PushOutcome =
  | { kind: "accepted"; messageId: string }
  | { kind: "unregistered" }
  | { kind: "invalid"; code: string }
  | { kind: "retry"; code: string; retryAfterMs?: number; slow?: Slow }
  | { kind: "auth"; code: string }
  | { kind: "foreign"; code: string; proven: boolean }
  | { kind: "unknown"; code: string };

/** When a device's address was first and last registered, in ISO 8601. */
export type Registered = Pick<Device, "createdAt" | "registeredAt">;

/** One channel to devices. The promises of its functions never reject, and always settle within a deadline. */
export type PushChannel<Message> = {
  /** Sends a message. `device` has the times of registration, which distinguish a foreign device from replaced credentials. */
  send: (message: Message, device: Registered) => Promise<PushOutcome>;
  /** Reads the credentials before a send. Returns false if there are none: every send would then end as `retry`. */
  prepare: () => Promise<boolean>;
};

/** All channels behind one interface: the kind of message selects the channel. */
export type Push = {
  send: PushChannel<PushMessage>["send"];
  /** Prepares the channels to these addresses. Returns false if one of them cannot send now. */
  prepare: (addresses: readonly PushAddress[]) => Promise<boolean>;
};
