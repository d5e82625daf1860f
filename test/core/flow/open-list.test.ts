import { describe, expect, it } from "vitest";
import { formatEventId, parseSeq } from "../../../core/domain/basics/ids.ts";
import { AUDIT_INTERVAL_MS } from "../../../core/domain/basics/limits.ts";
import { acknowledgeEvents, resolveByKey, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { listEvents, searchEvents, type EventFilter } from "../../../core/flow/read/list-events.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { endOldEvents } from "../../../core/flow/sweep/end-old-events.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { openEventKey } from "../../../core/store/keys.ts";
import { listOpenByKey, listOpenEvents, setIndexProgress } from "../../../core/store/events/open-events.ts";
import { deleteItem, putItem } from "../../../core/store/table.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = AUDIT_INTERVAL_MS;
const DAY = 24 * HOUR;

/** A world in which Ann is notified of failures, and somebody must acknowledge them. */
const aWorld = async (options: WorldOptions = {}) => {
  const world = await useWorld(options);
  await world.rule([await world.group("Ops", ["usr_ann"])], { eventKey: "site.down", requiresAck: true });
  return world;
};

/** Stores entries of open events like an earlier version of the service, without an index by dedupeKey. */
const fillRows = (world: World, from: number, count: number, dedupeKey = "other") =>
  world.fill(
    Array.from({ length: count }, (_, index) => ({
      ...openEventKey(world.ws, from + index),
      nonce: "00000000000",
      eventKey: "site.down",
      title: "x".repeat(100),
      priority: "HIGH",
      at: world.start,
      count: 1,
      dedupeKey,
      told: { at: world.start, escalates: false, rules: [[0, ["usr_ann"]]] },
    })),
  );

/** Returns the stored items with this text in their keys. */
const itemsWith = async ({ listItems }: World, text: string) =>
  (await listItems())
    .map((item) => ({ ...item, pk: String(item["pk"]), sk: String(item["sk"]) }))
    .filter(({ pk, sk }) => `${pk} ${sk}`.includes(text));
const listAllOpen = ({ deps, ws }: World) => listOpenEvents(deps, ws, { limit: "all" });
const markIndexed = async (world: World) => {
  await setIndexProgress(world.deps, world.ws, { since: 0, upTo: 0, done: true });
  return world;
};
const stateOf = async ({ deps, ws }: World, eventId: string) => (await readEventView(deps, ws, eventId))?.state;
const listNotices = async ({ deps, ws }: World) => {
  const { items } = await listEvents(deps, ws, { page: 1, limit: 100 });
  return items.filter(({ eventKey }) => eventKey === "service.event_expired").toReversed();
};
const resolvingEvent = ({ ws }: World, resolves: string) => ({
  workspaceId: ws,
  eventId: formatEventId({ seq: 900_000, nonce: "00000000000" }),
  seq: 900_000,
  content: {
    eventKey: "site.up",
    title: "Up",
    body: "",
    priority: "LOW" as const,
    resolves,
    resolvesAny: true as const,
  },
  ends: undefined,
});

describe("resolving events by their dedupeKey", () => {
  it("costs two read units, however many other events are open", async () => {
    const world = await markIndexed(await aWorld());
    await fillRows(world, 1_000, 1_000);
    const down = await world.post({ event: "site.down", dedupeKey: "db-1" });
    await world.work();
    world.usedUnits();

    await resolveByKey(world.deps, resolvingEvent(world, "nobody-has-it"));

    expect(world.usedUnits()).toBeLessThanOrEqual(2);
    await resolveByKey(world.deps, resolvingEvent(world, "db-1"));
    expect(await stateOf(world, down.eventId)).toBe("resolved");
  });

  it("reads only earlier events with the dedupeKey, and ends them all, not only the newest one", async () => {
    const world = await markIndexed(await aWorld());
    const downs = [];
    for (let round = 0; round < 3; round += 1) {
      downs.push(await world.post({ event: "site.down", dedupeKey: "db-1" }));
      await world.runFor(11 * MINUTE);
    }

    const ids = downs.map(({ eventId }) => eventId);
    const below = parseSeq(ids[2]!);
    expect(await listOpenByKey(world.deps, world.ws, "db-1", { below, limit: 9 })).toEqual([ids[1], ids[0]]);
    await world.post({ event: "site.up", resolves: "db-1" });
    await world.runFor(MINUTE);

    for (const { eventId } of downs) expect(await stateOf(world, eventId)).toBe("resolved");
    expect(await listAllOpen(world)).toEqual([]);
    expect(await itemsWith(world, "#OPEN#")).toEqual([]);
  });

  it("ends an event even if a matcher died before one of its writes to the list of open events", async () => {
    for (const call of [0, 1, 2]) {
      let count = 0;
      const world = await markIndexed(
        await aWorld({
          beforeCall: async ({ constructor, input }) => {
            if (constructor.name !== "PutCommand" || input.Item?.pk?.includes("#OPEN") !== true) return;
            count += 1;
            if (count === call + 1) throw new Error("the invocation died");
          },
        }),
      );
      const first = await world.post({ event: "site.down", dedupeKey: "db-1" });
      await world.runFor(11 * MINUTE);
      await world.post({ event: "site.down", dedupeKey: "db-1" });
      await world.runFor(5 * MINUTE);
      await world.post({ event: "site.up", resolves: "db-1" });
      await world.runFor(MINUTE);

      expect(await stateOf(world, first.eventId), `the ${call}th write`).toBe("resolved");
    }
  });

  it("costs no extra write for an event without a dedupeKey, or for an event that requires no acknowledgement", async () => {
    const writes: string[] = [];
    const world = await aWorld({
      beforeCall: async ({ constructor, input }) => {
        const pk = input.Item?.pk ?? input.Key?.pk ?? "";
        if (/Put|Delete|Update/.test(constructor.name) && pk.includes("#OPEN#")) writes.push(pk);
      },
    });
    await world.post({ event: "site.down" });
    await world.post({ event: "disk.full", dedupeKey: "db-1" });
    const { eventId } = await world.post({ event: "site.down", dedupeKey: "db-1b" });
    await world.runFor(MINUTE);
    expect(writes).toHaveLength(1);

    await acknowledgeEvents(world.deps, world.ws, [eventId], { id: "usr_ann", name: "Ann" });

    expect(writes).toHaveLength(2);
  });
});

describe("the open events that an earlier version stored", () => {
  it("are found before and after the hourly audit adds them to the list of open events", async () => {
    const reads: string[] = [];
    const world = await aWorld({
      beforeCall: async ({ constructor, input }) => {
        if (constructor.name === "QueryCommand") reads.push(String(input.ExpressionAttributeValues?.[":pk"]));
      },
    });
    const first = await world.post({ event: "site.down", dedupeKey: "db-1" });
    const second = await world.post({ event: "site.down", dedupeKey: "db-2" });
    await world.work();
    // Deletes the entries, because the earlier version of the service wrote none.
    for (const { pk, sk } of await itemsWith(world, "#OPEN#")) await deleteItem(world.deps, { pk, sk });
    await world.runFor(11 * MINUTE);
    await world.post({ event: "site.down", dedupeKey: "db-1" });
    await world.post({ event: "site.up", resolves: "db-1" });
    await world.work();
    expect(await stateOf(world, first.eventId)).toBe("resolved");

    await world.runFor(3 * HOUR);
    await world.post({ event: "site.down", dedupeKey: "db-2" });
    reads.splice(0);
    await world.post({ event: "site.up", resolves: "db-2" });
    await world.work();

    expect(await stateOf(world, second.eventId)).toBe("resolved");
    expect(reads.filter((pk) => pk.endsWith("#OPEN"))).toEqual([]);
  });

  it("are not added to the list of open events while a matcher of the earlier version may still store events", async () => {
    const world = await aWorld();
    await world.runFor(1.5 * HOUR);

    expect(await itemsWith(world, "OPENINDEX")).toMatchObject([{ done: false }]);
    await world.runFor(25 * HOUR);
    expect(await itemsWith(world, "OPENINDEX")).toMatchObject([{ done: true }]);
  });
});

describe("the list of open events", () => {
  const listOpen = (world: World, wanted: Parameters<typeof searchEvents>[3], filter: EventFilter = {}) =>
    searchEvents(world.deps, world.ws, { state: "open", ...filter }, wanted);

  it("counts the newest thousand events, and lists all of them page by page at a limited cost per page", async () => {
    const world = await aWorld();
    await fillRows(world, 1, 1_250);

    const first = await listOpen(world, { page: 1, limit: 100 });
    expect(first).toMatchObject({ total: 1_000, page: 1 });
    const seen = first.items.map(({ id }) => id);
    for (let { next } = first; next !== undefined;) {
      world.usedUnits();
      const page = await listOpen(world, { page: next.page, limit: 100, from: next });
      expect(world.usedUnits()).toBeLessThan(6);
      expect(page.total).toBe(1_000);
      seen.push(...page.items.map(({ id }) => id));
      ({ next } = page);
    }

    expect(new Set(seen).size).toBe(1_250);
  });

  it("has exact counts up to a thousand, also with a filter and with a page number", async () => {
    const world = await aWorld();
    await fillRows(world, 1, 250);

    expect(await listOpen(world, { page: 3, limit: 100 })).toMatchObject({ total: 250, items: { length: 50 } });
    expect((await listOpen(world, { page: 3, limit: 100 })).next).toBeUndefined();
    expect(await listOpen(world, { page: 1, limit: 100 }, { priority: "LOW" })).toMatchObject({ total: 0, items: [] });
    expect(await listOpen(world, { page: 1, limit: 100 }, { title: "XXX" })).toMatchObject({ total: 250 });
    expect(await listOpen(world, { page: 1, limit: 100 }, { title: "XXY" })).toMatchObject({ total: 0, items: [] });
  });

  it("is not read completely when a page of all events is listed, however far apart the open events are", async () => {
    const world = await aWorld();
    await fillRows(world, 100_000, 1_000);
    const { eventId } = await world.post({ event: "site.down" });
    await world.work();
    world.usedUnits();

    const { items } = await listEvents(world.deps, world.ws, { page: 1, limit: 50 });

    expect(items).toMatchObject([{ id: eventId, state: "open" }]);
    expect(world.usedUnits()).toBeLessThan(5);
  });

  it("is not read completely by the hourly audit", async () => {
    const world = await markIndexed(await aWorld());
    for (let count = 0; count < 3; count += 1) await world.post({ event: "site.down" });
    await world.runFor(3 * HOUR);
    await fillRows(world, 100_000, 1_500);
    world.usedUnits();

    await world.runFor(HOUR);

    expect(world.usedUnits()).toBeLessThan(60);
  });
});

describe("an event that has been open for 30 days", () => {
  const setUpOldEvent = async (options: WorldOptions = {}) => {
    const world = await useWorld(options);
    const group = await world.group("Ops", ["usr_ann"]);
    const steps = Array.from({ length: 15 }, () => stepTo(group, 1440));
    const escalationPolicyId = await world.policy(steps, { repeat: 5 });
    await world.rule([group], { eventKey: "site.down", requiresAck: true, escalationPolicyId });
    const { eventId } = await world.post({ event: "site.down", title: "Site down", dedupeKey: "db-1" });
    await world.work();
    return { world, eventId };
  };

  it("ends as expired, together with its escalation, and its owners are notified once", async () => {
    const { world, eventId } = await setUpOldEvent();
    await world.runFor(2 * DAY);
    world.skip(27.5 * DAY);
    await world.runFor(HOUR);
    expect(await stateOf(world, eventId)).toBe("open");
    expect(await listNotices(world)).toEqual([]);

    await world.runFor(1.5 * DAY);

    const view = await readEventView(world.deps, world.ws, eventId);
    expect(view).toMatchObject({ state: "expired", expiredAt: expect.any(String), resolvedAt: null });
    expect(await listNotices(world)).toMatchObject([{ title: "An event was open for 30 days", priority: "NORMAL" }]);
    expect(await listAllOpen(world)).toEqual([]);
    expect(await itemsWith(world, "#OPEN#")).toEqual([]);
    const pushed = world.pushed.length;
    await world.runFor(2 * DAY);
    expect(world.pushed).toHaveLength(pushed);
    expect(await listNotices(world)).toHaveLength(1);
    expect(listMarkers(world)).toEqual([]);
    const expired = await searchEvents(world.deps, world.ws, { state: "expired" }, { page: 1, limit: 10 });
    expect(expired.items).toMatchObject([{ id: eventId, state: "expired" }]);
  });

  it("ends as expired in the millisecond in which the 30 days are over", async () => {
    const { world, eventId } = await setUpOldEvent();
    const { receivedAt } = (await readEvent(world.deps, world.ws, eventId))!;

    for (const [after, state] of [
      [-1, "open"],
      [0, "expired"],
    ] as const) {
      world.skip(receivedAt + 30 * DAY + after - world.now());
      await endOldEvents(world.deps, world.ws, Infinity);
      expect(await stateOf(world, eventId)).toBe(state);
    }
  });

  it("is ended by a sweep, which stops after 500 events and reports that more may be left", async () => {
    const world = await aWorld();
    await fillRows(world, 1, 500);

    expect(await endOldEvents(world.deps, world.ws, Infinity)).toBe(false);
    world.skip(30 * DAY);
    expect(await endOldEvents(world.deps, world.ws, Infinity)).toBe(true);
  });

  it("stays expired, even if it is acknowledged or resolved later", async () => {
    const { world, eventId } = await setUpOldEvent();
    world.skip(30 * DAY);
    await world.runFor(HOUR);
    const ann = { id: "usr_ann", name: "Ann" };

    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    await resolveEvent(world.deps, world.ws, eventId, ann, "late");
    await world.post({ event: "site.up", resolves: "db-1" });
    await world.runFor(MINUTE);

    expect(await readEventView(world.deps, world.ws, eventId)).toMatchObject({ state: "expired", note: null });
    expect(world.pushed.filter(({ message }) => "state" in message.data)).toEqual([]);
  });

  it("stays acknowledged if it was acknowledged before", async () => {
    const { world, eventId } = await setUpOldEvent();
    await acknowledgeEvents(world.deps, world.ws, [eventId], { id: "usr_ann", name: "Ann" });

    world.skip(31 * DAY);
    await world.runFor(DAY);

    expect(await stateOf(world, eventId)).toBe("acknowledged");
    expect(await listNotices(world)).toEqual([]);
  });

  it("is reported to the owners once, even if two sweeps die at any of their requests", async () => {
    for (let death = 0, died = true; died; death += 5) {
      let calls = Infinity;
      died = false;
      const world = await aWorld({
        beforeCall: async () => {
          calls -= 1;
          if (calls >= 0) return;
          died = true;
          calls = Infinity;
          throw new Error("the invocation died");
        },
      });
      const ids: string[] = [];
      for (let count = 0; count < 4; count += 1) ids.push((await world.post({ event: "site.down" })).eventId);
      await world.work();
      world.skip(30 * DAY);
      // Two sweeps die, and a third one begins while the second may still be working.
      for (const [nr, pauseMs] of [0, 20 * MINUTE, 0].entries()) {
        world.skip(pauseMs);
        calls = nr < 2 ? death : Infinity;
        await endOldEvents(world.deps, world.ws, Infinity).catch(() => {});
      }
      calls = Infinity;
      await world.runFor(26 * HOUR);

      for (const id of ids) expect((await readEvent(world.deps, world.ws, id))?.life.expired).toBeDefined();
      const notified = [];
      for (const { id } of await listNotices(world))
        notified.push(Number((await readEvent(world.deps, world.ws, id))?.content.data?.["events"]));
      expect(
        notified.reduce((sum, events) => sum + events, 0),
        `death ${death}`,
      ).toBe(4);
      expect(await listAllOpen(world)).toEqual([]);
    }
  });

  it("leaves the list within three hours, even if 500 other events are as old", async () => {
    const world = await aWorld();
    await world.runFor(5 * HOUR);
    await fillRows(world, 1, 501);
    world.skip(30.5 * DAY);
    await world.runFor(3 * HOUR);

    expect(await listAllOpen(world)).toEqual([]);
  });

  it("expires in time even if the list of open events has leftover entries", async () => {
    const { world, eventId } = await setUpOldEvent();
    await putItem(world.deps, openEventKey(world.ws, 0), {
      nonce: "00000000000",
      eventKey: "site.down",
      title: "gone",
      priority: "LOW",
      at: world.start,
      count: 0,
    });

    world.skip(30 * DAY);
    await world.runFor(HOUR);

    expect(await stateOf(world, eventId)).toBe("expired");
    expect(await listAllOpen(world)).toEqual([]);
  });
});
