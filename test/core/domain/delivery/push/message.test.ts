import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  buildMessage as build,
  buildDeclarativePush,
  type WebPushMessage,
} from "../../../../../core/domain/delivery/push/message.ts";
import { formatPushTitle, type PushInput, type PushPlatform } from "../../../../../core/domain/delivery/push/input.ts";
import type { FcmMessage } from "../../../../../core/domain/delivery/push/message.ts";
import type { Priority } from "../../../../../core/domain/basics/priority.ts";
import { createPushInput } from "../../../../support/push-input.ts";

const buildMessage = (input: PushInput) => build(input) as FcmMessage;

const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const bytesWithoutToken = (input: PushInput) => countBytes({ ...buildMessage(input), token: "" });

describe("the priority of a push", () => {
  it.each([
    ["LOW", "normal", 86_400_000, "low", "events_low"],
    ["NORMAL", "high", 86_400_000, "default", "events_normal"],
    ["HIGH", "high", 14_400_000, "high", "events_high"],
    ["URGENT", "high", 3_600_000, "max", "events_urgent"],
  ] as const)(
    "for %s events is %s on Android, with a lifetime of %d ms",
    (priority, android, ttl, notificationPriority, channelId) => {
      expect(buildMessage(createPushInput({ priority })).android).toEqual({
        priority: android,
        ttl,
        collapseKey: "ntf_0123456789abcdefghjkmnpqrs1",
        notification: { tag: "ntf_0123456789abcdefghjkmnpqrs1", channelId, priority: notificationPriority },
      });
    },
  );

  it("of a reachability check is high for the delivery to the device, and LOW for the display", () => {
    const checkPush = (platform: "android" | "ios") =>
      buildMessage(createPushInput({ priority: "LOW", proves: true, platform }));

    expect(checkPush("android").android).toMatchObject({
      priority: "high",
      ttl: 3_600_000,
      notification: { channelId: "events_low", priority: "low" },
    });
    expect(checkPush("ios").apns).toMatchObject({
      headers: { "apns-priority": "10" },
      payload: { aps: { "interruption-level": "passive" } },
    });
    expect(checkPush("ios").apns?.payload.aps).not.toHaveProperty("sound");
  });

  it.each([
    ["LOW", "5", "1700086400", { "interruption-level": "passive" }],
    ["NORMAL", "10", "1700086400", { "interruption-level": "active", sound: "default" }],
    ["HIGH", "10", "1700014400", { "interruption-level": "time-sensitive", sound: "default" }],
    [
      "URGENT",
      "10",
      "1700003600",
      { "interruption-level": "critical", sound: { critical: true, name: "default", volume: 1 } },
    ],
  ] as const)("for %s events is %s at APNs (iOS), with the expiry %s", (priority, apnsPriority, expiration, aps) => {
    expect(buildMessage(createPushInput({ priority, platform: "ios" })).apns).toEqual({
      headers: {
        "apns-priority": apnsPriority,
        "apns-expiration": expiration,
        "apns-collapse-id": "ntf_0123456789abcdefghjkmnpqrs1",
      },
      payload: { aps: { ...aps, mutableContent: true } },
    });
  });

  it.each([
    ["LOW", "low", "86400", false],
    ["NORMAL", "normal", "86400", false],
    ["HIGH", "high", "14400", false],
    ["URGENT", "high", "3600", true],
  ] as const)(
    "for %s events is %s on the web, with a lifetime of %s seconds",
    (priority, urgency, ttl, requireInteraction) => {
      expect(buildMessage(createPushInput({ priority, platform: "web" })).webpush).toEqual({
        headers: { Urgency: urgency, TTL: ttl, Topic: "ntf_0123456789abcdefghjkmnpqrs1" },
        notification: { tag: "ntf_0123456789abcdefghjkmnpqrs1", requireInteraction },
      });
    },
  );

  it.each([
    ["android", ["android", "data", "notification", "token"]],
    ["ios", ["apns", "data", "notification", "token"]],
    ["web", ["data", "notification", "token", "webpush"]],
  ] as const)("is set for %s only in the parts of the FCM message that this platform reads", (platform, keys) => {
    expect(Object.keys(buildMessage(createPushInput({ platform }))).toSorted()).toEqual(keys);
  });
});

