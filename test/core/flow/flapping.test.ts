import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { toIso } from "../../../core/domain/basics/time.ts";
import { EventInput } from "../../../core/domain/event/event.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { createIngest } from "../../../core/flow/ingest/ingest-event.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { searchEvents } from "../../../core/flow/read/list-events.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { callTo, callWith, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const ann = { id: "usr_ann", name: "Ann" };

/** A world in which Ann must acknowledge every event. */
const aWorld = async (options: WorldOptions = {}, rule: object = {}) => {
  const world = await useWorld(options);
  const groupId = await world.group("Ops", ["usr_ann"]);
  await world.rule([groupId], { requiresAck: true, ...rule });
  const { deps, ws } = world;
  const openAlert = async (fields: object = {}) => {
    const { eventId } = await world.post({ event: "site.down", dedupeKey: "db-1", ...fields });
    await world.work();
    return eventId;
  };
  const endAlert = async () => {
    await world.post({ event: "site.up", title: "Up", priority: "LOW", requiresAck: false, resolves: "db-1" });
    await world.work();
  };
  return {
    ...world,
    openAlert,
    endAlert,
    /** The alert opens and is resolved twice within four minutes. */
    flaps: async (fields: object = {}) => {
      for (let round = 0; round < 2; round += 1) {
        await openAlert(fields);
        await world.runFor(MINUTE);
        await endAlert();
        await world.runFor(MINUTE);
      }
      world.pushed.splice(0);
    },
    view: (eventId: string) => readEventView(deps, ws, eventId),
    open: async () =>
      (await searchEvents(deps, ws, { state: "open" }, { page: 1, limit: 100 })).items.map(({ id }) => id),
  };
};

const titlesOf = ({ pushed }: Pick<World, "pushed">, eventId: string): (string | undefined)[] =>
  pushed.filter(({ message }) => message.data["eventId"] === eventId).map(({ message }) => message.notification?.title);

