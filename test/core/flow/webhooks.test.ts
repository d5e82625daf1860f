import { Webhook as Checker } from "standardwebhooks";
import { afterEach, describe, expect, it } from "vitest";
import type { PostOutcome, PostRequest } from "../../../core/domain/webhook/line.ts";
import { secretOf } from "../../../core/domain/webhook/signature.ts";
import { EVENT_TYPES, type WebhookInput } from "../../../core/domain/webhook/webhook.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/life/life.ts";
import { snooze } from "../../../core/flow/life/take-in-hand.ts";
import { replay, testWebhook, updateWebhook } from "../../../core/flow/admin/webhooks.ts";
import { workLine } from "../../../core/flow/work-line.ts";
import { createSilence } from "../../../core/store/silences.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { listMessages, readLine } from "../../../core/store/webhook-lines.ts";
import { createWebhook } from "../../../core/store/webhooks.ts";
import { listEventsBetween } from "../../../core/store/events.ts";
import * as v from "valibot";
import { closeWorlds, createWorld, markersOf, type World, type WorldOptions } from "../../world/world.ts";

afterEach(closeWorlds);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const bob = { id: "usr_bob", name: "Bob" };
const URL_OF = (name: string) => `https://${name}.example.com/hook`;

const setUp = async (options: WorldOptions = {}, fields: Partial<WebhookInput> = {}) => {
  const world = await createWorld(options);
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.group("Bobs", ["usr_bob"]);
  const hook = (name: string, more: Partial<WebhookInput> = {}) =>
    createWebhook(world.deps, world.ws, {
      name,
      url: URL_OF(name),
      types: [...EVENT_TYPES],
      eventKeys: null,
      paused: false,
      ...fields,
      ...more,
    });
  return { world, ops, hook, webhook: await hook("first") };
};

type Body = { type: string; timestamp: string; data: Record<string, unknown> & { sequence: number; eventId: string } };
const bodiesOf = (world: World, name = "first"): Body[] =>
  world.posted.filter(({ url }) => url === URL_OF(name)).map(({ body }) => JSON.parse(body) as Body);
/** What a webhook was sent: the event by its place among all, its number and what happened. */
const told = (world: World, name = "first") =>
  bodiesOf(world, name).map(
    ({ type, data }) => `${data.sequence} ${type.slice("event.".length)} ${String(data["state"])}`,
  );
const noticesIn = async ({ deps, ws }: World) =>
  (await listEventsBetween(deps, ws, { from: 1, to: 1_000 }))
    .filter(({ content }) => content.eventKey === "service.webhook")
    .map(({ content, receivedAt }) => ({ title: content.title, at: receivedAt }))
    .reverse();
const acknowledge = (world: World, eventId: string) => acknowledgeEvents(world.deps, world.ws, [eventId], bob);
const resolve = (world: World, eventId: string) => resolveEvent(world.deps, world.ws, eventId, bob, undefined);
const deliveriesOf = async (world: World, id: string) =>
  (await listMessages(world.deps, { ws: world.ws, id }, { limit: 500 })).toReversed();

