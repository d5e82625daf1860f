import { afterEach, describe, expect, it } from "vitest";
import type { EscalationPolicyInput } from "../../../core/domain/escalation/escalation-policy.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/life/life.ts";
import { acknowledgeUntil } from "../../../core/flow/life/term.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { listOpenNotifications } from "../../../core/flow/read/list-notifications.ts";
import { listOpenEvents } from "../../../core/store/open-events.ts";
import { closeWorlds, createWorld, markersOf, type World, type WorldOptions } from "../../world/world.ts";

afterEach(closeWorlds);

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const bob = { id: "usr_bob", name: "Bob" };

/** First Ann; after 10 minutes Bob, 10 later Cleo. An acknowledgement holds for 30 minutes. */
const setUp = async (options: WorldOptions = {}, fields: Partial<EscalationPolicyInput> = {}) => {
  const world = await createWorld(options);
  const ops = await world.group("Ops", ["usr_ann"]);
  for (const name of ["usr_bob", "usr_cleo"]) await world.group(name, [name]);
  const escalationPolicyId = await world.policy({
    name: "Ladder",
    repeat: 0,
    ackMinutes: 30,
    steps: [
      { delayMinutes: 10, targets: [{ type: "user", userId: "usr_bob" }] },
      { delayMinutes: 10, targets: [{ type: "user", userId: "usr_cleo" }] },
    ],
    ...fields,
  });
  await world.rule([ops], { requiresAck: true, escalationPolicyId });
  return world;
};

/** Posts an event, and acknowledges the newest notification after some minutes. */
const acknowledgedAfter = async (world: World, minutes: number) => {
  const { eventId } = await world.post();
  await world.runUntil(world.start + minutes * MINUTE);
  await world.acknowledge((await world.notifications())[0]!.notificationId);
  return eventId;
};

const minuteOf = (world: World, at: number) => Math.round(((at - world.start) / MINUTE) * 100) / 100;
/** Who got a push that is no replacement of another, in which minute, with what title. */
const pushesOf = (world: World) =>
  world.pushed.map(
    ({ at, userId, message }) => `${minuteOf(world, at)} ${userId} ${message.notification?.title ?? ""}`,
  );
const viewOf = async ({ deps, ws }: World, eventId: string) => (await readEventView(deps, ws, eventId))!;
const openIn = async ({ deps, ws }: World) =>
  (await listOpenEvents(deps, ws, { limit: "all" })).map(({ eventId }) => eventId);

