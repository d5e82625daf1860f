import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { toIso } from "../../../core/domain/basics/time.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { searchEvents } from "../../../core/flow/read/list-events.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { readControl } from "../../../core/store/events/control.ts";
import { readHeldEvents } from "../../../core/store/events/held-events.ts";
import { listOpenEvents } from "../../../core/store/events/open-events.ts";
import { createHeartbeat } from "../../../core/store/rules/heartbeats.ts";
import { HeartbeatInput } from "../../../core/domain/heartbeat/heartbeat.ts";
import { updateRule } from "../../../core/store/rules/rules.ts";
import { createSilence, deleteSilence, updateSilence } from "../../../core/store/rules/silences.ts";
import { callWith, createInterruption } from "../../world/interruption.ts";
import { NOON } from "../../world/clock.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A world in which Ann must acknowledge every event. */
const aWorld = async (options: WorldOptions = {}) => {
  const world = await useWorld(options);
  const groupId = await world.group("Ops", ["usr_ann"]);
  const { id: ruleId } = await world.rule([groupId], { requiresAck: true });
  const { deps, ws } = world;
  return {
    ...world,
    ruleId,
    /** A silence over `disk.*` that ends after an hour. */
    silence: (fields: object = {}) =>
      createSilence(
        deps,
        ws,
        v.parse(SilenceInput, { name: "Night", eventKey: "disk.*", endsAt: toIso(world.now() + HOUR), ...fields }),
      ),
    sent: async (fields: object = {}) => {
      const { eventId } = await world.post(fields);
      await world.work();
      return eventId;
    },
    change: (id: string, patch: object) => updateSilence(deps, ws, id, patch),
    end: (id: string) => deleteSilence(deps, ws, id),
    view: (eventId: string) => readEventView(deps, ws, eventId),
    open: async () =>
      (await searchEvents(deps, ws, { state: "open" }, { page: 1, limit: 100 })).items.map(({ id }) => id),
  };
};
type Silenced = Awaited<ReturnType<typeof aWorld>>;

const listNotifiedEvents = ({ pushed }: Pick<World, "pushed">): string[] =>
  pushed.map(({ message }) => message.data["eventId"] ?? "");

const listPushes = ({ pushed }: Pick<World, "pushed">): string[] =>
  pushed.map(({ userId, message }) => `${userId} ${message.data["priority"]}`);

