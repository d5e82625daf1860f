import * as v from "valibot";
import { fromIso, toIso } from "../../basics/time.ts";
import type { Contact } from "../../device/device.ts";

/* AWS's report on a message contains the message's receipt token, which names the notification and cannot be forged. */

/** The outcome of a message. `failing`: the address does not work. `lost`: the message failed for a temporary reason. */
export type Fate = "arrived" | "failing" | "lost";

/** The SMS events that we request, and their meaning. `TEXT_SUCCESSFUL` is omitted: it does not prove delivery to the phone. */
export const smsFates = {
  TEXT_DELIVERED: "arrived",
  TEXT_INVALID: "failing",
  TEXT_BLOCKED: "failing",
  TEXT_INVALID_MESSAGE: "lost",
  TEXT_UNREACHABLE: "lost",
  TEXT_CARRIER_UNREACHABLE: "lost",
  TEXT_CARRIER_BLOCKED: "lost",
  TEXT_SPAM: "lost",
  TEXT_TTL_EXPIRED: "lost",
  TEXT_UNKNOWN: "lost",
  TEXT_PROTECT_BLOCKED: "lost",
} as const satisfies Record<string, Fate>;

export const SmsEvent = v.object({
  eventType: v.pipe(v.string(), v.startsWith("TEXT_")),
  destinationPhoneNumber: v.string(),
  /** When the message was requested, in milliseconds. */
  messageRequestTimestamp: v.number(),
  context: v.nullish(v.record(v.string(), v.string())),
});
export type SmsEvent = v.InferOutput<typeof SmsEvent>;

export const SMS_RECEIPT = "receipt";

export type DeliveryEvent = {
  fate: Fate;
  /** The outcome in AWS's words. */
  code: string;
  to: Contact;
  /** When the message was sent, in ISO 8601. */
  sentAt: string;
  receipt: string;
};

const isKnownSmsEvent = (type: string): type is keyof typeof smsFates => Object.hasOwn(smsFates, type);

/** Reads an event of a text message. Returns undefined if the message is neither a notification nor a test. */
export const readSmsEvent = (event: SmsEvent): DeliveryEvent | undefined => {
  const { eventType, destinationPhoneNumber, messageRequestTimestamp, context } = event;
  const receipt = context?.[SMS_RECEIPT];
  if (receipt === undefined || !isKnownSmsEvent(eventType)) return undefined;
  return {
    fate: smsFates[eventType],
    code: eventType,
    to: { field: "phone", address: destinationPhoneNumber },
    sentAt: toIso(messageRequestTimestamp),
    receipt,
  };
};

/** The events requested from SES. `Delivery` is omitted, because the person may not get an email that a mail server accepted. */
export const MAIL_EVENTS = ["Bounce", "Complaint"] as const;

export const MailEvent = v.object({
  eventType: v.picklist(MAIL_EVENTS),
  bounce: v.optional(v.object({ bounceType: v.string(), bounceSubType: v.string() })),
  mail: v.object({
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
    destination: v.array(v.string()),
    tags: v.optional(v.record(v.string(), v.array(v.string())), {}),
  }),
});
export type MailEvent = v.InferOutput<typeof MailEvent>;

/** The tags that contain the parts of a token, because SES allows no dots in a tag. */
const TOKEN_TAGS = ["workspace", "user", "device", "about", "expires", "proof"] as const;

/** Returns the tags of an email that carry the parts of the receipt's token. */
export const toReceiptTags = (receipt: string): { Name: string; Value: string }[] =>
  receipt.split(".").map((Value, index) => ({ Name: TOKEN_TAGS[index] ?? "", Value }));

/** Joins the tags' parts of the receipt's token. */
const readReceiptFromTags = (tags: MailEvent["mail"]["tags"]): string =>
  TOKEN_TAGS.map((name) => tags[name]?.[0] ?? "").join(".");

const formatBounceCode = ({ eventType, bounce }: MailEvent): string =>
  [eventType, bounce?.bounceType, bounce?.bounceSubType]
    .filter((word) => /^[A-Za-z]{1,40}$/.test(word ?? ""))
    .join(".");

/** Reads an event of an email. A complaint means that the person wants no email, so it counts like an unknown address. */
export const readMailEvent = (event: MailEvent): DeliveryEvent => {
  const { eventType, bounce, mail } = event;
  return {
    fate: eventType === "Complaint" || bounce?.bounceType === "Permanent" ? "failing" : "lost",
    code: formatBounceCode(event),
    to: { field: "email", address: mail.destination[0] ?? "" },
    sentAt: toIso(fromIso(mail.timestamp) ?? 0),
    receipt: readReceiptFromTags(mail.tags),
  };
};
