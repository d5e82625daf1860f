import { describe, expect, it } from "vitest";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { explainNotification } from "../../../core/flow/read/explain-notification.ts";
import { deleteGroup, removeGroupMember } from "../../../core/store/people/groups.ts";
import { deleteRule, updateRule } from "../../../core/store/rules/rules.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo, type World } from "../../world/world.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 21, 12);

const explainFirst = async (world: World, userId: string) => {
  const own = (await world.notifications()).find((notification) => notification.userId === userId);
  return explainNotification(world.deps, world.ws, own!.notificationId);
};

/** Explains to a person what an event led to, and adds the explanation of the only rule. */
const explainOnlyRule = async (world: World, eventId: string, userId: string) => {
  const explanation = await explainEvent(world.deps, world.ws, eventId, userId);
  return { ...explanation!, rule: explanation!.rules[0] };
};

describe("the explanation of why a notification was sent", () => {
  it("has the rule's version, its conditions, the shift, the priority and each device", async () => {
    const world = await useWorld({
      start: START,
      answer: (message) =>
        "token" in message && message.token === "usr_ann-2"
          ? { kind: "unregistered" }
          : { kind: "accepted", messageId: "m" },
    });
    const group = await world.group("Duty", ["usr_ann", "usr_bob"], 2);
    await world.schedule(group, {
      timeZone: "UTC",
      layers: [{ start: "2026-11-21T09:00", every: 1, unit: "day", participants: ["usr_ann", "usr_bob"] }],
    });
    const rule = await world.rule([group], {
      name: "Full disks",
      conditions: [{ field: "data.percent", operator: "greater_than", value: 95 }],
      onCallOnly: true,
      priorityOverride: "CRITICAL",
    });
    await world.post({ data: { percent: 98 } });
    await world.runFor(MINUTE);
    await updateRule(world.deps, world.ws, rule.id, { name: "Renamed", conditions: [] });

    const notification = await explainFirst(world, "usr_ann");

    expect(notification?.status).toBe("SENT");
    expect(notification?.why).toMatchObject({
      summary:
        'ann was notified at 2026-11-21T12:00:00.000Z because rule "Full disks" (version 1) matched, and ann was on call in group "Duty".',
      rule: { id: rule.id, name: "Full disks", version: 1 },
      undecided: false,
      trace: {
        matches: true,
        conditions: [{ field: "data.percent", operator: "greater_than", expected: 95, actual: 98, verdict: true }],
      },
      target: { type: "group", groupId: group, groupName: "Duty", onCall: { kind: "layer", layer: 0 } },
      priority: { value: "URGENT", from: "rule", event: "NORMAL", override: "CRITICAL" },
      requiresAck: { value: false, from: "rule" },
      escalation: null,
    });
    expect(notification?.why.devices.map(({ outcome, tries }) => [outcome, tries])).toEqual([
      ["accepted", 1],
      ["unregistered", 1],
    ]);
    expect(JSON.stringify(notification)).not.toContain("usr_ann-1");
  });

  it("names the escalation step, even if policy, group and rule have been deleted", async () => {
    const world = await useWorld({ start: START });
    const first = await world.group("First", ["usr_ann"]);
    const lead = await world.group("Lead", ["usr_bob"]);
    const escalationPolicyId = await world.policy([{ delayMinutes: 5, targets: [] }, stepTo(lead, 10)], { repeat: 1 });
    const rule = await world.rule([first], { requiresAck: true, escalationPolicyId });
    await world.post();
    await world.runFor(11 * MINUTE);
    await deleteRule(world.deps, world.ws, rule.id);
    await deleteGroup(world.deps, world.ws, lead);

    const notification = await explainFirst(world, "usr_bob");

    expect(notification?.why.escalation).toEqual({
      policy: { id: escalationPolicyId, name: "Ladder" },
      step: 2,
      steps: 2,
      round: 1,
      rounds: 2,
      delayMinutes: 10,
    });
    expect(notification?.why.target).toEqual({ type: "group", groupId: lead, groupName: null, onCall: null });
    expect(notification?.why.trace?.matches).toBe(true);
    expect(notification?.why.summary).toContain('nobody acknowledged before step 2 of policy "Ladder" in round 1 of 2');
  });
});

