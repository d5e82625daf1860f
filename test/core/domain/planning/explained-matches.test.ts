import { describe, expect, it } from "vitest";
import type { FrozenPolicy } from "../../../../core/domain/escalation/escalation-policy.ts";
import type { EscalationState } from "../../../../core/domain/planning/explanation.ts";
import type { GroupOfRule } from "../../../../core/domain/rules/grouping.ts";
import { ladder, NOON, to } from "../support.ts";
import { notification, explain } from "./explaining.ts";

describe("the explanation of a rule that notified a person", () => {
  it("shows the notifications, the trace, and the group through which the person was notified", () => {
    const notifications = [notification("DELIVERED")];
    const planned = { recipients: [{ userId: "usr_ann", reason: { groupId: "grp_ops" } }] };

    expect(explain({ planned, notifications })).toEqual({
      id: "rule_1",
      version: 3,
      name: "Orders",
      reason: "told",
      message: "The push service accepted the push for a device of this person.",
      basis: "record",
      trace: {
        matches: true,
        enabled: true,
        eventKey: { expected: "order.failed", actual: "order.failed", verdict: true },
        conditionMatch: "all",
        conditions: [],
        activeHours: null,
        fallback: null,
        chain: null,
      },
      groups: [{ groupId: "grp_ops", groupName: "Ops", standing: "in_reach" }],
      notifications,
      escalation: null,
      group: null,
    });
  });

  it.each([
    ["told", "SENT", null],
    ["told", "ACKNOWLEDGED", null],
    ["queued", "QUEUED", null],
    ["not_needed", "FAILED", "Not sent: the event was acknowledged before this escalation step was sent"],
    ["no_device", "FAILED", "No registered devices for user"],
    ["push_failed", "FAILED", "FCM: all 1 device(s) failed"],
    ["push_failed", "FAILED", null],
  ] as const)("has the reason %j if the notification is %s with the failure %j", (reason, status, failedReason) => {
    expect(explain({ notifications: [notification(status, failedReason)] }).reason).toBe(reason);
  });

  it("shows the most successful result if the rule notified the person several times", () => {
    const failed = notification("FAILED", "No registered devices for user");

    expect(explain({ notifications: [failed, notification("SENT"), notification("QUEUED")] }).reason).toBe("told");
    expect(explain({ notifications: [failed, notification("QUEUED")] }).reason).toBe("queued");
  });

  it("is based on the stored record, even if rules or people have changed since", () => {
    expect(explain({ notifications: [notification("SENT")], asPlanned: false }).basis).toBe("record");
  });

  it("names the group through which the person was notified, even if the person has left that group", () => {
    const planned = {
      recipients: [
        { userId: "usr_bob", reason: { groupId: "grp_lead" } },
        { userId: "usr_cat", reason: { groupId: "grp_ops" } },
      ],
    };
    const { groups } = explain({ userId: "usr_cat", planned, notifications: [notification("SENT")] });

    expect(groups).toEqual([{ groupId: "grp_ops", groupName: "Ops", standing: "in_reach" }]);
  });
});

