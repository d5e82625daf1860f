import { sign } from "node:crypto";
import * as v from "valibot";
import type { PushOutcome } from "../domain/delivery/push/outcome.ts";
import type { ServiceAccount } from "./service-account.ts";
import { LATE, withTimeLimit } from "./time-limit.ts";
import type { SetTimer } from "./time-limit.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../domain/basics/units.ts";

/** How long before its expiry an access token is renewed. */
const ACCESS_TOKEN_RENEW_MS = 5 * MINUTE_MS;
/** While a renewal runs, the old token is used only if it is valid for longer than this time: FCM must still accept the token. */
const ACCESS_TOKEN_MIN_LEFT_MS = 30_000;

const TOKEN_URL = "https://oauth2.googleapis.com/token";
/** A scope that only allows sending, unlike the scope of firebase-admin, which allows access to the whole project. */
const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ASSERTION_MS = HOUR_MS;

export type AccessToken = { kind: "token"; token: string; expiresAtMs: number };
/** The outcome of a failed request for a token: never `unknown`, because no push was sent. */
export type Refused = Extract<PushOutcome, { kind: "retry" | "auth" }>;

const Granted = v.object({ access_token: v.pipe(v.string(), v.nonEmpty()), expires_in: v.number() });
const Denied = v.object({ error: v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/)) });

const base64url = (value: Uint8Array | string): string => Buffer.from(value).toString("base64url");

/** Signs the assertion of a service account, as RFC 7523 specifies. */
const signAssertion = ({ clientEmail, privateKey }: ServiceAccount, nowMs: number): string => {
  const iat = Math.floor(nowMs / SECOND_MS);
  const claims = { scope: SCOPE, iss: clientEmail, aud: TOKEN_URL, iat, exp: iat + ASSERTION_MS / SECOND_MS };
  const signed = [{ alg: "RS256", typ: "JWT" }, claims].map((part) => base64url(JSON.stringify(part))).join(".");
  return `${signed}.${base64url(sign("sha256", Buffer.from(signed), privateKey))}`;
};

const requestAccessToken = async (
  account: ServiceAccount,
  nowMs: number,
  signal: AbortSignal,
): Promise<AccessToken | Refused> => {
  const form = new URLSearchParams({ grant_type: GRANT_TYPE, assertion: signAssertion(account, nowMs) });
  const response = await fetch(TOKEN_URL, { method: "POST", body: form, signal });
  const text = await response.text();

  const granted = v.safeParse(v.pipe(v.string(), v.parseJson(), Granted), text);
  if (response.ok && granted.success)
    return {
      kind: "token",
      token: granted.output.access_token,
      expiresAtMs: nowMs + granted.output.expires_in * 1000,
    };
  const denied = v.safeParse(v.pipe(v.string(), v.parseJson(), Denied), text);
  const code = `OAUTH_${denied.success ? denied.output.error.toUpperCase() : response.status}`;
  // The error invalid_grant (400) means a revoked key or a wrong clock, so a retry does not help.
  return [400, 401, 403].includes(response.status) ? { kind: "auth", code } : { kind: "retry", code };
};

type Options = { account: ServiceAccount; now: () => number; after: SetTimer; timeoutMs: number };

/** Returns a function that returns a valid access token. Concurrent callers share one token request, which has a timeout. */
export const cacheAccessToken = ({ account, now, after, timeoutMs }: Options) => {
  let current: AccessToken | undefined;
  let pending: Promise<AccessToken | Refused> | undefined;

  const renewToken = async (): Promise<AccessToken | Refused> => {
    const abort = new AbortController();
    try {
      const answer = await withTimeLimit(after, timeoutMs, requestAccessToken(account, now(), abort.signal));
      if (answer === LATE) return { kind: "retry", code: "OAUTH_TIMEOUT" };
      if (answer.kind === "token") current = answer;
      return answer;
    } catch {
      return { kind: "retry", code: "OAUTH_UNREACHABLE" };
    } finally {
      abort.abort();
      pending = undefined;
    }
  };

  return async (): Promise<AccessToken | Refused> => {
    const leftMs = current === undefined ? 0 : current.expiresAtMs - now();
    if (leftMs <= ACCESS_TOKEN_RENEW_MS) pending ??= renewToken();
    // While the old token is valid, nobody waits for a renewal, and a failed renewal does no harm.
    if (current !== undefined && leftMs > ACCESS_TOKEN_MIN_LEFT_MS) return current;
    return pending ?? renewToken();
  };
};