describe("a silenced event that requires an acknowledgement", () => {
  it("is not open during the silence; after the silence it notifies once and is open", async () => {
    const world = await aWorld();
    const silence = await world.silence();
    const id = await world.sent();

    expect(await world.view(id)).toMatchObject({ state: "none", outcome: "silenced", silence: { id: silence.id } });
    expect(await world.open()).toEqual([]);
    await world.runFor(59 * MINUTE);
    expect(world.pushed).toEqual([]);

    await world.runFor(2 * MINUTE);
    expect(listNotifiedEvents(world)).toEqual([id]);
    expect(world.pushed[0]!.message).toMatchObject({
      notification: { title: "Disk full", body: "Since 2026-11-21 12:07 UTC: db-1 has 2 % left" },
    });
    expect(world.pushed[0]!.at).toBeLessThanOrEqual(world.start + HOUR + MINUTE);
    expect(await world.view(id)).toMatchObject({
      state: "open",
      outcome: "delivered",
      silence: null,
      afterSilence: { id: silence.id, name: "Night" },
      _count: { notifications: 1 },
    });
    expect(await world.open()).toEqual([id]);

    await world.runFor(3 * HOUR);
    expect(world.pushed).toHaveLength(1);
    expect(listMarkers(world)).toEqual([]);
  });

  it("notifies once, opens and escalates as soon as a repeat raises its priority to URGENT", async () => {
    const world = await aWorld();
    const escalationPolicyId = await world.policy([stepTo(await world.group("Second", ["usr_bob"]), 5)]);
    await updateRule(world.deps, world.ws, world.ruleId, { escalationPolicyId });
    const silence = await world.silence();
    const id = await world.sent({ dedupeKey: "k" });
    await world.runFor(MINUTE);

    await world.sent({ dedupeKey: "k", priority: "URGENT" });

    expect(listPushes(world)).toEqual(["usr_ann URGENT"]);
    expect(await world.view(id)).toMatchObject({
      state: "open",
      priority: "URGENT",
      outcome: "delivered",
      silence: null,
      afterSilence: { id: silence.id },
      _count: { notifications: 1 },
    });
    const { items } = await searchEvents(world.deps, world.ws, { priority: "URGENT" }, { page: 1, limit: 9 });
    expect(items).toMatchObject([{ id, state: "open" }]);
    expect(await world.open()).toEqual([id]);
    await world.runFor(3 * HOUR);
    expect(listPushes(world)).toEqual(["usr_ann URGENT", "usr_bob URGENT"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("notifies, when the silence ends, at the higher priority of a repeat that the silence also covered", async () => {
    const world = await aWorld();
    await world.silence();
    const id = await world.sent({ dedupeKey: "k" });
    await world.sent({ dedupeKey: "k", priority: "HIGH" });
    expect(await world.view(id)).toMatchObject({ state: "none", outcome: "silenced" });
    expect(world.pushed).toEqual([]);

    await world.runFor(HOUR + MINUTE);

    expect(listPushes(world)).toEqual(["usr_ann HIGH"]);
    expect(
      (await listOpenEvents(world.deps, world.ws, { limit: "all" })).map(({ content }) => content.priority),
    ).toEqual(["HIGH"]);
    await world.runFor(HOUR);
    expect(world.pushed).toHaveLength(1);
    expect(listMarkers(world)).toEqual([]);
  });

  it("notifies after the silence at its original priority if no rule matches the higher priority of a repeat", async () => {
    const world = await aWorld();
    const conditions = [{ field: "priority" as const, operator: "equals" as const, value: "NORMAL" }];
    await updateRule(world.deps, world.ws, world.ruleId, { conditions });
    await world.silence();
    const id = await world.sent({ dedupeKey: "k" });
    await world.sent({ dedupeKey: "k", priority: "HIGH" });

    await world.runFor(HOUR + MINUTE);

    expect(listPushes(world)).toEqual(["usr_ann NORMAL"]);
    expect(await world.open()).toEqual([id]);
  });

  it("notifies once even if a matcher dies while it processes a repeat that raised the priority to URGENT", async () => {
    for (const at of ["held", "head"]) {
      const { beforeCall, arm } = createInterruption(({ input: { Item, UpdateExpression } }) =>
        at === "held" ? String(UpdateExpression).includes("REMOVE held") : Item !== undefined && "head" in Item,
      );
      const world = await aWorld({ beforeCall });
      await world.silence();
      const id = await world.sent({ dedupeKey: "k" });
      arm();
      await world.sent({ dedupeKey: "k", priority: "URGENT" });
      world.queues.events.drainBatch();

      await world.runFor(2 * HOUR);

      expect(listPushes(world)).toEqual(["usr_ann URGENT"]);
      expect(await world.open()).toEqual([id]);
      expect(listMarkers(world)).toEqual([]);
    }
  });

  it("names the silence in the notifications that it sends after the silence", async () => {
    const world = await aWorld();
    await world.silence();
    const id = await world.sent();
    await world.runFor(HOUR + MINUTE);

    expect(await explainEvent(world.deps, world.ws, id, "usr_ann")).toMatchObject({
      told: true,
      summary: expect.stringContaining('People were notified when the silence "Night" ended'),
      silence: null,
      afterSilence: { name: "Night" },
    });
  });

  it("notifies when the silence is deleted, or changed so that it does not cover the event", async () => {
    for (const stop of [
      (world: Silenced, id: string) => world.end(id),
      (world: Silenced, id: string) => world.change(id, { endsAt: toIso(world.now()) }),
      (world: Silenced, id: string) => world.change(id, { eventKey: "deploy.*" }),
      (world: Silenced, id: string) =>
        world.change(id, { conditions: [{ field: "title", operator: "equals", value: "Other" }] }),
      async (world: Silenced, id: string) => {
        await world.change(id, { endsAt: toIso(world.now()) });
        await world.end(id);
      },
    ]) {
      const world = await aWorld();
      const { id: silence } = await world.silence({ endsAt: "2026-12-24T00:00:00Z" });
      const id = await world.sent();
      await world.runFor(10 * MINUTE);

      await stop(world, silence);
      const changed = await readControl(world.deps, world.ws);
      await world.runFor(MINUTE);

      expect(listNotifiedEvents(world)).toEqual([id]);
      await world.runFor(2 * HOUR);
      expect(world.pushed).toHaveLength(1);
      expect(listMarkers(world)).toEqual([]);
      // The request has already raised the version of the rules, so the end of the silence does not raise it again.
      expect((await readControl(world.deps, world.ws))!.rulesVersion).toBe(changed!.rulesVersion);
    }
  });

  it("notifies after the silence even if the queue message is lost, because a stored marker becomes due", async () => {
    const world = await aWorld();
    await world.silence();
    await world.sent();
    await world.sent();
    await world.runFor(59 * MINUTE);
    world.skip(2 * MINUTE);

    await runSweep(world.deps, Infinity);

    expect(listMarkers(world)).toHaveLength(2);
  });

  it("notifies even if the request that deleted the silence died before it informed the matchers", async () => {
    const { beforeCall, arm } = createInterruption(
      ({ constructor, input }) => constructor.name === "UpdateCommand" && input.Key?.sk === "CONTROL",
    );
    const world = await aWorld({ beforeCall });
    const { id: silence } = await world.silence();
    const id = await world.sent();
    arm();
    await expect(world.end(silence)).rejects.toThrow("died");

    await world.runFor(10 * MINUTE);

    expect(listNotifiedEvents(world)).toEqual([id]);
  });

  it("waits longer if the silence is extended", async () => {
    const world = await aWorld();
    const { id: silence } = await world.silence();
    const id = await world.sent();
    await world.change(silence, { endsAt: toIso(world.start + 2 * HOUR) });

    await world.runFor(HOUR + 5 * MINUTE);
    expect(world.pushed).toEqual([]);
    await world.runFor(HOUR);
    expect(listNotifiedEvents(world)).toEqual([id]);
    const ages = world.deps.log.metric.mock.calls.filter(([name]) => name === "OldestMarkerAgeSeconds");
    expect(Math.max(...ages.map(([, seconds]) => seconds))).toBeLessThan(120);
  });

  it("notifies at the end of a weekly silence's hours", async () => {
    // 21 November 2026 is a Saturday, and the world begins at noon.
    const world = await aWorld({ start: NOON });
    await world.silence({ endsAt: null, weekly: { days: ["sat"], from: "11:00", to: "12:30", timeZone: "UTC" } });
    const id = await world.sent();

    await world.runFor(29 * MINUTE);
    expect(world.pushed).toEqual([]);
    await world.runFor(2 * MINUTE);
    expect(listNotifiedEvents(world)).toEqual([id]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("waits for the end of the last silence that covers it", async () => {
    const world = await aWorld();
    await world.silence();
    await world.silence({ name: "Works", eventKey: "disk.full", endsAt: toIso(world.start + 3 * HOUR) });
    const id = await world.sent();

    await world.runFor(2 * HOUR);
    expect(world.pushed).toEqual([]);
    expect(await world.view(id)).toMatchObject({ state: "none", silence: { name: "Works" } });
    await world.runFor(HOUR + MINUTE);
    expect(listNotifiedEvents(world)).toEqual([id]);
    expect(await world.view(id)).toMatchObject({ afterSilence: { name: "Works" } });
  });

  it("is resolved by its dedupeKey even during a second silence", async () => {
    const world = await aWorld();
    await world.silence();
    await world.silence({ name: "Works", eventKey: "disk.full", endsAt: toIso(world.start + 3 * HOUR) });
    const old = await world.sent({ dedupeKey: "disk-1" });
    await world.runFor(11 * MINUTE);
    const young = await world.sent({ dedupeKey: "disk-1" });
    await world.runFor(2 * HOUR);

    await world.sent({ event: "disk.ok", resolves: "disk-1", requiresAck: false });
    await world.runFor(2 * HOUR);

    expect(await Promise.all([old, young].map(async (id) => (await world.view(id))?.state))).toEqual([
      "resolved",
      "resolved",
    ]);
  });

  it("notifies if the sweeper runs hours after the silence ended, even if the event was held back for 23 hours", async () => {
    const world = await aWorld();
    await world.silence({ endsAt: toIso(world.start + 23 * HOUR) });
    const id = await world.sent();
    world.skip(26 * HOUR);
    const held = (await world.listItems()).filter(({ pk }) => String(pk).includes("#HELD"));
    expect(held.map(({ ttl }) => Number(ttl) * 1000 > world.now())).toEqual([true]);
    await world.runFor(3 * MINUTE);

    expect(listNotifiedEvents(world)).toEqual([id]);
  });

  it("notifies by the rules and people that exist at the end of the silence", async () => {
    const world = await aWorld();
    await world.silence();
    const id = await world.sent();
    const bobs = await world.group("Other", ["usr_bob"]);
    const targets = [{ type: "group" as const, groupId: bobs, onCallOnly: false }];
    await updateRule(world.deps, world.ws, world.ruleId, { targets, priorityOverride: "HIGH" });

    await world.runFor(HOUR + MINUTE);

    expect(world.pushed.map(({ userId }) => userId)).toEqual(["usr_bob"]);
    expect(world.pushed[0]!.message.data["priority"]).toBe("HIGH");
    expect(listNotifiedEvents(world)).toEqual([id]);
  });

  it("escalates only after the silence", async () => {
    const world = await aWorld();
    const bobs = await world.group("Second", ["usr_bob"]);
    const escalationPolicyId = await world.policy([stepTo(bobs, 10)]);
    await updateRule(world.deps, world.ws, world.ruleId, { escalationPolicyId });
    await world.silence();
    await world.sent();

    await world.runFor(HOUR + 9 * MINUTE);
    expect(world.pushed.map(({ userId }) => userId)).toEqual(["usr_ann"]);
    await world.runFor(3 * MINUTE);
    expect(world.pushed.map(({ userId }) => userId)).toEqual(["usr_ann", "usr_bob"]);
  });

  it.each(["acknowledged", "resolved"])(
    "does not notify if it is %s during the silence or just as its notifications are planned",
    async (state) => {
      const { beforeCall, arm } = createInterruption(callWith(":before"));
      const world = await aWorld({ beforeCall });
      const { deps, ws } = world;
      const by = { id: "usr_ann", name: "Ann" };
      const end = (id: string) =>
        state === "resolved" ? resolveEvent(deps, ws, id, by, undefined) : acknowledgeEvents(deps, ws, [id], by);
      const silence = await world.silence();
      const [first, second] = [await world.sent(), await world.sent()];
      await end(first);
      expect(await readHeldEvents(deps, ws, silence.id, { since: 0, limit: 10 })).toEqual([second]);
      arm(() => end(second));

      await world.runFor(2 * HOUR);

      expect(world.pushed).toEqual([]);
      for (const id of [first, second])
        expect(await world.view(id)).toMatchObject({ state, acknowledgedBy: state === "resolved" ? null : by });
      const { items } = await searchEvents(deps, ws, {}, { page: 1, limit: 10 });
      expect(items.map((item) => item.state)).toEqual([state, state]);
      expect(await world.open()).toEqual([]);
      expect(listMarkers(world)).toEqual([]);
    },
  );

  it("does not notify if an event resolved the dedupeKey during the silence, even if other events share that key", async () => {
    const world = await aWorld();
    await world.silence();
    await world.sent({ dedupeKey: "disk-1" });
    await world.runFor(11 * MINUTE);
    await world.sent({ dedupeKey: "disk-1" });
    await world.sent({ event: "disk.ok", resolves: "disk-1", requiresAck: false });

    await world.runFor(2 * HOUR);

    expect(world.pushed).toEqual([]);
  });

  it("is read before older events if its silence holds back more events than one read can return", async () => {
    const world = await aWorld();
    const { id: silence } = await world.silence();
    const ids = [await world.sent(), await world.sent(), await world.sent()];

    expect(await readHeldEvents(world.deps, world.ws, silence, { since: 0, limit: 2 })).toEqual([ids[2], ids[1]]);
  });

  it("notifies once after the silence, even if its sender repeats it", async () => {
    const world = await aWorld();
    await world.silence();
    await world.runFor(58 * MINUTE);
    const id = await world.sent({ dedupeKey: "disk-1" });
    await world.sent({ dedupeKey: "disk-1" });
    await world.runFor(3 * MINUTE);
    await world.sent({ dedupeKey: "disk-1" });
    await world.runFor(2 * MINUTE);

    expect(listNotifiedEvents(world)).toEqual([id]);
  });

  it("notifies once after the silence, even with two concurrent sweepers and repeated messages", async () => {
    const world = await aWorld();
    const { id: silence } = await world.silence();
    const ids = await Promise.all(Array.from({ length: 15 }, () => world.post()));
    await world.work();
    await world.end(silence);

    await Promise.all([runSweep(world.deps, Infinity), runSweep(world.deps, Infinity)]);
    await world.runFor(2 * HOUR);

    expect(listNotifiedEvents(world).toSorted()).toEqual(ids.map(({ eventId }) => eventId).toSorted());
    expect(listMarkers(world)).toEqual([]);
  });

  it("notifies if it was matched only after the silence had ended", async () => {
    const world = await aWorld();
    await world.silence();
    await world.runFor(HOUR - 1000);
    const { eventId } = await world.post();
    world.skip(2 * MINUTE);

    await world.runFor(3 * MINUTE);

    expect(listNotifiedEvents(world)).toEqual([eventId]);
    expect(await world.view(eventId)).toMatchObject({ state: "open", afterSilence: { name: "Night" } });
  });

  it("does not notify if it came more than a day before the end of the silence", async () => {
    const world = await aWorld();
    await world.silence({ endsAt: toIso(world.start + 30 * HOUR) });
    const old = await world.sent();
    await world.runFor(7 * HOUR);
    const young = await world.sent();

    await world.runFor(24 * HOUR);

    expect(listNotifiedEvents(world)).toEqual([young]);
    expect(await world.view(old)).toMatchObject({ state: "none", outcome: "silenced" });
    expect(listMarkers(world)).toEqual([]);
  });

  it("does not notify after the silence if the silence drops its events", async () => {
    const world = await aWorld();
    const { id: silence } = await world.silence({ afterwards: "drop" });
    const id = await world.sent();
    await world.end(silence);
    await world.silence();
    const second = await world.sent();
    const third = await world.silence({ name: "Third" });
    await world.change(third.id, { afterwards: "drop" });
    expect(await world.view(id)).toMatchObject({ state: "none" });
    await world.runFor(2 * HOUR);

    expect(listNotifiedEvents(world)).toEqual([second]);
  });

  it("does not notify once the silence is changed to drop its events, even if the same change ends the silence", async () => {
    const world = await aWorld();
    const { id: silence } = await world.silence();
    const id = await world.sent();
    await world.runFor(MINUTE);
    await world.change(silence, { afterwards: "drop", endsAt: toIso(world.now()) });

    await world.runFor(2 * HOUR);

    expect(world.pushed).toEqual([]);
    expect(await world.view(id)).toMatchObject({ state: "none", outcome: "silenced" });
  });

  it("notifies after the silence, even if it reports a missed heartbeat", async () => {
    const world = await aWorld();
    await world.silence({ eventKey: "heartbeat.missed" });
    await createHeartbeat(world.deps, world.ws, v.parse(HeartbeatInput, { name: "Backup", everySeconds: 600 }));

    await world.runFor(59 * MINUTE);
    expect(world.pushed).toEqual([]);
    await world.runFor(2 * MINUTE);
    expect(world.pushed).toHaveLength(1);
  });
});

describe("a silenced event that requires no acknowledgement", () => {
  it("does not notify when the silence ends", async () => {
    const world = await aWorld();
    await world.silence();
    const id = await world.sent({ requiresAck: false });

    await world.runFor(2 * HOUR);

    expect(world.pushed).toEqual([]);
    expect(await world.view(id)).toMatchObject({ state: "none", outcome: "silenced" });
    expect(listMarkers(world)).toEqual([]);
  });
});

describe("an event that requires an acknowledgement but has no recipients", () => {
  it("is open", async () => {
    const world = await useWorld();
    await world.rule([await world.group("Empty", [])], { requiresAck: true });

    const { eventId } = await world.post();
    await world.work();

    expect(await readEventView(world.deps, world.ws, eventId)).toMatchObject({
      state: "open",
      outcome: "no_recipient",
      matchedRules: [{ unreached: [{ because: "group_empty" }] }],
    });
    const { items } = await searchEvents(world.deps, world.ws, { state: "open" }, { page: 1, limit: 10 });
    expect(items).toMatchObject([{ id: eventId, state: "open" }]);
  });
});

describe("an event that no silence covers", () => {
  it("costs the same as if there were no silence", async () => {
    const measureCost = async (silenced: boolean): Promise<number> => {
      const world = await aWorld();
      if (silenced) await world.silence({ eventKey: "deploy.*" });
      // The first event loads the configuration.
      await world.sent();
      world.usedUnits();
      await world.sent();
      return world.usedUnits();
    };

    expect(await measureCost(true)).toBe(await measureCost(false));
  });
});
