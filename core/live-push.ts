import { parseReceiptKeys } from "./domain/delivery/receipt.ts";
import type { Push } from "./domain/delivery/push/outcome.ts";
import { liveSecret } from "./live-secrets.ts";
import { allWays } from "./push/all-ways.ts";
import { createPush } from "./push/fcm.ts";
import { CREDENTIALS_RELOAD_MS } from "./push/limits.ts";
import { keep } from "./push/kept.ts";
import { parseVapidKeys } from "./push/web/vapid.ts";
import { createWebPush } from "./push/web/web-push.ts";
import { env } from "./wiring.ts";

/**
 * The other secrets are kept in memory this long before they are read again: a rotation takes effect within this time.
 */
const SECRET_KEPT_MS = 5 * 60_000;

/** The keys by which push services know this service; undefined until the operator has created them. */
export const liveVapidKeys = () => {
  const read = liveSecret(env.vapidSecret);
  const kept = keep(
    async () => {
      const [current, previous] = await Promise.all([read(), read("AWSPREVIOUS")]);
      const keys = parseVapidKeys(current ?? "");
      return keys === undefined ? undefined : { current: keys, previous: parseVapidKeys(previous ?? "") };
    },
    { now: Date.now, forMs: SECRET_KEPT_MS, atMostEveryMs: CREDENTIALS_RELOAD_MS },
  );
  return kept.get;
};

/** The keys that sign and check the tokens of pushes. */
export const liveReceiptKeys = () => {
  const read = liveSecret(env.receiptSecret);
  const kept = keep(async () => parseReceiptKeys((await read()) ?? ""), {
    now: Date.now,
    forMs: SECRET_KEPT_MS,
    atMostEveryMs: CREDENTIALS_RELOAD_MS,
  });
  return kept.get;
};

/**
 * All ways to devices: FCM with its service account, Web Push with its keys. Each reads its secret at its first push.
 */
export const livePush = (): Push => {
  const readServiceAccount = liveSecret(env.fcmSecret);
  const prefix = process.env[env.pushStandIn];
  const fcm = createPush({
    now: Date.now,
    getServiceAccount: async () => {
      const text = await readServiceAccount();
      if (text === undefined) throw new Error("the FCM secret has no text");
      return text;
    },
  });
  const web = createWebPush({
    now: Date.now,
    getKeys: liveVapidKeys(),
    standIn: prefix === undefined ? undefined : { prefix, takesAll: process.env[env.pushStandInTakesAll] === "true" },
  });
  return allWays({ fcm, web });
};
