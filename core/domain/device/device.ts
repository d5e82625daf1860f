import * as v from "valibot";
import { DeviceId } from "../basics/ids.ts";
import { isPublicKey } from "../basics/p256.ts";
import { EMAIL_MAX_CODE_POINTS, NAME_MAX_CODE_POINTS, PUSH_TOKEN_MAX_CODE_POINTS } from "../basics/limits.ts";
import { Language } from "../basics/language.ts";
import { nameText, text } from "../basics/text.ts";
import { fromIso } from "../basics/time.ts";
import type { Channel } from "./channel.ts";
import { Subscription } from "./subscription.ts";
import { SentCode } from "./verification.ts";
import { DAY_MS } from "../basics/units.ts";

const platforms = ["ios", "android", "web"] as const;
export const Platform = v.picklist(platforms, `platform must be one of ${platforms.join(", ")}.`);
export type Platform = v.InferOutput<typeof Platform>;

const fcmAddress = (name: string, what: string) =>
  v.pipe(
    text(name, PUSH_TOKEN_MAX_CODE_POINTS),
    v.regex(/^[\x21-\x7e]*$/, `${name} must be ${what} of FCM: printable ASCII without spaces.`),
  );

/** How a phone number can be notified: by text message, or by a call. */
export const phoneChannels = ["sms", "voice"] as const;
const PhoneChannel = v.picklist(phoneChannels, "ways must contain sms or voice.");
export type PhoneChannel = v.InferOutput<typeof PhoneChannel>;
/** The channels that cost money per message. */
export type PaidChannel = PhoneChannel;

/** E.164: a plus, the country's code, 15 digits at most. The shortest numbers that take messages have 8. */
const PHONE_NUMBER = /^\+[1-9]\d{7,14}$/;

/** SES accepts ASCII addresses only: a domain in other letters is written in Punycode (`xn--...`). */
const MAIL_ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

const addressEntries = {
  token: v.exactOptional(fcmAddress("token", "a registration token")),
  fid: v.exactOptional(fcmAddress("fid", "an installation id")),
  subscription: v.exactOptional(Subscription),
  email: v.exactOptional(
    v.pipe(
      text("email", EMAIL_MAX_CODE_POINTS),
      v.regex(MAIL_ADDRESS, "email must be an email address, such as alice@acme.example."),
    ),
  ),
  phone: v.exactOptional(
    v.pipe(
      v.string("phone must be a string."),
      v.regex(PHONE_NUMBER, "phone must be a number with its country's code (E.164), such as +4930123456."),
    ),
  ),
};
const addressNames = ["token", "fid", "subscription", "email", "phone"] as const;

/**
 * The address of a device: FCM with a registration token or an installation id, a browser's push service, email, or a
 * phone number with text messages or a `call`.
 */
export type PushAddress =
  | { token: string }
  | { fid: string }
  | { subscription: Subscription }
  | { email: string }
  | { phone: string }
  | { call: string };

type Addressed = {
  token?: string | undefined;
  fid?: string | undefined;
  subscription?: Subscription | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  call?: string | undefined;
  ways?: readonly PhoneChannel[] | undefined;
};

/** An address that somebody types in, and that must be verified before it gets anything. */
export type Contact = { field: "email" | "phone"; address: string };

export const contactOf = ({ email, phone }: Addressed): Contact | undefined => {
  if (email !== undefined) return { field: "email", address: email };
  return phone === undefined ? undefined : { field: "phone", address: phone };
};

/** The only address of a device. Throws if it has none, because no device is registered without one. */
export const addressOf = ({ token, fid, subscription, email, phone }: Addressed): PushAddress => {
  if (email !== undefined) return { email };
  if (phone !== undefined) return { phone };
  if (subscription !== undefined) return { subscription };
  if (fid !== undefined) return { fid };
  if (token !== undefined) return { token };
  throw new Error("a device has no address");
};

/** The channels of contacts, as they are stored with an attempt. */
export const ContactChannel = v.picklist(["email", ...phoneChannels]);
export type ContactChannel = v.InferOutput<typeof ContactChannel>;

/** The channels of a contact, both for a number if its owner wants that; none for an app or a browser. */
const contactChannelsOf = ({ email, phone, call, ways = ["sms"] }: Addressed): readonly ContactChannel[] => {
  if (email !== undefined) return ["email"];
  if (call !== undefined) return ["voice"];
  return phone === undefined ? [] : phoneChannels.filter((way) => ways.includes(way));
};

export const pushChannels = ["fcm", "web-push", ...ContactChannel.options] as const;

/** The channels by which a device notifies a person. */
export const channelsOf = (addressed: Addressed): readonly Channel[] => {
  const channels = contactChannelsOf(addressed);
  return channels.length === 0 ? ["push"] : channels;
};

/** The service for a device, or for a message; the first one for a number with two channels. */
export const channelOf = (addressed: Addressed): (typeof pushChannels)[number] => {
  const [way] = contactChannelsOf(addressed);
  if (way !== undefined) return way;
  return addressed.subscription === undefined ? "fcm" : "web-push";
};

