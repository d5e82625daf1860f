import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Priority } from "../../../../core/domain/basics/priority.ts";
import type { PushInput } from "../../../../core/domain/delivery/push/input.ts";
import { buildMessage, type WebPushMessage } from "../../../../core/domain/delivery/push/message.ts";
import { createWebPushChannel, type WebPushOptions } from "../../../../core/push/web/web-push.ts";
import { createVapidKeys, type VapidKeys } from "../../../../core/push/web/vapid.ts";
import { listenLocally, type Listener } from "../../../../local/listen.ts";
import { createWebPushService, type WebPush, type WebPushEntry } from "../../../../local/web-push/server.ts";
import { createPushInput } from "../../../support/push-input.ts";
import { toEarlyDevices } from "../../../support/push.ts";
import { createBrowser, vapidKeys } from "../../../support/web-push.ts";

let server: Server;
let listener: Listener;
let service: WebPush;
let requests = 0;
const taken: WebPushEntry[] = [];
let keys: { p256dh: string; auth: string };

beforeAll(async () => {
  server = createServer((...exchange) => {
    requests += 1;
    service.serve(...exchange);
  });
  listener = await listenLocally(server, 0);
  const onMessage = (entry: WebPushEntry) => {
    // The message to a slow device arrives during a later test.
    if (!entry.endpoint.includes("slow-")) taken.push(entry);
  };
  service = createWebPushService({ origin: listener.url, onMessage });
  const answer = await fetch(`${service.inboxUrl}/keys`, { method: "POST" });
  keys = (await answer.json()) as typeof keys;
});
afterAll(async () => {
  service.close();
  await listener.close();
});
beforeEach(() => {
  service.setMode("up");
  taken.length = 0;
  requests = 0;
});

/** Returns a reader of keys that were stored after the devices of these tests were registered. */
const keysOf =
  (current: VapidKeys, previous?: VapidKeys): WebPushOptions["getKeys"] =>
  async () => ({ value: { current, previous, madeAt: Date.now() }, atMs: Date.now() });

const aWebPushChannel = (fields: Partial<WebPushOptions> = {}) =>
  toEarlyDevices(
    createWebPushChannel({
      getKeys: keysOf(vapidKeys),
      now: Date.now,
      standIn: { prefix: service.endpointPrefix, takesAll: true },
      deadlineMs: 1000,
      ...fields,
    }),
  );

const aMessage = (name: string, fields: Partial<PushInput> = {}) => {
  const endpoint = name.startsWith("https:") ? name : service.endpointPrefix + name;
  const to = { subscription: { endpoint, keys: { ...keys } } };
  return buildMessage(createPushInput({ platform: "web", to, ...fields })) as WebPushMessage;
};

describe("the answer of a browser's push service", () => {
  it.each([
    ["that it accepts the push", "accepted", "phone", { messageId: expect.any(String) as string }],
    ["that the subscription is gone", "unregistered", "stale-1", {}],
    ["that the push is invalid", "invalid", "invalid-1", { code: "HTTP_400" }],
    ["that it is unavailable", "retry", "flaky-1-a", { code: "HTTP_503" }],
    ["that there are too many requests", "retry", "quota-1-a", { code: "HTTP_429", retryAfterMs: 1000 }],
    ["that is lost with the connection", "unknown", "reset-1-a", { code: "ECONNRESET" }],
    ["that comes after the deadline", "unknown", "slow-2000-a", { code: "DEADLINE" }],
  ])("%s means the outcome %j", async (_, kind, name, details) => {
    expect(await aWebPushChannel({ deadlineMs: 300 }).send(aMessage(name))).toEqual({ kind, ...details });
    expect(requests).toBe(1);
  });

  it("means an unknown outcome if it never comes; if no server listens, the push is retried", async () => {
    service.setMode("hang");
    expect(await aWebPushChannel({ deadlineMs: 200 }).send(aMessage("phone"))).toEqual({
      kind: "unknown",
      code: "DEADLINE",
    });

    const nobody = { prefix: "http://127.0.0.1:9/push/", takesAll: false };
    const message = aMessage("phone");
    message.subscription.endpoint = `${nobody.prefix}phone`;
    expect(await aWebPushChannel({ standIn: nobody }).send(message)).toEqual({ kind: "retry", code: "ECONNREFUSED" });
  });

  it("that refuses our signature is followed by one try with the previous keys, and then by an alarm", async () => {
    const fresh = createVapidKeys("mailto:ops@acme.example");
    const badlySigned = { ...fresh, privateKey: vapidKeys.privateKey };
    await aWebPushChannel().send(aMessage("subscribed"));
    requests = 0;

    const alone = await aWebPushChannel({ getKeys: keysOf(badlySigned) }).send(aMessage("subscribed"));
    const rotated = await aWebPushChannel({ getKeys: keysOf(fresh, vapidKeys) }).send(aMessage("subscribed"));
    const broken = await aWebPushChannel({ getKeys: keysOf(badlySigned, vapidKeys) }).send(aMessage("subscribed"));

    expect([alone, rotated, broken]).toMatchObject([
      { kind: "auth", code: "HTTP_403" },
      { kind: "accepted" },
      { kind: "accepted" },
    ]);
    expect(requests).toBe(5);
  });
});