describe("an acknowledgement that a policy limits", () => {
  it("says until when it holds, asks its holder shortly before, and then the policy goes on with its next step", async () => {
    const world = await setUp();
    const eventId = await acknowledgedAfter(world, 5);

    expect(await viewOf(world, eventId)).toMatchObject({
      state: "acknowledged",
      acknowledgedBy: { id: "usr_ann" },
      acknowledgedUntil: new Date(world.start + 35 * MINUTE).toISOString(),
    });
    expect(await openIn(world)).toEqual([]);
    await world.runUntil(world.start + 36 * MINUTE);

    expect(pushesOf(world)).toEqual([
      "0 usr_ann Disk full",
      "30 usr_ann Still on it? Disk full",
      "35 usr_bob Disk full",
    ]);
    expect(await viewOf(world, eventId)).toMatchObject({
      state: "open",
      acknowledgedBy: null,
      acknowledgedUntil: null,
    });
    expect(await openIn(world)).toEqual([eventId]);
    await world.runUntil(world.start + 3 * HOUR);
    expect(pushesOf(world).slice(3)).toEqual(["45 usr_cleo Disk full"]);
    expect(markersOf(world)).toEqual([]);
  });

  it("leaves the states of notifications as they were", async () => {
    const world = await setUp();
    await acknowledgedAfter(world, 5);

    await world.runUntil(world.start + 36 * MINUTE);

    const statuses = (await world.notifications()).map(({ userId, status }) => `${userId} ${status}`);
    expect(statuses.toSorted()).toEqual(["usr_ann ACKNOWLEDGED", "usr_ann SENT", "usr_bob SENT"]);
  });

  it("is extended by acknowledging again, from that moment on, on the question too", async () => {
    const world = await setUp();
    const eventId = await acknowledgedAfter(world, 5);
    await world.runUntil(world.start + 31 * MINUTE);

    const question = (await world.notifications()).find(({ status }) => status === "SENT");
    await world.acknowledge(question!.notificationId);
    await world.runUntil(world.start + 60 * MINUTE);

    expect(await viewOf(world, eventId)).toMatchObject({
      state: "acknowledged",
      acknowledgedAt: new Date(world.start + 5 * MINUTE).toISOString(),
      acknowledgedUntil: new Date(world.start + 61 * MINUTE).toISOString(),
    });
    expect(pushesOf(world).filter((line) => line.includes("usr_bob"))).toEqual([]);
    await world.runUntil(world.start + 62 * MINUTE);
    expect(pushesOf(world).slice(2)).toEqual(["56 usr_ann Still on it? Disk full", "61 usr_bob Disk full"]);
  });

  it("is never made shorter by an acknowledgement under a rule that lets it hold for less", async () => {
    const world = await setUp({}, { ackMinutes: 600 });
    const escalationPolicyId = await world.policy({ name: "Short", repeat: 0, ackMinutes: 5, steps: [] });
    await world.rule([await world.group("Other", ["usr_dan"])], {
      name: "Short",
      requiresAck: true,
      escalationPolicyId,
    });
    const { eventId } = await world.post();
    await world.runFor(1000);
    const ofUser = async (user: string) =>
      (await world.notifications()).find(({ userId }) => userId === user)!.notificationId;

    await world.acknowledge(await ofUser("usr_ann"));
    await world.acknowledge(await ofUser("usr_dan"));

    const { acknowledgedUntil } = await viewOf(world, eventId);
    expect(acknowledgedUntil).toBe(new Date(world.start + 1000 + 600 * MINUTE).toISOString());
  });

  it("of the whole event ends as well, and whoever gave it is asked", async () => {
    const world = await setUp();
    const { eventId } = await world.post();
    await world.runUntil(world.start + MINUTE);

    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runUntil(world.start + 32 * MINUTE);

    expect(pushesOf(world).filter((line) => !line.includes("Acknowledged"))).toEqual([
      "0 usr_ann Disk full",
      "26 usr_bob Still on it? Disk full",
      "31 usr_bob Disk full",
    ]);
  });

  it("ends as well when it came before the escalation was armed", async () => {
    let isFirst = true;
    const world: World = await setUp({
      beforeCall: async ({ constructor: { name }, input }) => {
        if (!isFirst || name !== "PutCommand" || input.Item?.pk?.endsWith("#ESCALATIONS") !== true) return;
        isFirst = false;
        const [event] = await listOpenEvents(world.deps, world.ws, { limit: "all" });
        await acknowledgeEvents(world.deps, world.ws, [event!.eventId], bob);
      },
    });
    const { eventId } = await world.post();

    await world.runUntil(world.start + 3 * HOUR);

    expect(isFirst).toBe(false);
    expect((await viewOf(world, eventId)).state).toBe("open");
    expect(pushesOf(world).filter((line) => /(?:bob|cleo) Disk/.test(line))).toEqual([
      "30 usr_bob Disk full",
      "40 usr_cleo Disk full",
    ]);
    expect(markersOf(world)).toEqual([]);
  });

  it("ends quietly when the event was resolved", async () => {
    const world = await setUp();
    const eventId = await acknowledgedAfter(world, 5);

    await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    await world.runUntil(world.start + 2 * HOUR);

    expect(pushesOf(world).filter((line) => !line.includes("Resolved"))).toEqual(["0 usr_ann Disk full"]);
    expect(await viewOf(world, eventId)).toMatchObject({ state: "resolved", acknowledgedUntil: null });
    expect(markersOf(world)).toEqual([]);
  });

  it("lets the policy begin another round when it had run its course", async () => {
    const world = await setUp();
    await acknowledgedAfter(world, 25);

    await world.runUntil(world.start + 70 * MINUTE);

    expect(pushesOf(world).slice(3)).toEqual([
      "50 usr_cleo Still on it? Disk full",
      "55 usr_bob Disk full",
      "65 usr_cleo Disk full",
    ]);
  });

  it("ends as well when the message that would end it was lost", async () => {
    const world = await setUp();
    const eventId = await acknowledgedAfter(world, 5);
    await world.runUntil(world.start + 30.5 * MINUTE);

    world.queues.escalations.drainBatch();
    await world.runUntil(world.start + 37 * MINUTE);

    expect(await viewOf(world, eventId)).toMatchObject({ state: "open" });
    expect(pushesOf(world).slice(2)).toEqual([expect.stringMatching(/^3[56] usr_bob Disk full$/)]);
  });

  it("changes nothing by its end where somebody has acknowledged for good since", async () => {
    const world = await setUp();
    const other = await world.group("Other", ["usr_dan"]);
    await world.rule([other], { requiresAck: true });
    const { eventId } = await world.post();
    await world.runUntil(world.start + 5 * MINUTE);
    const notificationOf = async (userId: string) =>
      (await world.notifications()).find((one) => one.userId === userId)!.notificationId;
    await world.acknowledge(await notificationOf("usr_ann"));
    await world.runUntil(world.start + 6 * MINUTE);
    await world.acknowledge(await notificationOf("usr_dan"));

    await world.runUntil(world.start + 2 * HOUR);

    expect(await viewOf(world, eventId)).toMatchObject({ state: "acknowledged", acknowledgedUntil: null });
    expect(pushesOf(world).filter((push) => !push.startsWith("0 ") && !push.includes("Still on it?"))).toEqual([]);
    expect(await openIn(world)).toEqual([]);
  });

  it("is told to whoever gave it where the only escalation that tells anybody was ended for good before", async () => {
    const world = await createWorld();
    const steps = [{ delayMinutes: 10, targets: [{ type: "user" as const, userId: "usr_bob" }] }];
    const policies = [
      { name: "Short", repeat: 0, ackMinutes: 30, steps: [] },
      { name: "Long", repeat: 0, steps },
    ];
    const groups = [await world.group("Ops", ["usr_ann"]), await world.group("Other", ["usr_bob"])];
    for (const [index, policy] of policies.entries())
      await world.rule([groups[index]!], { requiresAck: true, escalationPolicyId: await world.policy(policy) });
    const { eventId } = await world.post();
    const acknowledge = async (minute: number, user: string) => {
      await world.runUntil(world.start + minute * MINUTE);
      await world.acknowledge((await world.notifications()).find(({ userId }) => userId === user)!.notificationId);
    };
    await acknowledge(1, "usr_bob");
    await acknowledge(2, "usr_ann");

    await world.runUntil(world.start + 3 * HOUR);

    expect(await viewOf(world, eventId)).toMatchObject({ state: "open" });
    expect(pushesOf(world).slice(2)).toEqual(["27 usr_ann Still on it? Disk full", "32 usr_ann Open again: Disk full"]);
  });

  it("is followed by a step for whoever is on call then, though the step was being decided when it was given", async () => {
    let isOn = false;
    const world: World = await createWorld({
      beforeCall: async ({ constructor: { name }, input }) => {
        if (!isOn || name !== "UpdateCommand" || input.Key?.pk?.endsWith("#ESCALATIONS") !== true) return;
        isOn = false;
        await world.acknowledge((await world.notifications())[0]!.notificationId);
      },
    });
    const duty = await world.group("Duty", ["usr_bob", "usr_cleo"]);
    await world.schedule(duty, {
      timeZone: "UTC",
      layers: [{ start: "2026-11-21T11:30", every: 1, unit: "hour", participants: ["usr_bob", "usr_cleo"] }],
    });
    const escalationPolicyId = await world.policy({
      name: "Duty",
      repeat: 0,
      ackMinutes: 30,
      steps: [{ delayMinutes: 10, targets: [{ type: "group", groupId: duty, onCallOnly: true }] }],
    });
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true, escalationPolicyId });
    await world.post();
    await world.runUntil(world.start + 5 * MINUTE);
    isOn = true;

    await world.runUntil(world.start + 2 * HOUR);

    expect(isOn).toBe(false);
    // Cleo has taken over from Bob.
    expect(pushesOf(world).slice(2)).toEqual(["40 usr_cleo Disk full"]);
  });

  it("is told to whoever gave it where no policy has anybody to tell", async () => {
    const world = await createWorld();
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
    const { eventId } = await world.post();
    await world.runUntil(world.start + MINUTE);
    await acknowledgeUntil(world.deps, world.ws, eventId, { id: "usr_ann", name: "Ann" }, world.start + 41 * MINUTE);

    await world.runUntil(world.start + 2 * HOUR);

    expect(pushesOf(world)).toEqual([
      "0 usr_ann Disk full",
      "36 usr_ann Still on it? Disk full",
      "41 usr_ann Open again: Disk full",
    ]);
    expect(await viewOf(world, eventId)).toMatchObject({ state: "open" });
  });

  it("can be given again after its end, by whoever is told then", async () => {
    const world = await setUp();
    const eventId = await acknowledgedAfter(world, 5);
    await world.runUntil(world.start + 36 * MINUTE);

    const bobs = (await world.notifications()).find(({ userId }) => userId === "usr_bob");
    await world.acknowledge(bobs!.notificationId);

    expect(await viewOf(world, eventId)).toMatchObject({
      state: "acknowledged",
      acknowledgedBy: { id: "usr_bob" },
      acknowledgedUntil: new Date(world.start + 66 * MINUTE).toISOString(),
    });
    expect(await openIn(world)).toEqual([]);
    await world.runUntil(world.start + 67 * MINUTE);
    expect(pushesOf(world).slice(3)).toEqual(["61 usr_bob Still on it? Disk full", "66 usr_cleo Disk full"]);
  });

  it("shows what was told after its end in the inbox of whoever was told", async () => {
    const world = await setUp();
    await acknowledgedAfter(world, 5);
    await world.runUntil(world.start + 36 * MINUTE);

    const inboxOf = async (user: string) =>
      (await listOpenNotifications(world.deps, world.ws, { limit: 10, user })).items.map(({ added }) => added?.because);

    expect(await inboxOf("usr_bob")).toEqual([undefined]);
    expect(await inboxOf("usr_ann")).toEqual(["still_on_it"]);
  });
});

