import { describe, expect, it } from "vitest";
import { acknowledgeEvents, resolveEvent } from "../../../../core/flow/respond/lifecycle.ts";
import { escalateNow, snoozeUntil, notifyMorePeople } from "../../../../core/flow/respond/respond.ts";
import { readEventView } from "../../../../core/flow/read/read-event.ts";
import { explainNotification } from "../../../../core/flow/read/explain-notification.ts";
import { listOpenNotifications } from "../../../../core/flow/read/list-notifications.ts";
import { listOpenEvents } from "../../../../core/store/events/open-events.ts";
import { callTo, callWith, createInterruption } from "../../../world/interruption.ts";
import { useWorld } from "../../../world/use-world.ts";
import { listMarkers, stepTo, type World, type WorldOptions } from "../../../world/world.ts";

const MINUTE = 60_000;
const ann = { id: "usr_ann", name: "Ann" };

/** Ann is notified at first, Bob after 10 minutes, and Cleo after 20 minutes. Dan is in a group that no rule names. */
const setUp = async (policied = true, options: WorldOptions = {}) => {
  const world = await useWorld(options);
  const ops = await world.group("Ops", ["usr_ann"]);
  for (const name of ["usr_bob", "usr_cleo"]) await world.group(name, [name]);
  const others = await world.group("Others", ["usr_dan"]);
  const escalationPolicyId = await world.policy([stepTo("usr_bob", 10), stepTo("usr_cleo", 10)]);
  await world.rule([ops], { requiresAck: true, ...(policied ? { escalationPolicyId } : {}) });
  const { eventId } = await world.post();
  await world.runUntil(world.start + MINUTE);
  return { world, eventId, others };
};

const pushesOf = (world: World) =>
  world.pushed
    .filter(({ message }) => !message.notification?.title?.startsWith("Acknowledged"))
    .map(
      ({ at, userId, message }) =>
        `${Math.round((at - world.start) / MINUTE)} ${userId} ${message.notification?.title}`,
    );
const readView = async ({ deps, ws }: World, eventId: string) => (await readEventView(deps, ws, eventId))!;

