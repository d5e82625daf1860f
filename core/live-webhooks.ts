import * as v from "valibot";
import type { Deps } from "./deps.ts";
import { kept, type ReadSecret } from "./live-push.ts";
import { liveSecret } from "./live-secrets.ts";
import { createPost } from "./post/post.ts";
import { cacheValue } from "./push/cached-value.ts";
import { afterRealTime } from "./push/time-limit.ts";
import { env } from "./wiring.ts";

const OwnKey = v.pipe(v.string(), v.parseJson(), v.object({ key: v.pipe(v.string(), v.minLength(32)) }));

/** Returns a function that caches the webhook key. If the key cannot be read, the function throws without quoting the secret. */
export const cacheWebhookKey = (
  read: ReadSecret,
  clock: Pick<Parameters<typeof cacheValue>[1], "now" | "after">,
): Deps["webhookKey"] => {
  const get = cacheValue(
    async () => {
      const parsed = v.safeParse(OwnKey, (await read())?.text);
      if (!parsed.success) throw new Error("the webhooks' secret contains no key");
      return parsed.output.key;
    },
    { ...clock, ...kept, what: "the webhook key" },
  );
  return async () => (await get()).value;
};

/** Returns a function that reads the stage's webhook key from its secret, and caches the key. */
export const liveWebhookKey = (): Deps["webhookKey"] =>
  cacheWebhookKey(liveSecret(env.webhookSecret), { now: Date.now, after: afterRealTime });

/** Returns the function that posts to customers' URLs. The function calls only public addresses, and the stage's stand-in. */
export const livePost = (): Deps["post"] => createPost({ now: Date.now, standIn: process.env[env.webhookStandIn] });
