import * as v from "valibot";
import { toIso } from "../../basics/time.ts";
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
