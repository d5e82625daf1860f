import * as v from "valibot";
import { DeviceId } from "../basics/ids.ts";
import { isP256PublicKey } from "../basics/p256.ts";
import { EMAIL_MAX_CODE_POINTS, NAME_MAX_CODE_POINTS, PUSH_TOKEN_MAX_CODE_POINTS } from "../basics/limits.ts";
import { Language } from "../basics/language.ts";
import { nameSchema, textSchema } from "../basics/text.ts";
import { fromIso } from "../basics/time.ts";
import type { Channel, pushChannels } from "./channel.ts";
import { Subscription } from "./subscription.ts";
import { SentCode } from "./verification.ts";
import { DAY_MS } from "../basics/units.ts";

const platforms = ["ios", "android", "web"] as const;
export const Platform = v.picklist(platforms, `platform must be one of ${platforms.join(", ")}.`);
export type Platform = v.InferOutput<typeof Platform>;

const fcmAddressSchema = (field: string, noun: string) =>
  v.pipe(
    textSchema(field, PUSH_TOKEN_MAX_CODE_POINTS),
    v.regex(/^[\x21-\x7e]*$/, `${field} must be ${noun} of FCM: printable ASCII without spaces.`),
  );

export const phoneChannels = ["sms", "voice"] as const;
const PhoneChannel = v.picklist(phoneChannels, "ways must contain sms or voice.");
export type PhoneChannel = v.InferOutput<typeof PhoneChannel>;
export type PaidChannel = PhoneChannel;

/** E.164: a plus, the country code, at most 15 digits. The shortest numbers that can get messages have 8 digits. */
const PHONE_NUMBER = /^\+[1-9]\d{7,14}$/;

/** SES accepts only ASCII addresses, with Punycode (`xn--...`) for other domains. */
const MAIL_ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/i;

