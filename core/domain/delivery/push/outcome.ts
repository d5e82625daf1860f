import type { Device, PushAddress } from "../../device/device.ts";
import type { PushMessage } from "./message.ts";

/** Which limit is reached: per second, concurrent, or per day or month. */
export type Slow = "rate" | "busy" | "quota";

/**
 * The outcome of one push to one device: what the caller may do next.
 *
 * - `accepted`: the push service has the push. Never send the push again.
 * - `unregistered`: this address no longer exists. Remove the device only after this answer.
 * - `invalid`: the push service will never take this message for this address. Do not repeat the push or remove the device.
 * - `retry`: the push service did not take the push, so repeating makes no duplicate. `retryAfterMs` is the shortest pause;
 *   `slow` says that a limit of the account is reached.
 * - `auth`: our credentials for the push service or APNs are refused. Raise an alarm, because only a person can mend that.
 * - `foreign`: this address is registered for another Firebase project or Web Push key. If our credentials are known to be good
 *   (`proven`), the device is at fault. Otherwise, our credentials may have been replaced by mistake.
 * - `unknown`: no answer came back. The push service may have taken the push, so repeat the push at most once.
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

/** When a device was registered first and last, in ISO 8601. */
export type Registered = Pick<Device, "createdAt" | "registeredAt">;

/** One channel to devices. Promises never reject, and always settle within a deadline. */
export type PushChannel<Message> = {
  /** `device`: its registration times help to distinguish a foreign device from replaced credentials. */
  send: (message: Message, device: Registered) => Promise<PushOutcome>;
  /** Returns false if there are no credentials, so that every send would end as `retry`. */
  prepare: () => Promise<boolean>;
};

/** All channels to devices. The kind of message selects the channel. */
export type Push = {
  send: PushChannel<PushMessage>["send"];
  /** Returns false if a channel cannot send now. */
  prepare: (addresses: readonly PushAddress[]) => Promise<boolean>;
};
