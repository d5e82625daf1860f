import { createPrivateKey } from "node:crypto";
import * as v from "valibot";
import type { PushOutcome } from "../domain/push/outcome.ts";
import { ACCESS_TOKEN_RENEW_MS } from "./limits.ts";
import { LATE, within } from "./within.ts";
import type { After } from "./within.ts";

const isPrivateKey = (pem: string): boolean => {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    return false;
  }
};

/** The key file that Google issues, as it is kept in the secret. Its other fields are not needed. */
const ServiceAccount = v.object({
  project_id: v.pipe(v.string(), v.nonEmpty()),
  client_email: v.pipe(v.string(), v.nonEmpty()),
  private_key: v.pipe(v.string(), v.check(isPrivateKey)),
});

export type ServiceAccount = { projectId: string; clientEmail: string; privateKey: string };

/** Undefined where the text is no service account. No part of it is ever in an error. */
export const parseServiceAccount = (text: string): ServiceAccount | undefined => {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ServiceAccount), text);
  if (!parsed.success) return undefined;
  const { project_id, client_email, private_key } = parsed.output;
  return { projectId: project_id, clientEmail: client_email, privateKey: private_key };
};

export type AccessToken = { kind: "token"; token: string; expiresAtMs: number };
/** Why there is no token: nothing was sent, so it is never `unknown`. */
export type Refused = Extract<PushOutcome, { kind: "retry" | "auth" }>;

const OAuthError = v.object({
  response: v.object({
    status: v.number(),
    data: v.optional(v.object({ error: v.optional(v.pipe(v.string(), v.regex(/^[a-z_]{1,40}$/))) })),
  }),
});

/** Google's token endpoint answers 400 for a key that was revoked (`invalid_grant`): no repetition helps. */
const refusalOf = (thrown: unknown): Refused => {
  const parsed = v.safeParse(OAuthError, thrown);
  if (!parsed.success) return { kind: "retry", code: "OAUTH_UNREACHABLE" };
  const { status, data } = parsed.output.response;
  const code = `OAUTH_${data?.error?.toUpperCase() ?? status}`;
  return status === 400 || status === 401 || status === 403 ? { kind: "auth", code } : { kind: "retry", code };
};

type Options = {
  /** Asks Google for a new token, each time anew: a request that hangs must not be what the next one waits for. */
  fetch: () => Promise<{ access_token: string; expires_in: number }>;
  now: () => number;
  after: After;
  timeoutMs: number;
};

/** An access token that is good for a while yet. All that ask while one is fetched wait for the same. */
export const createAccessTokens = ({ fetch, now, after, timeoutMs }: Options) => {
  let current: AccessToken | undefined;
  let pending: Promise<AccessToken | Refused> | undefined;

  const renew = async (): Promise<AccessToken | Refused> => {
    const askedAtMs = now();
    try {
      const granted = await within(after, timeoutMs, fetch());
      if (granted === LATE) return { kind: "retry", code: "OAUTH_TIMEOUT" };
      current = {
        kind: "token",
        token: granted.access_token,
        expiresAtMs: askedAtMs + granted.expires_in * 1000,
      };
      return current;
    } catch (error) {
      return refusalOf(error);
    } finally {
      pending = undefined;
    }
  };

  return async (): Promise<AccessToken | Refused> => {
    if (current !== undefined && current.expiresAtMs - now() > ACCESS_TOKEN_RENEW_MS) return current;
    pending ??= renew();
    const renewed = await pending;
    return renewed.kind !== "token" && current !== undefined && current.expiresAtMs > now() ? current : renewed;
  };
};
