import * as v from "valibot";
import type { DeviceId } from "../basics/ids.ts";
import { sha256 } from "../basics/digest.ts";
import { MINUTE_MS } from "../basics/units.ts";

/*
 * Verifies an address by a code that is sent to it. Six digits can be guessed: each try is counted before the code is
 * compared, and each code before it is sent.
 */

export const CODE_TRIES_MAX = 5;
const CODE_LIFE_MINUTES = 60;
const CODE_DIGITS = 6;

/** The daily limits (UTC) for one address, one person, one workspace and the whole stage. */
export const CODES_A_DAY = { address: 3, person: 10, workspace: 100, stage: 1_000 } as const;
export type CodeCount = keyof typeof CODES_A_DAY;

export const SentCode = v.object({ hash: v.string(), sentAt: v.number(), tries: v.number() });
export type SentCode = v.InferOutput<typeof SentCode>;

/** The input has the digits, optionally with spaces. */
export const CodeInput = v.strictObject({
  code: v.pipe(
    v.string("code must be a string."),
    v.transform((code) => code.replaceAll(/\s/gu, "")),
    v.regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), `code must be the ${CODE_DIGITS} digits that were sent.`),
  ),
});
export type CodeInput = v.InferOutput<typeof CodeInput>;

/** Derives six digits from a text that nobody can guess. */
export const deriveCode = async (secret: string): Promise<string> => {
  const number = Buffer.from(await sha256(secret)).readUIntBE(0, 6) % 10 ** CODE_DIGITS;
  return String(number).padStart(CODE_DIGITS, "0");
};

/** The hash keeps the code out of copies of the table. The code's short lifetime is the real protection. */
export const hashCode = async (deviceId: DeviceId, code: string): Promise<string> =>
  Buffer.from(await sha256(`${deviceId} ${code}`)).toString("hex");

export const isCodeExpired = ({ sentAt }: SentCode, nowMs: number): boolean =>
  nowMs >= sentAt + CODE_LIFE_MINUTES * MINUTE_MS;