describe("the explanation of why a notification failed", () => {
  it("shows no pending push once the notification was acknowledged", async () => {
    const world = await useWorld({
      start: START,
      answer: () => ({ kind: "retry", code: "UNAVAILABLE", retryAfterMs: 30_000 }),
    });
    await world.rule([await world.group("Ops", ["usr_ann"])]);
    await world.post();
    await world.work();
    await world.acknowledgeNewest();
    await world.runFor(5 * MINUTE);

    const devices = (await explainFirst(world, "usr_ann"))?.why.devices;

    expect(world.pushed).toHaveLength(1);
    expect(devices?.map(({ outcome, meaning }) => [outcome, meaning])).toEqual([
      ["retry", "Not sent: the notification was already opened or acknowledged."],
    ]);
  });
});

describe("the explanation of why a person was or was not notified", () => {
  it("lists the notifications, and the steps that come next", async () => {
    const world = await useWorld({ start: START });
    const group = await world.group("Ops", ["usr_ann"]);
    const escalationPolicyId = await world.policy([stepTo("usr_ann", 5)]);
    await world.rule([group], { requiresAck: true, escalationPolicyId });
    const { eventId } = await world.post();
    await world.runFor(MINUTE);

    const { told, summary, rule, notes } = await explainOnlyRule(world, eventId, "usr_ann");

    expect([told, summary, notes]).toEqual([
      true,
      'Rule "All": The push service accepted the push for a device of this person.',
      [],
    ]);
    expect(rule).toMatchObject({ reason: "told", basis: "record", escalation: { acknowledged: false } });
    expect(rule?.notifications.map(({ status }) => status)).toEqual(["SENT"]);
    expect(rule?.escalation?.next).toMatchObject({
      step: 1,
      at: "2026-11-21T12:05:00.000Z",
      targets: [{ type: "user", id: "usr_ann", name: "ann" }],
    });
  });

  it("has the failed condition of a rule that did not match, from the rule's version at the time of the event", async () => {
    const world = await useWorld({ start: START });
    const rule = await world.rule([await world.group("Ops", ["usr_ann"])], {
      conditions: [{ field: "priority", operator: "equals", value: "URGENT" }],
    });
    const { eventId } = await world.post();
    await world.runFor(MINUTE);
    await updateRule(world.deps, world.ws, rule.id, { conditions: [] });
    await world.rule([await world.group("Later", ["usr_ann"])]);

    const { told, summary, rules, notes } = await explainOnlyRule(world, eventId, "usr_ann");

    expect([told, summary]).toEqual([false, "No rule matched this event."]);
    expect(rules).toHaveLength(1);
    expect(rules[0]).toMatchObject({ version: 1, reason: "conditions_differ", basis: "record" });
    expect(rules[0]?.trace?.conditions).toMatchObject([
      { field: "priority", operator: "equals", expected: "URGENT", actual: "NORMAL", verdict: false },
    ]);
    expect(notes).toHaveLength(2);
  });

  it.each([
    ["event_key_differs", { eventKey: "order.*" }],
    ["rule_disabled", {}],
  ])("has the reason %s for a rule that did not match", async (reason, fields) => {
    const world = await useWorld({ start: START });
    const rule = await world.rule([await world.group("Ops", ["usr_ann"])], fields);
    if (reason === "rule_disabled") await updateRule(world.deps, world.ws, rule.id, { enabled: false });
    const { eventId } = await world.post();
    await world.runFor(MINUTE);

    expect((await explainOnlyRule(world, eventId, "usr_ann")).rule?.reason).toBe(reason);
  });

  it('has the reasons "outside active hours" and "not needed beside a matching rule"', async () => {
    const world = await useWorld({ start: START });
    const [ops, rest] = [await world.group("Ops", ["usr_ann"]), await world.group("Rest", ["usr_bob"])];
    const weekdays = [{ days: ["mon" as const], from: "00:00", to: "24:00" }];
    await world.rule([ops], { name: "Mondays", activeHours: weekdays, timeZone: "UTC" });
    await world.rule([rest], { name: "Everything else", fallback: true });
    const saturday = await world.post();
    await world.runFor(MINUTE);
    await world.rule([ops], { name: "Orders" });
    const matched = await world.post();
    await world.runFor(MINUTE);

    expect(world.pushed.map(({ userId }) => userId)).toEqual(["usr_bob", "usr_ann"]);
    const closed = await explainOnlyRule(world, saturday.eventId, "usr_ann");
    const needless = await explainOnlyRule(world, matched.eventId, "usr_bob");
    expect(closed.rules.map(({ name, reason }) => [name, reason])).toEqual([
      ["Everything else", "not_in_target_groups"],
      ["Mondays", "outside_active_hours"],
    ]);
    expect(closed.rules[1]?.trace).toMatchObject({
      matches: false,
      activeHours: {
        expected: weekdays,
        timeZone: "UTC",
        actual: expect.stringMatching(/^2026-11-21T12:00:/),
        verdict: false,
      },
      fallback: null,
    });
    expect(needless.rules.find(({ name }) => name === "Everything else")).toMatchObject({
      reason: "fallback_not_needed",
      message: 'This is a fallback rule, and the rule "Orders" matched.',
      trace: { matches: false, activeHours: null, fallback: { verdict: false, matched: { name: "Orders" } } },
    });
  });

  it("names the earlier rule of the chain that matched, from the chain's version at the time of the event", async () => {
    const world = await useWorld({ start: START });
    const [ops, rest] = [await world.group("Ops", ["usr_ann"]), await world.group("Rest", ["usr_bob"])];
    await world.rule([rest], { name: "Later", chain: "orders", position: 20 });
    await world.rule([ops], { name: "First", chain: "orders", position: 10 });
    const { eventId } = await world.post();
    await world.runFor(MINUTE);

    expect(world.pushed.map(({ userId }) => userId)).toEqual(["usr_ann"]);
    expect((await explainOnlyRule(world, eventId, "usr_bob")).rules.find(({ name }) => name === "Later")).toMatchObject(
      {
        reason: "earlier_in_chain",
        message: 'An earlier rule of the chain "orders" matched: "First".',
        trace: { matches: false, chain: { position: 20, verdict: false, matched: { name: "First" } } },
      },
    );
  });

  it("gives different reasons for a person who is not on call, in no group, or without a device", async () => {
    const world = await useWorld({ start: START });
    const duty = await world.group("Duty", ["usr_ann", "usr_bob"]);
    await world.schedule(duty, {
      timeZone: "UTC",
      layers: [{ start: "2026-11-21T09:00", every: 1, unit: "day", participants: ["usr_ann"] }],
    });
    await world.group("Others", ["usr_cleo"]);
    const phoneless = await world.group("Phoneless", ["usr_dan"], 0);
    await world.rule([duty, phoneless], { onCallOnly: true });
    await world.rule([phoneless]);
    const { eventId } = await world.post();
    await world.runFor(MINUTE);

    const reasonsFor = async (userId: string) =>
      (await explainOnlyRule(world, eventId, userId)).rules.map(({ reason, basis }) => [reason, basis]);

    expect(await reasonsFor("usr_ann")).toEqual([
      ["told", "record"],
      ["not_in_target_groups", "record"],
    ]);
    expect((await reasonsFor("usr_bob"))[0]).toEqual(["not_on_call", "record"]);
    expect((await reasonsFor("usr_cleo"))[0]).toEqual(["not_in_target_groups", "record"]);
    expect((await reasonsFor("usr_dan"))[0]).toEqual(["no_device", "record"]);
    expect((await reasonsFor("usr_stranger"))[0]).toEqual(["not_in_target_groups", "record"]);
    expect((await explainOnlyRule(world, eventId, "usr_dan")).rule?.notifications[0]?.failedReason).toBe(
      "No registered devices for user",
    );
  });

  it("says that it is based on today's groups if the groups have changed", async () => {
    const world = await useWorld({ start: START });
    const group = await world.group("Ops", ["usr_ann"]);
    await world.rule([group]);
    const { eventId } = await world.post();
    await world.runFor(MINUTE);
    await removeGroupMember(world.deps, world.ws, { groupId: group, userId: "usr_ann" });
    await world.group("Newcomers", ["usr_bob"]);

    const ann = await explainOnlyRule(world, eventId, "usr_ann");
    const bob = await explainOnlyRule(world, eventId, "usr_bob");

    expect(ann.rule).toMatchObject({ reason: "told", basis: "record", groups: [{ standing: "in_reach" }] });
    expect(bob.rule).toMatchObject({ reason: "not_in_target_groups", basis: "today" });
    expect(bob.notes).toHaveLength(1);
  });

  it("says that a group was empty when the event came, although somebody has joined since", async () => {
    const world = await useWorld({ start: START });
    const group = await world.group("Ops", []);
    await world.rule([group]);
    const { eventId } = await world.post();
    await world.runFor(MINUTE);
    await world.group("People", ["usr_ann"]);

    expect((await explainOnlyRule(world, eventId, "usr_ann")).rule).toMatchObject({
      reason: "no_group",
      basis: "record",
      groups: [{ groupId: group, groupName: "Ops", standing: "group_empty" }],
    });
  });

  it("shows the next escalation step, or the step that an acknowledgement stopped", async () => {
    const world = await useWorld({ start: START });
    const group = await world.group("Ops", ["usr_ann"]);
    const lead = await world.group("Lead", ["usr_bob"]);
    const escalationPolicyId = await world.policy([stepTo(lead, 5)]);
    await world.rule([group], { requiresAck: true, escalationPolicyId });
    const { eventId } = await world.post();
    await world.runFor(MINUTE);
    const before = await explainOnlyRule(world, eventId, "usr_bob");
    await world.acknowledgeNewest();
    await world.runFor(10 * MINUTE);
    const after = await explainOnlyRule(world, eventId, "usr_bob");

    expect(before.rule).toMatchObject({ reason: "not_yet", escalation: { acknowledged: false, next: { step: 1 } } });
    expect(after.rule).toMatchObject({ reason: "acknowledged_before", escalation: { acknowledged: true, next: null } });
    expect(after.told).toBe(false);
  });

  it("is missing for an event that the workspace does not have", async () => {
    const world = await useWorld({ start: START });

    expect(await explainEvent(world.deps, world.ws, "evt_00000000100000000000", "usr_ann")).toBeUndefined();
  });
});

it("an explanation has as many rules as fit into one answer, and counts the other rules", async () => {
  const world = await useWorld();
  const group = await world.group("Duty", ["usr_ann"]);
  const value = Array.from({ length: 125 }, (_, index) => `${index} `.padEnd(2_000, "x"));
  const conditions = [{ field: "title", operator: "one_of", value }];
  for (let rule = 0; rule < 30; rule += 1) await world.rule([group], { conditions });
  const { eventId } = await world.post();
  await world.runFor(MINUTE);

  const explained = await explainEvent(world.deps, world.ws, eventId, "usr_ann");

  expect(Buffer.byteLength(JSON.stringify({ body: JSON.stringify(explained) }))).toBeLessThan(6 * 1024 * 1024);
  expect(explained!.rules.length).toBeGreaterThan(10);
  expect(explained!.rules.length + explained!.rulesNotListed).toBe(30);
});