describe("a snooze of an event", () => {
  it("acknowledges the event, asks its author to confirm shortly before the end, and then lets the policy continue", async () => {
    const { world, eventId } = await setUp();

    const life = await snoozeUntil(world.deps, world.ws, eventId, ann, { minutes: 60 });
    await world.runUntil(world.start + 70 * MINUTE);

    expect(life).toMatchObject({
      state: "acknowledged",
      acknowledgedUntil: new Date(world.start + 61 * MINUTE).toISOString(),
    });
    expect(pushesOf(world)).toEqual([
      "0 usr_ann Disk full",
      "56 usr_ann Still on it? Disk full",
      "61 usr_bob Disk full",
    ]);
    expect((await readView(world, eventId)).state).toBe("open");
  });

  it("updates the recipients' devices once, even if the event is snoozed again and acknowledged", async () => {
    const { world, eventId } = await setUp();

    for (const minutes of [60, 90]) {
      await snoozeUntil(world.deps, world.ws, eventId, ann, { minutes });
      expect((await readView(world, eventId)).acknowledgedAt).toBe("2026-11-21T12:08:23.456Z");
      world.skip(MINUTE);
    }
    for (let twice = 0; twice < 2; twice += 1) await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    await world.work();

    const titles = world.pushed.map(({ message }) => message.notification?.title);
    expect(titles).toEqual(["Disk full", "Acknowledged: Disk full"]);
  });

  it("opens the event again at its end, even if the clock advances while the snooze is stored", async () => {
    const { world, eventId } = await setUp();
    let passed = 0;
    const deps = { ...world.deps, now: () => world.deps.now() + (passed += 1) };

    const life = await snoozeUntil(deps, world.ws, eventId, ann, { minutes: 60 });
    await world.runUntil(world.start + 70 * MINUTE);

    expect(Date.parse(life.acknowledgedUntil ?? "")).toBeGreaterThan(world.start + 61 * MINUTE);
    expect((await readView(world, eventId)).state).toBe("open");
  });

  it("notifies its author when the snooze ends, if no rule has an escalation policy", async () => {
    const { world, eventId } = await setUp(false);

    await snoozeUntil(world.deps, world.ws, eventId, ann, { minutes: 60 });
    await world.runUntil(world.start + 70 * MINUTE);

    expect(pushesOf(world).at(-1)).toBe("61 usr_ann Open again: Disk full");
    expect(listMarkers(world)).toEqual([]);
  });

  it("becomes permanent if its author acknowledges the event and no policy limits acknowledgements", async () => {
    const { world, eventId } = await setUp();
    await snoozeUntil(world.deps, world.ws, eventId, ann, { minutes: 60 });

    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    await world.runUntil(world.start + 200 * MINUTE);

    expect(await readView(world, eventId)).toMatchObject({ state: "acknowledged", acknowledgedUntil: null });
    expect(pushesOf(world)).toEqual(["0 usr_ann Disk full"]);
  });

  /** Acknowledges the first notification, which is Ann's, some minutes after the event. */
  const acknowledgeAt = async (world: World, minutes: number) => {
    await world.runUntil(world.start + minutes * MINUTE);
    await world.acknowledge((await world.notifications()).at(-1)!.notificationId);
  };

  it("keeps its end time if somebody acknowledges a notification that the snooze has already acknowledged", async () => {
    const { world, eventId } = await setUp();
    await snoozeUntil(world.deps, world.ws, eventId, ann, { minutes: 60 });

    await acknowledgeAt(world, 20);
    await world.runUntil(world.start + 62 * MINUTE);

    expect((await readView(world, eventId)).state).toBe("open");
    expect(await listOpenEvents(world.deps, world.ws, { limit: "all" })).toMatchObject([{ eventId }]);
    expect(pushesOf(world).slice(1)).toEqual(["56 usr_ann Still on it? Disk full", "61 usr_bob Disk full"]);
  });

  it("keeps its end time, even if an acknowledgement that began before the snooze completes after it", async () => {
    const { beforeCall, arm, isArmed } = createInterruption(callTo("Update", "#ESCALATIONS"));
    const { world, eventId } = await setUp(true, { beforeCall });
    arm(async () => {
      world.skip(1000);
      await snoozeUntil(world.deps, world.ws, eventId, { id: "usr_dan", name: "Dan" }, { minutes: 59 });
    });

    await acknowledgeAt(world, 2);
    await world.runUntil(world.start + 62 * MINUTE);

    expect(isArmed()).toBe(false);
    expect(await readView(world, eventId)).toMatchObject({ state: "open" });
    expect(pushesOf(world).at(-1)).toBe("61 usr_bob Disk full");
  });

  it("that ends while an acknowledgement is being stored leaves the event acknowledged permanently", async () => {
    const { beforeCall, arm, isArmed } = createInterruption(callTo("Update", "#ESCALATIONS"));
    const { world, eventId } = await setUp(true, { beforeCall });
    await snoozeUntil(world.deps, world.ws, eventId, ann, { minutes: 60 });
    await world.runUntil(world.start + 60.9 * MINUTE);
    arm(() => world.runFor(MINUTE));

    await acknowledgeAt(world, 60.9);
    await world.runUntil(world.start + 200 * MINUTE);

    expect(isArmed()).toBe(false);
    expect(await readView(world, eventId)).toMatchObject({ state: "acknowledged", acknowledgedUntil: null });
    expect(await listOpenEvents(world.deps, world.ws, { limit: "all" })).toEqual([]);
    expect(pushesOf(world).slice(2)).toEqual(["61 usr_bob Disk full"]);
  });

  it("becomes permanent if somebody acknowledges a notification that the snooze did not acknowledge", async () => {
    const { world, eventId } = await setUp();
    await snoozeUntil(world.deps, world.ws, eventId, { id: "usr_dan", name: "Dan" }, { minutes: 60 });

    await acknowledgeAt(world, 20);
    await world.runUntil(world.start + 200 * MINUTE);

    expect(await readView(world, eventId)).toMatchObject({ state: "acknowledged", acknowledgedUntil: null });
    expect(pushesOf(world).slice(1)).toEqual(["56 usr_dan Still on it? Disk full"]);
  });

  it("does not restart the escalation of a rule whose notification somebody acknowledged during the snooze", async () => {
    const { world } = await setUp();
    const escalationPolicyId = await world.policy([stepTo("usr_dan", 100)], { ackMinutes: 30 });
    const other = await world.group("Other", ["usr_eve"]);
    await world.rule([other], { requiresAck: true, escalationPolicyId });
    const { eventId: id } = await world.post({ title: "Disk gone" });
    await world.runFor(MINUTE);
    await snoozeUntil(world.deps, world.ws, id, { id: "usr_dan", name: "Dan" }, { minutes: 20 });
    await world.runFor(MINUTE);
    await world.acknowledgeNewest("usr_ann");
    await world.runFor(30 * MINUTE);
    await world.acknowledgeNewest("usr_eve");

    await world.runFor(100 * MINUTE);

    expect((await readView(world, id)).state).toBe("open");
    const notified = pushesOf(world).filter(
      (push) => push.endsWith("usr_dan Disk gone") || push.endsWith("bob Disk gone"),
    );
    expect(notified).toEqual(["63 usr_dan Disk gone"]);
  });

  it("can be followed by an acknowledgement of a notification that the snooze had acknowledged", async () => {
    const { world, eventId } = await setUp();
    await snoozeUntil(world.deps, world.ws, eventId, ann, { minutes: 60 });

    await acknowledgeAt(world, 62);
    await world.runUntil(world.start + 200 * MINUTE);

    expect(await readView(world, eventId)).toMatchObject({
      state: "acknowledged",
      acknowledgedBy: { id: "usr_ann" },
      acknowledgedUntil: null,
    });
    expect(pushesOf(world).slice(2)).toEqual(["61 usr_bob Disk full"]);
  });

  it("is refused for an end that is too early or too late, and for an event that has ended", async () => {
    const { world, eventId } = await setUp();
    const until = new Date(world.now() + 4 * MINUTE).toISOString();

    await expect(snoozeUntil(world.deps, world.ws, eventId, ann, { until })).rejects.toMatchObject({
      kind: "invalid_input",
    });
    await resolveEvent(world.deps, world.ws, eventId, ann, undefined);

    await expect(snoozeUntil(world.deps, world.ws, eventId, ann, { minutes: 5 })).rejects.toMatchObject({
      kind: "event_over",
    });
  });
});