describe("the data fields of a push", () => {
  it("say whether the push pages again, whether it checks reachability, and what happened to the event", () => {
    expect(
      buildMessage(createPushInput({ again: true, proves: true, state: "resolved", receipt: "tok" })).data,
    ).toMatchObject({
      again: "true",
      proves: "true",
      state: "resolved",
      receipt: "tok",
    });
    expect(Object.keys(buildMessage(createPushInput()).data).toSorted()).toEqual([
      "eventId",
      "notificationId",
      "priority",
      "requiresAck",
      "workspaceId",
    ]);
  });

  it("let Android show pushes over the page limit silently, each in place of the previous one", () => {
    const androidPart = (quiet: PushInput["quiet"]) =>
      buildMessage(createPushInput({ priority: "URGENT", quiet })).android;

    expect(androidPart("too_many")).toMatchObject({
      collapseKey: "quiet-ws_acme",
      notification: { tag: "quiet-ws_acme", channelId: "events_low" },
    });
    expect(androidPart("acknowledged")).toMatchObject({
      collapseKey: "ntf_0123456789abcdefghjkmnpqrs1",
      notification: { channelId: "events_low" },
    });
  });

  it("are the ids, the priority, the acknowledgement flag and the url, all as text", () => {
    const message = buildMessage(createPushInput({ requiresAck: true, url: "https://acme.example/1" }));

    expect(message.data).toEqual({
      workspaceId: "ws_acme",
      eventId: "evt_1",
      notificationId: "ntf_0123456789abcdefghjkmnpqrs1",
      priority: "NORMAL",
      requiresAck: "true",
      url: "https://acme.example/1",
    });
    expect(message.notification).toEqual({ title: "Disk full", body: "db-1 has 2 % left" });
  });

  it("never include event fields outside a fixed list", () => {
    const event = { ...createPushInput(), detail: "internal", data: { secret: "4711" } };

    expect(JSON.stringify(buildMessage(event))).not.toMatch(/internal|4711/);
  });

  it("make a browser open an https url, but not an http url", () => {
    const links = ["https://acme.example/1", "http://acme.example/1"].map(
      (url) => buildMessage(createPushInput({ platform: "web", url })).webpush?.fcmOptions,
    );

    expect(links).toEqual([{ link: "https://acme.example/1" }, undefined]);
  });

  it("offer the acknowledge action on iOS if an acknowledgement is required", () => {
    const message = buildMessage(createPushInput({ platform: "ios", requiresAck: true }));

    expect(message.apns?.payload.aps.category).toBe("ACKNOWLEDGE");
  });

  it("leave out a collapse id that APNs would refuse and a topic that Web Push would refuse", () => {
    const notificationId = "n".repeat(65);

    expect(buildMessage(createPushInput({ notificationId, platform: "ios" })).apns?.headers).not.toHaveProperty(
      "apns-collapse-id",
    );
    expect(buildMessage(createPushInput({ notificationId, platform: "web" })).webpush?.headers).not.toHaveProperty(
      "Topic",
    );
  });
});

