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

/** Where a push for a device goes: to FCM by a registration token or an installation id, or to a browser's push service. */
export type PushAddress = { token: string } | { fid: string } | { subscription: Subscription };

type Addressed = {
  token?: string | undefined;
  fid?: string | undefined;
  subscription?: Subscription | undefined;
};

/** The one address that a device has. Throws where it has none: it was never registered like that. */
export const addressOf = ({ token, fid, subscription }: Addressed): PushAddress => {
  if (subscription !== undefined) return { subscription };
  if (fid !== undefined) return { fid };
  if (token !== undefined) return { token };
  throw new Error("a device has no address");
};

/** An address as a text that no other address has. A subscription keeps its endpoint when its keys are renewed. */
export const addressText = (address: PushAddress): string => {
  if ("subscription" in address) return `web ${address.subscription.endpoint}`;
  return "fid" in address ? `fid ${address.fid}` : address.token;
};

/** What an app registers when it starts: where it is reached, by exactly one of the three ways. */
export const DeviceInput = v.pipe(
  v.object({
    ...addressEntries,
    /** A browser need not say that it is one. */
    platform: v.exactOptional(Platform),
    name: v.exactOptional(text("name", NAME_MAX_CODE_POINTS)),
    /** The public half of the key that the device signs its receipts with; the other half never leaves it. */
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

/** A push that its owner has sent to a device, to see whether it arrives. */
const DeviceTest = v.object({ sentAt: v.string(), shownAt: v.nullable(v.string()) });

const deviceEntries = {
  id: v.string(),
  platform: Platform,
  name: v.nullable(v.string()),
  createdAt: v.string(),
  /** When the app said last that the address is its own. */
  registeredAt: v.string(),
};

/** A device as its owner sees it. Its address stays inside: whoever has it can be sent to. */
export const DeviceView = v.object({
  ...deviceEntries,
  /** When the app was heard of last: it registered, or it confirmed a push. */
  lastSeenAt: v.string(),
  lastDeliveredAt: v.nullable(v.string()),
  /** The last push that failed since the app registered, with the push service's code. */
  lastFailure: v.nullable(Failure),
  /** Whether nothing has been heard of it for 30 days: it may be dead without anybody knowing. */
  silent: v.boolean(),
  /** Whether it can acknowledge without a session. */
  sendsReceipts: v.boolean(),
  /** The last test of it; `shownAt` once the device has confirmed it. */
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

/** A confirmation proves for so long that a person can be reached, and a device is heard of that has registered. */
const PROVEN_DAYS = 30;
const DAY_MS = 24 * 3_600_000;

const seenLast = ({ registeredAt, lastDeliveredAt }: Device): string =>
  (lastDeliveredAt ?? "") > registeredAt ? (lastDeliveredAt ?? "") : registeredAt;

/** Whether a time is so long ago that it proves nothing any more. */
const isLongAgo = (at: string, nowMs: number): boolean => (fromIso(at) ?? 0) < nowMs - PROVEN_DAYS * DAY_MS;

/** Whether nothing has been heard of a device for 30 days. */
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

/** What came of a test: what the push service said, and why not. `lastTest` of the device says later whether it was shown. */
export const DeviceTestAnswer = v.object({
  sentAt: v.string(),
  outcome: v.picklist(["accepted", "unregistered", "invalid", "retry", "auth", "unknown"]),
  code: v.nullable(v.string()),
});
export type DeviceTestAnswer = v.InferOutput<typeof DeviceTestAnswer>;

export const reachables = ["proven", "unproven", "no"] as const;
export type Reachable = (typeof reachables)[number];

/** Whether a person has devices, and nothing has been heard of any of them for 30 days. */
export const areSilent = (devices: readonly Device[], nowMs: number): boolean =>
  devices.length > 0 && devices.every((device) => isSilent(device, nowMs));

/** Whether a person with these devices can be reached: one of them confirmed a push lately, there are some, or none. */
export const reachableBy = (devices: readonly Device[], nowMs: number): Reachable => {
  if (devices.length === 0) return "no";
  const proven = devices.some(({ lastDeliveredAt }) => !isLongAgo(lastDeliveredAt ?? "", nowMs));
  return proven ? "proven" : "unproven";
};
