import { Failed } from "./failure.ts";
import { setting } from "./setting.ts";

/*
 * What the pool gives for a code or a refresh token, as it comes. The early script is made of this: it is kept small.
 */

declare global {
  /** The first renewal of a session, begun while the console itself is still on its way. */
  var earlyTokens: Promise<unknown> | undefined;
}

/** Where the refresh token is kept, so that an installed console stays signed in; it is good once. */
export const REFRESH = "refresh-token";

const keepRefresh = (tokens: unknown): void => {
  if (typeof tokens !== "object" || tokens === null || !("refresh_token" in tokens)) return;
  if (typeof tokens.refresh_token === "string") localStorage.setItem(REFRESH, tokens.refresh_token);
};

/** Keeps the refresh token of what comes. Undefined: the pool refuses, for good. Throws a Failed where no answer comes. */
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

/** Asks by the refresh token that is kept. Undefined: there is none, or the pool refuses it, and it is kept no longer. */
export const renewTokens = (): Promise<unknown> =>
  navigator.locks.request("session", async () => {
    // Another tab may have renewed it while this one waited: each has an access token of its own, the refresh token is one.
    const refresh = localStorage.getItem(REFRESH);
    if (refresh === null) return undefined;
    const tokens = await askForTokens({ grant_type: "refresh_token", refresh_token: refresh });
    if (tokens === undefined) localStorage.removeItem(REFRESH);
    return tokens;
  });