describe("a push to a browser by Web Push", () => {
  const to = { subscription: { endpoint: "https://push.example/1", keys: { p256dh: "key", auth: "secret" } } };
  const webPush = (fields: Partial<PushInput> = {}) =>
    build(createPushInput({ to, platform: "web", receipt: "token", ...fields })) as WebPushMessage;
  const page = "https://alerts.example/events/evt_1?workspace=ws_acme";
  const tag = "ntf_0123456789abcdefghjkmnpqrs1";

  it("opens the event's page in the console, and does not replace another notification", () => {
    expect(webPush({ state: "resolved" })).toEqual({
      ...to,
      headers: { TTL: "86400", Urgency: "normal", Topic: tag },
      notification: { title: "Disk full", body: "db-1 has 2 % left" },
      data: {
        workspaceId: "ws_acme",
        eventId: "evt_1",
        notificationId: tag,
        priority: "NORMAL",
        requiresAck: "false",
        state: "resolved",
        receipt: "token",
      },
      navigate: page,
      tag,
      requireInteraction: false,
    });
  });

  it("opens the devices page if the push is a test", () => {
    const message = webPush({ eventId: undefined });

    expect(message.navigate).toBe("https://alerts.example/devices?workspace=ws_acme");
    expect(message.data).not.toHaveProperty("eventId");
  });

  it("is shown by the browser without a script, with a button if an acknowledgement is required", () => {
    const message = webPush({ requiresAck: true });

    expect(buildDeclarativePush(message)).toEqual({
      web_push: 8030,
      mutable: true,
      notification: {
        title: "Disk full",
        body: "db-1 has 2 % left",
        navigate: page,
        tag,
        requireInteraction: true,
        actions: [{ action: "acknowledge", title: "Acknowledge", navigate: page }],
        data: message.data,
      },
    });
    expect(buildDeclarativePush(webPush()).notification).not.toHaveProperty("actions");
  });

  it("uses all of the 4,096 bytes that encryption leaves", () => {
    const bytesOf = (fields: Partial<PushInput>) =>
      countBytes(buildDeclarativePush(webPush({ body: "x".repeat(9_000), ...fields })));

    expect([bytesOf({}), bytesOf({ requiresAck: true })]).toEqual([3993, 3993]);
  });
});

describe("the site's name in a push", () => {
  it.each([
    ["Acme Shop", "Acme Shop: Disk full"],
    ["  Acme\n\tShop ", "Acme Shop: Disk full"],
    ["", "Disk full"],
    [" \n ", "Disk full"],
  ])("of %j gives the title %j", (siteName, title) => {
    expect(buildMessage(createPushInput({ siteName })).notification.title).toBe(title);
  });

  it("is cut before the title is cut", () => {
    const { title } = buildMessage(createPushInput({ siteName: "🏪".repeat(5000) })).notification;

    expect(title).toBe(`${"🏪".repeat(29)}…: Disk full`);
  });
});

describe("the size limit of a push", () => {
  it("cuts a body of 2,000 emoji to fit, and keeps the whole title of 200 emoji", () => {
    const input = createPushInput({
      title: "😀".repeat(200),
      body: "🚨".repeat(2000),
      platform: "ios",
      url: "https://a.example",
    });

    const { title, body } = buildMessage(input).notification;

    expect(title).toBe("😀".repeat(200));
    expect(body).toMatch(/^(🚨)+…$/u);
    expect(bytesWithoutToken(input)).toBeLessThanOrEqual(4096);
    expect(bytesWithoutToken(input)).toBeGreaterThan(4000);
  });

  it("does not change a text that fits, whatever it contains", () => {
    const body = `\u0000\u000b"\\\n\r\t${"é".repeat(500)}`;

    expect(buildMessage(createPushInput({ body })).notification.body).toBe(body);
  });

  it("cuts the title only when the whole body has been removed", () => {
    const { title, body } = buildMessage(
      createPushInput({ title: "x".repeat(6000), body: "y".repeat(6000) }),
    ).notification;

    expect(body).toBe("…");
    expect(title).toMatch(/^x{3000,}…$/);
  });

  it.each([
    ["a family emoji", "👨‍👩‍👧‍👦"],
    ["a flag emoji", "🇩🇪"],
    ["a letter with accents", "ẹ̶́"],
    ["a line break", "\r\n"],
    ["a Devanagari syllable", "क्षि"],
  ])("never splits %s", (_name, grapheme) => {
    for (const lead of ["", "a", "ab", "abc"]) {
      const { body } = buildMessage(createPushInput({ body: lead + grapheme.repeat(2000) })).notification;

      const kept = body.slice(lead.length, -1);
      expect(kept).toBe(grapheme.repeat(kept.length / grapheme.length));
      expect(body.at(-1)).toBe("…");
    }
  });

  it("allows only an ellipsis if one grapheme is larger than the whole message", () => {
    expect(buildMessage(createPushInput({ body: `a${"\u0301".repeat(4000)}` })).notification.body).toBe("…");
  });

  it("keeps a url of 2,048 characters with a short text, and drops a url that leaves no space for a text", () => {
    const long = `https://acme.example/${"a".repeat(2027)}`;
    const wide = `https://acme.example/${"日".repeat(1300)}`;

    expect(buildMessage(createPushInput({ url: long })).data["url"]).toBe(long);
    for (const url of ["javascript:alert(1)", "acme.example"])
      expect(buildMessage(createPushInput({ url })).data).not.toHaveProperty("url");
    expect(buildMessage(createPushInput({ url: wide })).data).not.toHaveProperty("url");
    expect(buildMessage(createPushInput({ url: long, platform: "web" })).webpush).not.toHaveProperty("fcmOptions");
  });

  it.skipIf(process.env["MUTATION_AREA"] !== undefined)(
    "allows the largest message to be built in less than 10 ms of processor time",
    () => {
      const input = createPushInput({ body: "👨‍👩‍👧‍👦".repeat(2000), title: "🇩🇪".repeat(100) });
      buildMessage(input);

      // Measures processor time, because elapsed time is longer on a busy machine.
      const started = process.threadCpuUsage();
      for (let round = 0; round < 20; round++) buildMessage(input);
      const { user, system } = process.threadCpuUsage(started);

      expect((user + system) / 1000 / 20).toBeLessThan(10);
    },
  );
});

