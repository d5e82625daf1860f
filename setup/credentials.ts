import * as v from "valibot";
import { MINUTE_MS } from "../core/domain/basics/units.ts";
import { CommandError, type World } from "./command.ts";

/** By what requests are authorized. */
export type Credentials = {
  /** The token to send. Throws CommandError if none can be had. */
  token: () => Promise<string>;
  /** Says that this token was refused; whether the next one may be another. */
  isRenewed: (refused: string) => boolean;
  /** What to say when it was refused for good. */
  refusal: string;
};

/** A person's token, which another program asked for. */
export const givenToken = (token: string): Credentials => ({
  token: () => Promise.resolve(token),
  isRenewed: () => false,
  refusal: "the session token was refused: SESSION_TOKEN must be a good access token.",
});

export type MachineClient = { url: string; id: string; secret: string };

const TRIES = 4;
const PAUSE_MS = 200;
const ANSWER_WITHIN_MS = 10_000;
/** A token is renewed so long before it is over: longer than any request takes. */
const EARLY_MS = MINUTE_MS;

const Granted = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ access_token: v.pipe(v.string(), v.nonEmpty()), expires_in: v.number() }),
);

type Token = { text: string; until: number };

/** Asks the user pool for a token, as a client does that has a secret. The secret is in no message. */
const ask = async ({ fetch, sleep, now }: World, { url, id, secret }: MachineClient): Promise<Token> => {
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
        "the machine was refused: ALERTS_CLIENT_ID and ALERTS_CLIENT_SECRET must be those of a machine of the stage.",
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

/** A machine's token, asked for when it is needed, and again before it is over. */
export const machineTokens = (world: World, client: MachineClient): Credentials => {
  let asked: Promise<Token> | undefined;
  let held: Token | undefined;
  const renew = async (): Promise<Token> => {
    try {
      held = await ask(world, client);
      return held;
    } finally {
      asked = undefined;
    }
  };
  return {
    token: async () => {
      if (held !== undefined && world.now() < held.until) return held.text;
      // Several requests at once ask for one token.
      asked ??= renew();
      return (await asked).text;
    },
    isRenewed: (refused) => {
      if (held?.text === refused) held = undefined;
      return true;
    },
    refusal: "the machine's token was refused: is ALERTS_TOKEN_URL of the same stage as BASE_URL?",
  };
};

const LOOPBACK: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Nobody on the way may read the secret. */
const safeUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname))) return url.href;
  throw new CommandError("ALERTS_TOKEN_URL must be an https address, as `npm run operator -- add-machine` printed it.");
};

/** A person's token where the environment has one, else a machine's. Others can see options: no secret is there. */
export const credentialsOf = (world: World): Credentials => {
  const { SESSION_TOKEN: token = "", ...env } = world.env;
  if (token !== "") return givenToken(token);
  const names = ["ALERTS_CLIENT_ID", "ALERTS_CLIENT_SECRET", "ALERTS_TOKEN_URL"] as const;
  const missing = names.filter((name) => (env[name] ?? "") === "");
  if (missing.length === names.length)
    throw new CommandError(`SESSION_TOKEN is missing, or a machine's ${names.join(", ")}.`);
  if (missing.length > 0) throw new CommandError(`${missing.join(" and ")}: missing, and a machine has all three.`);
  const [id = "", secret = "", url = ""] = names.map((name) => env[name]);
  return machineTokens(world, { url: safeUrl(url), id, secret });
};
