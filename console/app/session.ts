import { signal } from "@preact/signals";
import { Failed } from "./failure.ts";
import { createResource, tryAgainNow } from "./resource.ts";
import { setting } from "./setting.ts";
import { isNumber, isText, optionalShape, readJson, type Shape, objectShape } from "./shape.ts";
import { requestTokens, REFRESH, renewTokens } from "./tokens.ts";
import { MINUTE_MS } from "../../core/domain/basics/units.ts";

/*
 * People sign in on the user pool's own pages, which return an authorization code (with PKCE). The access token is kept only in
 * memory. The refresh token is stored, so that an installed console stays signed in. A refresh token works once, so all tabs
 * share it under a lock.
 */

export type Session = { state: "starting" } | { state: "out" } | { state: "in"; userId: string; name: string };
export const session = signal<Session>({ state: "starting" });

export const isSessionEnded = signal(false);

const ATTEMPT = "sign-in";
/** How long before its expiry a token is renewed, so that it stays valid during any request. */
const EARLY_MS = MINUTE_MS;

const isTokens = objectShape({ access_token: isText, id_token: optionalShape(isText), expires_in: isNumber });
const isAccess = objectShape({ sub: isText });
/** A person's name and email address, only for display. The API reads the identity from the pool itself. */
const isIdentity = objectShape({ name: optionalShape(isText), email: optionalShape(isText) });
const isAttempt = objectShape({ state: isText, verifier: isText, to: isText });

let access: { token: string; until: number } | undefined;

const encodeBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const createRandomToken = (): string => encodeBase64Url(crypto.getRandomValues(new Uint8Array(32)));

const callback = `${setting.origin}/signed-in`;

