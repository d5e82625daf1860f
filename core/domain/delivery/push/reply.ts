import * as v from "valibot";
import { parseSeq } from "../../basics/ids.ts";

/* A text message that asks for an acknowledgement names a digit. A reply with this digit acknowledges the message's event. */

export const PhoneReply = v.object({
  originationNumber: v.string(),
  messageBody: v.string(),
  inboundMessageId: v.string(),
});
/** A reply to a text message. `publishedAt`: when AWS received the reply, in milliseconds. */
export type PhoneReply = v.InferOutput<typeof PhoneReply> & { publishedAt: number };

const DIGITS = 9;

/** Returns the digit with which people acknowledge the event. Nine events in a row have nine different digits. */
export const computeReplyDigit = (eventId: string): number => (parseSeq(eventId) % DIGITS) + 1;

export const formatReplyInstruction = (eventId: string): string => `Reply ${computeReplyDigit(eventId)} to acknowledge`;

/** The words that AWS treats as STOP, in upper or lower case, with or without a full stop. */
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

/** Parses a digit or a STOP word. Returns undefined for any other text. */
export const readReply = (text: string): { kind: "digit"; digit: number } | { kind: "stop" } | undefined => {
  const word = text.trim().replace(/[.!]$/, "").toLowerCase();
  if (/^[1-9]$/.test(word)) return { kind: "digit", digit: Number(word) };
  return STOP_WORDS.includes(word) ? { kind: "stop" } : undefined;
};
