import { Failed, refusal } from "./failure.ts";
import { setting } from "./setting.ts";

/* The pool's answer for a code or a refresh token, as it comes. Kept small, because the early script contains it. */

declare global {
  /** The first renewal of a session, begun while the console itself is still loading. */
  var earlyTokens: Promise<unknown> | undefined;
}

/** The key under which the refresh token is stored, so that an installed console stays signed in. It is valid once. */
export const REFRESH = "refresh-token";

/** All tabs wait for the one that renews, so it must end. */
const ANSWER_WITHIN_MS = 10_000;

const keepRefresh = (tokens: unknown): void => {
  if (typeof tokens !== "object" || tokens === null || !("refresh_token" in tokens)) return;
  if (typeof tokens.refresh_token === "string") localStorage.setItem(REFRESH, tokens.refresh_token);
};

/** Stores the answer's refresh token. Undefined: the pool refuses for good. Throws a Failed where no answer comes. */
export const askForTokens = async (form: Record<string, string>): Promise<unknown> => {
  try {
    const body = new URLSearchParams({ client_id: setting.clientId, ...form });
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch(`${setting.signIn}/oauth2/token`, { method: "POST", body, signal });
    if (answer.status === 400) return undefined;
    if (answer.ok) {
      // A captive portal answers with a page, which is no JSON.
      const tokens: unknown = await answer.json();
      keepRefresh(tokens);
      return tokens;
    }
    if (answer.status >= 500 || answer.status === 429) throw refusal(answer.status);
  } catch (error) {
    if (error instanceof Failed) throw error;
  }
  throw new Failed({ kind: "offline" });
};

/** Renews by the stored refresh token. Undefined: there is none, or the pool refuses it and it is removed. */
export const renewTokens = (): Promise<unknown> =>
  navigator.locks.request("session", async () => {
    // Another tab may have renewed it while this one waited: access tokens are per tab, the refresh token is shared.
    const refresh = localStorage.getItem(REFRESH);
    if (refresh === null) return undefined;
    const tokens = await askForTokens({ grant_type: "refresh_token", refresh_token: refresh });
    if (tokens === undefined) localStorage.removeItem(REFRESH);
    return tokens;
  });