describe("a webhook", () => {
  it("is told that an event was opened, acknowledged and resolved, each signed, numbered, with who did it", async () => {
    const { world, ops, webhook } = await setUp();
    await world.rule([ops], { requiresAck: true });
    const { eventId } = await world.post({ url: "https://shop.example/1", dedupeKey: "disk-1" });
    await world.runFor(MINUTE);
    await acknowledge(world, eventId);
    await world.runFor(MINUTE);
    await resolve(world, eventId);
    await world.runFor(MINUTE);

    expect(told(world)).toEqual(["1 opened open", "2 acknowledged acknowledged", "3 resolved resolved"]);
    expect(bodiesOf(world)[2]).toEqual({
      type: "event.resolved",
      timestamp: new Date(world.start + 2 * MINUTE).toISOString(),
      data: {
        sequence: 3,
        workspaceId: world.ws,
        eventId,
        eventKey: "disk.full",
        title: "Disk full",
        body: "db-1 has 2 % left",
        priority: "NORMAL",
        url: "https://shop.example/1",
        dedupeKey: "disk-1",
        createdAt: new Date(world.start).toISOString(),
        state: "resolved",
        by: bob,
      },
    });
    const checker = new Checker(await secretOf(await world.deps.webhookKey(), webhook));
    const { headers, body } = world.posted[0]!;
    expect(headers["webhook-id"]).toBe(`msg_${eventId}_1`);
    // The library takes no signature of another time, and this world's clock stands still.
    expect(() => checker.verify(body, { ...headers })).toThrow("too");
    expect(markersOf(world)).toEqual([]);
  });

  it("is told once of a storm: of the event that rings for its group, and of none before or after it", async () => {
    const { world, ops } = await setUp();
    const atLeast = { count: 2, withinMinutes: 10 };
    await world.rule([ops], { requiresAck: true, groupBy: ["data.host"], groupMinutes: 30, atLeast });
    const post = async (host: string) => {
      const { eventId } = await world.post({ data: { host } });
      await world.runFor(MINUTE);
      return eventId;
    };
    const [, rang] = [await post("db-1"), await post("db-1"), await post("db-1"), await post("db-2")];
    await resolve(world, rang);
    await world.runFor(MINUTE);

    expect(told(world)).toEqual(["1 opened open", "2 resolved resolved"]);
    expect(new Set(bodiesOf(world).map(({ data }) => data.eventId))).toEqual(new Set([rang]));
  });

  it("is told of each step that fires, that nobody was reached, and that an acknowledgement has ended", async () => {
    const { world, ops } = await setUp({ answer: () => ({ kind: "invalid", code: "INVALID_ARGUMENT" }) });
    const escalationPolicyId = await world.policy({
      name: "Ladder",
      repeat: 0,
      steps: [{ delayMinutes: 10, targets: [{ type: "user", userId: "usr_bob" }] }],
    });
    await world.rule([ops], { requiresAck: true, escalationPolicyId });
    const { eventId } = await world.post();
    await world.runFor(2 * MINUTE);
    await snooze(world.deps, world.ws, eventId, bob, { minutes: 30 });
    await world.runFor(HOUR);

    expect(told(world)).toEqual([
      "1 opened open",
      "2 escalated open",
      "3 unreached open",
      "4 acknowledged acknowledged",
      "5 opened open",
      "6 escalated open",
    ]);
  });

  it("is told only of the types and the event keys that it names", async () => {
    const { world, ops, hook } = await setUp({}, { eventKeys: ["order.*"] });
    await hook("ends", { types: ["event.resolved"], eventKeys: null });
    await world.rule([ops], { requiresAck: true });
    const disk = await world.post();
    const order = await world.post({ event: "order.failed" });
    await world.runFor(MINUTE);
    for (const { eventId } of [disk, order]) await resolve(world, eventId);
    await world.runFor(MINUTE);

    expect(bodiesOf(world).map(({ data }) => data.eventId)).toEqual([order.eventId, order.eventId]);
    expect(told(world, "ends")).toEqual(["2 resolved resolved", "2 resolved resolved"]);
  });

  it("is told by an event that resolves another one, of that one", async () => {
    const { world, ops } = await setUp();
    await world.rule([ops], { requiresAck: true, eventKey: "disk.full" });
    await world.post({ dedupeKey: "disk-1" });
    await world.runFor(MINUTE);
    await world.post({ event: "disk.back", title: "Back", resolves: "disk-1" });
    await world.runFor(MINUTE);

    expect(told(world)).toEqual(["1 opened open", "2 resolved resolved"]);
  });

  it("is not told of what a silence keeps still, until people are", async () => {
    const { world, ops } = await setUp();
    await world.rule([ops], { requiresAck: true });
    const endsAt = new Date(world.start + 30 * MINUTE).toISOString();
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, { name: "Work", eventKey: "disk.*", endsAt }));
    await world.post();
    await world.runFor(20 * MINUTE);
    expect(told(world)).toEqual([]);
    await world.runFor(20 * MINUTE);

    expect(told(world)).toEqual(["1 opened open"]);
  });

  it("is not told of the service's own notices, nor of events that no rule matches", async () => {
    const { world, ops } = await setUp({ receive: () => ({ kind: "gone", code: "HTTP_410" }) });
    await world.rule([ops], { eventKey: "order.*" });
    await world.post();
    await world.post({ event: "order.failed" });
    await world.runFor(MINUTE);

    expect(await noticesIn(world)).toHaveLength(1);
    expect(world.posted).toHaveLength(1);
  });

  it("costs an event nothing where there is none", async () => {
    const unitsOf = async (other: boolean) => {
      const world = await createWorld();
      if (other)
        await createWebhook(world.deps, world.ws, {
          name: "w",
          url: URL_OF("w"),
          types: [...EVENT_TYPES],
          eventKeys: ["nothing.ever"],
          paused: false,
        });
      await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
      await world.post();
      await world.runFor(MINUTE);
      const { eventId } = await world.post();
      await world.runFor(MINUTE);
      world.usedUnits();
      const third = await world.post();
      await world.runFor(30_000);
      await acknowledge(world, eventId);
      await resolve(world, third.eventId);
      await world.runFor(10_000);
      expect(world.posted).toEqual([]);
      return world.usedUnits();
    };

    expect(await unitsOf(true)).toEqual(await unitsOf(false));
  });
});

