import { describe, expect, it } from "vitest";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { acknowledgeUntil } from "../../../core/flow/respond/temporary-ack.ts";
import { listOpenNotifications } from "../../../core/flow/read/list-notifications.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo } from "../../world/world.ts";
import {
  MINUTE,
  HOUR,
  bob,
  setUp,
  postAndAcknowledge,
  listPushes,
  readView,
  listOpenIds,
} from "./ending-acknowledgements.ts";

describe("a temporary acknowledgement", () => {
  it("shows its end, asks its acknowledger to confirm shortly before, and then lets the policy continue", async () => {
    const world = await setUp();
    const eventId = await postAndAcknowledge(world, 5);

    expect(await readView(world, eventId)).toMatchObject({
      state: "acknowledged",
      acknowledgedBy: { id: "usr_ann" },
      acknowledgedUntil: new Date(world.start + 35 * MINUTE).toISOString(),
    });
    expect(await listOpenIds(world)).toEqual([]);
    await world.runUntil(world.start + 36 * MINUTE);

    expect(listPushes(world)).toEqual([
      "0 usr_ann Disk full",
      "30 usr_ann Still on it? Disk full",
      "35 usr_bob Disk full",
    ]);
    expect(await readView(world, eventId)).toMatchObject({
      state: "open",
      acknowledgedBy: null,
      acknowledgedUntil: null,
    });
    expect(await listOpenIds(world)).toEqual([eventId]);
    await world.runUntil(world.start + 3 * HOUR);
    expect(listPushes(world).slice(3)).toEqual(["45 usr_cleo Disk full"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("does not change the states of notifications when it ends", async () => {
    const world = await setUp();
    await postAndAcknowledge(world, 5);

    await world.runUntil(world.start + 36 * MINUTE);

    const statuses = (await world.notifications()).map(({ userId, status }) => `${userId} ${status}`);
    expect(statuses.toSorted()).toEqual(["usr_ann ACKNOWLEDGED", "usr_ann SENT", "usr_bob SENT"]);
  });

  it("is extended by acknowledging again, even after its acknowledger was asked to confirm", async () => {
    const world = await setUp();
    const eventId = await postAndAcknowledge(world, 5);
    await world.runUntil(world.start + 31 * MINUTE);

    const question = (await world.notifications()).find(({ status }) => status === "SENT");
    await world.acknowledge(question!.notificationId);
    await world.runUntil(world.start + 60 * MINUTE);

    expect(await readView(world, eventId)).toMatchObject({
      state: "acknowledged",
      acknowledgedAt: new Date(world.start + 5 * MINUTE).toISOString(),
      acknowledgedUntil: new Date(world.start + 61 * MINUTE).toISOString(),
    });
    expect(listPushes(world).filter((line) => line.includes("usr_bob"))).toEqual([]);
    await world.runUntil(world.start + 62 * MINUTE);
    expect(listPushes(world).slice(2)).toEqual(["56 usr_ann Still on it? Disk full", "61 usr_bob Disk full"]);
  });

  it.each([
    ["a shorter", 5],
    ["an equal", 600],
  ])("keeps its end if somebody acknowledges under a rule with %s acknowledgement time", async (_, ackMinutes) => {
    const world = await setUp({}, { ackMinutes: 600 });
    const escalationPolicyId = await world.policy([], { ackMinutes });
    await world.rule([await world.group("Other", ["usr_dan"])], {
      name: "Short",
      requiresAck: true,
      escalationPolicyId,
    });
    const { eventId } = await world.post();
    await world.runFor(1000);

    await world.acknowledgeNewest("usr_ann");
    await world.acknowledgeNewest("usr_dan");

    const { acknowledgedUntil } = await readView(world, eventId);
    expect(acknowledgedUntil).toBe(new Date(world.start + 1000 + 600 * MINUTE).toISOString());
  });

  it("of the whole event asks its acknowledger to confirm, and ends if no confirmation comes", async () => {
    const world = await setUp();
    const { eventId } = await world.post();
    await world.runUntil(world.start + MINUTE);

    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runUntil(world.start + 32 * MINUTE);

    expect(listPushes(world).filter((line) => !line.includes("Acknowledged"))).toEqual([
      "0 usr_ann Disk full",
      "26 usr_bob Still on it? Disk full",
      "31 usr_bob Disk full",
    ]);
  });

  it("ends silently if the event was resolved", async () => {
    const world = await setUp();
    const eventId = await postAndAcknowledge(world, 5);

    await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    await world.runUntil(world.start + 2 * HOUR);

    expect(listPushes(world).filter((line) => !line.includes("Resolved"))).toEqual(["0 usr_ann Disk full"]);
    expect(await readView(world, eventId)).toMatchObject({ state: "resolved", acknowledgedUntil: null });
    expect(listMarkers(world)).toEqual([]);
  });

  it("starts the policy again at its end if no step was left", async () => {
    const world = await setUp();
    await postAndAcknowledge(world, 25);

    await world.runUntil(world.start + 70 * MINUTE);

    expect(listPushes(world).slice(3)).toEqual([
      "50 usr_cleo Still on it? Disk full",
      "55 usr_bob Disk full",
      "65 usr_cleo Disk full",
    ]);
  });

  it("has no effect at its end if somebody has meanwhile acknowledged permanently", async () => {
    const world = await setUp();
    const other = await world.group("Other", ["usr_dan"]);
    await world.rule([other], { requiresAck: true });
    const { eventId } = await world.post();
    await world.runUntil(world.start + 5 * MINUTE);
    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    const { acknowledgedAt } = await readView(world, eventId);
    await world.runUntil(world.start + 6 * MINUTE);
    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runUntil(world.start + 7 * MINUTE);
    await world.acknowledgeNewest("usr_dan");

    await world.runUntil(world.start + 2 * HOUR);

    expect(await readView(world, eventId)).toMatchObject({
      state: "acknowledged",
      acknowledgedAt,
      acknowledgedUntil: null,
    });
    const others = listPushes(world).filter((push) => !/^0 |Still on it\?|Acknowledged:/.test(push));
    expect(others).toEqual([]);
    expect(await listOpenIds(world)).toEqual([]);
  });

  it("notifies its acknowledger at its end if another acknowledgement stopped the only escalation with recipients", async () => {
    const world = await useWorld();
    const [ops, other] = [await world.group("Ops", ["usr_ann"]), await world.group("Other", ["usr_bob"])];
    const short = await world.policy([], { ackMinutes: 30 });
    await world.rule([ops], { requiresAck: true, escalationPolicyId: short });
    const long = await world.policy([stepTo("usr_bob", 10)]);
    await world.rule([other], { requiresAck: true, escalationPolicyId: long });
    const { eventId } = await world.post();
    const acknowledge = async (minute: number, user: string) => {
      await world.runUntil(world.start + minute * MINUTE);
      await world.acknowledgeNewest(user);
    };
    await acknowledge(1, "usr_bob");
    await acknowledge(2, "usr_ann");

    await world.runUntil(world.start + 3 * HOUR);

    expect(await readView(world, eventId)).toMatchObject({ state: "open" });
    expect(listPushes(world).slice(2)).toEqual([
      "27 usr_ann Still on it? Disk full",
      "32 usr_ann Open again: Disk full",
    ]);
  });

  it("notifies the acknowledger each time that it ends, if no policy has recipients", async () => {
    const world = await useWorld();
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
    const { eventId } = await world.post();
    await world.runUntil(world.start + MINUTE);
    await world.group("Bobs", ["usr_bob"]);
    await acknowledgeUntil(world.deps, world.ws, eventId, bob, world.start + 41 * MINUTE);

    await world.runUntil(world.start + 2 * HOUR);

    expect(listPushes(world)).toEqual([
      "0 usr_ann Disk full",
      "36 usr_bob Still on it? Disk full",
      "41 usr_bob Open again: Disk full",
    ]);
    expect(await readView(world, eventId)).toMatchObject({ state: "open", _count: { notifications: 3 } });
    const inbox = await listOpenNotifications(world.deps, world.ws, { limit: 10, user: "usr_bob" });
    expect(inbox.items.map(({ added }) => added?.because)).toEqual(["open_again", "still_on_it"]);

    await acknowledgeUntil(world.deps, world.ws, eventId, bob, world.start + 161 * MINUTE);
    await world.runUntil(world.start + 3 * HOUR);

    expect(listPushes(world).slice(3)).toEqual([
      "156 usr_bob Still on it? Disk full",
      "161 usr_bob Open again: Disk full",
    ]);
  });

  it("that has ended can be followed by an acknowledgement by a recipient of the next step", async () => {
    const world = await setUp();
    const eventId = await postAndAcknowledge(world, 5);
    await world.runUntil(world.start + 36 * MINUTE);

    await world.acknowledgeNewest("usr_bob");

    expect(await readView(world, eventId)).toMatchObject({
      state: "acknowledged",
      acknowledgedBy: { id: "usr_bob" },
      acknowledgedUntil: new Date(world.start + 66 * MINUTE).toISOString(),
    });
    expect(await listOpenIds(world)).toEqual([]);
    await world.runUntil(world.start + 67 * MINUTE);
    expect(listPushes(world).slice(3)).toEqual(["61 usr_bob Still on it? Disk full", "66 usr_cleo Disk full"]);
  });

  it("is followed by notifications that appear in the recipients' inboxes after its end", async () => {
    const world = await setUp();
    await postAndAcknowledge(world, 5);
    await world.runUntil(world.start + 36 * MINUTE);

    const inboxOf = async (user: string) =>
      (await listOpenNotifications(world.deps, world.ws, { limit: 10, user })).items.map(({ added }) => added?.because);

    expect(await inboxOf("usr_bob")).toEqual([undefined]);
    expect(await inboxOf("usr_ann")).toEqual(["still_on_it"]);
  });
});
