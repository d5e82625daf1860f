import type { Device, PushAddress } from "../../device/device.ts";
import type { PushMessage } from "./message.ts";

/** Which limit is reached: per second, concurrent, or per day or month. */
export type SlowReason = "rate" | "busy" | "quota";

/** The outcome of one push to one device. A `code` never contains an address, a header or a text of the message. */
export type PushOutcome =
  /** The push service accepted the push, which must never be sent again. */
  | { kind: "accepted"; messageId: string }
  /** The address no longer exists: remove the device. Only the outcome `unregistered` removes a device. */
  | { kind: "unregistered" }
  /** The push service will never accept the message for the address: do not retry. */
  | { kind: "invalid"; code: string }
  /** The push service refused the push: retry after `retryAfterMs` or later. `slow`: which limit of our account is reached. */
  | { kind: "retry"; code: string; retryAfterMs?: number; slow?: SlowReason }
  /** The push service refused our credentials: raise an alarm, because only an operator can replace them. */
  | { kind: "auth"; code: string }
  /** The device registered with a Firebase project or Web Push key that is not ours. `proven`: the key is certainly not ours. */
  | { kind: "foreign"; code: string; proven: boolean }
  /** No answer arrived. The push service may have the push: retry at most once. */
  | { kind: "unknown"; code: string };

/** When a device was registered first and last, in ISO 8601. */
export type DeviceTimes = Pick<Device, "createdAt" | "registeredAt">;

/** A push service, or AWS for emails, texts and calls. Promises never reject, and always settle within a deadline. */
export type PushChannel<Message> = {
  /** `device`: tells whether a refusal can be due to a change of our credentials after the registration. */
  send: (message: Message, device: DeviceTimes) => Promise<PushOutcome>;
  /** Returns false if there are no credentials, so that every send would end as `retry`. */
  prepare: () => Promise<boolean>;
};

/** All push services, and AWS. The kind of a message decides which service sends the message. */
export type Push = {
  send: PushChannel<PushMessage>["send"];
  /** Returns false if a channel cannot send now. */
  prepare: (addresses: readonly PushAddress[]) => Promise<boolean>;
};