/** A receiver that can be switched off, with what it took while it was on. */
const receiver = (down: PostOutcome = { kind: "failed", code: "ECONNREFUSED" }) => {
  const took: Body[] = [];
  const state = { up: true, calls: 0 };
  const receive = ({ body }: PostRequest): PostOutcome => {
    state.calls += 1;
    if (!state.up) return down;
    took.push(JSON.parse(body) as Body);
    return { kind: "taken", code: "HTTP_200" };
  };
  return { took, state, receive };
};

describe("a receiver that is down", () => {
  it("counts as back from the first message that it takes on", async () => {
    const lines: ReturnType<typeof readLine>[] = [];
    let isUp = false;
    const { world, ops, webhook } = await setUp({
      receive: () => {
        if (!isUp) return { kind: "failed", code: "HTTP_500" };
        lines.push(readLine(world.deps, { ws: world.ws, id: webhook.id }));
        return { kind: "taken", code: "HTTP_200" };
      },
    });
    await world.rule([ops], { eventKey: "disk.*" });
    for (let nr = 0; nr < 2; nr += 1) await world.post();
    await world.runFor(20 * MINUTE);

    isUp = true;
    await world.runFor(HOUR);

    const [first, second] = await Promise.all(lines);
    expect(first).toMatchObject({ tries: 4, failingSince: world.start });
    expect(second?.tries).toBe(0);
    expect(second?.failingSince).toBeUndefined();
  });

  it("for two days gets everything in order once it is back, and was asked no more often than it was promised", async () => {
    const { took, state, receive } = receiver();
    const { world, ops, webhook } = await setUp({ receive });
    await world.rule([ops], { requiresAck: true, eventKey: "disk.*" });
    state.up = false;
    const ids: string[] = [];
    for (let hour = 0; hour < 48; hour += 6) {
      const { eventId } = await world.post({ title: `Disk ${hour}` });
      ids.push(eventId);
      await world.runFor(3 * HOUR);
      await resolve(world, eventId);
      await world.runFor(3 * HOUR);
    }
    const calls = state.calls;
    state.up = true;
    await world.runFor(11 * HOUR);

    expect(took.map(({ data }) => `${data.eventId} ${data.sequence}`)).toEqual(
      ids.flatMap((id) => [`${id} 1`, `${id} 2`]),
    );
    expect(calls).toBeLessThan(15);
    expect((await deliveriesOf(world, webhook.id)).every(({ taken }) => taken === true)).toBe(true);
    expect(await noticesIn(world)).toEqual([{ title: "Webhook first takes nothing", at: expect.any(Number) }]);
    expect(await readLine(world.deps, { ws: world.ws, id: webhook.id })).toMatchObject({ tries: 0 });
    expect(markersOf(world)).toEqual([]);
  });

  it("for longer than three days is suspended, its owners are told, and a test that it takes brings it all", async () => {
    const { took, state, receive } = receiver();
    const { world, ops, webhook } = await setUp({ receive });
    await world.rule([ops], { requiresAck: true, eventKey: "disk.*" });
    state.up = false;
    const first = await world.post();
    await world.runFor(4 * DAY);
    const second = await world.post();
    await world.runFor(DAY);
    const notices = await noticesIn(world);
    const calls = state.calls;
    state.up = true;
    await world.runFor(DAY);
    expect(state.calls).toBe(calls);

    expect(notices.map(({ title }) => title)).toEqual(["Webhook first takes nothing", "Webhook first is suspended"]);
    expect(Math.round((notices[1]!.at - world.start) / HOUR)).toBe(72);
    expect(await readLine(world.deps, { ws: world.ws, id: webhook.id })).toMatchObject({
      suspendedAt: expect.any(Number),
      failure: { code: "ECONNREFUSED" },
    });
    expect(await testWebhook(world.deps, world.ws, webhook.id)).toMatchObject({ delivered: true });
    await world.runFor(MINUTE);
    expect(took.map(({ type, data }) => (type === "webhook.test" ? "test" : data.eventId))).toEqual([
      "test",
      first.eventId,
      second.eventId,
    ]);
  });

  it("holds up no other webhook", async () => {
    const { world, ops, hook } = await setUp({
      receive: ({ url }) =>
        url === URL_OF("first") ? { kind: "failed", code: "DEADLINE" } : { kind: "taken", code: "HTTP_200" },
    });
    await hook("second");
    await world.rule([ops]);
    await world.post();
    await world.runFor(1000);

    expect(told(world, "second")).toEqual(["1 opened none"]);
  });

  it("is tried again at once when somebody changes it", async () => {
    const { took, state, receive } = receiver();
    const { world, ops, webhook } = await setUp({ receive });
    await world.rule([ops]);
    state.up = false;
    await world.post();
    await world.runFor(6 * HOUR);
    state.up = true;
    await updateWebhook(world.deps, world.ws, webhook.id, { url: URL_OF("other") });
    await world.runFor(1000);

    expect(took).toHaveLength(1);
    expect(world.posted.at(-1)!.url).toBe(URL_OF("other"));
  });
});