/** Decodes a token's claims without checking the signature. Throws an error if `isClaims` rejects the claims. */
const readClaims = <Claims>(token: string, isClaims: Shape<Claims>): Claims => {
  const payload = atob((token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
  // A token's payload is UTF-8, but atob returns bytes as characters.
  const text = new TextDecoder().decode(Uint8Array.from(payload, (byte) => byte.charCodeAt(0)));
  const claims = readJson(text, isClaims);
  if (claims === undefined) throw new Error("a token has other claims than the pool's");
  return claims;
};

export const readUserIdInToken = (token: string): string =>
  `usr_${readClaims(token, isAccess).sub.replaceAll("-", "")}`;

/** Signs the tokens' person in, and returns the access token. */
const acceptTokens = (tokens: unknown): string => {
  if (!isTokens(tokens)) throw new Error("the pool's answer is no token");
  const { access_token: token, id_token: idToken, expires_in: seconds } = tokens;
  access = { token, until: Date.now() + seconds * 1000 };
  const { name, email } = idToken === undefined ? {} : readClaims(idToken, isIdentity);
  const person = { userId: readUserIdInToken(token), name: name ?? email ?? "" };
  const before = session.peek();
  // Keeps the same session object, so that nothing is loaded again for the same person.
  if (before.state !== "in" || before.userId !== person.userId || before.name !== person.name)
    session.value = { state: "in", ...person };
  if (isSessionEnded.peek()) {
    isSessionEnded.value = false;
    tryAgainNow();
  }
  return token;
};

/** Ends a session that the user pool refuses to renew. The open page and its input stay until the reader signs in or out. */
const endSession = (): void => {
  access = undefined;
  if (session.peek().state === "in") isSessionEnded.value = true;
  else session.value = { state: "out" };
};

/** Deletes the tokens of this browser, and signs the reader out. */
const deleteTokens = (): void => {
  localStorage.removeItem(REFRESH);
  access = undefined;
  isSessionEnded.value = false;
  session.value = { state: "out" };
};

/** Signs the new tokens' person in, and returns the access token. If the pool refuses, ends the session and throws `Failed`. */
const renewSession = async (tokenRequest = renewTokens()): Promise<string> => {
  const tokens = await tokenRequest;
  if (tokens !== undefined) return acceptTokens(tokens);
  endSession();
  throw new Failed({ kind: "signed-out" });
};

let renewing: Promise<string> | undefined;
/** Renews the session, and returns the access token. Concurrent callers share a renewal. */
const shareRenewal = (tokenRequest?: Promise<unknown>): Promise<string> => {
  renewing ??= renewSession(tokenRequest).finally(() => {
    renewing = undefined;
  });
  return renewing;
};

/** Returns an access token, but never `refusedToken`, which the API did not accept. Throws `Failed` if there is no token. */
export const getAccessToken = async (refusedToken?: string): Promise<string> => {
  if (access !== undefined && access.token !== refusedToken && access.until - EARLY_MS > Date.now())
    return access.token;
  return shareRenewal();
};

/** Opens the user pool's sign-in page. `to`: the page to open after the sign-in. */
export const signIn = async (to: string): Promise<void> => {
  const attempt = { state: createRandomToken(), verifier: createRandomToken(), to };
  sessionStorage.setItem(ATTEMPT, JSON.stringify(attempt));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(attempt.verifier));
  const query = new URLSearchParams({
    response_type: "code",
    client_id: setting.clientId,
    redirect_uri: callback,
    scope: "openid email profile aws.cognito.signin.user.admin",
    state: attempt.state,
    code_challenge: encodeBase64Url(new Uint8Array(digest)),
    code_challenge_method: "S256",
    ...(setting.provider === undefined ? {} : { identity_provider: setting.provider }),
  });
  // A link may name the person who signs in. Only the local service's sign-in page reads `as`.
  const as = new URLSearchParams(location.search).get("as");
  if (as !== null) query.set("as", as);
  location.assign(`${setting.signIn}/oauth2/authorize?${query.toString()}`);
};

/** `denied`: the pool refused; `lost`: the sign-in cannot be finished in this tab. */
export type SignInEnd = { kind: "in"; to: string } | { kind: "denied"; reason: string } | { kind: "lost" };

/** Finishes a sign-in: requests tokens with the code that the user pool's page has added to the URL. */
export const finishSignIn = async (query: URLSearchParams): Promise<SignInEnd> => {
  const attempt = readJson(sessionStorage.getItem(ATTEMPT), isAttempt);
  sessionStorage.removeItem(ATTEMPT);
  // The query's error text is not shown unless the query has our own state, because anybody can make a link with an error text.
  if (attempt === undefined || query.get("state") !== attempt.state) return { kind: "lost" };
  const code = query.get("code");
  const reason = query.get("error_description") ?? query.get("error");
  if (code === null) return reason === null ? { kind: "lost" } : { kind: "denied", reason };
  const { verifier, to } = attempt;
  const tokens = await requestTokens({
    grant_type: "authorization_code",
    code,
    redirect_uri: callback,
    code_verifier: verifier,
  });
  if (tokens === undefined) return { kind: "lost" };
  acceptTokens(tokens);
  return { kind: "in", to };
};

/**
 * Renews the session of the last visit. Without an answer, the state stays "starting", and the pool is called again until it
 * answers. Resolves after the pool was called once.
 */
export const startSession = async (): Promise<void> => {
  addEventListener("storage", ({ key, newValue }) => {
    // Signing in or out in a tab applies to all tabs. The key is null if the storage was cleared.
    if (key !== REFRESH && key !== null) return;
    if (newValue === null) deleteTokens();
    else if (session.value.state === "out" || isSessionEnded.value) void getAccessToken().catch(() => undefined);
  });
  const early = globalThis.earlyTokens?.catch(() => renewTokens());
  globalThis.earlyTokens = undefined;
  if (localStorage.getItem(REFRESH) === null) {
    session.value = { state: "out" };
    return;
  }
  let first = early;
  const resuming = createResource(() => {
    const asked = first;
    first = undefined;
    return asked === undefined ? getAccessToken() : shareRenewal(asked);
  });
  await new Promise<void>((resolve) => {
    resuming.state.subscribe(({ kind }) => {
      if (kind === "loading") return;
      if (session.peek().state !== "starting") resuming.close();
      resolve();
    });
  });
};

/** Ends the session. `shouldKeepDevice`: this browser stays a device of the person and keeps its data for pushes. */
export const signOut = async (shouldKeepDevice: boolean): Promise<void> => {
  const token = localStorage.getItem(REFRESH);
  deleteTokens();
  if (!shouldKeepDevice) localStorage.clear();
  sessionStorage.clear();
  const body = new URLSearchParams({ token: token ?? "", client_id: setting.clientId });
  // A failure is ignored, because the session is already deleted in this browser.
  if (token !== null)
    await fetch(`${setting.signIn}/oauth2/revoke`, { method: "POST", body, keepalive: true }).catch(() => undefined);
  const query = new URLSearchParams({ client_id: setting.clientId, logout_uri: `${setting.origin}/login` });
  location.assign(`${setting.signIn}/logout?${query.toString()}`);
};
