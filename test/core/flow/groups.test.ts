import { describe, expect, it } from "vitest";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import * as v from "valibot";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { openGroup } from "../../../core/domain/planning/storm.ts";
import { toGroupOrThreshold } from "../../../core/domain/rules/grouping.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { changeEventGroup, hashGroupName } from "../../../core/store/events/event-groups.ts";
import { readRule } from "../../../core/store/rules/rules.ts";
import { createMatcher } from "../../../functions/matcher.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type World, type WorldOptions } from "../../world/world.ts";

const SECOND = 1_000;
const MINUTE = 60_000;

/** A world in which Ann is asked to acknowledge every event, by a rule that groups by host for half an hour. */
const aWorld = async (fields: object = {}, options: WorldOptions = {}) => {
  const world = await useWorld(options);
  const groupId = await world.group("Ops", ["usr_ann"]);
  const { id: ruleId } = await world.rule([groupId], {
    requiresAck: true,
    groupBy: ["data.host"],
    groupMinutes: 30,
    ...fields,
  });
  const { deps, ws } = world;
  return {
    ...world,
    ruleId,
    sent: async (host: string, event: object = {}) => {
      const { eventId } = await world.post({ data: { host }, ...event });
      await world.work();
      return eventId;
    },
    view: (eventId: string) => readEventView(deps, ws, eventId),
  };
};

const by = { id: "usr_ann", name: "Ann" };

/** Lists the pushes, each as event and title, with `~` before a silent push. */
const pushesOf = ({ pushed }: Pick<World, "pushed">): string[] =>
  pushed.map(({ message: { data, notification } }) => {
    const quiet = data["state"] === undefined ? "" : "~";
    return `${quiet}${data["eventId"]} ${notification.title}`;
  });

