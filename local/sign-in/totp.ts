import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/* One-time passwords by RFC 6238, as in authenticator apps: SHA-1, six digits, 30 seconds. */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;
const DIGITS = 6;
const SECRET_CHARACTERS = 52;

/** Creates a secret in Cognito's format, Base32 without padding. */
export const createTotpSecret = (): string =>
  [...randomBytes(SECRET_CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");

const decodeBase32 = (secret: string): Buffer => {
  const bits = Array.from(secret, (character) => ALPHABET.indexOf(character).toString(2).padStart(5, "0")).join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
};

/** Returns the password of a time step, the number of half minutes since 1970. */
const computePassword = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", decodeBase32(secret)).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
};

/** Returns the password at a time. `now`: the time in ms. */
export const computeTotp = (secret: string, now: number): string => computePassword(secret, Math.floor(now / STEP_MS));

/** Returns whether the password is correct. Accepts the previous and the next password, too, because clocks differ. */
export const isTotp = (secret: string, password: string, now: number): boolean =>
  password.length === DIGITS &&
  [-1, 0, 1].some((shift) =>
    timingSafeEqual(Buffer.from(computeTotp(secret, now + shift * STEP_MS)), Buffer.from(password)),
  );
