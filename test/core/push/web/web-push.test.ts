import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Priority } from "../../../../core/domain/basics/priority.ts";
import { buildMessage, type PushInput, type WebPushMessage } from "../../../../core/domain/delivery/push/message.ts";
import { createWebPush, type WebPushOptions } from "../../../../core/push/web/web-push.ts";
import { newVapidKeys } from "../../../../core/push/web/vapid.ts";
import { listen, type Listener } from "../../../../local/listen.ts";
import { createWebPushService, type WebPush, type WebPushEntry } from "../../../../local/web-push/server.ts";
import { aPushInput } from "../../../support/push-input.ts";
import { aBrowser, vapidKeys } from "../../../support/web-push.ts";

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
  listener = await listen(server, 0);
  service = createWebPushService({ origin: listener.url, onMessage: (entry) => taken.push(entry) });
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

const aWebPush = (over: Partial<WebPushOptions> = {}) =>
  createWebPush({
    getKeys: async () => ({ current: vapidKeys, previous: undefined }),
    now: Date.now,
    standIn: { prefix: service.endpointPrefix, takesAll: true },
    deadlineMs: 1000,
    ...over,
  });

const aMessage = (name: string, over: Partial<PushInput> = {}) => {
  const endpoint = name.startsWith("https:") ? name : service.endpointPrefix + name;
  const to = { subscription: { endpoint, keys: { ...keys } } };
  return buildMessage(aPushInput({ platform: "web", to, ...over })) as WebPushMessage;
};

describe("an answer of the push service", () => {
  it.each([
    ["phone", { kind: "accepted", messageId: expect.any(String) as string }],
    ["stale-1", { kind: "unregistered" }],
    ["invalid-1", { kind: "invalid", code: "HTTP_400" }],
    ["flaky-1-a", { kind: "retry", code: "HTTP_503" }],
    ["quota-1-a", { kind: "retry", code: "HTTP_429", retryAfterMs: 1000 }],
    ["reset-1-a", { kind: "unknown", code: "ECONNRESET" }],
    ["slow-2000-a", { kind: "unknown", code: "DEADLINE" }],
  ])("%s", async (name, outcome) => {
    expect(await aWebPush({ deadlineMs: 300 }).send(aMessage(name))).toEqual(outcome);
    expect(requests).toBe(1);
  });

  it("that never comes is unknown; where nobody listens it is retry", async () => {
    service.setMode("hang");
    expect(await aWebPush({ deadlineMs: 200 }).send(aMessage("phone"))).toEqual({ kind: "unknown", code: "DEADLINE" });

    const nobody = { prefix: "http://127.0.0.1:9/push/", takesAll: false };
    const message = aMessage("phone");
    message.subscription.endpoint = `${nobody.prefix}phone`;
    expect(await aWebPush({ standIn: nobody }).send(message)).toEqual({ kind: "retry", code: "ECONNREFUSED" });
  });

  it("that refuses our keys is auth; the keys before them are tried once", async () => {
    const fresh = newVapidKeys("mailto:ops@acme.example");
    await aWebPush().send(aMessage("subscribed"));
    requests = 0;

    const alone = await aWebPush({ getKeys: async () => ({ current: fresh, previous: undefined }) }).send(
      aMessage("subscribed"),
    );
    const rotated = await aWebPush({ getKeys: async () => ({ current: fresh, previous: vapidKeys }) }).send(
      aMessage("subscribed"),
    );

    expect([alone, rotated]).toMatchObject([{ kind: "auth", code: "HTTP_403" }, { kind: "accepted" }]);
    expect(requests).toBe(3);
  });
});