describe("a browser subscription with another VAPID key than ours", () => {
  const foreignOutcome = (proven: boolean) => ({ kind: "foreign", code: "VAPID_KEY_MISMATCH", proven });
  const iso = (ms: number) => new Date(ms).toISOString();
  const isoBefore = (ms: number) => iso(Date.now() - ms);
  const knownKeys = (madeAt: number, ...[current, previous]: [VapidKeys, VapidKeys?]) => ({
    value: { current, previous, madeAt },
    atMs: Date.now(),
  });

  it("counts as the browser's fault only if another browser accepted a push under our current keys", async () => {
    const push = aWebPushChannel();

    const alone = await push.send(aMessage("foreign-a"));
    await push.send(aMessage("phone"));
    const besideAnother = await push.send(aMessage("foreign-a"));

    expect([alone, besideAnother]).toEqual([foreignOutcome(false), foreignOutcome(true)]);
  });

  it("counts as the browser's fault if our keys are older than the subscription", async () => {
    const getKeys = async () => knownKeys(Date.now() - 5000, vapidKeys);
    const device = (createdMs: number) => ({ createdAt: isoBefore(createdMs), registeredAt: isoBefore(1000) });

    const younger = await aWebPushChannel({ getKeys }).send(aMessage("foreign-a"), device(4000));
    const older = await aWebPushChannel({ getKeys }).send(aMessage("foreign-a"), device(6000));

    expect([younger, older]).toEqual([foreignOutcome(true), foreignOutcome(false)]);
    // No key is tried twice.
    expect(requests).toBe(2);
  });

  it("causes no second read of the keys if it was registered in the same millisecond as our last read", async () => {
    const at = Date.now();
    const getKeys = vi.fn<WebPushOptions["getKeys"]>(async () => ({ ...knownKeys(at, vapidKeys), atMs: at }));

    const outcome = await aWebPushChannel({ getKeys }).send(aMessage("foreign-a"), {
      createdAt: iso(at),
      registeredAt: iso(at),
    });

    expect(outcome).toEqual(foreignOutcome(false));
    expect(getKeys).toHaveBeenCalledTimes(1);
  });

  it("is judged by newly read keys, even if they were read in the same millisecond in which the browser registered", async () => {
    const registered = Date.now();
    const getKeys: WebPushOptions["getKeys"] = async (since) => ({ ...knownKeys(0, vapidKeys), atMs: since ?? 0 });

    const outcome = await aWebPushChannel({ getKeys }).send(aMessage("foreign-a"), {
      createdAt: isoBefore(1000),
      registeredAt: iso(registered),
    });

    expect(outcome).toEqual(foreignOutcome(true));
  });

  it("counts as the browser's fault once a push that was signed with one of our keys was accepted", async () => {
    const fresh = createVapidKeys("mailto:ops@acme.example");
    await aWebPushChannel().send(aMessage("before-the-rotation"));
    const push = aWebPushChannel({ getKeys: keysOf(fresh, vapidKeys) });

    await push.send(aMessage("stale-1"));
    const beforeAny = await push.send(aMessage("foreign-a"));
    await push.send(aMessage("before-the-rotation"));

    expect([beforeAny, await push.send(aMessage("foreign-a"))]).toEqual([foreignOutcome(false), foreignOutcome(true)]);
  });

  it("leads to the outcome `auth` if the push service refuses the signature of one of our keys", async () => {
    const badlySigned = { ...createVapidKeys("mailto:ops@acme.example"), privateKey: vapidKeys.privateKey };

    expect(await aWebPushChannel({ getKeys: keysOf(badlySigned, vapidKeys) }).send(aMessage("foreign-a"))).toEqual({
      kind: "auth",
      code: "HTTP_403",
    });
  });

  it("causes another read of our keys if it was registered after our last read, and the newer keys are tried", async () => {
    const former = createVapidKeys("mailto:ops@acme.example");
    await aWebPushChannel().send(aMessage("renewed"));
    const reads: (number | undefined)[] = [];
    const getKeys: WebPushOptions["getKeys"] = async (since) => {
      reads.push(since);
      return since === undefined
        ? { ...knownKeys(0, former), atMs: Date.now() - 60_000 }
        : knownKeys(Date.now() - 30_000, vapidKeys, former);
    };
    requests = 0;

    const outcome = await aWebPushChannel({ getKeys }).send(aMessage("renewed"), {
      createdAt: isoBefore(20_000),
      registeredAt: isoBefore(20_000),
    });

    expect(outcome).toEqual({ kind: "accepted", messageId: expect.any(String) as string });
    expect([reads.length, requests]).toEqual([2, 2]);
  });

  it("counts as our fault while our keys cannot be read again and no push with them was accepted", async () => {
    const device = { createdAt: isoBefore(1000), registeredAt: isoBefore(1000) };
    const old = { ...knownKeys(0, vapidKeys), atMs: Date.now() - 60_000 };
    const failToReread: WebPushOptions["getKeys"] = async (since) => {
      if (since !== undefined) throw new Error("no secrets manager");
      return old;
    };
    const neverReread: WebPushOptions["getKeys"] = (since) =>
      since === undefined ? Promise.resolve(old) : Promise.withResolvers<typeof old>().promise;

    expect(await aWebPushChannel({ getKeys: failToReread }).send(aMessage("foreign-a"), device)).toEqual({
      kind: "auth",
      code: "VAPID_KEY_MISMATCH",
    });
    expect(await aWebPushChannel({ getKeys: async () => old }).send(aMessage("foreign-a"), device)).toMatchObject({
      kind: "auth",
    });
    const rereadNone: WebPushOptions["getKeys"] = async (since) =>
      since === undefined ? old : { value: undefined, atMs: Date.now() };
    expect(await aWebPushChannel({ getKeys: rereadNone }).send(aMessage("foreign-a"), device)).toEqual({
      kind: "auth",
      code: "VAPID_KEY_MISMATCH",
    });
    expect(
      await aWebPushChannel({ getKeys: neverReread, deadlineMs: 200 }).send(aMessage("foreign-a"), device),
    ).toEqual({
      kind: "retry",
      code: "DEADLINE",
    });
  });
});

