import { toChannel } from "../../../core/domain/device/device.ts";
import type { PushMessage } from "../../../core/domain/delivery/push/message.ts";
import type { Push, PushOutcome } from "../../../core/domain/delivery/push/outcome.ts";
import { cacheReceiptKeys, cacheVapidKeys, kept, type ReadSecret } from "../../../core/live-push.ts";
import { cacheSlackApps } from "../../../core/live-slack.ts";
import { cacheWebhookKey } from "../../../core/live-webhooks.ts";
import { cacheValue } from "../../../core/push/cached-value.ts";
import { LATE, withTimeLimit, type SetTimer } from "../../../core/push/time-limit.ts";
import { slackApp } from "../../support/slack.ts";
import { vapidKeys } from "../../support/web-push.ts";

export const secretTexts: Readonly<Record<string, string>> = {
  fcm: "a service account",
  vapid: JSON.stringify(vapidKeys),
  webhooks: JSON.stringify({ key: "a key of webhooks that is good for tests only" }),
  slack: JSON.stringify([slackApp]),
  receipts: JSON.stringify({ key: "a key of tokens that is good for tests only" }),
};

/** As in the service, a send waits for credentials for half of its deadline. */
const CREDENTIALS_WAIT_MS = 2500;

type Secrets = {
  read: (secretId: string) => ReadSecret;
  now: () => number;
  after: SetTimer;
  /** Sends a message once the credentials have been read. */
  send: (message: PushMessage) => Promise<PushOutcome>;
};

/** Gives each instance cached credentials as in the service; without credentials, nothing is sent. */
export const withSecrets = ({
  read,
  send,
  ...clock
}: Secrets): {
  push: Push;
  receiptKeys: ReturnType<typeof cacheReceiptKeys>;
  webhookKey: ReturnType<typeof cacheWebhookKey>;
  slackApps: ReturnType<typeof cacheSlackApps>;
} => {
  const account = cacheValue(async () => (await read("fcm")())?.text ?? "", {
    ...clock,
    ...kept,
    what: "the service account",
  });
  const keys = cacheVapidKeys(read("vapid"), clock);
  const isReady = async (channel: ReturnType<typeof toChannel>): Promise<boolean> => {
    // Requests to services of AWS are signed with the function's own role.
    if (channel === "email" || channel === "sms" || channel === "voice") return true;
    const credentials = channel === "web-push" ? keys() : account();
    try {
      return (await withTimeLimit<unknown>(clock.after, CREDENTIALS_WAIT_MS, credentials)) !== LATE;
    } catch {
      return false;
    }
  };
  return {
    receiptKeys: cacheReceiptKeys(read("receipts"), clock),
    webhookKey: cacheWebhookKey(read("webhooks"), clock),
    slackApps: cacheSlackApps(read("slack"), clock),
    push: {
      send: async (message) =>
        (await isReady(toChannel(message))) ? send(message) : { kind: "retry", code: "CREDENTIALS_UNAVAILABLE" },
      prepare: async (addresses) => {
        const channels = new Set(addresses.map(toChannel));
        const ready = await Promise.all([...channels].map(isReady));
        return ready.length === 0 || ready.includes(true);
      },
    },
  };
};
