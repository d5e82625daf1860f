import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { importPKCS8, SignJWT } from "jose";
import * as v from "valibot";
import { newVapidKeys } from "../core/push/web/vapid.ts";
import { readJsonFile, writeWhole } from "./files.ts";
import type { PublicKey } from "./http/authorizer.ts";

const Keys = v.object({
  kid: v.string(),
  session: v.string(),
  fcm: v.string(),
  /** The keys that identify this service to the browsers' push services, as JSON. */
  vapid: v.optional(v.string()),
  /** The key of the tokens that pushes carry, as JSON. */
  receipts: v.optional(v.string()),
});
const Jwk = v.object({ n: v.string(), e: v.string() });

const newKey = (): string =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  }).privateKey;

/** The lifetime of the tokens in `session.json`: a day's work. */
const SESSION_MS = 12 * 3_600_000;
/** The scope that Cognito gives tokens issued without its own pages. */
const API_SCOPE = "aws.cognito.signin.user.admin";

type Grant = { issuer: string; clientId: string; scope?: string; lifetimeMs?: number };

/** A name nobody has, in the domain reserved for examples. Push services accept it; Apple refuses localhost. */
const VAPID_SUBJECT = "mailto:local@example.com";

/** An access token as Cognito issues it: the client in `client_id`, no `aud`. */
const mintSession = async (
  key: { kid: string; session: string },
  { sub, email }: { sub: string; email: string },
  { issuer, clientId, scope = API_SCOPE, lifetimeMs = SESSION_MS }: Grant,
): Promise<string> =>
  new SignJWT({
    token_use: "access",
    client_id: clientId,
    username: email,
    scope,
    origin_jti: randomUUID(),
    event_id: randomUUID(),
    auth_time: Math.floor(Date.now() / 1000),
  })
    .setProtectedHeader({ alg: "RS256", kid: key.kid })
    .setIssuer(issuer)
    .setSubject(sub)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(new Date(Date.now() + lifetimeMs))
    .sign(await importPKCS8(key.session, "RS256"));

/** The keys of this directory, made at its first start: tokens of an earlier start stay valid. */
export const openKeys = (dir: string) => {
  const path = join(dir, "keys.json");
  const known = readJsonFile(path, Keys) ?? { kid: randomUUID(), session: newKey(), fcm: newKey() };
  const keys = {
    ...known,
    vapid: known.vapid ?? JSON.stringify(newVapidKeys(VAPID_SUBJECT)),
    receipts: known.receipts ?? JSON.stringify({ key: randomBytes(48).toString("base64url") }),
  };
  writeWhole(path, JSON.stringify(keys), { secret: true });
  const { n, e } = v.parse(Jwk, createPublicKey(keys.session).export({ format: "jwk" }));
  const publicKey: PublicKey = { kty: "RSA", kid: keys.kid, n, e, alg: "RS256", use: "sig" };

  return {
    publicKey,
    mintSession: (person: { sub: string; email: string }, grant: Grant): Promise<string> =>
      mintSession(keys, person, grant),
    vapidKeys: keys.vapid,
    receiptKeys: keys.receipts,
    /** A service account as Google issues it, for a project that exists only here. */
    fcmServiceAccount: (): string =>
      JSON.stringify({
        type: "service_account",
        project_id: "local-project",
        private_key_id: keys.kid,
        private_key: keys.fcm,
        client_email: "local@local-project.iam.gserviceaccount.com",
        token_uri: "https://oauth2.googleapis.com/token",
      }),
  };
};
export type Keys = ReturnType<typeof openKeys>;
