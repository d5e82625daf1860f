import * as v from "valibot";
import { fromIso, toIso } from "../../basics/time.ts";
import type { Contact } from "../../device/device.ts";

/*
 * What a service says about a message after it has taken it: that it arrived, or did not. The message carried the token of
 * a receipt, so that nothing has to be written before it is sent, and nobody else can say it.
 */

/**
 * What became of a message: it has arrived; it has not, and none will, because of the address; or it has not, because of
 * what may be over.
 */
export type Fate = "arrived" | "failing" | "lost";

/**
 * The events of AWS End User Messaging that are asked for, with what they mean. Of those that are not, the carrier's having
 * it (`TEXT_SUCCESSFUL`) says nothing about the phone.
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
  /** When the message was asked for, in milliseconds. */
  messageRequestTimestamp: v.number(),
  /** What was sent along with the message. */
  context: v.nullish(v.record(v.string(), v.string())),
});
export type SmsEvent = v.InferOutput<typeof SmsEvent>;

/** The name in the context of a text message of the token that it carries. */
export const SMS_RECEIPT = "receipt";

/** What became of one message. */
export type DeliveryEvent = {
  fate: Fate;
  /** The service's own word for it. */
  code: string;
  to: Contact;
  /** When the message was sent, in ISO 8601. */
  sentAt: string;
  receipt: string;
};

const isAsked = (type: string): type is keyof typeof smsFates => Object.hasOwn(smsFates, type);

/** What an event says; undefined for one that says nothing about a notification or a test of ours. */
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

/** The events of SES that are asked for. That a mail server took a mail says nothing about whoever reads it. */
export const MAIL_EVENTS = ["Bounce", "Complaint"] as const;

/** An event about an e-mail, as SES publishes it. */
export const MailEvent = v.object({
  eventType: v.picklist(MAIL_EVENTS),
  bounce: v.optional(v.object({ bounceType: v.string(), bounceSubType: v.string() })),
  mail: v.object({
    /** When the mail was sent. */
    timestamp: v.pipe(v.string(), v.isoTimestamp()),
    destination: v.array(v.string()),
    tags: v.optional(v.record(v.string(), v.array(v.string())), {}),
  }),
});
export type MailEvent = v.InferOutput<typeof MailEvent>;

/** SES takes no dots in a tag: a token travels in as many as it has parts. */
const TOKEN_TAGS = ["workspace", "user", "device", "about", "expires", "proof"] as const;

/** The tags of an e-mail that carries a token. */
export const tagsOf = (receipt: string): { Name: string; Value: string }[] =>
  receipt.split(".").map((Value, index) => ({ Name: TOKEN_TAGS[index] ?? "", Value }));

const receiptOf = (tags: MailEvent["mail"]["tags"]): string =>
  TOKEN_TAGS.map((name) => tags[name]?.[0] ?? "").join(".");

/** SES's words for a bounce, nothing but which may pass for a code. */
const codeOf = ({ eventType, bounce }: MailEvent): string =>
  [eventType, bounce?.bounceType, bounce?.bounceSubType]
    .filter((word) => /^[A-Za-z]{1,40}$/.test(word ?? ""))
    .join(".");

/** What an event says. Whoever complains wants no mail: it is the same for the sender as an address that does not exist. */
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
