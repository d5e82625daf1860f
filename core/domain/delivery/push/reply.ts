import * as v from "valibot";
import { seqOf } from "../../basics/ids.ts";

/*
 * Replies by text message. A message that wants an acknowledgement names a digit; a person who replies with it, from their
 * own number, acknowledges.
 */

/** A text message from a phone, as AWS End User Messaging publishes it. */
export const PhoneReply = v.object({
  originationNumber: v.string(),
  messageBody: v.string(),
  inboundMessageId: v.string(),
});
/** `publishedAt`: when it came from the phone, in milliseconds. */
export type PhoneReply = v.InferOutput<typeof PhoneReply> & { publishedAt: number };

const DIGITS = 9;

/** The digit for an event: the same for all recipients, and a different one for each of nine events in a row. */
export const digitOf = (eventId: string): number => (seqOf(eventId) % DIGITS) + 1;

export const replyLine = (eventId: string): string => `Reply ${digitOf(eventId)} to acknowledge`;

/** The keywords that AWS recognizes, in any case and with a full stop. */
const STOP_WORDS: readonly string[] = [
  "stop",
  "arret",
  "cancel",
  "end",
  "opt-out",
  "optout",
  "quit",
  "remove",
  "td",
  "unsubscribe",
];

/** The meaning of a reply; undefined for anything else. */
export const readReply = (text: string): { kind: "digit"; digit: number } | { kind: "stop" } | undefined => {
  const word = text.trim().replace(/[.!]$/, "").toLowerCase();
  if (/^[1-9]$/.test(word)) return { kind: "digit", digit: Number(word) };
  return STOP_WORDS.includes(word) ? { kind: "stop" } : undefined;
};
