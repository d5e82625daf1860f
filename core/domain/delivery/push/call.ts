import { fitText } from "./fit-text.ts";
import { aboutOf, bodyOf, titleOf, type PushInput } from "./input.ts";
import { firstSentence, spokenTitle } from "./spoken.ts";

/** A call to one number, with the keys to press. */
export type CallMessage = {
  call: string;
  /** The text that is spoken first. */
  notification: { title: string; body: string };
  /** The choices, spoken after it. */
  toDo: string;
  /** What keys mean; undefined if the call only informs. */
  receipt?: string | undefined;
  /** The same for each try of one call: a repeated request makes no second one. */
  once: string;
  /** The event it is about, as in every other push. It is not sent. */
  data: Record<string, string>;
};

/** The keys of a call. */
export const KEYS = { acknowledge: "4", escalate: "5", repeat: "6" } as const;
export type CallKey = (typeof KEYS)[keyof typeof KEYS];
export const callKeys: readonly CallKey[] = Object.values(KEYS);

/** Two thirds of a minute of speech: a person who is woken must not wait long for the choices. */
const TITLE_MAX_BYTES = 200;
const BODY_MAX_BYTES = 300;

/** A text for a voice: no line breaks, and no characters of speech markup. */
const clean = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("&", " and ")
    .replaceAll("<", " less than ")
    .replaceAll(">", " more than ")
    // The start of the flow's own references to attributes.
    .replaceAll("$.", "$ ")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();

const sentence = (text: string): string => (text === "" || /[.!?]$/u.test(text) ? text : `${text}.`);

/** Everything that is spoken before a key is pressed. */
export const spokenOf = ({ notification: { title, body }, toDo }: Pick<CallMessage, "notification" | "toDo">): string =>
  [title, body, toDo].filter((part) => part !== "").join(" ");

const REPEAT = `Press ${KEYS.repeat} to repeat.`;

/** A key without a token would belong to nobody. */
const toDoOf = ({ requiresAck, eventId, receipt }: PushInput): string => {
  if (receipt === undefined) return requiresAck ? `Open the console to acknowledge. ${REPEAT}` : REPEAT;
  if (eventId === undefined) return `Press ${KEYS.acknowledge} to confirm that you can be reached. ${REPEAT}`;
  return requiresAck
    ? `Press ${KEYS.acknowledge} to acknowledge. Press ${KEYS.escalate} to escalate. ${REPEAT}`
    : REPEAT;
};

/** The spoken part of an event: its title and the first sentence of its body, which may only repeat the title. */
const inSpeech = (input: PushInput): PushInput => {
  if (input.eventId === undefined) return input;
  const title = spokenTitle(input.title);
  const body = firstSentence(input.body);
  return { ...input, title, body: body === title ? "" : body };
};

/** The call of one notification, or of a test: title, site and one sentence, and nothing else of the event. */
export const buildCall = (sent: PushInput, call: string): CallMessage => {
  const input = inSpeech(sent);
  const { notificationId, receipt, once } = input;
  return {
    call,
    notification: {
      title: sentence(fitText(clean(titleOf(input)), TITLE_MAX_BYTES)),
      body: sentence(fitText(clean(bodyOf(input)), BODY_MAX_BYTES)),
    },
    toDo: toDoOf(input),
    receipt,
    once: once ?? notificationId,
    data: aboutOf(input),
  };
};

/** The call with the code that shows that the number is the person's. Each digit is spoken separately. */
export const codeCall = (call: string, code: string, once: string): CallMessage => ({
  call,
  notification: {
    title: `Your code is ${code.split("").join(", ")}.`,
    body: "Enter it under Devices to get alerts on this number. If you did not request it, hang up.",
  },
  toDo: REPEAT,
  once,
  data: {},
});