/** One channel of one device: what a notification tries separately. `key`: its name among a person's attempts. */
export type DeviceChannel = { key: string; device: Device; way: ContactChannel | undefined };

/** The channels of devices: one each, and two for a number with text messages and calls. */
export const deviceChannelsOf = (devices: readonly Device[]): DeviceChannel[] =>
  devices.flatMap((device): DeviceChannel[] => {
    const channels = contactChannelsOf(device);
    if (channels.length === 0) return [{ key: device.id, device, way: undefined }];
    return channels.map((way) => ({ key: way === "voice" ? `${device.id}.voice` : device.id, device, way }));
  });

/** The device that an attempt was made on. */
export const deviceOfChannel = (key: string): string => key.replace(/\.voice$/, "");

/** The address of a channel. */
export const addressOfChannel = ({ device, way }: Pick<DeviceChannel, "device" | "way">): PushAddress =>
  way === "voice" && device.phone !== undefined ? { call: device.phone } : addressOf(device);

/** A text that identifies an address. For a subscription it is the endpoint, which stays when the keys are renewed. */
export const addressText = (address: PushAddress): string => {
  // Mailboxes whose names differ only in case are the same in practice.
  if ("email" in address) return `mail ${address.email.toLowerCase()}`;
  if ("phone" in address) return `phone ${address.phone}`;
  if ("call" in address) return `phone ${address.call}`;
  if ("subscription" in address) return `web ${address.subscription.endpoint}`;
  return "fid" in address ? `fid ${address.fid}` : address.token;
};

/** What an app registers when it starts, or what a person adds, with exactly one of the addresses. */
export const DeviceInput = v.pipe(
  v.object({
    ...addressEntries,
    /** How a phone number is to be notified. */
    ways: v.exactOptional(
      v.pipe(
        v.array(PhoneChannel, "ways must be an array."),
        v.minLength(1, "ways must contain sms or voice."),
        v.check((channels) => new Set(channels).size === channels.length, "ways must contain each channel once."),
      ),
    ),
    /** Optional for a browser, which is known by its subscription; contacts have none. */
    platform: v.exactOptional(Platform),
    name: v.exactOptional(nameText("name", NAME_MAX_CODE_POINTS)),
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
    const fault = (
      field: (typeof addressNames)[number] | "ways" | "platform" | "receiptKey",
      expected: string,
      message: string,
    ) =>
      addIssue({
        message,
        expected,
        path: [{ type: "object", origin: "value", input: value, key: field, value: value[field] }],
      });
    const [first, ...others] = addressNames.filter((name) => value[name] !== undefined);
    if (first === undefined)
      fault("token", "required", "One of token, fid, subscription, email and phone is required.");
    for (const other of others)
      fault(other, "nothing", `${other} must not be given together with ${first}: a device has one address.`);
    if (first === "phone" && value.ways === undefined)
      fault("ways", "required", 'ways is required with phone: ["sms"], ["voice"] or both.');
    if (first !== "phone" && value.ways !== undefined) fault("ways", "nothing", "ways is for phone numbers only.");
    if (first === "email" || first === "phone") {
      for (const name of ["platform", "receiptKey"] as const)
        if (value[name] !== undefined)
          fault(name, "nothing", `${name} is for devices with an app, not for an address.`);
    } else if (value.platform === undefined && value.subscription === undefined)
      fault("platform", "required", "platform is required.");
  }),
);
export type DeviceInput = v.InferOutput<typeof DeviceInput>;

/** A device with the language of its registration, if the request has one. */
export type Registering = DeviceInput & { language?: Language | undefined };

const Failure = v.object({ at: v.string(), code: v.string() });
const Failing = v.object({ since: v.string(), code: v.string() });
export type Failing = v.InferOutput<typeof Failing>;

/** A test push that a device's owner has sent to it, to see whether it arrives. */
const DeviceTest = v.object({ sentAt: v.string(), shownAt: v.nullable(v.string()) });

/** `email`: an email address; `phone`: a phone number. */
export const DevicePlatform = v.picklist([...platforms, "email", "phone"]);

const deviceEntries = {
  id: DeviceId,
  platform: DevicePlatform,
  name: v.nullable(v.string()),
  createdAt: v.string(),
  /** When the app last registered this address. */
  registeredAt: v.string(),
};

/**
 * A device as its owner sees it. The address of an app or a browser is left out: anybody who knows it could push to it.
 */
