import * as v from "valibot";
import { seqOf } from "../../basics/ids.ts";

/*
 * What comes back by text message. A message that calls for an acknowledgement names a digit; whoever answers with it, from
 * a number that is theirs, acknowledges.
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

/** The digit for an event: the same for all who are told, and another one for each of nine events in a row. */
export const digitOf = (eventId: string): number => (seqOf(eventId) % DIGITS) + 1;

export const replyLine = (eventId: string): string => `Reply ${digitOf(eventId)} to acknowledge`;

/** As AWS takes them, in any case and with a full stop. */
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

/** What somebody has answered; undefined for anything else. */
export const readReply = (text: string): { kind: "digit"; digit: number } | { kind: "stop" } | undefined => {
  const word = text.trim().replace(/[.!]$/, "").toLowerCase();
  if (/^[1-9]$/.test(word)) return { kind: "digit", digit: Number(word) };
  return STOP_WORDS.includes(word) ? { kind: "stop" } : undefined;
};