describe("an alert that opens for the third time within 20 minutes", () => {
  it("is held back for ten minutes with one silent notification, and pages if it is open after ten minutes", async () => {
    const world = await aWorld();
    await world.flaps();
    const id = await world.openAlert();
    const until = "2026-11-21T12:21:23.456Z";

    expect(await world.view(id)).toMatchObject({
      state: "none",
      outcome: "flapping",
      flapping: { until, recipients: 1 },
      matchedRules: [{ name: "All" }],
    });
    expect(await world.open()).toEqual([]);
    expect(titlesOf(world, id)).toEqual(["Flapping: Disk full"]);
    await world.runFor(9 * MINUTE);
    expect(world.pushed).toHaveLength(1);
    expect(world.pushed[0]!.message).toMatchObject({
      notification: { body: expect.stringContaining("You will be notified at 12:21 UTC if it is still open.") },
      data: { priority: "LOW" },
    });

    await world.runFor(3 * MINUTE);
    expect(titlesOf(world, id)).toEqual(["Flapping: Disk full", "Disk full"]);
    expect(world.pushed.at(-1)!.message.notification?.body).toMatch(/^Since 2026-11-21 12:11 UTC: /);
    expect(world.pushed.at(-1)!.at).toBeLessThanOrEqual(world.start + 15 * MINUTE);
    expect(await world.view(id)).toMatchObject({
      state: "open",
      outcome: "delivered",
      flapping: { until, recipients: 0 },
    });
    expect(await world.open()).toEqual([id]);

    await world.runFor(60 * MINUTE);
    expect(titlesOf(world, id)).toHaveLength(2);
    expect(listMarkers(world)).toEqual([]);
  });

  it("pages nobody if it ends while it is held back, and the silent notification is replaced", async () => {
    const world = await aWorld();
    await world.flaps();
    const id = await world.openAlert();
    await world.runFor(2 * MINUTE);
    await world.endAlert();
    await world.runFor(30 * MINUTE);

    expect(titlesOf(world, id)).toEqual(["Flapping: Disk full", "Resolved: Disk full"]);
    expect(await world.view(id)).toMatchObject({ state: "resolved", outcome: "flapping" });
    expect(listMarkers(world)).toEqual([]);
    const left = await world.listItems();
    expect(left.filter((item) => JSON.stringify(item).includes("#OPEN#"))).toEqual([]);
  });

  it("is held back again without another notification while it flaps, and pages again after a quiet half hour", async () => {
    const world = await aWorld();
    await world.flaps();
    await world.openAlert();
    await world.endAlert();
    await world.runFor(2 * MINUTE);
    world.pushed.splice(0);
    const again = await world.openAlert();
    await world.endAlert();
    await world.runFor(30 * MINUTE);
    expect(titlesOf(world, again)).toEqual([]);

    const later = await world.openAlert();
    await world.runFor(MINUTE);
    expect(titlesOf(world, later)).toEqual(["Disk full"]);
  });

  it("pages at once if it is URGENT, although it flaps", async () => {
    const world = await aWorld();
    await world.flaps({ priority: "URGENT" });
    const id = await world.openAlert({ priority: "URGENT" });

    expect(titlesOf(world, id)).toEqual(["Disk full"]);
    expect(await world.view(id)).toMatchObject({ state: "open", flapping: null });
  });

  it("pages at once, and only once, if a repeat raises its priority to URGENT", async () => {
    const world = await aWorld();
    await world.flaps();
    const id = await world.openAlert();
    world.pushed.splice(0);

    await world.openAlert({ priority: "URGENT" });

    const priorities = () => world.pushed.map(({ message }) => message.data["priority"]);
    expect(priorities()).toEqual(["URGENT"]);
    expect(await world.view(id)).toMatchObject({ state: "open", outcome: "delivered", flapping: null });
    expect(await world.open()).toEqual([id]);
    await world.runFor(20 * MINUTE);
    expect(priorities()).toEqual(["URGENT"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("joins its group and does not page if another event of the group has paged meanwhile", async () => {
    const world = await aWorld({}, { groupBy: [], groupMinutes: 2 });
    await world.flaps();
    const id = await world.openAlert();
    await world.runFor(9.5 * MINUTE);
    const first = await world.openAlert({ dedupeKey: "db-2" });
    await world.runFor(2 * MINUTE);

    const grouped = { outcome: "grouped", groupedInto: first, state: "none", _count: { notifications: 1 } };
    expect(await world.view(id)).toMatchObject({ ...grouped, notifications: [{ added: { because: "flapping" } }] });
    const page = { page: 1, limit: 100 };
    const found = await searchEvents(world.deps, world.ws, { outcome: "grouped" }, page);
    expect(found.items[0]).toMatchObject({ id, groupedInto: first });
  });

  it("does not hold back an alert with another dedupeKey, which pages at once", async () => {
    const world = await aWorld();
    await world.flaps();
    const id = await world.openAlert({ dedupeKey: "db-2" });

    expect(titlesOf(world, id)).toEqual(["Disk full"]);
  });

  it("is shown as flapping in the notifications of its recipients", async () => {
    const world = await aWorld();
    await world.flaps();
    const id = await world.openAlert();

    const held = await explainEvent(world.deps, world.ws, id, "usr_ann");
    expect(held).toMatchObject({
      flapping: { until: "2026-11-21T12:21:23.456Z", recipients: 1 },
      rules: [
        { reason: "told", message: expect.stringContaining("the alert was flapping and had been held") },
        { reason: "flapping", basis: "record" },
      ],
    });
    expect(held?.summary).toContain("this event was held until 2026-11-21T12:21:23.456Z");
    await world.runFor(12 * MINUTE);
    const after = await explainEvent(world.deps, world.ws, id, "usr_ann");
    expect(after?.summary).toContain("The event was held until 2026-11-21T12:21:23.456Z");
  });

  it.each([
    ["acknowledges", (world: World, id: string) => acknowledgeEvents(world.deps, world.ws, [id], ann)],
    ["resolves", (world: World, id: string) => resolveEvent(world.deps, world.ws, id, ann, undefined)],
  ])("never pages if somebody %s the event while it is held back", async (_, act) => {
    const world = await aWorld();
    await world.flaps();
    const id = await world.openAlert();
    await act(world, id);
    await world.runFor(30 * MINUTE);

    expect(titlesOf(world, id)).not.toContain("Disk full");
    expect(listMarkers(world)).toEqual([]);
  });

  it("counts towards its group or threshold when it notifies, and not before", async () => {
    const world = await aWorld({}, { groupBy: [], groupMinutes: 60 });
    await world.flaps();
    const id = await world.openAlert();
    const other = await world.openAlert({ dedupeKey: "db-2" });
    await world.runFor(12 * MINUTE);

    expect(titlesOf(world, other)[0]).toBe("Disk full");
    expect(titlesOf(world, id)).toEqual(["Flapping: Disk full"]);
  });

  it("is first held back by a silence of five minutes, and then as flapping until ten minutes have passed", async () => {
    const world = await aWorld();
    await world.flaps();
    const endsAt = toIso(world.now() + 5 * MINUTE);
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, { name: "Short", eventKey: "site.*", endsAt }));
    const id = await world.openAlert();
    expect(await world.view(id)).toMatchObject({ outcome: "silenced", flapping: null });
    await world.runFor(7 * MINUTE);
    expect(await world.view(id)).toMatchObject({ outcome: "flapping", silence: null });
    await world.runFor(5 * MINUTE);

    expect(titlesOf(world, id)).toEqual(["Flapping: Disk full", "Disk full"]);
    expect(listMarkers(world)).toEqual([]);
  });
});

it("an alert's end counts for flapping even if the ending request died before it freed the dedupeKey", async () => {
  const { beforeCall, arm } = createInterruption(callWith(":free"));
  const world = await aWorld({ beforeCall });
  await world.openAlert();
  await world.runFor(MINUTE);
  arm();
  await expect(world.endAlert()).rejects.toThrow("died");
  await world.runFor(3 * MINUTE);
  await world.openAlert();
  await world.runFor(MINUTE);
  await world.endAlert();
  await world.runFor(MINUTE);

  expect(await world.view(await world.openAlert())).toMatchObject({ outcome: "flapping" });
});

describe("an alert whose sender says when it changed", () => {
  /** Sends a change of the alert that took place some minutes after the start. */
  const sendChange = async ({ deps, credentials, start, work }: World, minutes: number, fields: object) => {
    const event = v.parse(EventInput, { event: "site.changed", title: "Disk full", body: "It is", ...fields });
    const input = { event, idempotency: undefined, source: { changedAt: start + minutes * MINUTE } };
    const { eventId } = await createIngest(deps)({ apiKey: credentials, input });
    await work();
    return eventId;
  };
  const ends = { resolves: "db-1", requiresAck: false };

  it("counts as flapping by the times that the sender states, and a change that is sent twice counts once", async () => {
    const world = await aWorld();
    for (const [minutes, fields] of [
      [0, { dedupeKey: "db-1" }],
      [1, ends],
      [1, ends],
      [2, { dedupeKey: "db-1" }],
      [3, ends],
    ] as const) {
      await sendChange(world, minutes, fields);
      await world.runFor(MINUTE);
    }
    const id = await sendChange(world, 4, { dedupeKey: "db-1" });
    expect(await sendChange(world, 4, { dedupeKey: "db-1" })).toBe(id);

    expect(await world.view(id)).toMatchObject({
      outcome: "flapping",
      flapping: { until: "2026-11-21T12:21:23.456Z" },
    });
  });

  it("pages if it had been open for ten minutes before its first message arrived", async () => {
    const world = await aWorld();
    await world.runFor(20 * MINUTE);
    await sendChange(world, 0, { dedupeKey: "db-1" });
    await sendChange(world, 1, ends);
    await sendChange(world, 2, { dedupeKey: "db-1" });
    await sendChange(world, 3, ends);
    const id = await sendChange(world, 4, { dedupeKey: "db-1" });

    expect(titlesOf(world, id)).toEqual(["Disk full"]);
  });
});

describe("the time in which a flapping alert is held back", () => {
  it("begins even if the request that found the flapping dies, and a retry stores the event", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#EVENTS"));
    const world = await aWorld({ beforeCall });
    await world.flaps();
    arm();
    await expect(world.openAlert()).rejects.toThrow("died");
    const id = await world.openAlert();
    await world.work();

    expect(await world.view(id)).toMatchObject({ outcome: "flapping" });
  });

  it("ends even if the queue has lost every message, or if the matcher died before it sent a message", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#FIRINGS"));
    const world = await aWorld({ beforeCall });
    await world.flaps();
    arm();
    const id = await world.openAlert();
    await world.runFor(9 * MINUTE);
    expect(titlesOf(world, id)).toEqual(["Flapping: Disk full"]);
    world.queues.events.drainBatch();
    await world.runFor(10 * MINUTE);

    expect(titlesOf(world, id)).toEqual(["Flapping: Disk full", "Disk full"]);
  });
});
