import { parseReceiptKeys, type ReceiptKeys } from "./domain/delivery/receipt.ts";
import type { Push } from "./domain/delivery/push/outcome.ts";
import { liveMail, liveSms, liveVoice } from "./live-contacts.ts";
import { liveSecret, type Secret } from "./live-secrets.ts";
import { combineChannels } from "./push/all-channels.ts";
import { createFcmChannel } from "./push/fcm.ts";
import { cacheValue } from "./push/cached-value.ts";
import { notConfigured } from "./push/not-configured.ts";
import { SECRET_AHEAD_MS, SECRET_KEPT_MS, SECRET_WAIT_MS } from "./push/limits.ts";
import { parseVapidKeys } from "./push/web/vapid.ts";
import { createWebPushChannel, type WebPushOptions } from "./push/web/web-push.ts";
import { afterRealTime } from "./push/time-limit.ts";
import { env } from "./wiring.ts";

export type ReadSecret = (stage?: "AWSCURRENT" | "AWSPREVIOUS") => Promise<Secret | undefined>;
type Clock = Pick<Parameters<typeof cacheValue>[1], "now" | "after">;

export const kept = { aheadMs: SECRET_AHEAD_MS, forMs: SECRET_KEPT_MS, waitMs: SECRET_WAIT_MS };
const realTime: Clock = { now: Date.now, after: afterRealTime };

/** Returns a function that reads and caches the keys for Web Push, which are undefined until the operator has stored them. */
export const cacheVapidKeys = (read: ReadSecret, clock: Clock): WebPushOptions["getKeys"] =>
  cacheValue(
    async () => {
      const [secret, before] = await Promise.all([read(), read("AWSPREVIOUS")]);
      const current = parseVapidKeys(secret?.text ?? "");
      if (secret === undefined || current === undefined) return undefined;
      return { current, previous: parseVapidKeys(before?.text ?? ""), madeAt: secret.madeAt };
    },
    { ...clock, ...kept, what: "the keys for Web Push" },
  );

/** Returns a function that reads and caches the receipt keys, which are undefined until the secret contains them. */
export const cacheReceiptKeys = (read: ReadSecret, clock: Clock): (() => Promise<ReceiptKeys | undefined>) => {
  const get = cacheValue(async () => parseReceiptKeys((await read())?.text ?? ""), {
    ...clock,
    ...kept,
    what: "the receipt keys",
  });
  return async () => (await get()).value;
};

/** Returns a function that reads the stage's keys for Web Push from their secret. */
export const liveVapidKeys = () => {
  const get = cacheVapidKeys(liveSecret(env.vapidSecret), realTime);
  return async () => (await get()).value;
};

/** Returns a function that reads the stage's receipt keys from their secret. */
export const liveReceiptKeys = () => cacheReceiptKeys(liveSecret(env.receiptSecret), realTime);

/** Creates all channels from the environment. The secrets of FCM and Web Push are read before the first push. */
export const livePush = (): Push => {
  const readServiceAccount = liveSecret(env.fcmSecret);
  const prefix = process.env[env.pushStandIn];
  const fcm = createFcmChannel({
    now: Date.now,
    getServiceAccount: async () => {
      const secret = await readServiceAccount();
      if (secret === undefined) throw new Error("the FCM secret has no value");
      return secret.text;
    },
  });
  const web = createWebPushChannel({
    now: Date.now,
    getKeys: cacheVapidKeys(liveSecret(env.vapidSecret), realTime),
    standIn: prefix === undefined ? undefined : { prefix, takesAll: process.env[env.pushStandInTakesAll] === "true" },
  });
  return combineChannels({
    fcm,
    web,
    mail: liveMail() ?? notConfigured,
    sms: liveSms() ?? notConfigured,
    voice: liveVoice() ?? notConfigured,
  });
};