describe("the explanation of a rule that matched but did not notify a person", () => {
  const unreachedBecause = (groupId: string, reason: "group_deleted" | "group_empty" | "nobody_on_call") => ({
    unreached: [
      { groupId: "grp_other", because: "group_empty" as const },
      { groupId, because: reason },
    ],
  });

  const nobodyOnCall = unreachedBecause("grp_ops", "nobody_on_call");

  it.each<[string, string, string, Parameters<typeof explain>[0]]>([
    ["a person in another group", "not_in_target_groups", "not_in_group", { userId: "usr_cat" }],
    [
      "a group that has been deleted since",
      "not_in_target_groups",
      "not_in_group",
      { rule: { targets: to("grp_gone") } },
    ],
    ["a person who has joined since", "changed", "in_reach", {}],
    ["a person who has come on call since", "changed", "in_reach", { userId: "usr_bob", rule: { onCallOnly: true } }],
    ["a person who was not on call", "not_on_call", "not_on_call", { rule: { onCallOnly: true } }],
    [
      "a person who was not on call yet",
      "not_on_call",
      "not_on_call",
      { userId: "usr_bob", at: NOON - 1, rule: { onCallOnly: true } },
    ],
    [
      "a person of another group, if the rule notifies people on call",
      "not_in_target_groups",
      "not_in_group",
      { userId: "usr_cat", rule: { onCallOnly: true } },
    ],
    ["a person of a group in which nobody was on call", "not_on_call", "nobody_on_call", { planned: nobodyOnCall }],
    [
      "a person outside a group in which nobody was on call",
      "not_in_target_groups",
      "not_in_group",
      { userId: "usr_cat", planned: nobodyOnCall },
    ],
    [
      "a person of a group that was empty",
      "no_group",
      "group_empty",
      { planned: unreachedBecause("grp_ops", "group_empty") },
    ],
    [
      "a person of a group that was deleted",
      "no_group",
      "group_deleted",
      { planned: unreachedBecause("grp_ops", "group_deleted") },
    ],
  ])("for %s has the reason %s, and the relation to the group %s", (_, reason, standing, fields) => {
    const explanation = explain(fields);

    expect(explanation.reason).toBe(reason);
    expect(explanation.groups.map((group) => group.standing)).toEqual([standing]);
  });

  it("gives the most informative of the reasons of several groups, such as not_on_call before no_group", () => {
    const reasonWith = (...groupIds: string[]) =>
      explain({
        rule: { targets: to(...groupIds), onCallOnly: true },
        userId: "usr_ann",
        planned: unreachedBecause("grp_empty", "group_empty"),
      }).reason;

    expect(reasonWith("grp_empty", "grp_lead", "grp_ops")).toBe("not_on_call");
    expect(reasonWith("grp_empty", "grp_lead")).toBe("not_in_target_groups");
    expect(reasonWith("grp_empty")).toBe("no_group");
  });

  it("states the person's relation to each group once, without a name for a deleted group", () => {
    expect(explain({ rule: { targets: to("grp_ops", "grp_gone", "grp_ops", "grp_lead") } }).groups).toEqual([
      { groupId: "grp_ops", groupName: "Ops", standing: "in_reach" },
      { groupId: "grp_gone", groupName: null, standing: "not_in_group" },
      { groupId: "grp_lead", groupName: "Lead", standing: "not_in_group" },
    ]);
  });

  it("has no groups and no trace if the version of the rule that matched is no longer stored", () => {
    expect(explain({ rule: "gone" })).toMatchObject({ reason: "not_in_target_groups", groups: [], trace: null });
  });

  it.each([
    ["record", "people have not changed", { userId: "usr_cat" }],
    ["today", "people have changed", { userId: "usr_cat", asPlanned: false }],
    [
      "record",
      "the groups had been deleted when the event came",
      { planned: unreachedBecause("grp_ops", "group_deleted"), asPlanned: false },
    ],
  ])('has the basis "%s" if %s', (basis, _, fields) => {
    expect(explain(fields).basis).toBe(basis);
  });
});