describe("a rule with groupBy", () => {
  it("notifies of a new alert right after an event that reported the end of an earlier alert", async () => {
    const world = await aWorld();
    const one = await world.sent("db-1", { dedupeKey: "one" });
    await resolveEvent(world.deps, world.ws, one, by, undefined);
    await world.sent("db-1", { resolves: "one" });
    const two = await world.sent("db-1", { dedupeKey: "two" });

    expect(pushesOf(world)).toContain(`${two} Disk full`);
  });

  it("reports how many events followed an event that nobody must acknowledge", async () => {
    const world = await aWorld({ requiresAck: false });
    const first = await world.sent("db-1");
    await world.sent("db-1");
    await world.runFor(MINUTE);

    expect(pushesOf(world)).toEqual([`${first} Disk full`, `~${first} (+1) Disk full`]);
  });

  it.each([
    ["the higher-priority one", 1],
    ["the first one", 0],
  ])("notifies of a new alert after %s of two open alerts was resolved", async (_, resolved) => {
    const world = await aWorld();
    const low = await world.sent("db-1", { priority: "NORMAL" });
    const high = await world.sent("db-1", { priority: "HIGH" });
    await world.runFor(MINUTE);
    await world.sent("db-1", { priority: "NORMAL" });
    await resolveEvent(world.deps, world.ws, [low, high][resolved]!, by, undefined);
    const next = await world.sent("db-1", { priority: "NORMAL" });

    expect(pushesOf(world)).toContain(`${next} Disk full`);
  });

  it("pages for the first event of a group, and reports silently how many events followed", async () => {
    const world = await aWorld();

    const first = await world.sent("db-1");
    const second = await world.sent("db-1");
    const third = await world.sent("db-1");
    const other = await world.sent("db-2");
    await world.runFor(MINUTE);

    expect(pushesOf(world)).toEqual([`${first} Disk full`, `${other} Disk full`, `~${first} (+2) Disk full`]);
    const [ring, , more] = world.pushed;
    expect(more!.message).toMatchObject({
      data: { notificationId: ring!.message.data["notificationId"], priority: "LOW", requiresAck: "true" },
    });
    expect(await world.view(first)).toMatchObject({
      outcome: "delivered",
      state: "open",
      grouped: 2,
      groupedInto: null,
    });
    for (const id of [second, third])
      expect(await world.view(id)).toMatchObject({
        outcome: "grouped",
        state: "none",
        groupedInto: first,
        grouped: 0,
        notifications: [],
      });
    expect(await world.view(other)).toMatchObject({ outcome: "delivered", grouped: 0 });
    expect(listMarkers(world)).toEqual([]);
  });

  it("reports the number of following events only to the people whom the rule notifies", async () => {
    const world = await aWorld();
    await world.rule([await world.group("Other", ["usr_dan"])], {});

    for (let nr = 0; nr < 2; nr += 1) await world.sent("db-1");
    await world.runFor(MINUTE);

    const quiet = world.pushed.filter(({ message }) => message.data["state"] === "grouped");
    expect(quiet.map(({ userId }) => userId)).toEqual(["usr_ann"]);
    expect(world.pushed.filter(({ userId }) => userId === "usr_dan")).toHaveLength(2);
  });

  it("reports the number of events at most every 30 seconds, and the final number", async () => {
    const world = await aWorld();
    await world.sent("db-1");
    for (let second = 0; second < 70; second += 1) {
      await world.sent("db-1");
      await world.runFor(SECOND);
    }
    await world.runFor(MINUTE);

    const more = world.pushed.slice(1);
    expect(more.map(({ at }) => (at - world.start) / SECOND)).toEqual([30, 60, 90]);
    expect(more.at(-1)!.message.notification.title).toBe("(+70) Disk full");
  });

  it("reports the number of events in time, even if the queue refused the message at first", async () => {
    const world = await aWorld();
    const first = await world.sent("db-1");
    for (let more = 0; more < 4; more += 1) await world.post({ data: { host: "db-1" } });
    const records = world.queues.events.batch()!;
    const match = createMatcher(world.deps);

    world.queues.events.setUp(false);
    expect((await match(records)).batchItemFailures).toHaveLength(1);
    world.queues.events.setUp(true);
    await match({ Records: records.Records.toReversed() });
    await world.runFor(MINUTE);

    const notified = world.pushed.find(({ message }) => message.data["state"] === "grouped");
    expect(notified?.message.notification.title).toBe("(+4) Disk full");
    expect(notified?.message.data["eventId"]).toBe(first);
    expect(notified?.at).toBe(world.start + 30 * SECOND);
  });

  it("pages again when the group's time is over", async () => {
    const world = await aWorld();
    const first = await world.sent("db-1");
    await world.runFor(29 * MINUTE);
    await world.sent("db-1");
    await world.runFor(2 * MINUTE);
    const later = await world.sent("db-1");

    expect(pushesOf(world)).toEqual([`${first} Disk full`, `~${first} (+1) Disk full`, `${later} Disk full`]);
  });

  it("pages again for an event with a higher priority, and after that only for an even higher priority", async () => {
    const world = await aWorld();
    const low = await world.sent("db-1", { priority: "LOW" });
    const high = await world.sent("db-1", { priority: "HIGH" });
    const again = await world.sent("db-1", { priority: "HIGH" });

    expect(pushesOf(world)).toEqual([`${low} Disk full`, `${high} Disk full`]);
    expect(await world.view(again)).toMatchObject({ groupedInto: low });
  });

  it("is silent while the group's first event is acknowledged, and pages again after that event was resolved", async () => {
    const world = await aWorld();
    const first = await world.sent("db-1");
    await acknowledgeEvents(world.deps, world.ws, [first], by);
    await world.sent("db-1");
    await world.runFor(MINUTE);
    expect(pushesOf(world).filter((push) => push.includes("(+"))).toEqual([]);

    await resolveEvent(world.deps, world.ws, first, by, undefined);
    const next = await world.sent("db-1");
    // The silent push about the end of the first event is sent at the same time, in either order.
    expect(pushesOf(world)).toContain(`${next} Disk full`);
  });

  it("reports the number of a group's events even after the next group has begun", async () => {
    const world = await aWorld();
    const first = await world.sent("db-1");
    await world.sent("db-1");
    await resolveEvent(world.deps, world.ws, first, by, undefined);
    const next = await world.sent("db-1");
    await world.sent("db-1");
    await world.runFor(MINUTE);

    expect(pushesOf(world).filter((push) => push.includes("(+"))).toEqual([`~${next} (+1) Disk full`]);
  });

  it("keeps the next group open, even if the event that opened the previous group is resolved several times", async () => {
    const world = await aWorld();
    const first = await world.sent("db-1");
    await world.runFor(31 * MINUTE);
    const second = await world.sent("db-1");
    for (let twice = 0; twice < 2; twice += 1) await resolveEvent(world.deps, world.ws, first, by, undefined);
    const third = await world.sent("db-1");
    expect(await world.view(third)).toMatchObject({ groupedInto: second });

    for (let twice = 0; twice < 2; twice += 1) await resolveEvent(world.deps, world.ws, second, by, undefined);
    const fourth = await world.sent("db-1");
    expect(await world.view(fourth)).toMatchObject({ groupedInto: null, state: "open" });
  });

  it("opens no group for a silenced event", async () => {
    const world = await aWorld({ groupBy: [] });
    const endsAt = new Date(world.now() + 60 * MINUTE).toISOString();
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, { name: "Quiet", eventKey: "disk.full", endsAt }));
    await world.sent("db-1");
    const pages = await world.sent("db-1", { event: "disk.slow" });

    expect(pushesOf(world)).toEqual([`${pages} Disk full`]);
  });
});

