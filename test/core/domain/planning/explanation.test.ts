import { describe, expect, it } from "vitest";
import type { PlannedRule } from "../../../../core/domain/delivery/delivery-plan.ts";
import type { FrozenPolicy } from "../../../../core/domain/escalation/escalation-policy.ts";
import {
  concludeExplanation,
  explainHeartbeat,
  explainMatched,
  explainUnmatched,
  type EscalationState,
  type ToldBy,
} from "../../../../core/domain/planning/explanation.ts";
import { traceRule } from "../../../../core/domain/rules/trace.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import type { GroupOfRule } from "../../../../core/domain/rules/grouping.ts";
import { aRule, ladder, NOON, people, to } from "../support.ts";

const event = { eventKey: "order.failed", title: "Order failed", body: "No stock", priority: "NORMAL" as const };

const notification = (status: ToldBy["status"], failedReason: string | null = null): ToldBy => ({
  id: "ntf_1",
  status,
  failedReason,
  quiet: null,
  rings: null,
  escalation: null,
});

/** What a matching rule did for Ann; by default it told nobody. */
const explain = (
  fields: {
    userId?: string;
    at?: number;
    rule?: Partial<RoutingRule> | "gone";
    planned?: Partial<PlannedRule>;
    notifications?: ToldBy[];
    escalation?: EscalationState;
    asPlanned?: boolean;
    held?: "silenced" | "flapping";
    group?: GroupOfRule;
  } = {},
) => {
  const snapshot = fields.rule === "gone" ? undefined : aRule(fields.rule);
  return explainMatched(
    {
      rule: { id: "rule_1", version: 3, name: "Orders" },
      requiresAck: false,
      priority: "NORMAL",
      priorityFrom: "event",
      recipients: [],
      ...fields.planned,
    },
    fields.userId ?? "usr_ann",
    fields.at ?? NOON,
    {
      snapshot,
      trace: snapshot && traceRule(snapshot, event, 0, undefined),
      notifications: fields.notifications ?? [],
      escalation: fields.escalation,
      people,
      asPlanned: fields.asPlanned ?? true,
      held: fields.held,
      group: fields.group ?? null,
    },
  );
};