describe("for any input, a push", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 3000 }),
    fc.string({ unit: "binary", maxLength: 3000 }),
    fc
      .array(fc.constantFrom("👨‍👩‍👧‍👦", "🇩🇪", "e\u0301", "\ud800", "\udc00", "\u0600", "\r\n", '"', "\u0001", "क्ष"), {
        maxLength: 3000,
      })
      .map((parts) => parts.join("")),
  );
  const input: fc.Arbitrary<PushInput> = fc.record({
    workspaceId: fc.string({ maxLength: 40 }).map((id) => `ws_${id}` as const),
    eventId: fc.string({ maxLength: 40 }),
    notificationId: fc.string({ unit: "grapheme", maxLength: 80 }),
    title: text,
    body: text,
    siteName: fc.option(text, { nil: undefined }),
    url: fc.option(
      fc.webUrl({ size: "large" }).chain((url) => fc.nat(2000).map((n) => url + "x".repeat(n))),
      { nil: undefined },
    ),
    priority: fc.constantFrom<Priority>("LOW", "NORMAL", "HIGH", "URGENT"),
    requiresAck: fc.boolean(),
    to: fc.record({ token: fc.string() }),
    platform: fc.constantFrom<PushPlatform>("ios", "android", "web"),
    nowMs: fc.nat(),
    consoleUrl: fc.webUrl(),
  });

  it("fits into 4,096 bytes, is well-formed, and cuts no grapheme", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
    const isPrefixOnBoundary = (shown: string, whole: string) => {
      if (shown === whole) return true;
      const kept = shown.slice(0, -1);
      const boundary = segmenter.segment(whole).containing(kept.length)?.index === kept.length;
      return shown.endsWith("…") && whole.startsWith(kept) && boundary;
    };

    fc.assert(
      fc.property(input, (given) => {
        const { title, body } = buildMessage(given).notification;
        const hasNoPrefix = given.siteName === undefined || given.siteName.trim() === "";
        return (
          bytesWithoutToken(given) <= 4096 &&
          title.isWellFormed() &&
          body.isWellFormed() &&
          isPrefixOnBoundary(body, given.body.toWellFormed()) &&
          (!hasNoPrefix || isPrefixOnBoundary(title, formatPushTitle({ title: given.title })))
        );
      }),
      { numRuns: 300 },
    );
  });
});