describe("the VAPID keys", () => {
  it.each([
    ["it may if the keys were read, even if none are stored", async () => ({ value: undefined, atMs: 0 }), true],
    ["it may not if the keys cannot be read", async () => Promise.reject(new Error("down")), false],
  ])("decide whether the sender may claim notifications to send: %s", async (_, getKeys, isReady) => {
    expect(await aWebPushChannel({ getKeys }).prepare()).toBe(isReady);
  });
});

describe("a Web Push", () => {
  it("is not sent if the VAPID keys come after the deadline", async () => {
    const late = Promise.withResolvers<Awaited<ReturnType<WebPushOptions["getKeys"]>>>();
    const push = aWebPushChannel({
      getKeys: () => late.promise,
      after: (_, run) => {
        queueMicrotask(run);
        return () => undefined;
      },
    });

    expect(await push.send(aMessage("phone"))).toEqual({ kind: "retry", code: "DEADLINE" });
    late.resolve({ value: { current: vapidKeys, previous: undefined, madeAt: 0 }, atMs: 0 });
    await new Promise((resolve) => setTimeout(resolve, 20));

    expect(requests).toBe(0);
  });

  it.each([
    ["a host that is not a push service", "https://evil.example/push", { kind: "invalid", code: "ENDPOINT_UNKNOWN" }],
    ["an address of this machine", "https://127.0.0.1/push", { kind: "invalid", code: "ENDPOINT_UNKNOWN" }],
  ])("is not sent to %s", async (_, endpoint, outcome) => {
    expect(await aWebPushChannel().send(aMessage(endpoint))).toEqual(outcome);
    expect(requests).toBe(0);
  });

  it("is not sent if a known host name resolves to an internal address", async () => {
    const push = aWebPushChannel({
      standIn: undefined,
      lookup: (_name, _options, done) => done(Object.assign(new Error(), { code: "ENDPOINT_INWARD" }), []),
    });

    expect(await push.send(aMessage("https://fcm.googleapis.com/fcm/send/a"))).toEqual({
      kind: "retry",
      code: "ENDPOINT_INWARD",
    });
  });

  it("is not sent without our own VAPID keys, or for an invalid key of the browser", async () => {
    const message = aMessage("phone");
    message.subscription.keys.p256dh = Buffer.alloc(65, 4).toString("base64url");

    expect(
      await aWebPushChannel({ getKeys: async () => ({ value: undefined, atMs: Date.now() }) }).send(aMessage("phone")),
    ).toEqual({
      kind: "auth",
      code: "VAPID_KEYS_MISSING",
    });
    expect(await aWebPushChannel({ getKeys: () => Promise.reject(new Error("down")) }).send(aMessage("phone"))).toEqual(
      {
        kind: "retry",
        code: "VAPID_KEYS_UNAVAILABLE",
      },
    );
    expect(await aWebPushChannel().send(message)).toEqual({ kind: "invalid", code: "KEYS_INVALID" });
    expect(requests).toBe(0);
  });
});