describe("a rule that told somebody", () => {
  it("is explained by its notifications, its trace and the group that named the person", () => {
    const notifications = [notification("DELIVERED")];
    const planned = { recipients: [{ userId: "usr_ann", reason: { groupId: "grp_ops" } }] };

    expect(explain({ planned, notifications })).toEqual({
      id: "rule_1",
      version: 3,
      name: "Orders",
      reason: "told",
      message: "FCM took a push for a device of this person.",
      basis: "record",
      trace: {
        matches: true,
        enabled: true,
        eventKey: { expected: "order.failed", actual: "order.failed", verdict: true },
        conditionMatch: "all",
        conditions: [],
        activeHours: null,
        fallback: null,
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
  ] as const)("is %s where the notification is %s for: %s", (reason, status, failedReason) => {
    expect(explain({ notifications: [notification(status, failedReason)] }).reason).toBe(reason);
  });

  it("is explained by the most telling of its notifications", () => {
    const failed = notification("FAILED", "No registered devices for user");

    expect(explain({ notifications: [failed, notification("SENT"), notification("QUEUED")] }).reason).toBe("told");
    expect(explain({ notifications: [failed, notification("QUEUED")] }).reason).toBe("queued");
  });

  it("is known from the record, whatever has changed since", () => {
    expect(explain({ notifications: [notification("SENT")], asPlanned: false }).basis).toBe("record");
  });

  it("named the person by a group, although that one was removed from it since", () => {
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

describe("a rule that matched and did not tell somebody", () => {
  const unreached = (groupId: string, because: "group_deleted" | "group_empty" | "nobody_on_call") => ({
    unreached: [
      { groupId: "grp_other", because: "group_empty" as const },
      { groupId, because },
    ],
  });

  const nobodyOnCall = unreached("grp_ops", "nobody_on_call");

  it.each<[string, string, string, Parameters<typeof explain>[0]]>([
    ["in another group", "not_in_target_groups", "not_in_group", { userId: "usr_cat" }],
    ["of a group that is gone", "not_in_target_groups", "not_in_group", { rule: { targets: to("grp_gone") } }],
    ["who joined since", "changed", "in_reach", {}],
    ["who is on call since", "changed", "in_reach", { userId: "usr_bob", rule: { onCallOnly: true } }],
    ["not on call", "not_on_call", "not_on_call", { rule: { onCallOnly: true } }],
    ["not on call yet", "not_on_call", "not_on_call", { userId: "usr_bob", at: NOON - 1, rule: { onCallOnly: true } }],
    ["on call elsewhere", "not_in_target_groups", "not_in_group", { userId: "usr_cat", rule: { onCallOnly: true } }],
    ["like all of the group not on call", "not_on_call", "nobody_on_call", { planned: nobodyOnCall }],
    [
      "outside of a group without anybody on call",
      "not_in_target_groups",
      "not_in_group",
      { userId: "usr_cat", planned: nobodyOnCall },
    ],
    ["of a group that was empty", "no_group", "group_empty", { planned: unreached("grp_ops", "group_empty") }],
    ["of a group that was deleted", "no_group", "group_deleted", { planned: unreached("grp_ops", "group_deleted") }],
  ])("%s: %s (%s)", (_, reason, standing, fields) => {
    const explanation = explain(fields);

    expect(explanation.reason).toBe(reason);
    expect(explanation.groups.map((group) => group.standing)).toEqual([standing]);
  });

  it("is explained by the most telling of its groups", () => {
    const reasonOf = (...groupIds: string[]) =>
      explain({
        rule: { targets: to(...groupIds), onCallOnly: true },
        userId: "usr_ann",
        planned: unreached("grp_empty", "group_empty"),
      }).reason;

    expect(reasonOf("grp_empty", "grp_lead", "grp_ops")).toBe("not_on_call");
    expect(reasonOf("grp_empty", "grp_lead")).toBe("not_in_target_groups");
    expect(reasonOf("grp_empty")).toBe("no_group");
  });

  it("says of each group once how the person stands to it; a group that is gone has no name", () => {
    expect(explain({ rule: { targets: to("grp_ops", "grp_gone", "grp_ops", "grp_lead") } }).groups).toEqual([
      { groupId: "grp_ops", groupName: "Ops", standing: "in_reach" },
      { groupId: "grp_gone", groupName: null, standing: "not_in_group" },
      { groupId: "grp_lead", groupName: "Lead", standing: "not_in_group" },
    ]);
  });

  it("has no groups and no trace where its version is not kept any more", () => {
    expect(explain({ rule: "gone" })).toMatchObject({ reason: "not_in_target_groups", groups: [], trace: null });
  });

  it.each([
    ["record", "people have not changed", { userId: "usr_cat" }],
    ["today", "people have changed", { userId: "usr_cat", asPlanned: false }],
    ["record", "the groups were gone", { planned: unreached("grp_ops", "group_deleted"), asPlanned: false }],
  ])("is known from %s where %s", (basis, _, fields) => {
    expect(explain(fields).basis).toBe(basis);
  });
});

describe("a rule that was kept quiet", () => {
  const values = [{ field: "data.host", value: "db-1" }];
  const grouped = { values, into: "evt_0", below: null };

  it.each<[string, string, GroupOfRule]>([
    ["grouped", "Its group: data.host = db-1. It rang for evt_0.", grouped],
    ["grouped", "Its group is all events of the rule. It rang for evt_0.", { ...grouped, values: [] }],
    [
      "grouped",
      "Its group: data.host = db-1, title = nothing. It rang for evt_0.",
      { ...grouped, values: [...values, { field: "title", value: null }] },
    ],
    [
      "below_threshold",
      "Its group: data.host = db-1. It was number 2 of 5.",
      { values, into: null, below: { count: 2, of: 5 } },
    ],
  ])("is %s: %s", (reason, said, group) => {
    const explanation = explain({ group, asPlanned: false });

    expect(explanation).toMatchObject({ reason, basis: "record", group });
    expect(explanation.message).toMatch(/\. Its group/);
    expect(explanation.message.endsWith(` ${said}`)).toBe(true);
  });

  it("says nothing of its group where it rang", () => {
    const { reason, message } = explain({
      group: { values, into: null, below: null },
      notifications: [notification("SENT")],
    });

    expect([reason, message]).toEqual(["told", "FCM took a push for a device of this person."]);
  });

  it("is silenced before all", () => {
    expect(explain({ held: "silenced", group: grouped, asPlanned: false })).toMatchObject({
      reason: "silenced",
      basis: "record",
    });
  });

  it("says who added people, and that a notice was for others", () => {
    const added = { because: "told" as const, by: { id: "usr_bob", name: "Bob" } };
    const service = { id: "service", version: 0, name: "The service's own notices" };

    expect(explain({ planned: { added }, notifications: [notification("SENT")] }).message).toBe(
      "Told because Bob asked for it. FCM took a push for a device of this person.",
    );
    expect(explain({ planned: { rule: service }, rule: "gone", asPlanned: false })).toMatchObject({
      reason: "not_for_you",
      basis: "record",
    });
  });
});

describe("a heartbeat's event", () => {
  const miss = {
    id: "hbt_1",
    name: "Backup",
    missedAt: "2026-11-21T12:00:00.000Z",
    calledAt: null,
  };

  it("is explained by the call that did not come, or came again", () => {
    expect(explainHeartbeat(undefined)).toBeNull();
    expect(explainHeartbeat(miss)).toEqual({
      ...miss,
      message: 'The service made this event: no call of the heartbeat "Backup" had come by 2026-11-21T12:00:00.000Z.',
    });
    expect(explainHeartbeat({ ...miss, calledAt: "2026-11-21T13:00:00.000Z" })?.message).toBe(
      'The service made this event: the heartbeat "Backup", missed since 2026-11-21T12:00:00.000Z, called again at 2026-11-21T13:00:00.000Z.',
    );
  });
});

describe("an escalation that has not told somebody", () => {
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
  const forCat = (escalation: EscalationState | undefined, policy: FrozenPolicy | undefined = ladder) =>
    explain({
      userId: "usr_cat",
      planned: { escalation: policy },
      ...(escalation === undefined ? {} : { escalation }),
    });

  it("tells the person later, as today's groups say", () => {
    expect(forCat(waiting)).toMatchObject({ reason: "not_yet", basis: "today", escalation: waiting });
  });

  it("was acknowledged before", () => {
    expect(forCat(acknowledged)).toMatchObject({ reason: "acknowledged_before", basis: "today" });
  });

  it.each([
    ["has run its course", ended],
    ["was never armed", undefined],
  ])("says nothing where it %s", (_, state) => {
    expect(forCat(state)).toMatchObject({ reason: "not_in_target_groups", basis: "record", escalation: state ?? null });
  });

  it.each([
    ["user by user", "not_yet", [user("usr_ann"), user("usr_cat")]],
    ["by group", "not_yet", [group("grp_ops"), group("grp_lead")]],
    ["by no group", "not_in_target_groups", [group("grp_ops"), group("grp_gone")]],
    ["not at all", "not_in_target_groups", [user("usr_ann")]],
  ])("names people %s: %s", (_, reason, targets) => {
    expect(forCat(waiting, steps(...targets)).reason).toBe(reason);
  });

  it("says less than a notification that was made", () => {
    const notifications = [notification("FAILED", "No registered devices for user")];

    expect(
      explain({ userId: "usr_cat", planned: { escalation: ladder }, escalation: waiting, notifications }),
    ).toMatchObject({ reason: "no_device", basis: "record" });
  });
});

describe("a rule that did not match", () => {
  const unmatched = (rule: Partial<RoutingRule>) => {
    const then = aRule(rule);
    return explainUnmatched(then, traceRule(then, event, 0, undefined));
  };
  const never = [{ field: "title", operator: "equals" as const, value: "Order paid" }];

  const [holds, differs] = [
    { field: "title", operator: "equals" as const, value: "Order failed" },
    { field: "title", operator: "equals" as const, value: "Order paid" },
  ];
  const night = {
    activeHours: [{ days: ["sat" as const], from: "20:00", to: "22:00" }],
    timeZone: "UTC",
  };

  it.each([
    ["one of all", "conditions_differ", { conditions: [holds, differs], conditionMatch: "all" as const }],
    ["one of any", "outside_active_hours", { conditions: [holds, differs], conditionMatch: "any" as const }],
    ["none of any", "conditions_differ", { conditions: [differs], conditionMatch: "any" as const }],
    ["all of all", "outside_active_hours", { conditions: [holds], conditionMatch: "all" as const }],
    ["no condition", "outside_active_hours", {}],
  ])("looks at %s before its hours: %s", (_, reason, rule) => {
    const then = aRule({ ...night, ...rule });

    expect(explainUnmatched(then, traceRule(then, event, NOON, undefined)).reason).toBe(reason);
  });

  it("was not needed beside one that matched", () => {
    const then = aRule({ fallback: true });

    expect(explainUnmatched(then, traceRule(then, event, NOON, { id: "rule_2", name: "Others" }))).toMatchObject({
      reason: "fallback_not_needed",
      message: 'It is a fallback rule, and rule "Others" matched.',
    });
  });

  it.each([
    ["has a condition that does not hold", "conditions_differ", "record", { conditions: never }],
    ["is for another event key", "event_key_differs", "record", { eventKey: "order.paid" }],
    ["differs in both", "event_key_differs", "record", { eventKey: "order.paid", conditions: never }],
    ["is disabled", "rule_disabled", "record", { enabled: false }],
    ["is disabled and differs", "rule_disabled", "record", { enabled: false, eventKey: "order.paid" }],
    ["would match by now", "changed", "today", {}],
  ])("and %s: %s, known from %s", (_, reason, basis, rule) => {
    expect(unmatched(rule)).toMatchObject({ reason, basis });
  });

  it("has a trace that shows it, and neither groups nor notifications", () => {
    expect(unmatched({ conditions: never })).toMatchObject({
      id: "rule_1",
      version: 3,
      name: "Orders",
      message: "The rule's conditions did not hold; the trace shows which.",
      trace: { matches: false, conditions: [{ expected: "Order paid", actual: "Order failed", verdict: false }] },
      groups: [],
      notifications: [],
      escalation: null,
    });
  });
});

describe("what all rules come down to", () => {
  const named = (id: string, fields: Parameters<typeof explain>[0]) => ({ ...explain(fields), id, name: id });
  const toldBy = () => named("rule_told", { notifications: [notification("SENT")] });
  const queued = () => named("rule_queued", { notifications: [notification("QUEUED")] });
  const noGroup = () =>
    named("rule_empty", { planned: { unreached: [{ groupId: "grp_ops", because: "group_empty" }] } });
  const differing = (id: string) => {
    const rule = aRule({ id, conditions: [{ field: "title", operator: "equals", value: "Order paid" }] });
    return explainUnmatched(rule, traceRule(rule, event, 0, undefined));
  };

  it("is the most telling of them, and the others after it", () => {
    const { told, summary, rules } = concludeExplanation(true, [
      differing("rule_b"),
      queued(),
      differing("rule_c"),
      differing("rule_a"),
      toldBy(),
    ]);

    expect(told).toBe(true);
    expect(summary).toBe('Rule "rule_told": FCM took a push for a device of this person.');
    expect(rules.map(({ id }) => id)).toEqual(["rule_told", "rule_queued", "rule_a", "rule_b", "rule_c"]);
  });

  it("is that nobody was told, although a rule matched", () => {
    expect(concludeExplanation(true, [differing("rule_a"), noGroup()])).toMatchObject({
      told: false,
      summary: 'Rule "rule_empty": The rule matched, but its target groups were deleted or empty.',
    });
  });

  it.each([
    ["none is there", []],
    ["the conditions of all differ", ["rule_a"]],
  ])("is that no rule matched, where %s", (_, ids) => {
    const rules = ids.map(differing);

    expect(concludeExplanation(true, rules)).toEqual({
      told: false,
      summary: "No rule matched this event.",
      rules,
    });
  });

  it("is a silence that kept it still, or that it outlasted", () => {
    const quiet = { id: "sil_1", name: "Works" };

    expect(concludeExplanation(true, [noGroup()], { silence: { ...quiet, recipients: 2 } }).summary).toBe(
      'Silence "Works" kept this event still: nobody was told.',
    );
    expect(concludeExplanation(true, [toldBy()], { after: quiet }).summary).toBe(
      'Rule "rule_told": FCM took a push for a device of this person. It was told when the silence "Works" ended.',
    );
  });

  it("is what the service itself had to say", () => {
    const notice = { to: "owners" as const, because: "no rule matched it" };
    const said = "Told to the owners because no rule matched it.";

    expect(concludeExplanation(true, [toldBy()], { notice }).summary).toBe(
      `${said} FCM took a push for a device of this person.`,
    );
    expect(concludeExplanation(true, [], { notice }).summary).toBe(said);
    expect(concludeExplanation(true, [{ ...toldBy(), id: "service" }]).summary).toBe(
      "FCM took a push for a device of this person.",
    );
  });

  it("is nothing before the rules have been asked", () => {
    expect(concludeExplanation(false, [])).toEqual({
      told: false,
      summary: "The rules have not been asked yet.",
      rules: [],
    });
  });
});