describe("the action Escalate now", () => {
  it("starts the next escalation step at once, and the following step after its own delay", async () => {
    const { world, eventId } = await setUp();

    await escalateNow(world.deps, world.ws, eventId, ann, undefined);
    await world.runUntil(world.start + 30 * MINUTE);

    expect(pushesOf(world)).toEqual(["0 usr_ann Disk full", "1 usr_bob Disk full", "11 usr_cleo Disk full"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("adds its note to the notes of an open event, or shows it in the new notifications of an acknowledged event", async () => {
    const { world, eventId } = await setUp();
    const listNotes = async () => (await readView(world, eventId)).notes?.map(({ text, by }) => [text, by?.id]);

    await escalateNow(world.deps, world.ws, eventId, ann, "I am away");
    const whileOpen = await listNotes();
    await world.runFor(MINUTE);
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    await escalateNow(world.deps, world.ws, eventId, ann, "Help");

    expect(whileOpen).toEqual([["I am away", ann.id]]);
    expect(await listNotes()).toEqual(whileOpen);
    expect((await readView(world, eventId)).notifications.at(-1)).toMatchObject({ added: { note: "Help" } });
  });

  it("notifies the next step's people at each press during an acknowledgement, and leaves the event acknowledged", async () => {
    const { world, eventId } = await setUp();
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);

    await escalateNow(world.deps, world.ws, eventId, ann, "Help");
    await world.runFor(MINUTE);
    await escalateNow(world.deps, world.ws, eventId, ann, undefined);
    await world.runFor(60 * MINUTE);

    expect(pushesOf(world)).toEqual(["0 usr_ann Disk full", "1 usr_bob Disk full", "2 usr_cleo Disk full"]);
    expect((await readView(world, eventId)).state).toBe("acknowledged");
  });

  it("notifies the people of the next step of each rule, even during an acknowledgement", async () => {
    const { world } = await setUp();
    const escalationPolicyId = await world.policy([stepTo("usr_dan", 10)]);
    await world.rule([await world.group("Others", ["usr_ann"], 0)], { requiresAck: true, escalationPolicyId });
    const { eventId } = await world.post();
    await world.work();
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    world.pushed.splice(0);

    await escalateNow(world.deps, world.ws, eventId, ann, undefined);
    await world.work();

    expect(pushesOf(world).toSorted()).toEqual(["1 usr_bob Disk full", "1 usr_dan Disk full"]);
  });

  it("starts the policy again if the policy has ended", async () => {
    const { world, eventId } = await setUp();
    await world.runUntil(world.start + 30 * MINUTE);

    await escalateNow(world.deps, world.ws, eventId, ann, undefined);
    await world.runUntil(world.start + 35 * MINUTE);

    expect(pushesOf(world).at(-1)).toBe("30 usr_bob Disk full");
  });

  it("starts the policy again during an acknowledgement, as often as somebody asks", async () => {
    const { world, eventId } = await setUp();
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);

    for (let minute = 1; minute <= 5; minute += 1) {
      await world.runFor(MINUTE);
      await escalateNow(world.deps, world.ws, eventId, ann, undefined);
    }
    await world.runFor(60 * MINUTE);

    const notified = pushesOf(world).map((line) => line.split(" ")[1]);
    expect(notified).toEqual(["usr_ann", "usr_bob", "usr_cleo", "usr_bob", "usr_cleo", "usr_bob"]);
  });

  it("starts no step if an acknowledgement comes first", async () => {
    const { beforeCall, arm, isArmed } = createInterruption(callWith(":added"));
    const { world, eventId } = await setUp(true, { beforeCall });
    arm(() => acknowledgeEvents(world.deps, world.ws, [eventId], ann));

    await escalateNow(world.deps, world.ws, eventId, ann, undefined);
    await world.runUntil(world.start + 30 * MINUTE);

    expect(isArmed()).toBe(false);
    expect(pushesOf(world)).toEqual(["0 usr_ann Disk full"]);
  });

  it("is refused if no rule has an escalation policy", async () => {
    const { world, eventId } = await setUp(false);

    await expect(escalateNow(world.deps, world.ws, eventId, ann, undefined)).rejects.toMatchObject({
      kind: "nothing_to_do",
    });
  });
});

describe("adding people to an event", () => {
  it("gives them notifications that name the person who added them, also in their inbox", async () => {
    const { world, eventId, others } = await setUp(false);
    const input = { userIds: ["usr_bob"], groupIds: [others], note: "Your database?" };

    await notifyMorePeople(world.deps, world.ws, eventId, ann, input);
    await world.runFor(MINUTE);

    expect(world.pushed.slice(1).map(({ userId, message }) => [userId, message.notification?.body])).toEqual([
      ["usr_bob", "Ann notified you: Your database?. db-1 has 2 % left"],
      ["usr_dan", "Ann notified you: Your database?. db-1 has 2 % left"],
    ]);
    const { items } = await listOpenNotifications(world.deps, world.ws, { limit: 10, user: "usr_dan" });
    expect(items).toMatchObject([{ added: { because: "told", by: ann, note: "Your database?" }, escalationStep: 0 }]);
    expect((await explainNotification(world.deps, world.ws, items[0]!.id))?.why.summary).toContain(
      'dan was notified at 2026-11-21T12:08:23.456Z because Ann added people to the event ("Your database?").',
    );
    expect((await readView(world, eventId))._count.notifications).toBe(3);
    expect(listMarkers(world)).toEqual([]);
  });

  it.each([0, 1])("notifies the people of two requests %d ms apart, even if the queue refuses both", async (ms) => {
    const { world, eventId } = await setUp();
    world.queues.escalations.setUp(false);
    const deps = { ...world.deps, now: () => world.now() - ms };

    await Promise.all([
      notifyMorePeople(world.deps, world.ws, eventId, ann, { userIds: ["usr_dan"], groupIds: [], note: null }),
      notifyMorePeople(deps, world.ws, eventId, ann, { userIds: ["usr_cleo"], groupIds: [], note: null }),
    ]);
    world.queues.escalations.setUp(true);
    expect(listMarkers(world).filter((name) => name.includes("#999999#"))).toHaveLength(2);
    await world.runFor(4 * MINUTE);

    const pushed = pushesOf(world).map((line) => line.split(" ")[1]!);
    expect(pushed.toSorted()).toEqual(["usr_ann", "usr_cleo", "usr_dan"]);
  });

  it("is possible for an event with very many recipients", async () => {
    const { world, others } = await setUp();
    const crowd = await world.largeGroup(
      Array.from({ length: 17 }, (_, index) => `usr_x${index}`),
      () => [],
    );
    await world.rule([crowd], { name: "Crowd", requiresAck: true });
    const { eventId } = await world.post();
    await world.work();
    world.pushed.splice(0);

    await notifyMorePeople(world.deps, world.ws, eventId, ann, { userIds: [], groupIds: [others], note: null });
    await world.work();

    expect(world.pushed.map(({ userId }) => userId)).toEqual(["usr_dan"]);
  });

  it("lets them acknowledge the whole event", async () => {
    const { world, eventId } = await setUp();
    await notifyMorePeople(world.deps, world.ws, eventId, ann, { userIds: ["usr_dan"], groupIds: [], note: null });
    await world.runFor(1000);

    await world.acknowledgeNewest("usr_dan");
    await world.runUntil(world.start + 60 * MINUTE);

    expect(await readView(world, eventId)).toMatchObject({ state: "acknowledged", acknowledgedBy: { id: "usr_dan" } });
    expect(pushesOf(world).map((line) => line.split(" ")[1])).toEqual(["usr_ann", "usr_dan"]);
  });

  it("reports the people and groups that do not exist", async () => {
    const { world, eventId } = await setUp();
    const input = { userIds: ["usr_nobody"], groupIds: ["grp_none"], note: null };

    await expect(notifyMorePeople(world.deps, world.ws, eventId, ann, input)).rejects.toMatchObject({
      extras: { faults: [{ field: "userIds[0]" }, { field: "groupIds[0]" }] },
    });
  });
});