describe("nothing is sent", () => {
  it.each([
    ["to a host that is no push service", "https://evil.example/push", { kind: "invalid", code: "ENDPOINT_UNKNOWN" }],
    ["to this machine", "https://127.0.0.1/push", { kind: "invalid", code: "ENDPOINT_UNKNOWN" }],
  ])("%s", async (_, endpoint, outcome) => {
    expect(await aWebPush().send(aMessage(endpoint))).toEqual(outcome);
    expect(requests).toBe(0);
  });

  it("where a known name leads inward", async () => {
    const push = aWebPush({
      standIn: undefined,
      lookup: (_name, _options, done) => done(Object.assign(new Error(), { code: "ENDPOINT_INWARD" }), []),
    });

    expect(await push.send(aMessage("https://fcm.googleapis.com/fcm/send/a"))).toEqual({
      kind: "retry",
      code: "ENDPOINT_INWARD",
    });
  });

  it("to where a redirect leads", async () => {
    let followed = 0;
    const redirecting = createServer((request, response) => {
      if (request.url === "/elsewhere") followed += 1;
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    const other = await listen(redirecting, 0);
    const message = aMessage("phone");
    message.subscription.endpoint = `${other.url}/push/1`;

    const outcome = await aWebPush({ standIn: { prefix: `${other.url}/push/`, takesAll: false } }).send(message);

    expect([outcome, followed]).toEqual([{ kind: "invalid", code: "HTTP_307" }, 0]);
    await other.close();
  });

  it("without keys of our own, or for a key that is none", async () => {
    const message = aMessage("phone");
    message.subscription.keys.p256dh = Buffer.alloc(65, 4).toString("base64url");

    expect(await aWebPush({ getKeys: async () => undefined }).send(aMessage("phone"))).toEqual({
      kind: "auth",
      code: "VAPID_KEYS_MISSING",
    });
    expect(await aWebPush({ getKeys: () => Promise.reject(new Error("down")) }).send(aMessage("phone"))).toEqual({
      kind: "retry",
      code: "VAPID_KEYS_UNAVAILABLE",
    });
    expect(await aWebPush().send(message)).toEqual({ kind: "invalid", code: "KEYS_INVALID" });
    expect(requests).toBe(0);
  });
});

describe("what the browser receives", () => {
  it.each([
    ["LOW", "86400", "low", false],
    ["NORMAL", "86400", "normal", false],
    ["HIGH", "14400", "high", false],
    ["URGENT", "3600", "high", true],
  ] as const)("for %s", async (priority: Priority, ttl, urgency, requireInteraction) => {
    await aWebPush().send(aMessage("phone", { priority, url: "https://acme.example/1" }));

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
  });

  it("has a button where it must be acknowledged", async () => {
    await aWebPush().send(aMessage("phone", { requiresAck: true }));

    expect(taken[0]?.message).toMatchObject({
      notification: { requireInteraction: true, actions: [{ action: "acknowledge", title: "Acknowledge" }] },
    });
  });

  it.each([
    ["one code point each", "😀"],
    ["families", "👨‍👩‍👧‍👦"],
    ["flags", "🇩🇪"],
  ])("is at most 4,096 bytes with 2,000 emoji: %s", async (_, emoji) => {
    const body = emoji.repeat(2000);
    const outcome = await aWebPush().send(aMessage("phone", { requiresAck: true, title: emoji.repeat(40), body }));

    const shown = (taken[0]!.message as { notification: { body: string } }).notification.body;
    expect(outcome.kind).toBe("accepted");
    expect(taken[0]?.bytes).toBeLessThanOrEqual(4096);
    expect(taken[0]?.bytes).toBeGreaterThan(4000);
    expect(shown.replace("…", "").replaceAll(emoji, "")).toBe("");
  });

  it("goes to the stand-in also for a real push service, where nothing leaves the machine", async () => {
    const { subscription } = aBrowser("https://updates.push.services.mozilla.com/wpush/v2/abc");

    const outcome = await aWebPush().send(aMessage("phone", { to: { subscription } }));

    expect(outcome.kind).toBe("accepted");
    expect(taken[0]).toMatchObject({ endpoint: subscription.endpoint, message: null });
  });
});
