import * as v from "valibot";
import type { DeviceId } from "../basics/ids.ts";
import { sha256 } from "../basics/digest.ts";
import { MINUTE_MS } from "../basics/units.ts";

/*
 * How a person verifies an address: by a code that is sent to it. Six digits can be guessed, so tries are counted
 * before the code is compared, and codes are counted before one is sent.
 */

/** How often a code may be tried. */
export const CODE_TRIES_MAX = 5;
const CODE_LIFE_MINUTES = 60;
const CODE_DIGITS = 6;

/** How many codes are sent within a day (UTC): to one address, for one person, in one workspace, and by the stage. */
export const CODES_A_DAY = { address: 3, person: 10, workspace: 100, stage: 1_000 } as const;
export type CodeCount = keyof typeof CODES_A_DAY;

/** A code that was sent: its hash, when, and how often it was tried. */
export const SentCode = v.object({ hash: v.string(), sentAt: v.number(), tries: v.number() });
export type SentCode = v.InferOutput<typeof SentCode>;

/** The entered code: the digits, optionally with spaces between them. */
export const CodeInput = v.strictObject({
  code: v.pipe(
    v.string("code must be a string."),
    v.transform((code) => code.replaceAll(/\s/gu, "")),
    v.regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), `code must be the ${CODE_DIGITS} digits that were sent.`),
  ),
});
export type CodeInput = v.InferOutput<typeof CodeInput>;

/** Six digits, made from a text that nobody can guess. */
export const codeOf = async (secret: string): Promise<string> => {
  const number = Buffer.from(await sha256(secret)).readUIntBE(0, 6) % 10 ** CODE_DIGITS;
  return String(number).padStart(CODE_DIGITS, "0");
};

/** Keeps the plain code out of copies of the table; its protection is that it is short-lived. */
export const codeHash = async (deviceId: DeviceId, code: string): Promise<string> =>
  Buffer.from(await sha256(`${deviceId} ${code}`)).toString("hex");

export const isOver = ({ sentAt }: SentCode, nowMs: number): boolean => nowMs >= sentAt + CODE_LIFE_MINUTES * MINUTE_MS;
