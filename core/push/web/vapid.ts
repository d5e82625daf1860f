import { createECDH, createPrivateKey, sign } from "node:crypto";
import * as v from "valibot";
import { decodeBase64url, isP256PublicKey } from "../../domain/basics/p256.ts";
import { SECOND_MS, HOUR_MS } from "../../domain/basics/units.ts";

/** How long a token is valid. Push services accept at most 24 hours; 12 hours leave room for clocks that differ. */
const LIFE_MS = 12 * HOUR_MS;

const SCALAR_BYTES = 32;

/** The key pair of RFC 8292. `subject`: a contact (`mailto:` or `https:`), which Apple refuses if it names localhost. */
export const VapidKeys = v.object({
  publicKey: v.pipe(v.string(), v.check(isP256PublicKey)),
  privateKey: v.pipe(
    v.string(),
    v.check((key) => decodeBase64url(key)?.length === SCALAR_BYTES),
  ),
  subject: v.pipe(v.string(), v.regex(/^(?:mailto:[^\s@]+@[^\s@]+\.[^\s@]+|https:\/\/[^\s/]+\.[^\s/]+.*)$/)),
});
export type VapidKeys = v.InferOutput<typeof VapidKeys>;

/** Parses the secret's JSON text. Returns undefined for an invalid text, because an error would quote parts of the secret. */
export const parseVapidKeys = (text: string): VapidKeys | undefined => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), VapidKeys), text);
  return parsed.success ? parsed.output : undefined;
};

export const createVapidKeys = (subject: string): VapidKeys => {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  // Node omits the private key's leading zeros, so they are added again.
  const privateKey = Buffer.concat([Buffer.alloc(SCALAR_BYTES), pair.getPrivateKey()]).subarray(-SCALAR_BYTES);
  return { publicKey, privateKey: base64url(privateKey), subject };
};

const base64url = (value: Uint8Array | string): string => Buffer.from(value).toString("base64url");

const toPrivateKey = ({ publicKey, privateKey }: VapidKeys) => {
  const point = Buffer.from(publicKey, "base64url");
  const x = base64url(point.subarray(1, 33));
  const y = base64url(point.subarray(33));
  return createPrivateKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y, d: privateKey } });
};

/** Returns a token's encoded header and claims for an endpoint, without a signature. */
export const createVapidClaims = (endpoint: string, subject: string, nowMs: number): string => {
  const header = { typ: "JWT", alg: "ES256" };
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor((nowMs + LIFE_MS) / SECOND_MS), sub: subject };
  return `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`;
};

/** Returns the Authorization header of a push to an endpoint, with a signed token. */
export const createVapidAuthorization = (keys: VapidKeys, endpoint: string, nowMs: number): string => {
  const claims = createVapidClaims(endpoint, keys.subject, nowMs);
  const signature = sign("sha256", Buffer.from(claims), { key: toPrivateKey(keys), dsaEncoding: "ieee-p1363" });
  return `vapid t=${claims}.${base64url(signature)}, k=${keys.publicKey}`;
};
