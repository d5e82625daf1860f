import { fitText } from "./fit-text.ts";
import { pickEventFields, pushBody, pushTitle, type PushInput } from "./input.ts";
import { findFirstSentence, titleForSpeech } from "./speech.ts";

/** A call to one number, with the keys to press. */
export type CallMessage = {
  call: string;
  /** The text that is spoken first. */
  notification: { title: string; body: string };
  /** The choices, spoken after the text. */
  toDo: string;
  /** The token for pressed keys; undefined if the call only informs. */
  receipt?: string | undefined;
  /** A name that all tries of one call share, so that a repeated request makes no second call. */
  once: string;
  /** The event that the call is about. Every push has this field; a call does not send it. */
  data: Record<string, string>;
};

/** The keys that a person can press during a call. */
export const KEYS = { acknowledge: "4", escalate: "5", repeat: "6" } as const;
export type CallKey = (typeof KEYS)[keyof typeof KEYS];
export const callKeys: readonly CallKey[] = Object.values(KEYS);

/** The longest spoken texts: about 40 seconds, so that a person who was woken need not wait long for the choices. */
const TITLE_MAX_BYTES = 200;
const BODY_MAX_BYTES = 300;

/** Cleans a text for speech: no line breaks, no characters of speech markup. */
const cleanForSpeech = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("&", " and ")
    .replaceAll("<", " less than ")
    .replaceAll(">", " more than ")
    // In the call flow, `$.` starts a reference to an attribute.
    .replaceAll("$.", "$ ")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();

const endSentence = (text: string): string => (text === "" || /[.!?]$/u.test(text) ? text : `${text}.`);

/** Returns everything that is spoken before a key is pressed. */
export const joinSpokenText = ({
  notification: { title, body },
  toDo,
}: Pick<CallMessage, "notification" | "toDo">): string => [title, body, toDo].filter((part) => part !== "").join(" ");

const REPEAT = `Press ${KEYS.repeat} to repeat.`;

/** Returns the sentence that names the keys. Without a token, a pressed key could not be attributed to a notification. */
const chooseInstruction = ({ requiresAck, eventId, receipt }: PushInput): string => {
  if (receipt === undefined) return requiresAck ? `Open the console to acknowledge. ${REPEAT}` : REPEAT;
  if (eventId === undefined) return `Press ${KEYS.acknowledge} to confirm that you can be reached. ${REPEAT}`;
  return requiresAck
    ? `Press ${KEYS.acknowledge} to acknowledge. Press ${KEYS.escalate} to escalate. ${REPEAT}`
    : REPEAT;
};

/** Returns the spoken part of an event: its title and the first sentence of its body, if the sentence does not repeat the title. */
const shortenForSpeech = (input: PushInput): PushInput => {
  if (input.eventId === undefined) return input;
  const title = titleForSpeech(input.title);
  const body = findFirstSentence(input.body);
  return { ...input, title, body: body === title ? "" : body };
};

/** Builds the call of one notification, or of a test. Speaks only the title, the site and one sentence of the event. */
export const buildCall = (sent: PushInput, call: string): CallMessage => {
  const input = shortenForSpeech(sent);
  const { notificationId, receipt, once } = input;
  return {
    call,
    notification: {
      title: endSentence(fitText(cleanForSpeech(pushTitle(input)), TITLE_MAX_BYTES)),
      body: endSentence(fitText(cleanForSpeech(pushBody(input)), BODY_MAX_BYTES)),
    },
    toDo: chooseInstruction(input),
    receipt,
    once: once ?? notificationId,
    data: pickEventFields(input),
  };
};

/** Builds the call that speaks a verification code, each digit separately. */
export const buildCodeCall = (call: string, code: string, once: string): CallMessage => ({
  call,
  notification: {
    title: `Your code is ${code.split("").join(", ")}.`,
    body: "Enter it under Devices to get alerts on this number. If you did not request it, hang up.",
  },
  toDo: REPEAT,
  once,
  data: {},
});