describe("a chain of acknowledgements that end", () => {
  it("is over after a day: the acknowledgement that would end later holds for good", async () => {
    const world = await setUp({}, { ackMinutes: 600 });
    const eventId = await acknowledgedAfter(world, 0);
    await world.runUntil(world.start + 590 * MINUTE);
    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runUntil(world.start + 1_100 * MINUTE);

    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runUntil(world.start + 100 * 24 * HOUR);

    expect(await viewOf(world, eventId)).toMatchObject({ state: "acknowledged", acknowledgedUntil: null });
    expect(world.pushed.filter(({ at }) => at > world.start + 1_100 * MINUTE)).toEqual([]);
    expect(markersOf(world)).toEqual([]);
  });

  it("fires no step after a day, though its policy has more", async () => {
    const world = await setUp(
      {},
      {
        ackMinutes: 1_400,
        repeat: 5,
        steps: [{ delayMinutes: 30, targets: [{ type: "user", userId: "usr_bob" }] }],
      },
    );
    await acknowledgedAfter(world, 0);

    await world.runUntil(world.start + 30 * 24 * HOUR);

    expect(pushesOf(world).slice(2)).toEqual(["1400 usr_bob Disk full", "1430 usr_bob Disk full"]);
    expect(markersOf(world)).toEqual([]);
  });

  it("begins anew with an end that somebody chose, so that acknowledgements after it end again", async () => {
    const world = await setUp({}, { ackMinutes: 600 });
    const eventId = await acknowledgedAfter(world, 0);
    await world.runUntil(world.start + 9 * HOUR);
    await acknowledgeUntil(world.deps, world.ws, eventId, bob, world.start + 20 * HOUR);
    await world.runUntil(world.start + 19 * HOUR);

    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);

    expect((await viewOf(world, eventId)).acknowledgedUntil).toBe(new Date(world.start + 29 * HOUR).toISOString());
    await world.runUntil(world.start + 29.01 * HOUR);
    expect((await viewOf(world, eventId)).state).toBe("open");
  });

  it("wakes nobody after an outage that outlasted it", async () => {
    const world = await setUp();
    const eventId = await acknowledgedAfter(world, 5);

    world.skip(60 * 24 * HOUR);
    await world.runFor(24 * HOUR);

    expect(pushesOf(world).filter((line) => line.includes("usr_bob"))).toEqual([]);
    expect((await viewOf(world, eventId)).state).toBe("acknowledged");
    expect(markersOf(world)).toEqual([]);
  });
});

