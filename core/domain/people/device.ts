import * as v from "valibot";
import { isPublicKey } from "../basics/p256.ts";
import { NAME_MAX_CODE_POINTS, PUSH_TOKEN_MAX_CODE_POINTS } from "../basics/limits.ts";
import { text } from "../basics/text.ts";
import { fromIso } from "../basics/time.ts";
import { Subscription } from "./subscription.ts";

const platforms = ["ios", "android", "web"] as const;
export const Platform = v.picklist(platforms, `platform must be one of ${platforms.join(", ")}.`);
export type Platform = v.InferOutput<typeof Platform>;

const fcmAddress = (name: string, what: string) =>
  v.pipe(
    text(name, PUSH_TOKEN_MAX_CODE_POINTS),
    v.regex(/^[\x21-\x7e]*$/, `${name} must be ${what} of FCM: printable ASCII without spaces.`),
  );

const addressEntries = {
  token: v.exactOptional(fcmAddress("token", "a registration token")),
  fid: v.exactOptional(fcmAddress("fid", "an installation id")),
  subscription: v.exactOptional(Subscription),
};
const addressNames = ["token", "fid", "subscription"] as const;

/** Where a device's pushes go: to FCM by a registration token or an installation id, or to a browser's push service. */
export type PushAddress = { token: string } | { fid: string } | { subscription: Subscription };

type Addressed = {
  token?: string | undefined;
  fid?: string | undefined;
  subscription?: Subscription | undefined;
};

/** The only address of a device. Throws where it has none, because no device is registered without one. */
export const addressOf = ({ token, fid, subscription }: Addressed): PushAddress => {
  if (subscription !== undefined) return { subscription };
  if (fid !== undefined) return { fid };
  if (token !== undefined) return { token };
  throw new Error("a device has no address");
};

/** A text that identifies an address. For a subscription it is the endpoint, which stays when the keys are renewed. */
export const addressText = (address: PushAddress): string => {
  if ("subscription" in address) return `web ${address.subscription.endpoint}`;
  return "fid" in address ? `fid ${address.fid}` : address.token;
};

/** What an app registers when it starts, with exactly one of the three addresses. */
export const DeviceInput = v.pipe(
  v.object({
    ...addressEntries,
    /** Optional for a browser, which is known by its subscription. */
    platform: v.exactOptional(Platform),
    name: v.exactOptional(text("name", NAME_MAX_CODE_POINTS)),
    /** The public half of the key that signs the device's receipts; the private half never leaves the device. */
    receiptKey: v.exactOptional(
      v.pipe(
        v.string("receiptKey must be a string."),
        v.check(isPublicKey, "receiptKey must be a public key on P-256: 65 bytes, uncompressed, in base64url."),
      ),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const fault = (field: "token" | "fid" | "subscription" | "platform", expected: string, message: string) =>
      addIssue({
        message,
        expected,
        path: [{ type: "object", origin: "value", input: value, key: field, value: value[field] }],
      });
    const [first, ...others] = addressNames.filter((name) => value[name] !== undefined);
    if (first === undefined) fault("token", "required", "One of token, fid and subscription is required.");
    for (const other of others)
      fault(other, "nothing", `${other} must not be given together with ${first}: a device has one address.`);
    if (value.platform === undefined && value.subscription === undefined)
      fault("platform", "required", "platform is required.");
  }),
);
export type DeviceInput = v.InferOutput<typeof DeviceInput>;

const Failure = v.object({ at: v.string(), code: v.string() });

/** A test push that a device's owner has sent to it, to see whether it arrives. */
const DeviceTest = v.object({ sentAt: v.string(), shownAt: v.nullable(v.string()) });

const deviceEntries = {
  id: v.string(),
  platform: Platform,
  name: v.nullable(v.string()),
  createdAt: v.string(),
  /** When the app last registered this address. */
  registeredAt: v.string(),
};

/** A device as its owner sees it. The address is left out: anybody who knows it could push to the device. */
export const DeviceView = v.object({
  ...deviceEntries,
  /** When the app last registered or confirmed a push. */
  lastSeenAt: v.string(),
  lastDeliveredAt: v.nullable(v.string()),
  /** The last push that has failed since the app registered, with the push service's code. */
  lastFailure: v.nullable(Failure),
  /** Whether the device has not been heard of for 30 days: it may be dead without anybody knowing. */
  silent: v.boolean(),
  /** Whether it can acknowledge without a session. */
  sendsReceipts: v.boolean(),
  /** The device's last test; `shownAt` is set once the device has confirmed it. */
  lastTest: v.nullable(DeviceTest),
});
export type DeviceView = v.InferOutput<typeof DeviceView>;

export const Device = v.object({
  ...deviceEntries,
  lastDeliveredAt: v.optional(v.nullable(v.string())),
  lastFailure: v.optional(v.nullable(Failure)),
  token: v.optional(v.string()),
  fid: v.optional(v.string()),
  subscription: v.optional(Subscription),
  receiptKey: v.optional(v.string()),
  lastTest: v.optional(v.object({ id: v.string(), ...DeviceTest.entries })),
});
export type Device = v.InferOutput<typeof Device>;

/** How long a confirmed push proves that a person can be reached, and how long a device may be silent. */
const PROVEN_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

const seenLast = ({ registeredAt, lastDeliveredAt }: Device): string =>
  (lastDeliveredAt ?? "") > registeredAt ? (lastDeliveredAt ?? "") : registeredAt;

/** Whether a time is too long ago to prove anything. */
const isLongAgo = (at: string, nowMs: number): boolean => (fromIso(at) ?? 0) < nowMs - PROVEN_DAYS * DAY_MS;

/** Whether a device has not been heard of for 30 days. */
const isSilent = (device: Device, nowMs: number): boolean => isLongAgo(seenLast(device), nowMs);

export const toDeviceView = (device: Device, nowMs: number): DeviceView => {
  const { id, platform, name, createdAt, registeredAt, lastDeliveredAt = null, lastFailure = null } = device;
  const { receiptKey, lastTest } = device;
  return {
    id,
    platform,
    name,
    createdAt,
    registeredAt,
    lastSeenAt: seenLast(device),
    lastDeliveredAt,
    lastFailure,
    silent: isSilent(device, nowMs),
    sendsReceipts: receiptKey !== undefined,
    lastTest: lastTest === undefined ? null : { sentAt: lastTest.sentAt, shownAt: lastTest.shownAt },
  };
};

/** The push service's answer to a test, with its code. The device's `lastTest` says later whether it was shown. */
export const DeviceTestAnswer = v.object({
  sentAt: v.string(),
  outcome: v.picklist(["accepted", "unregistered", "invalid", "retry", "auth", "unknown"]),
  code: v.nullable(v.string()),
});
export type DeviceTestAnswer = v.InferOutput<typeof DeviceTestAnswer>;

export const reachables = ["proven", "unproven", "no"] as const;
export type Reachable = (typeof reachables)[number];

/** Whether a person has devices, but none of them has been heard of for 30 days. */
export const areSilent = (devices: readonly Device[], nowMs: number): boolean =>
  devices.length > 0 && devices.every((device) => isSilent(device, nowMs));

/** Whether a person with these devices can be reached: `proven` by a recent confirmation, `unproven`, or no devices. */
export const reachableBy = (devices: readonly Device[], nowMs: number): Reachable => {
  if (devices.length === 0) return "no";
  const proven = devices.some(({ lastDeliveredAt }) => !isLongAgo(lastDeliveredAt ?? "", nowMs));
  return proven ? "proven" : "unproven";
};
