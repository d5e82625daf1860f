import { fitText } from "./fit-text.ts";
import { pickEventFields, formatPushBody, formatPushTitle, type PushInput } from "./input.ts";
import { findFirstSentence, cleanTitleForSpeech } from "./speech.ts";

export type CallMessage = {
  call: string;
  notification: { title: string; body: string };
  toDo: string;
  /** The token that AWS returns with each pressed key; undefined if the call only informs. */
  receipt?: string | undefined;
  /** A value that is the same for all attempts of a call, so that a repeated request does not call twice. */
  once: string;
  data: Record<string, string>;
};

export const KEYS = { acknowledge: "4", escalate: "5", repeat: "6" } as const;
export type CallKey = (typeof KEYS)[keyof typeof KEYS];
export const callKeys: readonly CallKey[] = Object.values(KEYS);

/** The limits of a call's text: a call speaks for about 40 seconds, so that people need not wait long for the choices. */
const TITLE_MAX_BYTES = 200;
const BODY_MAX_BYTES = 300;

/** Replaces characters that a call flow or its markup would interpret, and joins the lines. */
const cleanForSpeech = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("&", " and ")
    .replaceAll("<", " less than ")
    .replaceAll(">", " more than ")
    // In a call flow, `$.` refers to an attribute.
    .replaceAll("$.", "$ ")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();

/** Adds a period to a text that ends without a punctuation mark. */
const endSentence = (text: string): string => (text === "" || /[.!?]$/u.test(text) ? text : `${text}.`);

export const joinSpokenText = ({ notification, toDo }: Pick<CallMessage, "notification" | "toDo">): string =>
  [notification.title, notification.body, toDo].filter((part) => part !== "").join(" ");

const REPEAT = `Press ${KEYS.repeat} to repeat.`;

/** Returns the sentence that says which keys to press. Without a token (`receipt`), keys can only repeat the call. */
const chooseInstruction = ({ requiresAck, eventId, receipt }: PushInput): string => {
  if (receipt === undefined) return requiresAck ? `Open the console to acknowledge. ${REPEAT}` : REPEAT;
  if (eventId === undefined) return `Press ${KEYS.acknowledge} to confirm that you can be reached. ${REPEAT}`;
  return requiresAck
    ? `Press ${KEYS.acknowledge} to acknowledge. Press ${KEYS.escalate} to escalate. ${REPEAT}`
    : REPEAT;
};

/** Keeps the title, and the body's first sentence unless that sentence repeats the title. */
const shortenForSpeech = (input: PushInput): PushInput => {
  if (input.eventId === undefined) return input;
  const title = cleanTitleForSpeech(input.title);
  const body = findFirstSentence(input.body);
  return { ...input, title, body: body === title ? "" : body };
};

/** Builds the call of a notification or a test. Speaks only the event's title, site and one sentence. */
export const buildCall = (fullInput: PushInput, phoneNumber: string): CallMessage => {
  const input = shortenForSpeech(fullInput);
  const { notificationId, receipt, once } = input;
  return {
    call: phoneNumber,
    notification: {
      title: endSentence(fitText(cleanForSpeech(formatPushTitle(input)), TITLE_MAX_BYTES)),
      body: endSentence(fitText(cleanForSpeech(formatPushBody(input)), BODY_MAX_BYTES)),
    },
    toDo: chooseInstruction(input),
    receipt,
    once: once ?? notificationId,
    data: pickEventFields(input),
  };
};

/** Builds the call that reads out a verification code. `once`: identifies the call in repeated attempts. */
export const buildCodeCall = (phoneNumber: string, code: string, once: string): CallMessage => ({
  call: phoneNumber,
  notification: {
    title: `Your code is ${code.split("").join(", ")}.`,
    body: "Enter it under Devices to get alerts on this number. If you did not request it, hang up.",
  },
  toDo: REPEAT,
  once,
  data: {},
});
