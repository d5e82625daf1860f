import { Failed } from "./failure.ts";
import { setting } from "./setting.ts";

/* The pool's answer for a code or a refresh token, as it comes. Kept small, because the early script contains it. */

declare global {
  /** The first renewal of a session, begun while the console itself is still loading. */
  var earlyTokens: Promise<unknown> | undefined;
}

/** The key under which the refresh token is stored, so that an installed console stays signed in. It is valid once. */
export const REFRESH = "refresh-token";

const keepRefresh = (tokens: unknown): void => {
  if (typeof tokens !== "object" || tokens === null || !("refresh_token" in tokens)) return;
  if (typeof tokens.refresh_token === "string") localStorage.setItem(REFRESH, tokens.refresh_token);
};

/** Stores the answer's refresh token. Undefined: the pool refuses for good. Throws a Failed where no answer comes. */
export const askForTokens = async (form: Record<string, string>): Promise<unknown> => {
  let answer: Response;
  try {
    const body = new URLSearchParams({ client_id: setting.clientId, ...form });
    answer = await fetch(`${setting.signIn}/oauth2/token`, { method: "POST", body });
  } catch {
    throw new Failed({ kind: "offline" });
  }
  if (answer.status === 400) return undefined;
  if (!answer.ok) throw new Failed({ kind: "offline" });
  const tokens: unknown = await answer.json();
  keepRefresh(tokens);
  return tokens;
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
