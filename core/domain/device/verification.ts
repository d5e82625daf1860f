import * as v from "valibot";
import type { DeviceId } from "../basics/ids.ts";
import { sha256 } from "../basics/digest.ts";
import { MINUTE_MS } from "../basics/units.ts";

/* Six digits can be guessed: the service counts entered codes before it compares them, and sent codes before it sends them. */

export const CODE_TRIES_MAX = 5;
const CODE_LIFE_MINUTES = 60;
const CODE_DIGITS = 6;

/** Daily limits (UTC) per address, person, workspace and stage. */
export const CODES_A_DAY = { address: 3, person: 10, workspace: 100, stage: 1_000 } as const;
export type CodeCount = keyof typeof CODES_A_DAY;

export const SentCode = v.object({ hash: v.string(), sentAt: v.number(), tries: v.number() });
export type SentCode = v.InferOutput<typeof SentCode>;

/** A code that a person enters, perhaps with spaces between the digits. */
export const CodeInput = v.strictObject({
  code: v.pipe(
    v.string("code must be a string."),
    v.transform((code) => code.replaceAll(/\s/gu, "")),
    v.regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), `code must be the ${CODE_DIGITS} digits that were sent.`),
  ),
});
export type CodeInput = v.InferOutput<typeof CodeInput>;

/** Derives six digits from a secret. */
export const deriveCode = async (secret: string): Promise<string> => {
  const number = Buffer.from(await sha256(secret)).readUIntBE(0, 6) % 10 ** CODE_DIGITS;
  return String(number).padStart(CODE_DIGITS, "0");
};

/** Hashes the code, so that copies of the table contain no codes. Codes expire soon, because trying all six digits is fast. */
export const hashCode = async (deviceId: DeviceId, code: string): Promise<string> =>
  Buffer.from(await sha256(`${deviceId} ${code}`)).toString("hex");

export const isCodeExpired = ({ sentAt }: SentCode, nowMs: number): boolean =>
  nowMs >= sentAt + CODE_LIFE_MINUTES * MINUTE_MS;
