import { signal } from "@preact/signals";
import * as v from "valibot";
import { Failed } from "./failure.ts";
import { setting } from "./setting.ts";
import { askForTokens, REFRESH, renewTokens } from "./tokens.ts";

/*
 * Signs in on the user pool's own pages, by a code with PKCE. The access token lives in memory only. The refresh token
 * is kept, so that an installed console stays signed in. It is valid once, and all tabs share it under a lock.
 */

export type Session = { state: "starting" } | { state: "out" } | { state: "in"; userId: string; name: string };
export const session = signal<Session>({ state: "starting" });

const ATTEMPT = "sign-in";
/** A token is renewed this long before it expires, so that no request outlives it. */
const EARLY_MS = 60_000;

const Tokens = v.object({ access_token: v.string(), expires_in: v.number() });
const Claims = v.object({ sub: v.string(), username: v.optional(v.string(), "") });
const Attempt = v.object({ state: v.string(), verifier: v.string(), to: v.string() });

let access: { token: string; until: number } | undefined;

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const callback = `${setting.origin}/signed-in`;

const claimsOf = (token: string): v.InferOutput<typeof Claims> => {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return v.parse(v.pipe(v.string(), v.parseJson(), Claims), atob(payload));
};

const takeIn = (tokens: unknown): string => {
  const { access_token: token, expires_in: seconds } = v.parse(Tokens, tokens);
  access = { token, until: Date.now() + seconds * 1000 };
  const { sub, username } = claimsOf(token);
  session.value = { state: "in", userId: `usr_${sub.replaceAll("-", "")}`, name: username };
  return token;
};

const leave = (): void => {
  access = undefined;
  session.value = { state: "out" };
};

const forget = (): void => {
  localStorage.removeItem(REFRESH);
  leave();
};

const renew = async (asked = renewTokens()): Promise<string> => {
  const tokens = await asked;
  if (tokens !== undefined) return takeIn(tokens);
  leave();
  throw new Failed({ kind: "signed-out" });
};

let renewing: Promise<string> | undefined;
/** One renewal at a time, shared by all that need one. */
const renewOnce = (asked?: Promise<unknown>): Promise<string> => {
  renewing ??= renew(asked).finally(() => {
    renewing = undefined;
  });
  return renewing;
};

/** A valid token. `refused`: a token that the API did not accept, so that another is needed. Throws a Failed. */
export const accessToken = async (refused?: string): Promise<string> => {
  if (access !== undefined && access.token !== refused && access.until - EARLY_MS > Date.now()) return access.token;
  return renewOnce();
};

/** Sends the reader to the pool's pages; `to` is the page to continue on afterwards. */
export const signIn = async (to: string): Promise<void> => {
  const attempt = { state: randomText(), verifier: randomText(), to };
  sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(attempt.verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: setting.clientId,
    redirect_uri: callback,
    scope: "openid email profile",
    state: attempt.state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
  });
  // A link may name the person, if the sign-in pages support that.
  const as = new URLSearchParams(location.search).get("as");
  if (as !== null) query.set("as", as);
  location.assign(`${setting.signIn}/oauth2/authorize?${query.toString()}`);
};

/** Completes the sign-in behind `/signed-in?code=...`. Returns where to continue; undefined: it did not begin here. */
export const finishSignIn = async (query: URLSearchParams): Promise<string | undefined> => {
  const attempt = v.safeParse(v.pipe(v.string(), v.parseJson(), Attempt), sessionStorage.getItem(ATTEMPT));
  sessionStorage.removeItem(ATTEMPT);
  const code = query.get("code");
  if (!attempt.success || code === null || query.get("state") !== attempt.output.state) return undefined;
  const { verifier, to } = attempt.output;
  const tokens = await askForTokens({
    grant_type: "authorization_code",
    code,
    redirect_uri: callback,
    code_verifier: verifier,
  });
  if (tokens === undefined) return undefined;
  takeIn(tokens);
  return to;
};

/** Resumes the stored session; without a network the page stays as it is and asks again. */
export const startSession = async (): Promise<void> => {
  addEventListener("storage", ({ key, newValue }) => {
    // Signing out in one tab signs out all tabs, and so does signing in.
    if (key !== REFRESH) return;
    if (newValue === null) forget();
    else if (session.value.state === "out") void accessToken().catch(() => undefined);
  });
  const early = globalThis.earlyTokens?.catch(() => renewTokens());
  globalThis.earlyTokens = undefined;
  if (localStorage.getItem(REFRESH) === null) session.value = { state: "out" };
  else await renewOnce(early).catch(() => undefined);
};

export const signOut = async (): Promise<void> => {
  const token = localStorage.getItem(REFRESH);
  forget();
  const body = new URLSearchParams({ token: token ?? "", client_id: setting.clientId });
  // The pool may be out of reach; the session is forgotten here in any case.
  if (token !== null)
    await fetch(`${setting.signIn}/oauth2/revoke`, { method: "POST", body, keepalive: true }).catch(() => undefined);
  const query = new URLSearchParams({ client_id: setting.clientId, logout_uri: `${setting.origin}/login` });
  location.assign(`${setting.signIn}/logout?${query.toString()}`);
};
