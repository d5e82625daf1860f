import { subscribe } from "node:diagnostics_channel";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Fcm, InboxEntry } from "../../../local/fcm/server.ts";
import { startFcmForThisProcess } from "../../local/fcm/support.ts";
import { aMessage, aPush } from "./support.ts";

let fcm: Fcm;
let connections = 0;
const taken: InboxEntry[] = [];
const unhandled: unknown[] = [];

beforeAll(async () => {
  process.on("unhandledRejection", (reason) => unhandled.push(reason));
  fcm = await startFcmForThisProcess({ onMessage: (entry) => taken.push(entry) });
  subscribe("net.client.socket", () => {
    connections += 1;
  });
});
afterAll(async () => {
  await fcm.close();
  expect(unhandled).toEqual([]);
});
beforeEach(() => {
  connections = 0;
});
afterEach(() => {
  fcm.setMode({});
  fcm.resetCounts();
  taken.length = 0;
});

const acceptedTokens = () => taken.map(({ token }) => token);

describe("an answer of FCM", () => {
  it("with status 200 means accepted, with FCM's name of the message", async () => {
    const outcome = await aPush().send(aMessage("phone-1"));

    expect(outcome).toEqual({ kind: "accepted", messageId: `projects/demo/messages/${taken[0]!.id}` });
  });

  it.each([
    ["UNREGISTERED means that the device is not registered", "stale-1", { kind: "unregistered" }],
    ["INVALID_ARGUMENT means an invalid message", "invalid-1", { kind: "invalid", code: "INVALID_ARGUMENT" }],
    [
      "QUOTA_EXCEEDED means retry after the given time",
      "quota-1-a",
      { kind: "retry", code: "QUOTA_EXCEEDED", retryAfterMs: 1000 },
    ],
  ])("is interpreted by its error: %s", async (_, token, outcome) => {
    expect(await aPush().send(aMessage(token))).toEqual(outcome);
  });

  it("with status 404 but without UNREGISTERED means a wrong project, not a dead token", async () => {
    fcm.setMode({ send: [{ kind: "refuse", status: 404 }] });

    expect(await aPush().send(aMessage("phone-1"))).toEqual({ kind: "auth", code: "NOT_FOUND" });
  });

  it("with UNAVAILABLE means retry, and a later attempt is accepted", async () => {
    const push = aPush();

    expect(await push.send(aMessage("flaky-1-a"))).toEqual({ kind: "retry", code: "UNAVAILABLE" });
    expect(await push.send(aMessage("flaky-1-a"))).toMatchObject({ kind: "accepted" });
  });

  it("with Retry-After means retry after that time", async () => {
    fcm.setMode({ send: [{ kind: "refuse", status: 503, retryAfter: "7" }] });

    expect(await aPush().send(aMessage("phone-1"))).toEqual({ kind: "retry", code: "UNAVAILABLE", retryAfterMs: 7000 });
  });

  it("is not needed for a malformed message, which is not sent and counts as invalid", async () => {
    const outcome = await aPush().send({ ...aMessage("phone-1"), data: { count: 1 as unknown as string } });

    expect(outcome).toEqual({ kind: "invalid", code: "REFUSED_BY_CLIENT" });
    expect(fcm.counts().total).toBe(0);
  });
});