describe("a receiver that refuses", () => {
  it("one message loses that one alone: it is set aside, the owners are told, and it can be sent again", async () => {
    const refusing = { until: Infinity };
    const { world, ops, webhook } = await setUp({
      receive: ({ body }) =>
        body.includes("Bad") && world.now() < refusing.until
          ? { kind: "refused", code: "HTTP_422" }
          : { kind: "taken", code: "HTTP_200" },
    });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post({ title: "Bad" });
    await world.post({ title: "Good" });
    await world.runFor(HOUR);
    const set = await deliveriesOf(world, webhook.id);
    refusing.until = world.now();
    const at = new Date(set[0]!.told).toISOString();
    expect(await replay(world.deps, world.ws, webhook.id, { from: at, to: at })).toBeGreaterThanOrEqual(1);
    await world.runFor(MINUTE);

    expect(set.map(({ taken, tries, code }) => [taken, tries, code])).toEqual([
      [false, 4, "HTTP_422"],
      [true, 1, "HTTP_200"],
    ]);
    expect((await noticesIn(world)).map(({ title }) => title)).toEqual(["Webhook first refuses messages"]);
    expect((await deliveriesOf(world, webhook.id)).every(({ taken }) => taken === true)).toBe(true);
  });

  it("the next message, too, gets as many tries for that one as for the first", async () => {
    const left = new Map([
      ["First", 3],
      ["Second", 1],
    ]);
    const { world, ops, webhook } = await setUp({
      receive: ({ body }) => {
        const { title } = (JSON.parse(body) as { data: { title: string } }).data;
        const refusals = left.get(title) ?? 0;
        left.set(title, refusals - 1);
        return refusals > 0 ? { kind: "refused", code: "HTTP_422" } : { kind: "taken", code: "HTTP_200" };
      },
    });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post({ title: "First" });
    await world.post({ title: "Second" });
    await world.runFor(HOUR);

    expect((await deliveriesOf(world, webhook.id)).map(({ taken, tries }) => [taken, tries])).toEqual([
      [true, 4],
      [true, 2],
    ]);
  });

  it("all messages for good is suspended at once", async () => {
    const { world, ops } = await setUp({ receive: () => ({ kind: "gone", code: "HTTP_410" }) });
    await world.rule([ops], { eventKey: "disk.*" });
    await world.post();
    await world.runFor(DAY);

    expect(world.posted).toHaveLength(1);
    expect((await noticesIn(world)).map(({ title }) => title)).toEqual(["Webhook first is suspended"]);
  });
});

