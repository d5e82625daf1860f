import { describe, expect, it } from "vitest";
import { toDeliveryPlan, planRule } from "../../../../core/domain/planning/plan-delivery.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { aRule, ladder, NOON, people, to } from "../support.ts";

const content = { eventKey: "order.failed", title: "Order failed", body: "No stock", priority: "HIGH" as const };
const plan = (fields: Partial<RoutingRule> = {}, event: { requiresAck?: boolean } = {}) =>
  planRule(aRule(fields), { ...content, ...event }, people, NOON);

describe("a rule that matches an event", () => {
  it("notifies the rule's groups with the event's priority, without escalation", () => {
    expect(plan()).toEqual({
      rule: { id: "rule_1", version: 3, name: "Orders" },
      requiresAck: false,
      priority: "HIGH",
      priorityFrom: "event",
      recipients: [
        { userId: "usr_ann", reason: { groupId: "grp_ops" } },
        { userId: "usr_bob", reason: { groupId: "grp_ops" } },
      ],
    });
  });

  it("notifies only the people on call if the rule says so", () => {
    expect(plan({ onCallOnly: true }).recipients.map(({ userId }) => userId)).toEqual(["usr_bob"]);
  });

  it("names the groups in which nobody is reached", () => {
    expect(plan({ targets: to("grp_ops", "grp_gone") }).unreached).toEqual([
      { groupId: "grp_gone", because: "group_deleted" },
    ]);
    expect(plan({ targets: to("grp_lead"), onCallOnly: true }).unreached).toEqual([
      { groupId: "grp_lead", because: "nobody_on_call" },
    ]);
  });

  it.each([
    ["LOW", "LOW"],
    ["CRITICAL", "URGENT"],
  ] as const)("notifies with the priority $1 if the rule sets $0", (priorityOverride, priority) => {
    expect(plan({ priorityOverride })).toMatchObject({ priority, priorityFrom: "rule" });
  });

  it.each([
    ["requires no acknowledgement if the rule says so and the event says nothing", false, undefined, false],
    ["requires an acknowledgement if the rule says so and the event says nothing", true, undefined, true],
    ["requires an acknowledgement if the event says so, even if the rule does not", false, true, true],
    ["requires no acknowledgement if the event says so, even if the rule requires one", true, false, false],
  ])("%s", (_what, ofRule, ofEvent, expected) => {
    expect(plan({ requiresAck: ofRule }, ofEvent === undefined ? {} : { requiresAck: ofEvent }).requiresAck).toBe(
      expected,
    );
  });

  it("starts the rule's escalation policy if an acknowledgement is required", () => {
    expect(plan({ escalationPolicyId: "pol_ladder" }, { requiresAck: true }).escalation).toEqual(ladder);
  });

  it.each([
    ["no acknowledgement is required", { escalationPolicyId: "pol_ladder" }],
    ["the policy was deleted", { escalationPolicyId: "pol_gone", requiresAck: true }],
    ["the rule has no policy", { requiresAck: true }],
  ])("starts no escalation policy if %s", (_, fields) => {
    expect(plan(fields)).not.toHaveProperty("escalation");
  });
});

describe("the plan for an event", () => {
  it("has the effects of all rules in the order of their ids, for one instant and one version of the configuration", () => {
    const rules = [aRule({ id: "rule_b" }), aRule({ id: "rule_c", onCallOnly: true }), aRule({ id: "rule_a" })];

    const { rules: planned, ...rest } = toDeliveryPlan(
      rules,
      content,
      people,
      { rulesVersion: 7, peopleVersion: 9 },
      NOON,
    );

    expect(rest).toEqual({ at: NOON, rulesVersion: 7, peopleVersion: 9 });
    expect(planned.map(({ rule, recipients }) => [rule.id, recipients.length])).toEqual([
      ["rule_a", 2],
      ["rule_b", 2],
      ["rule_c", 1],
    ]);
  });
});