describe("a rule with a threshold", () => {
  it("pages once, at the event that reaches the threshold", async () => {
    const world = await aWorld({ groupBy: null, groupMinutes: null, atLeast: { count: 3, withinMinutes: 10 } });

    const ids = [];
    for (let nr = 0; nr < 6; nr += 1) ids.push(await world.sent("db-1"));

    expect(pushesOf(world)).toEqual([`${ids[2]} Disk full`]);
    const outcomes = await Promise.all(ids.map(async (id) => (await world.view(id))?.outcome));
    expect(outcomes).toEqual(["below_threshold", "below_threshold", "delivered", "grouped", "grouped", "grouped"]);
    expect(await world.view(ids[1]!)).toMatchObject({ belowThreshold: { count: 2, of: 3 }, state: "none" });
    expect(listMarkers(world)).toEqual([]);
  });

  it("pages once for several events of one batch, and counts each of them together with the events before it", async () => {
    const world = await aWorld({ atLeast: { count: 3, withinMinutes: 10 } });
    const ids: string[] = [];
    for (let nr = 0; nr < 3; nr += 1) ids.push((await world.post({ data: { host: "db-1" } })).eventId);

    await world.work();

    const counts = await Promise.all(ids.map(async (id) => (await world.view(id))?.belowThreshold?.count));
    expect(new Set(counts)).toEqual(new Set([1, 2, undefined]));
    expect(world.pushed).toHaveLength(1);
  });

  it("counts an earlier event that is just within the threshold's minutes", async () => {
    const world = await aWorld({ atLeast: { count: 2, withinMinutes: 10 } });
    await world.sent("db-1");
    // The second event comes just before the ten minutes of the threshold are over.
    await world.runFor(9 * MINUTE + 50 * SECOND);

    const fires = await world.sent("db-1");

    expect(pushesOf(world)).toEqual([`${fires} Disk full`]);
  });

  it("does not count an event from before the threshold's minutes, and starts again after it has paged", async () => {
    const world = await aWorld({ groupBy: [], groupMinutes: 1, atLeast: { count: 2, withinMinutes: 10 } });
    await world.sent("db-1");
    await world.runFor(10 * MINUTE);
    await world.sent("db-1");
    expect(world.pushed).toEqual([]);
    const fires = await world.sent("db-1");
    await world.runFor(MINUTE);
    await world.sent("db-1");
    expect(pushesOf(world)).toEqual([`${fires} Disk full`]);
    const again = await world.sent("db-1");
    expect(pushesOf(world)).toEqual([`${fires} Disk full`, `${again} Disk full`]);
  });
});

describe("an event that opened a group of events", () => {
  /** Opens the group of an event, like a matcher that dies afterwards. */
  const openGroupOf = async (world: World, ruleId: string, eventId: string) => {
    const { deps, ws } = world;
    const [rule, event] = [await readRule(deps, ws, ruleId), await readEvent(deps, ws, eventId)];
    const key = hashGroupName(toGroupOrThreshold(rule!, event!.content)!.name);
    const at = {
      eventId,
      seq: event!.seq,
      receivedAt: event!.receivedAt,
      at: world.now(),
      priority: "NORMAL" as const,
    };
    await changeEventGroup(deps, ws, key, openGroup(at, 30), undefined);
  };

  it("still pages if its matcher died before its plan was stored, and other events do not wait for the retry", async () => {
    const world = await aWorld();
    const { eventId: first } = await world.post({ data: { host: "db-1" } });
    const held = world.queues.events.batch();
    await openGroupOf(world, world.ruleId, first);

    const second = await world.sent("db-1");

    expect(await world.view(second)).toMatchObject({ groupedInto: first });
    expect(await world.view(first)).toMatchObject({ matched: true, groupedInto: null, _count: { notifications: 1 } });
    expect(held).toBeDefined();
    await world.runFor(5 * MINUTE);
    expect(pushesOf(world).filter((push) => !push.startsWith("~"))).toEqual([`${first} Disk full`]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("suppresses no later event if it was resolved before its plan was stored", async () => {
    const world = await aWorld();
    const { eventId: first } = await world.post({ data: { host: "db-1" } });
    await resolveEvent(world.deps, world.ws, first, by, undefined);
    await world.work();

    const second = await world.sent("db-1");
    const third = await world.sent("db-1");

    expect(pushesOf(world)).toEqual([`${second} Disk full`]);
    expect(await world.view(third)).toMatchObject({ groupedInto: second });
  });

  it.each([
    ["a later HIGH event", ["HIGH"]],
    ["later NORMAL and HIGH events", ["NORMAL", "HIGH"]],
  ] as const)(
    "does not suppress %s if an earlier HIGH event of its group was resolved before that event's plan was stored",
    async (_, priorities) => {
      const world = await aWorld();
      await world.sent("db-1");
      const { eventId: raiser } = await world.post({ data: { host: "db-1" }, priority: "HIGH" });
      await resolveEvent(world.deps, world.ws, raiser, by, undefined);
      await world.runFor(SECOND);

      const next: string[] = [];
      for (const priority of priorities) next.push(await world.sent("db-1", { priority }));

      expect(pushesOf(world).slice(-next.length)).toEqual(next.map((eventId) => `${eventId} Disk full`));
    },
  );

  it("suppresses no later event if its own plan pages nobody", async () => {
    const world = await aWorld({ groupBy: null, groupMinutes: null, atLeast: { count: 2, withinMinutes: 10 } });
    const first = await world.sent("db-1");
    await openGroupOf(world, world.ruleId, first);

    const second = await world.sent("db-1");

    expect(await world.view(first)).toMatchObject({ outcome: "below_threshold" });
    expect(pushesOf(world)).toEqual([`${second} Disk full`]);
  });
});
