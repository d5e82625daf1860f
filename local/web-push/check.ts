import { createPublicKey, verify } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import * as v from "valibot";

/** The maximum size of a message, which every push service must accept. No push service accepts more bytes. */
const BODY_MAX_BYTES = 4096;
/** The size of an empty message: salt, record size, length of the key, key, delimiter and tag. */
const BODY_MIN_BYTES = 103;
const TOKEN_MAX_SECONDS = 24 * 3600;
/** The tolerance, in seconds, for clocks that differ. */
const LEEWAY_SECONDS = 60;
const PUBLIC_KEY_BYTES = 65;

export type Refusal = { status: number; reason: string };

const AUTHORIZATION = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), *k=([\w-]+)$/;

const Header = v.object({ typ: v.optional(v.literal("JWT")), alg: v.literal("ES256") });
const Claims = v.object({ aud: v.string(), exp: v.number(), sub: v.string() });

/** Apple requires a mailto or https URL whose host is not localhost. */
const SUBJECT = /^(?:mailto:[^\s@]+@|https:\/\/)(?!localhost\b)[^\s@/]+\.[^\s@/]+/;

/** Parses a part of a token, JSON in base64url. Returns undefined if the part is invalid. */
const parseTokenPart = <Shape>(part: string, schema: v.GenericSchema<unknown, Shape>): Shape | undefined => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), Buffer.from(part, "base64url").toString());
  return parsed.success ? parsed.output : undefined;
};

/** Imports a point of P-256 in base64url. Returns undefined if the point is invalid. */
const importPublicKey = (text: string) => {
  const point = Buffer.from(text, "base64url");
  if (point.length !== PUBLIC_KEY_BYTES) return undefined;
  const x = point.subarray(1, 33).toString("base64url");
  const y = point.subarray(33).toString("base64url");
  try {
    return createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
  } catch {
    return undefined;
  }
};

/** Checks the sender by RFC 8292, in the order of real push services. Returns the sender's `key`, or why it is refused. */
export const checkVapid = (
  authorization: string | undefined,
  endpoint: string,
  nowMs: number,
): { key: string } | Refusal => {
  if (authorization === undefined) return { status: 401, reason: "MissingAuthorization" };
  const [, header = "", claims = "", signature = "", key = ""] = AUTHORIZATION.exec(authorization) ?? [];
  if (header === "") return { status: 401, reason: "BadAuthorization" };
  const createRefusal = (reason: string): Refusal => ({ status: 403, reason });
  const publicKey = importPublicKey(key);
  if (publicKey === undefined) return createRefusal("BadPublicKey");
  if (parseTokenPart(header, Header) === undefined) return createRefusal("BadJwtHeader");
  const said = parseTokenPart(claims, Claims);
  if (said === undefined) return createRefusal("BadJwtClaims");
  const signed = Buffer.from(`${header}.${claims}`);
  const checked = { key: publicKey, dsaEncoding: "ieee-p1363" } as const;
  if (!verify("sha256", signed, checked, Buffer.from(signature, "base64url"))) return createRefusal("BadJwtSignature");
  const nowSeconds = nowMs / 1000;
  if (said.aud !== new URL(endpoint).origin) return createRefusal("BadAudience");
  if (said.exp <= nowSeconds - LEEWAY_SECONDS) return createRefusal("ExpiredJwt");
  if (said.exp > nowSeconds + TOKEN_MAX_SECONDS + LEEWAY_SECONDS) return createRefusal("JwtLivesTooLong");
  if (!SUBJECT.test(said.sub)) return createRefusal("BadSubject");
  return { key };
};

const urgencies = ["very-low", "low", "normal", "high"];

/** Returns why a push's headers or body are refused by RFC 8030 or RFC 8291; undefined if they are valid. */
export const checkMessage = (headers: IncomingHttpHeaders, body: Buffer): Refusal | undefined => {
  const { ttl, urgency, topic } = headers;
  if (typeof ttl !== "string" || !/^\d{1,9}$/.test(ttl)) return { status: 400, reason: "BadTtl" };
  if (urgency !== undefined && !urgencies.includes(String(urgency))) return { status: 400, reason: "BadUrgency" };
  if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic))) return { status: 400, reason: "BadTopic" };
  if (headers["content-encoding"] !== "aes128gcm") return { status: 400, reason: "BadContentEncoding" };
  if (body.length > BODY_MAX_BYTES) return { status: 413, reason: "PayloadTooLarge" };
  if (body.length < BODY_MIN_BYTES || body.readUInt8(20) !== PUBLIC_KEY_BYTES)
    return { status: 400, reason: "BadEncryption" };
  return undefined;
};
