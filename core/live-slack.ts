import * as v from "valibot";
import type { Deps } from "./deps.ts";
import { SlackApps } from "./domain/connection/slack-app.ts";
import { kept, type ReadSecret } from "./live-push.ts";
import { liveSecret } from "./live-secrets.ts";
import { createSlack } from "./post/slack.ts";
import { cacheValue } from "./push/cached-value.ts";
import { afterRealTime } from "./push/time-limit.ts";
import { env } from "./wiring.ts";

const Apps = v.pipe(v.string(), v.parseJson(), SlackApps);

/** Returns a function that caches the Slack apps: none until the operator stores some. Errors do not quote the secret. */
export const cacheSlackApps = (
  read: ReadSecret,
  clock: Pick<Parameters<typeof cacheValue>[1], "now" | "after">,
): Deps["slackApps"] => {
  const get = cacheValue(
    async () => {
      const parsed = v.safeParse(Apps, (await read())?.text);
      return parsed.success ? parsed.output : [];
    },
    { ...clock, ...kept, what: "the Slack apps" },
  );
  return async () => (await get()).value;
};

/** Returns a function that reads and caches the Slack apps. The function returns undefined if the stage does not use Slack. */
export const liveSlackApps = (): Deps["slackApps"] =>
  process.env[env.slackSecret] === undefined
    ? async () => undefined
    : cacheSlackApps(liveSecret(env.slackSecret), { now: Date.now, after: afterRealTime });

/** Returns the function that calls Slack's Web API, or the stand-in for Slack that the environment names. */
export const liveSlack = (): Deps["slack"] => createSlack({ now: Date.now, standIn: process.env[env.slackStandIn] });