describe("the Web Push that a browser receives", () => {
  it.each([
    ["LOW", "86400", "low", false],
    ["NORMAL", "86400", "normal", false],
    ["HIGH", "14400", "high", false],
    ["URGENT", "3600", "high", true],
  ] as const)(
    "has the TTL and the urgency of the priority %s",
    async (priority: Priority, ttl, urgency, requireInteraction) => {
      await aWebPushChannel().send(aMessage("phone", { priority, url: "https://acme.example/1" }));

      expect(taken[0]).toMatchObject({
        headers: {
          ttl,
          urgency,
          topic: "ntf_0123456789abcdefghjkmnpqrs1",
          "content-encoding": "aes128gcm",
          "content-type": "application/notification+json",
        },
      });
      expect(taken[0]?.message).toEqual({
        web_push: 8030,
        mutable: true,
        notification: {
          title: "Disk full",
          body: "db-1 has 2 % left",
          navigate: "https://alerts.example/events/evt_1?workspace=ws_acme",
          tag: "ntf_0123456789abcdefghjkmnpqrs1",
          requireInteraction,
          data: {
            workspaceId: "ws_acme",
            eventId: "evt_1",
            notificationId: "ntf_0123456789abcdefghjkmnpqrs1",
            priority,
            requiresAck: "false",
            url: "https://acme.example/1",
          },
        },
      });
    },
  );

  it("has a button if the event must be acknowledged", async () => {
    await aWebPushChannel().send(aMessage("phone", { requiresAck: true }));

    expect(taken[0]?.message).toMatchObject({
      notification: { requireInteraction: true, actions: [{ action: "acknowledge", title: "Acknowledge" }] },
    });
  });

  it.each([
    ["emoji of one code point each", "😀"],
    ["family emoji", "👨‍👩‍👧‍👦"],
    ["flag emoji", "🇩🇪"],
  ])("is at most 4,096 bytes with a text of 2,000 %s", async (_, emoji) => {
    const body = emoji.repeat(2000);
    const outcome = await aWebPushChannel().send(
      aMessage("phone", { requiresAck: true, title: emoji.repeat(40), body }),
    );

    const shown = (taken[0]!.message as { notification: { body: string } }).notification.body;
    expect(outcome.kind).toBe("accepted");
    expect(taken[0]?.bytes).toBeLessThanOrEqual(4096);
    expect(taken[0]?.bytes).toBeGreaterThan(4000);
    expect(shown.replace("…", "").replaceAll(emoji, "")).toBe("");
  });

  it("goes to the stand-in even for a real push service, so that nothing leaves the machine", async () => {
    const { subscription } = createBrowser("https://updates.push.services.mozilla.com/wpush/v2/abc");

    const outcome = await aWebPushChannel().send(aMessage("phone", { to: { subscription } }));

    expect(outcome.kind).toBe("accepted");
    expect(taken[0]).toMatchObject({ endpoint: subscription.endpoint, message: null });
  });
});