it("what happens while a webhook is paused is sent when it goes on", async () => {
  const { world, ops, webhook } = await setUp({}, { paused: true });
  await world.rule([ops]);
  await world.post();
  await world.runFor(HOUR);
  expect(world.posted).toEqual([]);
  await updateWebhook(world.deps, world.ws, webhook.id, { paused: false });
  await world.runFor(1000);

  expect(told(world)).toEqual(["1 opened none"]);
});

it("a webhook gets at most ten messages a second, in the order of its line", async () => {
  const { world, ops, webhook } = await setUp({}, { paused: true });
  await world.rule([ops]);
  for (let n = 0; n < 25; n += 1) await world.post({ title: `Disk ${n}` });
  await world.runFor(MINUTE);
  await updateWebhook(world.deps, world.ws, webhook.id, { paused: false });
  await world.runFor(MINUTE);
  const times = world.posted.map(({ at }) => at);

  expect(bodiesOf(world).map(({ data }) => data["title"])).toEqual(Array.from({ length: 25 }, (_, n) => `Disk ${n}`));
  for (const [index, at] of times.entries())
    if (index >= 10) expect(at - times[index - 10]!).toBeGreaterThanOrEqual(1000);
});

it("an acknowledgement is told although the queue of webhooks was down when it was given", async () => {
  const { world, ops } = await setUp();
  await world.rule([ops], { requiresAck: true });
  await world.post();
  await world.runFor(MINUTE);
  world.queues.webhooks.setUp(false);
  await world.acknowledge((await world.notifications())[0]!.notificationId);
  world.queues.webhooks.setUp(true);
  await world.runFor(3 * MINUTE);

  expect(told(world)).toEqual(["1 opened open", "2 acknowledged acknowledged"]);
  expect(markersOf(world)).toEqual([]);
});

it("the push of an event goes out although the queue of webhooks is down, and the webhook is told when it is back", async () => {
  const { world, ops } = await setUp();
  await world.rule([ops]);
  world.queues.webhooks.setUp(false);
  await world.post();
  await world.runFor(1000);
  expect(world.pushed).toHaveLength(1);
  world.queues.webhooks.setUp(true);
  await world.runFor(5 * MINUTE);

  expect(told(world)).toEqual(["1 opened none"]);
  expect(world.pushed).toHaveLength(1);
});

it("two webhooks get one message under one id, and a test is sent no more often than every ten seconds", async () => {
  const { world, ops, hook, webhook } = await setUp();
  await hook("second");
  await world.rule([ops]);
  await world.post();
  await world.runFor(1000);
  expect(new Set(world.posted.map(({ headers }) => headers["webhook-id"])).size).toBe(1);

  await testWebhook(world.deps, world.ws, webhook.id);
  world.skip(1);
  await expect(testWebhook(world.deps, world.ws, webhook.id)).rejects.toMatchObject({ kind: "rate_limited" });
  world.skip(9_999);
  expect(await testWebhook(world.deps, world.ws, webhook.id)).toMatchObject({ delivered: true, code: "HTTP_200" });
});

it("two invocations that are asked for one line at once send each message once", async () => {
  const { world, ops, webhook } = await setUp({}, { paused: true });
  await world.rule([ops]);
  for (let n = 0; n < 3; n += 1) await world.post({ title: `Disk ${n}` });
  await world.runFor(MINUTE);
  await updateWebhook(world.deps, world.ws, webhook.id, { paused: false });
  const deps = { ...world.deps, sleep: async () => {} };
  const message = { kind: "line", ws: world.ws, id: webhook.id } as const;
  await Promise.all([workLine(deps, message, () => true), workLine(deps, message, () => true)]);

  expect(bodiesOf(world).map(({ data }) => data["title"])).toEqual(["Disk 0", "Disk 1", "Disk 2"]);
});
