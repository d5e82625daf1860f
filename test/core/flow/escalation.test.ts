import { describe, expect, it } from "vitest";
import type { EscalationPolicyInput } from "../../../core/domain/escalation/escalation-policy.ts";
import type { PlannedRule } from "../../../core/domain/delivery/delivery-plan.ts";
import { deliverPart } from "../../../core/flow/notify/queue-packs.ts";
import { resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { loadPeople } from "../../../core/store/people/people.ts";
import { deletePolicy, listPolicies } from "../../../core/store/rules/escalation-policies.ts";
import { removeGroupMember } from "../../../core/store/people/groups.ts";
import { callTo, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;

/**
 * Ann is notified at first, Bob after 5 minutes, Cleo and Dan 10 minutes later, and Eve 15 minutes later; the policy has two
 * repeats.
 */
const setUp = async (options: WorldOptions = {}, fields: Partial<EscalationPolicyInput> = {}) => {
  const world = await useWorld(options);
  const first = await world.group("First", ["usr_ann"]);
  const second = await world.group("Second", ["usr_bob"]);
  const third = await world.group("Third", ["usr_cleo", "usr_dan"]);
  const fourth = await world.group("Fourth", ["usr_eve"]);
  const escalationPolicyId = await world.policy([stepTo(second, 5), stepTo(third, 10), stepTo(fourth, 15)], {
    repeat: 2,
    ...fields,
  });
  await world.rule([first], { requiresAck: true, escalationPolicyId });
  return world;
};

/** Lists the pushes in order, each with the minutes since the start and the recipient. */
const listPushes = (world: World) =>
  world.pushed.map(({ at, userId }) => `${((at - world.start) / MINUTE).toFixed(2)} ${userId}`);

const whole = [
  "0.00 usr_ann",
  "5.00 usr_bob",
  "15.00 usr_cleo",
  "15.00 usr_dan",
  "30.00 usr_eve",
  "35.00 usr_bob",
  "45.00 usr_cleo",
  "45.00 usr_dan",
  "60.00 usr_eve",
  "65.00 usr_bob",
  "75.00 usr_cleo",
  "75.00 usr_dan",
  "90.00 usr_eve",
];

describe("an escalation of three steps and two repeats that nobody acknowledges", () => {
  it("pages exactly on schedule, and never after its last step", async () => {
    const world = await setUp();

    await world.post();
    await world.runUntil(world.start + 120 * MINUTE);

    expect(listPushes(world)).toEqual(whole);
    expect(listMarkers(world)).toEqual([]);
  });
});

it("two rules whose steps are due together notify people at the same second", async () => {
  const world = await useWorld();
  for (const name of ["ann", "bob"]) {
    const group = await world.group(name, [`usr_${name}`]);
    const escalationPolicyId = await world.policy([stepTo(group, 5)]);
    await world.rule([group], { name, requiresAck: true, escalationPolicyId });
  }
  await world.post();
  await world.runFor(7 * MINUTE);

  expect(listPushes(world).toSorted()).toEqual(["0.00 usr_ann", "0.00 usr_bob", "5.00 usr_ann", "5.00 usr_bob"]);
});

describe("an acknowledgement during an escalation", () => {
  // Acknowledges the latest notification just before, at, just after and between the times of the steps.
  it.each([0, 4.99, 5, 10, 15, 29.99, 30, 32, 35, 50, 60, 64.99, 65, 75, 90])(
    "after %d minutes is followed by no further page",
    async (minutes) => {
      const world = await setUp();
      await world.post();
      await world.runUntil(world.start + minutes * MINUTE);

      await world.acknowledgeNewest();
      await world.runUntil(world.start + 120 * MINUTE);

      expect(listPushes(world)).toEqual(whole.filter((line) => Number(line.split(" ")[0]) <= minutes));
      expect(listMarkers(world)).toEqual([]);
    },
  );

  it("stops all later steps, even if it is of the first notification and not of the latest", async () => {
    const world = await setUp();
    await world.post();
    await world.runUntil(world.start + 20 * MINUTE);

    const first = (await world.notifications()).at(-1);
    await world.acknowledge(first!.notificationId);
    await world.runUntil(world.start + 120 * MINUTE);

    expect(first?.userId).toBe("usr_ann");
    expect(listPushes(world)).toEqual(["0.00 usr_ann", "5.00 usr_bob", "15.00 usr_cleo", "15.00 usr_dan"]);
  });

  it("under one rule does not stop the escalation of another rule", async () => {
    const world = await setUp();
    const other = await world.group("Other", ["usr_fay"]);
    const escalationPolicyId = await world.policy([stepTo(other, 1)]);
    const rule = await world.rule([other], { name: "Other", requiresAck: true, escalationPolicyId });
    await world.post();
    await world.runUntil(world.start + 1000);

    const firstNotification = (await world.notifications()).find((notification) => notification.rule.id !== rule.id);
    await world.acknowledge(firstNotification!.notificationId);
    await world.runUntil(world.start + 120 * MINUTE);

    expect(listPushes(world).filter((line) => !line.endsWith("usr_ann"))).toEqual(["0.00 usr_fay", "1.00 usr_fay"]);
  });
});

describe("an event whose resolve request died before it ended the escalation", () => {
  it("escalates no further, and counts nobody as notified", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Update", "#ESCALATIONS"));
    const world = await setUp({ beforeCall });
    const { eventId } = await world.post();
    await world.runUntil(world.start + MINUTE);
    arm();
    const request = resolveEvent(world.deps, world.ws, eventId, { id: "usr_ann", name: "Ann" }, undefined);
    await expect(request).rejects.toThrow("died");
    await world.runUntil(world.start + 120 * MINUTE);

    expect(listPushes(world)).toEqual(["0.00 usr_ann"]);
    expect((await world.notifications()).map(({ userId }) => userId)).toEqual(["usr_ann"]);
    expect(listMarkers(world)).toEqual([]);
  });
});

describe("an escalation policy that has started", () => {
  it("keeps the steps that it started with, whatever is edited later", async () => {
    const world = await setUp();
    await world.post();
    await world.runUntil(world.start + 1 * MINUTE);

    const [policy] = await listPolicies(world.deps, world.ws);
    await deletePolicy(world.deps, world.ws, policy!.id);
    await world.runUntil(world.start + 120 * MINUTE);

    expect(listPushes(world)).toEqual(whole);
  });

  it("evaluates the groups of a step when that step starts, even shortly after another step", async () => {
    const world = await useWorld();
    const first = await world.group("First", ["usr_ann"]);
    const second = await world.group("Second", ["usr_bob", "usr_cleo"]);
    const escalationPolicyId = await world.policy([stepTo(second, 5)]);
    await world.rule([first], { requiresAck: true, escalationPolicyId });
    await world.post();
    await world.runFor(10_000);
    await world.post();
    await world.runUntil(world.start + 5 * MINUTE + 5_000);

    await removeGroupMember(world.deps, world.ws, { groupId: second, userId: "usr_bob" });
    await world.runFor(MINUTE);

    const paged = world.pushed.filter(({ userId }) => userId !== "usr_ann");
    expect(paged.map(({ at, userId }) => `${Math.round((at - world.start) / 1000)} ${userId}`)).toEqual([
      "300 usr_bob",
      "300 usr_cleo",
      "310 usr_cleo",
    ]);
  });

  it("skips at once a step that notifies nobody, and evaluates that step again in the next repeat", async () => {
    const world = await useWorld();
    const first = await world.group("First", ["usr_ann"]);
    const empty = await world.group("Empty", []);
    const last = await world.group("Last", ["usr_bob"]);
    const escalationPolicyId = await world.policy(
      [stepTo(empty, 5), { delayMinutes: 10, targets: [] }, stepTo(last, 15)],
      { repeat: 1 },
    );
    await world.rule([first], { requiresAck: true, escalationPolicyId });

    await world.post();
    await world.runUntil(world.start + 120 * MINUTE);

    expect(listPushes(world)).toEqual(["0.00 usr_ann", "5.00 usr_bob", "10.00 usr_bob"]);
  });

  it("starts its first step at once if nobody is on call, and the event says so", async () => {
    const world = await useWorld();
    const onCall = await world.group("On call", ["usr_ann"]);
    const next = await world.group("Next", ["usr_bob"]);
    const escalationPolicyId = await world.policy([stepTo(next, 30), stepTo(next, 10)]);
    await world.rule([onCall], { requiresAck: true, onCallOnly: true, escalationPolicyId });

    const { eventId } = await world.post();
    await world.runUntil(world.start + 120 * MINUTE);

    expect(listPushes(world)).toEqual(["0.00 usr_bob", "10.00 usr_bob"]);
    const event = await readEventView(world.deps, world.ws, eventId);
    expect(event?.outcome).toBe("delivered");
    expect(event?.matchedRules[0]?.unreached).toEqual([{ groupId: onCall, because: "nobody_on_call" }]);
  });
});

describe("a long escalation delay", () => {
  it.each([
    [16, 0],
    [16, 31],
    [45, 59],
    [90, 14],
    [1440, 47],
  ])("of %d minutes is exact to 30 seconds if the sweeper runs at second %d of a minute", async (minutes, second) => {
    const world = await setUp({ sweepAtSecond: second }, { repeat: 0, steps: [stepTo("usr_bob", minutes)] });

    await world.post();
    await world.runUntil(world.start + (minutes + 5) * MINUTE);

    const [, step] = world.pushed;
    expect(world.pushed).toHaveLength(2);
    expect(Math.abs(step!.at - world.start - minutes * MINUTE)).toBeLessThanOrEqual(30_000);
  });
});

it("a part of a large plan starts the escalation of a rule only if the rule's first recipients are in that part", async () => {
  const world = await setUp();
  const { eventId } = await world.post();
  await world.work();
  const event = (await readEvent(world.deps, world.ws, eventId))!;
  const [planned] = (event.plan!.body as { rules: PlannedRule[] }).rules;
  const part = { rule: 4, pack: 3, rules: [planned!, planned!] };
  const marker = { ws: world.ws, eventId, due: world.now(), part: 1, since: world.now(), tries: 0 };
  const people = await loadPeople(world.deps, world.ws);

  const { steps } = await deliverPart(world.deps, event, { part, at: world.now() }, marker, people);

  expect(steps.map(({ step }) => step?.rule)).toEqual([5]);
});