describe("the explanation of a matching rule for one person", () => {
  const values = [{ field: "data.host", value: "db-1" }];
  const grouped = { values, into: "evt_0", below: null };

  it.each<[string, string, GroupOfRule]>([
    ["grouped", "The group: data.host = db-1. The event evt_0 notified people.", grouped],
    ["grouped", "All events of the rule form one group. The event evt_0 notified people.", { ...grouped, values: [] }],
    [
      "grouped",
      "The group: data.host = db-1, title = nothing. The event evt_0 notified people.",
      { ...grouped, values: [...values, { field: "title", value: null }] },
    ],
    [
      "below_threshold",
      "The group: data.host = db-1. This event was number 2 of the 5 required.",
      { values, into: null, below: { count: 2, of: 5 } },
    ],
  ])("has the reason %s, and ends with: %s", (reason, said, group) => {
    const explanation = explain({ group, asPlanned: false });

    expect(explanation).toMatchObject({ reason, basis: "record", group });
    expect(explanation.message).toMatch(/\. (?:The group|All events)/);
    expect(explanation.message.endsWith(` ${said}`)).toBe(true);
  });

  it("does not mention the group of events if the event paged", () => {
    const { reason, message } = explain({
      group: { values, into: null, below: null },
      notifications: [notification("SENT")],
    });

    expect([reason, message]).toEqual(["told", "The push service accepted the push for a device of this person."]);
  });

  it("names the silence before any other reason", () => {
    expect(explain({ held: "silenced", group: grouped, asPlanned: false })).toMatchObject({
      reason: "silenced",
      basis: "record",
    });
  });

  it("says who added the person to the event, or that the event was a notice for other people", () => {
    const added = { because: "told" as const, by: { id: "usr_bob", name: "Bob" } };
    const service = { id: "service", version: 0, name: "The service's own notices" };

    expect(explain({ planned: { added }, notifications: [notification("SENT")] }).message).toBe(
      "Notified because Bob added people to the event. The push service accepted the push for a device of this person.",
    );
    expect(explain({ planned: { rule: service }, rule: "gone", asPlanned: false })).toMatchObject({
      reason: "not_for_you",
      basis: "record",
    });
  });
});

describe("the explanation of an escalation that has not notified a person", () => {
  const next = {
    policy: { id: "pol_ladder", name: "Ladder" },
    step: 1,
    steps: 1,
    round: 1,
    rounds: 1,
    delayMinutes: 5,
    at: "2026-11-21T12:05:00.000Z",
    targets: [],
  };
  const waiting: EscalationState = { acknowledged: false, until: null, next };
  const acknowledged: EscalationState = { acknowledged: true, until: null, next: null };
  const ended: EscalationState = { acknowledged: false, until: null, next: null };
  const steps = (...targets: FrozenPolicy["steps"][number]["targets"]): FrozenPolicy => ({
    ...ladder,
    steps: [
      { delayMinutes: 5, targets: [] },
      { delayMinutes: 5, targets },
    ],
  });
  const user = (userId: string) => ({ type: "user" as const, userId });
  const group = (groupId: string) => ({ type: "group" as const, groupId, onCallOnly: false });
  const explainToCat = (escalation: EscalationState | undefined, policy: FrozenPolicy | undefined = ladder) =>
    explain({
      userId: "usr_cat",
      planned: { escalation: policy },
      ...(escalation === undefined ? {} : { escalation }),
    });

  it("says that the escalation will notify the person, according to today's groups", () => {
    expect(explainToCat(waiting)).toMatchObject({ reason: "not_yet", basis: "today", escalation: waiting });
  });

  it("says that the event was acknowledged before the escalation reached the person", () => {
    expect(explainToCat(acknowledged)).toMatchObject({ reason: "acknowledged_before", basis: "today" });
  });

  it.each([
    ["has ended", ended],
    ["never started", undefined],
  ])("says only that the person is not in the target groups if the escalation %s", (_, state) => {
    expect(explainToCat(state)).toMatchObject({
      reason: "not_in_target_groups",
      basis: "record",
      escalation: state ?? null,
    });
  });

  it.each([
    ["the person", "not_yet", [user("usr_ann"), user("usr_cat")]],
    ["the person's group", "not_yet", [group("grp_ops"), group("grp_lead")]],
    ["only groups that the person is not in", "not_in_target_groups", [group("grp_ops"), group("grp_gone")]],
    ["only other people", "not_in_target_groups", [user("usr_ann")]],
  ])("has the outcome $1 if the escalation names $0", (_, reason, targets) => {
    expect(explainToCat(waiting, steps(...targets)).reason).toBe(reason);
  });

  it("is not given to a person who has a notification by a rule: that notification is explained instead", () => {
    const notifications = [notification("FAILED", "No registered devices for user")];

    expect(
      explain({ userId: "usr_cat", planned: { escalation: ladder }, escalation: waiting, notifications }),
    ).toMatchObject({ reason: "no_device", basis: "record" });
  });
});
