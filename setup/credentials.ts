import * as v from "valibot";
import { MINUTE_MS } from "../core/domain/basics/units.ts";
import { CommandError, type World } from "./command.ts";

export type Credentials = {
  /** Returns a session token; throws a CommandError if no token exists. */
  token: () => Promise<string>;
  /** Takes a refused token; returns whether the next call of `token` can return another token. */
  canRenew: (refused: string) => boolean;
  /** The error message if requests are refused with a renewed token, too. */
  refusal: string;
};

/** Returns credentials with a token that another program has requested. */
export const createCredentialsFromToken = (token: string): Credentials => ({
  token: () => Promise.resolve(token),
  canRenew: () => false,
  refusal: "the session token was refused: SESSION_TOKEN must be a valid access token.",
});

export type MachineClient = { url: string; id: string; secret: string };

const TRIES = 4;
const PAUSE_MS = 200;
const ANSWER_WITHIN_MS = 10_000;
/** How long before its expiry a token is replaced: longer than any request takes, so that no request has an expired token. */
const EARLY_MS = MINUTE_MS;

const Granted = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ access_token: v.pipe(v.string(), v.nonEmpty()), expires_in: v.number() }),
);

type CachedToken = { text: string; until: number };

/** Requests a token for a machine. Error messages never contain the secret. */
const requestToken = async ({ fetch, sleep, now }: World, { url, id, secret }: MachineClient): Promise<CachedToken> => {
  for (let round = 1; ; round += 1) {
    const askedAt = now();
    const answer = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      },
      body: "grant_type=client_credentials",
      redirect: "error",
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch(() => undefined);
    const isBusy = answer === undefined || answer.status === 429 || answer.status >= 500;
    if (!isBusy && answer.status !== 200)
      throw new CommandError(
        "the machine was refused: ALERTS_CLIENT_ID and ALERTS_CLIENT_SECRET must belong to a machine of the stage.",
      );
    if (!isBusy) {
      const granted = v.safeParse(Granted, await answer.text());
      if (!granted.success) throw new CommandError(`${url} gave no token: is ALERTS_TOKEN_URL right?`);
      const { access_token: text, expires_in: seconds } = granted.output;
      return { text, until: askedAt + seconds * 1000 - EARLY_MS };
    }
    if (round === TRIES) throw new CommandError(`ALERTS_TOKEN_URL: ${url} does not answer.`);
    await sleep(PAUSE_MS * 2 ** round);
  }
};

/** Returns credentials that request a token with a machine's secret when needed, and again when the token has expired. */
export const createMachineCredentials = (world: World, client: MachineClient): Credentials => {
  let asked: Promise<CachedToken> | undefined;
  let held: CachedToken | undefined;
  const renewToken = async (): Promise<CachedToken> => {
    try {
      held = await requestToken(world, client);
      return held;
    } finally {
      asked = undefined;
    }
  };
  return {
    token: async () => {
      if (held !== undefined && world.now() < held.until) return held.text;
      // Concurrent requests share a token.
      asked ??= renewToken();
      return (await asked).text;
    },
    canRenew: (refused) => {
      if (held?.text === refused) held = undefined;
      return true;
    },
    refusal: "the machine's token was refused. Do ALERTS_TOKEN_URL and BASE_URL belong to the same stage?",
  };
};

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns the URL. Throws unless the URL is HTTPS, or HTTP on this machine, because others could read the secret in transit. */
const requireSafeUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname))) return url.href;
  throw new CommandError("ALERTS_TOKEN_URL must be the https address that `npm run operator -- add-machine` printed.");
};

/** Returns a person's credentials, or else a machine's. Secrets are never options, because other users can read command lines. */
export const chooseCredentials = (world: World): Credentials => {
  const { SESSION_TOKEN: token = "", ...env } = world.env;
  if (token !== "") return createCredentialsFromToken(token);
  const names = ["ALERTS_CLIENT_ID", "ALERTS_CLIENT_SECRET", "ALERTS_TOKEN_URL"] as const;
  const missing = names.filter((name) => (env[name] ?? "") === "");
  if (missing.length === names.length)
    throw new CommandError(`Credentials are missing. Set SESSION_TOKEN, or for a machine ${names.join(", ")}.`);
  if (missing.length > 0)
    throw new CommandError(`${missing.join(" and ")}: missing. A machine needs all three variables.`);
  const [id = "", secret = "", url = ""] = names.map((name) => env[name]);
  return createMachineCredentials(world, { url: requireSafeUrl(url), id, secret });
};