export const DeviceView = v.object({
  ...deviceEntries,
  /** The channels by which it is notified. */
  ways: v.array(v.picklist(["push", ...ContactChannel.options])),
  /** The email address; null for an app, a browser or a phone number. */
  email: v.nullable(v.string()),
  /** The phone number; null for an app, a browser or an email address. */
  phone: v.nullable(v.string()),
  /** Whether it gets anything: a contact must be verified first, by the code that was sent to it. */
  verified: v.boolean(),
  /** Whether it answered STOP: it gets nothing until it is verified again. */
  stopped: v.boolean(),
  /** When the app last registered or confirmed a push. */
  lastSeenAt: v.string(),
  lastDeliveredAt: v.nullable(v.string()),
  /** The last push that has failed since the app registered, with the push service's code. */
  lastFailure: v.nullable(Failure),
  /** Whether no push can reach it until it registers again: it belongs to another sender's keys or project. */
  mustRenew: v.boolean(),
  /** Since when nothing arrives at the address, with the service's word for it; until something does, or a new code. */
  failing: v.nullable(Failing),
  /** Whether the device was not seen for 30 days: it may be unreachable without anybody knowing. */
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
  /** Since when pushes to it are refused because it belongs to another sender. */
  foreignSince: v.optional(v.string()),
  /** Whether its owner was notified of that. */
  toldForeign: v.optional(v.boolean()),
  token: v.optional(v.string()),
  fid: v.optional(v.string()),
  subscription: v.optional(Subscription),
  email: v.optional(v.string()),
  phone: v.optional(v.string()),
  /** The channel of the phone number; text message by default. */
  ways: v.optional(v.array(PhoneChannel)),
  /** Since when the address is verified. */
  verifiedAt: v.optional(v.string()),
  /** Since when its owner has stopped it. */
  stoppedAt: v.optional(v.string()),
  /** When the message was sent that could not arrive, and none could since. */
  failing: v.optional(Failing),
  /** The code that was sent to the address last. */
  code: v.optional(SentCode),
  receiptKey: v.optional(v.string()),
  /** The language of its last registration, if that had one. */
  language: v.optional(Language),
  lastTest: v.optional(v.object({ id: v.string(), ...DeviceTest.entries })),
});
export type Device = v.InferOutput<typeof Device>;

/** How long a confirmed push proves that a person is reachable, and how long a device may be silent. */
const PROVEN_DAYS = 30;

/** Whether a device may get anything: a contact only after it is verified. */
export const isVerified = (device: Pick<Device, "email" | "phone" | "verifiedAt">): boolean =>
  contactOf(device) === undefined || device.verifiedAt !== undefined;

const seenLast = ({ registeredAt, lastDeliveredAt }: Device): string =>
  (lastDeliveredAt ?? "") > registeredAt ? (lastDeliveredAt ?? "") : registeredAt;

/** Whether a time is too long ago to prove anything. */
const isLongAgo = (at: string, nowMs: number): boolean => (fromIso(at) ?? 0) < nowMs - PROVEN_DAYS * DAY_MS;

/** Whether a device was not seen for 30 days. */
const isSilent = (device: Device, nowMs: number): boolean => isLongAgo(seenLast(device), nowMs);

export const toDeviceView = (device: Device, nowMs: number): DeviceView => {
  const { id, platform, name, createdAt, registeredAt, lastDeliveredAt = null, lastFailure = null } = device;
  const { receiptKey, lastTest, foreignSince, failing = null, email = null, phone = null } = device;
  return {
    id,
    platform,
    name,
    createdAt,
    registeredAt,
    ways: [...channelsOf(device)],
    email,
    phone,
    verified: isVerified(device),
    stopped: device.stoppedAt !== undefined,
    lastSeenAt: seenLast(device),
    lastDeliveredAt,
    lastFailure,
    mustRenew: foreignSince !== undefined,
    failing,
    silent: isSilent(device, nowMs),
    sendsReceipts: receiptKey !== undefined || email !== null || channelsOf(device).includes("voice"),
    lastTest: lastTest === undefined ? null : { sentAt: lastTest.sentAt, shownAt: lastTest.shownAt },
  };
};

/** The push service's answer to a test, with its code. The device's `lastTest` says later whether it was shown. */
export const DeviceTestAnswer = v.object({
  sentAt: v.string(),
  outcome: v.picklist(["accepted", "unregistered", "invalid", "retry", "auth", "foreign", "unknown"]),
  code: v.nullable(v.string()),
});
export type DeviceTestAnswer = v.InferOutput<typeof DeviceTestAnswer>;

export const reachables = ["proven", "unproven", "no"] as const;
export type Reachable = (typeof reachables)[number];

/** The devices that are reachable, unless they are silent: verified ones that need not register again and do not fail. */
export const takingDevices = (devices: readonly Device[]): Device[] =>
  devices.filter((device) => device.foreignSince === undefined && device.failing === undefined && isVerified(device));

/** Whether a person has devices, but none of them was seen for 30 days. */
export const areSilent = (devices: readonly Device[], nowMs: number): boolean =>
  devices.length > 0 && devices.every((device) => isSilent(device, nowMs));

/** Whether a person with these devices is reachable: `proven` by a recent confirmation, `unproven`, or no devices. */
export const reachableBy = (all: readonly Device[], nowMs: number): Reachable => {
  const devices = takingDevices(all);
  if (devices.length === 0) return "no";
  const proven = devices.some(({ lastDeliveredAt }) => !isLongAgo(lastDeliveredAt ?? "", nowMs));
  return proven ? "proven" : "unproven";
};
