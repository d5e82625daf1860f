import type { WorkspaceId } from "../../basics/ids.ts";
import { splitGraphemes } from "./fit-text.ts";
import { replaceNonGsm, chooseMeasure, type Measure } from "./gsm.ts";
import { pickEventFields, formatPushBody, formatPushTitle, type PushInput } from "./input.ts";
import { formatReplyInstruction } from "./reply.ts";
import { joinLines } from "../../basics/text.ts";
import { HOUR_MS } from "../../basics/units.ts";

export type SmsMessage = {
  phone: string;
  notification: Lines;
  toDo?: string | undefined;
  /** How long carriers may try to deliver the message, in milliseconds. */
  ttlMs: number;
  /** The token that AWS returns with its reports on the message. The token is not sent to the phone. */
  receipt?: string | undefined;
  data: Record<string, string>;
};

type Lines = { title: string; body: string };

export const joinSmsText = (message: Pick<SmsMessage, "notification" | "toDo">): string => {
  const { notification, toDo = "" } = message;
  return [notification.title, notification.body, toDo].filter((line) => line !== "").join("\n");
};

/** AWS's code for a number whose owner replied STOP. */
export const OPTED_OUT = "DESTINATION_PHONE_NUMBER_OPTED_OUT";

export const BUDGET_USED_UP = "BUDGET_USED_UP";

const CUT = "...";
/** Carriers may try to deliver a code as long as the code is valid. */
const CODE_TTL_MS = HOUR_MS;

/** Replaces typographic characters, and joins the lines. */
const cleanForSms = (text: string): string =>
  replaceNonGsm(text.toWellFormed())
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();

/** Shortens the text to `maxLength` in the units of the measure, with three dots. Never splits a grapheme. */
const cutToFit = (text: string, maxLength: number, { lengthOf }: Measure): string => {
  if (lengthOf(text) <= maxLength) return text;
  if (maxLength < CUT.length) return "";
  let fitted = "";
  let left = maxLength - CUT.length;
  for (const grapheme of splitGraphemes(text)) {
    left -= lengthOf(grapheme);
    if (left < 0) break;
    fitted += grapheme;
  }
  return fitted.trimEnd() + CUT;
};

/** Shortens the body, then the title, until they fit into one SMS part with the uncut instruction (`toDo`). */
export const fitIntoOnePart = (lines: Lines, toDo = ""): Lines => {
  const [title, body] = [cleanForSms(lines.title), cleanForSms(lines.body)];
  const measure = chooseMeasure(joinSmsText({ notification: { title, body }, toDo }));
  const room = measure.part - (toDo === "" ? 0 : measure.lengthOf(toDo) + 1);
  const first = cutToFit(title, room, measure);
  return { title: first, body: cutToFit(body, room - measure.lengthOf(first) - 1, measure) };
};

/** Builds a text message, which contains only the event's title, body and site. */
export const buildSms = (input: PushInput, phone: string, ttlMs: number): SmsMessage => {
  const { eventId, requiresAck } = input;
  const title = formatPushTitle(input);
  const body = formatPushBody(input);
  const toDo = requiresAck && eventId !== undefined ? formatReplyInstruction(eventId) : undefined;
  return {
    phone,
    // Omits a body that only repeats the title.
    notification: fitIntoOnePart({ title, body: body.trim() === joinLines(input.title) ? "" : body }, toDo),
    toDo,
    ttlMs,
    receipt: input.receipt,
    data: pickEventFields(input),
  };
};

/** Builds the answer to a reply. The workspace pays for the answer. */
export const buildAnswerSms = (workspaceId: WorkspaceId, phone: string, text: string): SmsMessage => ({
  phone,
  notification: fitIntoOnePart({ title: text, body: "" }),
  ttlMs: CODE_TTL_MS,
  data: { workspaceId },
});

export const buildCodeSms = (phone: string, code: string): SmsMessage => ({
  phone,
  notification: {
    title: `${code} is your code`,
    body: "Enter it under Devices to get alerts on this number. If you did not request it, ignore this message.",
  },
  ttlMs: CODE_TTL_MS,
  data: {},
});
