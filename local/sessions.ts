import { createHmac, createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { importPKCS8, jwtVerify, SignJWT } from "jose";
import * as v from "valibot";
import { createVapidKeys } from "../core/push/web/vapid.ts";
import { readJsonFile, writeAtomically } from "./files.ts";
import type { PublicKey } from "./http/authorizer.ts";
import { HOUR_MS } from "../core/domain/basics/units.ts";

const Keys = v.object({
  kid: v.string(),
  session: v.string(),
  fcm: v.string(),
  /** The keys for Web Push, as a text in JSON. */
  vapid: v.optional(v.string()),
  receipts: v.optional(v.string()),
  webhooks: v.optional(v.string()),
  slack: v.optional(v.string()),
  madeAt: v.optional(v.number()),
});
const Jwk = v.object({ n: v.string(), e: v.string() });

const generateRsaKey = (): string =>
  generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  }).privateKey;

/** The lifetime of tokens in `session.json`: a working day. */
const SESSION_MS = 12 * HOUR_MS;
/** The scope of tokens that Cognito issues without its sign-in pages. */
const API_SCOPE = "aws.cognito.signin.user.admin";

type TokenGrant = { issuer: string; clientId: string; scope?: string; lifetimeMs?: number };

/** The length of Cognito's client secrets. */
const SECRET_CHARACTERS = 51;

/** The sender's contact, in an example domain, because Apple refuses localhost. */
const VAPID_SUBJECT = "mailto:local@example.com";

type SigningKey = { kid: string; session: string };

/** Returns a signed token for `sub` with `claims` and the claims that all tokens have. */
const signToken = async (
  key: SigningKey,
  sub: string,
  { issuer, lifetimeMs = SESSION_MS }: Pick<TokenGrant, "issuer" | "lifetimeMs">,
  claims: Record<string, unknown>,
): Promise<string> =>
  new SignJWT({ ...claims, auth_time: Math.floor(Date.now() / 1000) })
    .setProtectedHeader({ alg: "RS256", kid: key.kid })
    .setIssuer(issuer)
    .setSubject(sub)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(new Date(Date.now() + lifetimeMs))
    .sign(await importPKCS8(key.session, "RS256"));

const createSignInClaims = () => ({ origin_jti: randomUUID(), event_id: randomUUID() });

/** Creates an access token like Cognito's: with `client_id`, but without `aud`, name and address. `username`: default `sub`. */
const mintAccessToken = (
  key: SigningKey,
  { sub, username = sub }: { sub: string; username?: string },
  grant: TokenGrant,
): Promise<string> => {
  const { clientId, scope = API_SCOPE } = grant;
  return signToken(key, sub, grant, {
    ...createSignInClaims(),
    token_use: "access",
    client_id: clientId,
    username,
    scope,
  });
};

/** Creates an access token like Cognito's for client credentials, with the client as subject. */
const mintClientToken = (key: SigningKey, grant: TokenGrant): Promise<string> => {
  const { clientId, scope = "" } = grant;
  return signToken(key, clientId, grant, { token_use: "access", client_id: clientId, scope, version: 2 });
};

/** Creates an ID token like Cognito's: the client is the `aud`, and scopes select the person's data. */
const mintIdToken = (
  key: SigningKey,
  {
    sub,
    username = sub,
    name,
    email,
    emailVerified = true,
    identities,
  }: {
    sub: string;
    username?: string;
    name: string;
    email: string;
    emailVerified?: boolean;
    identities?: readonly object[];
  },
  grant: TokenGrant & { scopes: readonly string[]; nonce?: string | undefined },
): Promise<string> => {
  const { clientId, scopes, nonce } = grant;
  return signToken(key, sub, grant, {
    ...createSignInClaims(),
    token_use: "id",
    aud: clientId,
    "cognito:username": username,
    ...(nonce === undefined ? {} : { nonce }),
    ...(identities === undefined ? {} : { identities }),
    ...(scopes.includes("email") ? { email, email_verified: emailVerified } : {}),
    ...(scopes.includes("profile") ? { name } : {}),
  });
};

const AccessClaims = v.object({ sub: v.string(), token_use: v.literal("access"), scope: v.string() });

const createSlackAppSecrets = () => ({
  botToken: `xoxb-local-${randomBytes(18).toString("hex")}`,
  signingSecret: randomBytes(16).toString("hex"),
  workspaces: ["*"],
});

/** Opens the directory's keys, which are created at the first start, so that tokens survive a restart. */
export const openSessionKeys = (dir: string) => {
  const path = join(dir, "keys.json");
  const known = readJsonFile(path, Keys) ?? { kid: randomUUID(), session: generateRsaKey(), fcm: generateRsaKey() };
  const keys = {
    ...known,
    vapid: known.vapid ?? JSON.stringify(createVapidKeys(VAPID_SUBJECT)),
    receipts: known.receipts ?? JSON.stringify({ key: randomBytes(48).toString("base64url") }),
    webhooks: known.webhooks ?? JSON.stringify({ key: randomBytes(48).toString("base64url") }),
    slack: known.slack ?? JSON.stringify([createSlackAppSecrets()]),
    madeAt: known.madeAt ?? Date.now(),
  };
  writeAtomically(path, JSON.stringify(keys), { secret: true });
  const { n, e } = v.parse(Jwk, createPublicKey(keys.session).export({ format: "jwk" }));
  const publicKey: PublicKey = { kty: "RSA", kid: keys.kid, n, e, alg: "RS256", use: "sig" };

  return {
    publicKey,
    mintAccessToken: (person: { sub: string; username?: string }, grant: TokenGrant): Promise<string> =>
      mintAccessToken(keys, person, grant),
    mintForClient: (grant: TokenGrant): Promise<string> => mintClientToken(keys, grant),
    /** Returns a secret that differs by directory and client. */
    clientSecretOf: (clientId: string): string =>
      BigInt(`0x${createHmac("sha512", keys.session).update(`client ${clientId}`).digest("hex")}`)
        .toString(36)
        .slice(0, SECRET_CHARACTERS),
    mintIdToken: (...call: Parameters<typeof mintIdToken> extends [unknown, ...infer Rest] ? Rest : never) =>
      mintIdToken(keys, ...call),
    /** Reads an access token. Returns undefined if the token is invalid or expired. */
    readSession: async (token: string, now: number): Promise<{ sub: string; scopes: string[] } | undefined> => {
      try {
        const { payload } = await jwtVerify(token, createPublicKey(keys.session), { currentDate: new Date(now) });
        const { sub, scope } = v.parse(AccessClaims, payload);
        return { sub, scopes: scope.split(" ") };
      } catch {
        return undefined;
      }
    },
    vapidKeys: keys.vapid,
    receiptKeys: keys.receipts,
    webhookKey: keys.webhooks,
    slackApps: keys.slack,
    madeAt: keys.madeAt,
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
export type Keys = ReturnType<typeof openSessionKeys>;