/** Every third call: the explorer breaks each of them (`lease-of-an-acknowledgement`). */
const STRIDE = Number(process.env["CALL_STRIDE"] ?? 3);

describe("at the end of an acknowledgement", () => {
  /**
   * Lets Ann's acknowledgement end. `before` runs ahead of the nth call to the table before the sender's; says whether
   * there was one.
   */
  const endWith = async (nth: number, before: (world: World, eventId: string) => Promise<unknown>) => {
    let calls = -Infinity;
    let happened = false;
    const world: World = await setUp({
      sweepAtSecond: 30,
      beforeCall: async ({ input }) => {
        if (input.ExpressionAttributeValues?.[":lease"] !== undefined) calls = -Infinity;
        calls += 1;
        if (calls !== nth) return;
        happened = true;
        await before(world, eventId);
      },
    });
    const eventId = await acknowledgedAfter(world, 5);
    await world.runUntil(world.start + 34.9 * MINUTE);
    calls = 0;
    await world.runUntil(world.start + 35.1 * MINUTE);
    calls = -Infinity;
    await world.runUntil(world.start + 44 * MINUTE);
    return { world, eventId, happened };
  };

  it("another one before any call holds, and is followed by no further step", async () => {
    let nth = 1;
    for (; ; nth += STRIDE) {
      const { world, eventId, happened } = await endWith(nth, ({ deps, ws }, id) =>
        acknowledgeEvents(deps, ws, [id], bob),
      );
      if (!happened) break;
      await world.runUntil(world.start + 50 * MINUTE);

      const { state } = await viewOf(world, eventId);
      const cleo = pushesOf(world).filter((line) => line.includes("usr_cleo"));
      expect({ nth, state, open: await openIn(world), cleo }).toEqual({
        nth,
        state: "acknowledged",
        open: [],
        cleo: [],
      });
      await closeWorlds();
    }
    expect(nth).toBeGreaterThan(12);
  }, 60_000);

  it("a failure of any call delays it, and everybody is told once", async () => {
    let nth = 1;
    for (; ; nth += STRIDE) {
      const { world, eventId, happened } = await endWith(nth, () => Promise.reject(new Error("no table")));
      if (!happened) break;

      const { state } = await viewOf(world, eventId);
      const told = pushesOf(world).map((line) => line.split(" ").slice(1).join(" "));
      expect({ nth, state, open: await openIn(world), told }).toEqual({
        nth,
        state: "open",
        open: [eventId],
        told: ["usr_ann Disk full", "usr_ann Still on it? Disk full", "usr_bob Disk full"],
      });
      await closeWorlds();
    }
    expect(nth).toBeGreaterThan(12);
  }, 60_000);
});
