import { Failed, createRefusal } from "./failure.ts";
import { setting } from "./setting.ts";

/* This file is small and checks no answers, because it is part of the script that runs before the console is loaded. */

declare global {
  /** The answer to the first renewal, which starts while the console loads. */
  var earlyTokens: Promise<unknown> | undefined;
}

/** The name of the stored refresh token, which keeps an installed console signed in. Each refresh token works once. */
export const REFRESH = "refresh-token";

/** The timeout of a request, which is short because all tabs wait for the request. */
const ANSWER_WITHIN_MS = 10_000;

const storeRefreshToken = (tokens: unknown): void => {
  if (typeof tokens !== "object" || tokens === null || !("refresh_token" in tokens)) return;
  if (typeof tokens.refresh_token === "string") localStorage.setItem(REFRESH, tokens.refresh_token);
};

/** Requests tokens; returns undefined if the pool refuses. Throws `Failed` if the pool does not answer. */
export const requestTokens = async (form: Record<string, string>): Promise<unknown> => {
  try {
    const body = new URLSearchParams({ client_id: setting.clientId, ...form });
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answer = await fetch(`${setting.signIn}/oauth2/token`, { method: "POST", body, signal });
    if (answer.status === 400) return undefined;
    if (answer.ok) {
      // A captive portal answers with a page, which is not JSON.
      const tokens: unknown = await answer.json();
      storeRefreshToken(tokens);
      return tokens;
    }
    if (answer.status >= 500 || answer.status === 429) throw createRefusal(answer.status);
  } catch (error) {
    if (error instanceof Failed) throw error;
  }
  throw new Failed({ kind: "offline" });
};

/** Returns new tokens; undefined if there is no refresh token, or if the pool refuses it. */
export const renewTokens = (): Promise<unknown> =>
  navigator.locks.request("session", async () => {
    // The refresh token is read under the lock, because another tab may have replaced the token.
    const refresh = localStorage.getItem(REFRESH);
    if (refresh === null) return undefined;
    const tokens = await requestTokens({ grant_type: "refresh_token", refresh_token: refresh });
    if (tokens === undefined) localStorage.removeItem(REFRESH);
    return tokens;
  });