const addressEntries = {
  token: v.exactOptional(fcmAddressSchema("token", "a registration token")),
  fid: v.exactOptional(fcmAddressSchema("fid", "an installation id")),
  subscription: v.exactOptional(Subscription),
  email: v.exactOptional(
    v.pipe(
      textSchema("email", EMAIL_MAX_CODE_POINTS),
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

/** An FCM token or installation id, a subscription, an email address, or a phone number for messages or a `call`. */
export type PushAddress =
  | { token: string }
  | { fid: string }
  | { subscription: Subscription }
  | { email: string }
  | { phone: string }
  | { call: string };

type AddressFields = {
  token?: string | undefined;
  fid?: string | undefined;
  subscription?: Subscription | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  call?: string | undefined;
  ways?: readonly PhoneChannel[] | undefined;
};

/** An address that a person has entered. An unverified address gets only verification codes. */
export type Contact = { field: "email" | "phone"; address: string };

/** Returns the email address or phone number; undefined for an app or a browser. */
export const toContact = ({ email, phone }: AddressFields): Contact | undefined => {
  if (email !== undefined) return { field: "email", address: email };
  return phone === undefined ? undefined : { field: "phone", address: phone };
};

/** Returns the device's address. Throws for a device without an address, which registration prevents. */
export const toAddress = ({ token, fid, subscription, email, phone }: AddressFields): PushAddress => {
  if (email !== undefined) return { email };
  if (phone !== undefined) return { phone };
  if (subscription !== undefined) return { subscription };
  if (fid !== undefined) return { fid };
  if (token !== undefined) return { token };
  throw new Error("a device has no address");
};

/** The channels of email addresses and phone numbers. */
export const ContactChannel = v.picklist(["email", ...phoneChannels]);
export type ContactChannel = v.InferOutput<typeof ContactChannel>;

/** Returns two channels for a phone number with text messages and calls, and none for an app or a browser. */
const listContactChannels = ({ email, phone, call, ways = ["sms"] }: AddressFields): readonly ContactChannel[] => {
  if (email !== undefined) return ["email"];
  if (call !== undefined) return ["voice"];
  return phone === undefined ? [] : phoneChannels.filter((way) => ways.includes(way));
};

/** Lists the channels by which the device can be notified. */
export const listChannels = (addressed: AddressFields): readonly Channel[] => {
  const channels = listContactChannels(addressed);
  return channels.length === 0 ? ["push"] : channels;
};

/** Returns the device's channel; for a phone number with two channels, the first. */
export const toChannel = (addressed: AddressFields): (typeof pushChannels)[number] => {
  const [way] = listContactChannels(addressed);
  if (way !== undefined) return way;
  return addressed.subscription === undefined ? "fcm" : "web-push";
};

/** A notification tries each channel of a device separately. `key`: identifies the channel in a person's attempts. */
export type DeviceChannel = { key: string; device: Device; way: ContactChannel | undefined };

/** Returns the channels of all devices. A number with text messages and calls has two channels. */
export const listDeviceChannels = (devices: readonly Device[]): DeviceChannel[] =>
  devices.flatMap((device): DeviceChannel[] => {
    const channels = listContactChannels(device);
    if (channels.length === 0) return [{ key: device.id, device, way: undefined }];
    return channels.map((way) => ({ key: way === "voice" ? `${device.id}.voice` : device.id, device, way }));
  });

/** Returns the id of the device from the key of a `DeviceChannel`. */
export const parseDeviceId = (attemptKey: string): string => attemptKey.replace(/\.voice$/, "");

export const readChannelAddress = ({ device, way }: Pick<DeviceChannel, "device" | "way">): PushAddress =>
  way === "voice" && device.phone !== undefined ? { call: device.phone } : toAddress(device);

/** Returns the address as a text. Ignores the keys of a subscription, which a browser may renew. */
export const toAddressId = (address: PushAddress): string => {
  // In practice, addresses that differ only in case are one mailbox.
  if ("email" in address) return `mail ${address.email.toLowerCase()}`;
  if ("phone" in address) return `phone ${address.phone}`;
  if ("call" in address) return `phone ${address.call}`;
  if ("subscription" in address) return `web ${address.subscription.endpoint}`;
  return "fid" in address ? `fid ${address.fid}` : address.token;
};

/** The registration of exactly one address of an app, a browser or a person. */
export const DeviceInput = v.pipe(
  v.object({
    ...addressEntries,
    /** The channels for which a phone number may be used. */
    ways: v.exactOptional(
      v.pipe(
        v.array(PhoneChannel, "ways must be an array."),
        v.minLength(1, "ways must contain sms or voice."),
        v.check((channels) => new Set(channels).size === channels.length, "ways must contain each channel once."),
      ),
    ),
    /** The platform is required for an app, optional for a browser, and absent for contacts. */
    platform: v.exactOptional(Platform),
    name: v.exactOptional(nameSchema("name", NAME_MAX_CODE_POINTS)),
    /** The public key for receipts, whose private key never leaves the device. */
    receiptKey: v.exactOptional(
      v.pipe(
        v.string("receiptKey must be a string."),
        v.check(isP256PublicKey, "receiptKey must be a public key on P-256: 65 bytes, uncompressed, in base64url."),
      ),
    ),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { value } = dataset;
    const addFieldIssue = (
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
      addFieldIssue("token", "required", 'One of "token", "fid", "subscription", "email" and "phone" is required.');
    for (const other of others)
      addFieldIssue(
        other,
        "nothing",
        `"${other}" must not be given together with "${first}": a device has one address.`,
      );
    if (first === "phone" && value.ways === undefined)
      addFieldIssue("ways", "required", '"ways" is required with "phone": ["sms"], ["voice"] or both.');
    if (first !== "phone" && value.ways !== undefined)
      addFieldIssue("ways", "nothing", '"ways" is allowed only with "phone".');
    if (first === "email" || first === "phone") {
      for (const name of ["platform", "receiptKey"] as const)
        if (value[name] !== undefined)
          addFieldIssue(
            name,
            "nothing",
            `"${name}" is only for apps and browsers, not for an email address or a phone number.`,
          );
    } else if (value.platform === undefined && value.subscription === undefined)
      addFieldIssue("platform", "required", "platform is required.");
  }),
);
export type DeviceInput = v.InferOutput<typeof DeviceInput>;

/** A registration, with the language of the request if the request names a language. */
export type NewDevice = DeviceInput & { language?: Language | undefined };

const Failure = v.object({ at: v.string(), code: v.string() });
const FailingSince = v.object({ since: v.string(), code: v.string() });
export type FailingSince = v.InferOutput<typeof FailingSince>;

const DeviceTest = v.object({ sentAt: v.string(), shownAt: v.nullable(v.string()) });

export const DevicePlatform = v.picklist([...platforms, "email", "phone"]);

const deviceEntries = {
  id: DeviceId,
  platform: DevicePlatform,
  name: v.nullable(v.string()),
  createdAt: v.string(),
  /** The time of the last registration of the address. */
  registeredAt: v.string(),
};

/** A device as its owner sees it. The address of an app or a browser is not shown, because anybody could push to it. */
export const DeviceView = v.object({
  ...deviceEntries,
  ways: v.array(v.picklist(["push", ...ContactChannel.options])),
  email: v.nullable(v.string()),
  phone: v.nullable(v.string()),
  /** Only verified contacts are notified. */
  verified: v.boolean(),
  /** True if the owner replied STOP and has not verified the number again. A stopped number gets nothing. */
  stopped: v.boolean(),
  /** When the app last registered, or the device last confirmed a push. */
  lastSeenAt: v.string(),
  lastDeliveredAt: v.nullable(v.string()),
  /** The last push that failed since the registration, with the push service's code. */
  lastFailure: v.nullable(Failure),
  /** True if the device must register again, because its Firebase project or Web Push key is not ours. */
  mustRenew: v.boolean(),
  /** When messages to the address started to fail, with the code of the email or text message service. */
  failing: v.nullable(FailingSince),
  /** True if the device was not seen for 30 days, and may therefore be unreachable. */
  silent: v.boolean(),
  /** True if the device can acknowledge without a session. */
  sendsReceipts: v.boolean(),
  /** `shownAt`: set when the device has confirmed the test. */
  lastTest: v.nullable(DeviceTest),
});
export type DeviceView = v.InferOutput<typeof DeviceView>;

export const Device = v.object({
  ...deviceEntries,
  lastDeliveredAt: v.optional(v.nullable(v.string())),
  lastFailure: v.optional(v.nullable(Failure)),
  /** When a push was first refused because the device's Firebase project or Web Push key is not ours. */
  foreignSince: v.optional(v.string()),
  /** True if the owner was notified that the device must register again. */
  toldForeign: v.optional(v.boolean()),
  token: v.optional(v.string()),
  fid: v.optional(v.string()),
  subscription: v.optional(Subscription),
  email: v.optional(v.string()),
  phone: v.optional(v.string()),
  /** The channels of a phone number; text message by default. */
  ways: v.optional(v.array(PhoneChannel)),
  verifiedAt: v.optional(v.string()),
  stoppedAt: v.optional(v.string()),
  /** When messages to the address started to fail. */
  failing: v.optional(FailingSince),
  code: v.optional(SentCode),
  receiptKey: v.optional(v.string()),
  /** The language of the last registration, if the registration named a language. */
  language: v.optional(Language),
  lastTest: v.optional(v.object({ id: v.string(), ...DeviceTest.entries })),
});
export type Device = v.InferOutput<typeof Device>;

/** How many days a device is `proven` after it confirmed a push, and after how many days unseen it is `silent`. */
const PROVEN_DAYS = 30;

/** Returns whether the device can be notified: contacts must be verified; apps and browsers need not. */
export const isVerified = (device: Pick<Device, "email" | "phone" | "verifiedAt">): boolean =>
  toContact(device) === undefined || device.verifiedAt !== undefined;

/** Returns when the device last registered or confirmed a push, whichever is later. */
const findLastSeenAt = ({ registeredAt, lastDeliveredAt }: Device): string =>
  (lastDeliveredAt ?? "") > registeredAt ? (lastDeliveredAt ?? "") : registeredAt;

const isLongAgo = (iso: string, nowMs: number): boolean => (fromIso(iso) ?? 0) < nowMs - PROVEN_DAYS * DAY_MS;

/** Returns whether the device was not seen for 30 days. */
const isLongUnseen = (device: Device, nowMs: number): boolean => isLongAgo(findLastSeenAt(device), nowMs);

export const toDeviceView = (device: Device, nowMs: number): DeviceView => {
  const { id, platform, name, createdAt, registeredAt, lastDeliveredAt = null, lastFailure = null } = device;
  const { receiptKey, lastTest, foreignSince, failing = null, email = null, phone = null } = device;
  return {
    id,
    platform,
    name,
    createdAt,
    registeredAt,
    ways: [...listChannels(device)],
    email,
    phone,
    verified: isVerified(device),
    stopped: device.stoppedAt !== undefined,
    lastSeenAt: findLastSeenAt(device),
    lastDeliveredAt,
    lastFailure,
    mustRenew: foreignSince !== undefined,
    failing,
    silent: isLongUnseen(device, nowMs),
    sendsReceipts: receiptKey !== undefined || email !== null || listChannels(device).includes("voice"),
    lastTest: lastTest === undefined ? null : { sentAt: lastTest.sentAt, shownAt: lastTest.shownAt },
  };
};

/** The push service's answer to a test. The device's `lastTest` says later whether the device showed the test. */
export const DeviceTestAnswer = v.object({
  sentAt: v.string(),
  outcome: v.picklist(["accepted", "unregistered", "invalid", "retry", "auth", "foreign", "unknown"]),
  code: v.nullable(v.string()),
});
export type DeviceTestAnswer = v.InferOutput<typeof DeviceTestAnswer>;

export const reachables = ["proven", "unproven", "no"] as const;
export type Reachable = (typeof reachables)[number];

/** Returns the devices that are verified, do not fail, and need not register again, even if they were not seen recently. */
export const filterReachableDevices = (devices: readonly Device[]): Device[] =>
  devices.filter((device) => device.foreignSince === undefined && device.failing === undefined && isVerified(device));

/** Returns whether there are devices, but none was seen recently. */
export const areAllLongUnseen = (devices: readonly Device[], nowMs: number): boolean =>
  devices.length > 0 && devices.every((device) => isLongUnseen(device, nowMs));

/** Returns `proven` if a reachable device recently confirmed a push, `no` if no device is reachable, else `unproven`. */
export const judgeReachability = (allDevices: readonly Device[], nowMs: number): Reachable => {
  const devices = filterReachableDevices(allDevices);
  if (devices.length === 0) return "no";
  const proven = devices.some(({ lastDeliveredAt }) => !isLongAgo(lastDeliveredAt ?? "", nowMs));
  return proven ? "proven" : "unproven";
};
