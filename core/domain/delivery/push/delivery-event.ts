import * as v from "valibot";
import { fromIso, toIso } from "../../basics/time.ts";
import type { Contact } from "../../device/device.ts";

/*
 * A service's report about a message that it has accepted: that it arrived, or did not. The message carried the token of
 * a receipt, so that nothing has to be written before it is sent, and nobody else can forge it.
 */

/**
 * The outcome of a message: it has arrived; it has not, and none will, because of the address; or it has not, for a
 * temporary reason.
 */
export type Fate = "arrived" | "failing" | "lost";

/**
 * The events of AWS End User Messaging that are requested, with their meaning. `TEXT_SUCCESSFUL` is not requested: it says
 * that the carrier has the message, and nothing about the phone.
 */
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

/** An event about a text message, as AWS End User Messaging publishes it. */
export const SmsEvent = v.object({
  eventType: v.pipe(v.string(), v.startsWith("TEXT_")),
  destinationPhoneNumber: v.string(),
  /** When the message was requested, in milliseconds. */
  messageRequestTimestamp: v.number(),
  /** The data that was sent along with the message. */
  context: v.nullish(v.record(v.string(), v.string())),
});
export type SmsEvent = v.InferOutput<typeof SmsEvent>;

/** The name of a text message's token in its context. */
export const SMS_RECEIPT = "receipt";

/** The outcome of one message. */
export type DeliveryEvent = {
  fate: Fate;
  /** The service's own word for the outcome. */
  code: string;
  to: Contact;
  /** When the message was sent, in ISO 8601. */
  sentAt: string;
  receipt: string;
};

const isAsked = (type: string): type is keyof typeof smsFates => Object.hasOwn(smsFates, type);

/** The meaning of an event; undefined for one that is not about a notification or a test of ours. */
export const readSmsEvent = (event: SmsEvent): DeliveryEvent | undefined => {
  const { eventType, destinationPhoneNumber, messageRequestTimestamp, context } = event;
  const receipt = context?.[SMS_RECEIPT];
  if (receipt === undefined || !isAsked(eventType)) return undefined;
  return {
    fate: smsFates[eventType],
    code: eventType,
    to: { field: "phone", address: destinationPhoneNumber },
    sentAt: toIso(messageRequestTimestamp),
    receipt,
  };
};

/** The events of SES that are requested. That a mail server accepted an email says nothing about its reader. */
export const MAIL_EVENTS = ["Bounce", "Complaint"] as const;

/** An event about an email, as SES publishes it. */
export const MailEvent = v.object({
  eventType: v.picklist(MAIL_EVENTS),
  bounce: v.optional(v.object({ bounceType: v.string(), bounceSubType: v.string() })),
  mail: v.object({
    /** When the email was sent. */
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
    destination: v.array(v.string()),
    tags: v.optional(v.record(v.string(), v.array(v.string())), {}),
  }),
});
export type MailEvent = v.InferOutput<typeof MailEvent>;

/** SES accepts no dots in a tag: a token is sent as one tag for each of its parts. */
const TOKEN_TAGS = ["workspace", "user", "device", "about", "expires", "proof"] as const;

/** The tags of an email that carries a token. */
export const tagsOf = (receipt: string): { Name: string; Value: string }[] =>
  receipt.split(".").map((Value, index) => ({ Name: TOKEN_TAGS[index] ?? "", Value }));

const receiptOf = (tags: MailEvent["mail"]["tags"]): string =>
  TOKEN_TAGS.map((name) => tags[name]?.[0] ?? "").join(".");

/** SES's words for a bounce, reduced to characters of a code. */
const codeOf = ({ eventType, bounce }: MailEvent): string =>
  [eventType, bounce?.bounceType, bounce?.bounceSubType]
    .filter((word) => /^[A-Za-z]{1,40}$/.test(word ?? ""))
    .join(".");

/** The meaning of an event. A complaint means that no email is wanted: for the sender it is the same as an unknown address. */
export const readMailEvent = (event: MailEvent): DeliveryEvent => {
  const { eventType, bounce, mail } = event;
  return {
    fate: eventType === "Complaint" || bounce?.bounceType === "Permanent" ? "failing" : "lost",
    code: codeOf(event),
    to: { field: "email", address: mail.destination[0] ?? "" },
    sentAt: toIso(fromIso(mail.timestamp) ?? 0),
    receipt: receiptOf(mail.tags),
  };
};