describe("an FCM send without a complete answer", () => {
  it("has an unknown outcome after a connection reset, because the message may have been accepted", async () => {
    expect(await aPush().send(aMessage("reset-1-a"))).toEqual({ kind: "unknown", code: "ECONNRESET" });
    expect(acceptedTokens()).toEqual(["reset-1-a"]);
  });

  it("has an unknown outcome if no answer arrives within the deadline", async () => {
    fcm.setMode({ send: [{ kind: "stall" }] });
    const push = aPush({ deadlineMs: 200 });

    const started = performance.now();
    const outcome = await push.send(aMessage("phone-1"));

    expect(outcome).toEqual({ kind: "unknown", code: "DEADLINE" });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  // firebase-admin's promise never settles if the connection breaks in the middle of an answer.
  it("has an unknown outcome if only a part of the answer arrives within the deadline", async () => {
    fcm.setMode({ send: [{ kind: "truncate" }] });

    const outcome = await aPush({ deadlineMs: 300 }).send(aMessage("phone-1"));

    expect(outcome).toMatchObject({ kind: "unknown" });
    expect(acceptedTokens()).toEqual(["phone-1"]);
  });

  it("has an unknown outcome if FCM closes the connection, and the next send is accepted", async () => {
    fcm.setMode({ send: [{ kind: "goaway", times: 1 }] });
    const push = aPush();

    expect(await push.send(aMessage("phone-1"))).toMatchObject({ kind: "unknown" });
    expect(await push.send(aMessage("phone-1"))).toMatchObject({ kind: "accepted" });
  });

  it("is retried if every connection is in use, because the request was never sent", async () => {
    fcm.setMode({ send: [{ kind: "stall", tokenPrefix: "dead-" }] });
    const push = aPush({ deadlineMs: 300, maxConnections: 1 });

    const outcomes = await Promise.all([push.send(aMessage("dead-1")), push.send(aMessage("phone-1"))]);
    const next = await push.send(aMessage("phone-2"));

    expect(outcomes).toEqual([
      { kind: "unknown", code: "DEADLINE" },
      { kind: "retry", code: "DEADLINE" },
    ]);
    expect(next).toMatchObject({ kind: "accepted" });
    expect(acceptedTokens()).toEqual(["phone-2"]);
  });
});

describe("one push to FCM is one request", () => {
  // Each push uses an existing connection, on which a request is sent at once.
  it.each([
    ["a 503", { kind: "refuse", status: 503, code: "UNAVAILABLE" }, "retry"],
    ["a 503 with Retry-After", { kind: "refuse", status: 503, retryAfter: "1" }, "retry"],
    ["a reset", { kind: "reset" }, "unknown"],
    ["a reset after the message was accepted", { kind: "takeAndReset" }, "unknown"],
    ["half an answer", { kind: "truncate" }, "unknown"],
    ["no answer", { kind: "stall" }, "unknown"],
    ["a closed connection", { kind: "goaway" }, "unknown"],
  ] as const)("even after this fault of FCM: %s", async (_name, fault, kind) => {
    const push = aPush({ deadlineMs: 200 });
    await push.send(aMessage("phone-0"));
    fcm.resetCounts();
    fcm.setMode({ send: [fault] });

    const outcome = await push.send(aMessage("phone-1"));
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(fcm.counts().total).toBe(1);
    expect(outcome.kind).toBe(kind);
  });
});

describe("pushes to many devices at once", () => {
  it("are not delayed by a push with a missing answer, a reset connection or a stale token", async () => {
    fcm.setMode({ send: [{ kind: "stall", tokenPrefix: "dead-" }] });
    const push = aPush({ deadlineMs: 2000 });
    const order: string[] = [];
    const good = Array.from({ length: 50 }, async (_, index) => {
      const outcome = await push.send(aMessage(`phone-${index}`));
      order.push("good");
      return outcome.kind;
    });
    const odd = ["dead-1", "reset-1-b", "stale-1"].map(async (token) => {
      const outcome = await push.send(aMessage(token));
      order.push(token);
      return outcome;
    });

    const kinds = await Promise.all(good);
    const oddKinds = (await Promise.all(odd)).map(({ kind }) => kind);

    expect(new Set(kinds)).toEqual(new Set(["accepted"]));
    expect(order.at(-1)).toBe("dead-1");
    expect(oddKinds).toEqual(["unknown", "unknown", "unregistered"]);
    expect(acceptedTokens().toSorted()).toEqual([...good.map((_, index) => `phone-${index}`), "reset-1-b"].toSorted());
  });

  it("share connections, and never open more than allowed", async () => {
    const push = aPush({ maxConnections: 4, deadlineMs: 5000 });

    await Promise.all(Array.from({ length: 100 }, (_, index) => push.send(aMessage(`phone-${index}`))));

    expect(taken).toHaveLength(100);
    expect(connections).toBeLessThanOrEqual(5);
  });

  it("do not reuse a connection that was idle while the instance was frozen", async () => {
    let nowMs = Date.now();
    const push = aPush({ now: () => nowMs });
    await push.send(aMessage("phone-1"));
    connections = 0;

    nowMs += 4000;
    await push.send(aMessage("phone-2"));
    const soon = connections;
    nowMs += 10_000;
    await push.send(aMessage("phone-3"));

    expect([soon, connections]).toEqual([0, 1]);
  });
});

// The tests of the message's builder cover the priorities.
describe("the message that FCM receives", () => {
  const sendAndReceive = async (...given: Parameters<typeof aMessage>) => {
    await aPush().send(aMessage(...given));
    return taken[0]!.message;
  };

  it("has the documented fields on Android", async () => {
    const url = "https://acme.example/1";
    expect(await sendAndReceive("phone-1", { priority: "URGENT", platform: "android", url })).toEqual({
      token: "phone-1",
      notification: { title: "Disk full", body: "db-1 has 2 % left" },
      data: {
        workspaceId: "ws_acme",
        eventId: "evt_1",
        notificationId: "ntf_0123456789abcdefghjkmnpqrs1",
        priority: "URGENT",
        requiresAck: "false",
        url,
      },
      android: {
        priority: "high",
        ttl: "3600s",
        collapse_key: "ntf_0123456789abcdefghjkmnpqrs1",
        notification: {
          tag: "ntf_0123456789abcdefghjkmnpqrs1",
          notification_priority: "PRIORITY_MAX",
          channel_id: "events_urgent",
        },
      },
    });
  });

  it("has the documented fields on iOS", async () => {
    expect(await sendAndReceive("phone-1", { priority: "URGENT", platform: "ios", requiresAck: true })).toMatchObject({
      data: { requiresAck: "true" },
      apns: {
        headers: {
          "apns-priority": "10",
          "apns-expiration": "1700003600",
          "apns-collapse-id": "ntf_0123456789abcdefghjkmnpqrs1",
        },
        payload: {
          aps: {
            "interruption-level": "critical",
            sound: { critical: 1, name: "default", volume: 1 },
            category: "ACKNOWLEDGE",
            "mutable-content": 1,
          },
        },
      },
    });
  });

  it("has the documented fields in a browser", async () => {
    expect(
      await sendAndReceive("tab-1", { priority: "URGENT", platform: "web", url: "https://acme.example/1" }),
    ).toMatchObject({
      webpush: {
        headers: { Urgency: "high", TTL: "3600", Topic: "ntf_0123456789abcdefghjkmnpqrs1" },
        notification: { tag: "ntf_0123456789abcdefghjkmnpqrs1", requireInteraction: true },
        fcmOptions: { link: "https://acme.example/1" },
      },
    });
  });

  it.each(["ios", "android", "web"] as const)(
    "is at most 4,096 bytes on %s, however long the text is",
    async (platform) => {
      const { token: _token, ...message } = await sendAndReceive("phone-1", {
        platform,
        priority: "URGENT",
        requiresAck: true,
        title: "😀".repeat(200),
        body: "👨‍👩‍👧‍👦".repeat(285),
        url: `https://acme.example/${"a".repeat(400)}`,
      });

      const size = Buffer.byteLength(JSON.stringify(message));
      expect(size).toBeLessThanOrEqual(4096);
      expect(size).toBeGreaterThan(3900);
    },
  );
});
