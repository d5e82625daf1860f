import { describe, expect, it } from "vitest";
import { explainUnmatchedRule } from "../../../../core/domain/planning/explanation.ts";
import { findDeciders } from "../../../../core/domain/rules/chain.ts";
import { traceRule } from "../../../../core/domain/rules/trace.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { aRule, NOON } from "../support.ts";
import { event } from "./explaining.ts";

describe("the explanation of a rule that did not match", () => {
  const explainRule = (rule: Partial<RoutingRule>) => {
    const then = aRule(rule);
    return explainUnmatchedRule(then, traceRule(then, event, 0, undefined));
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
    [
      "one of two conditions holds and both must",
      "conditions_differ",
      { conditions: [holds, differs], conditionMatch: "all" as const },
    ],
    [
      "one of two conditions holds and one is enough",
      "outside_active_hours",
      { conditions: [holds, differs], conditionMatch: "any" as const },
    ],
    [
      "no condition holds and one is enough",
      "conditions_differ",
      { conditions: [differs], conditionMatch: "any" as const },
    ],
    ["every condition holds", "outside_active_hours", { conditions: [holds], conditionMatch: "all" as const }],
    ["the rule has no condition", "outside_active_hours", {}],
  ])("checks conditions before active hours: if %s, the reason is %s", (_, reason, rule) => {
    const then = aRule({ ...night, ...rule });

    expect(explainUnmatchedRule(then, traceRule(then, event, NOON, undefined)).reason).toBe(reason);
  });

  it("says that a fallback rule was not needed beside a matching rule", () => {
    const then = aRule({ fallback: true });

    const deciders = findDeciders([aRule({ id: "rule_2", name: "Others" })]);

    expect(explainUnmatchedRule(then, traceRule(then, event, NOON, deciders))).toMatchObject({
      reason: "fallback_not_needed",
      message: 'This is a fallback rule, and the rule "Others" matched.',
    });
  });

  it("says that an earlier rule of its chain matched", () => {
    const then = aRule({ chain: "checkout", position: 2 });
    const deciders = findDeciders([aRule({ id: "rule_2", name: "First", chain: "checkout", position: 1 })]);

    expect(explainUnmatchedRule(then, traceRule(then, event, NOON, deciders))).toMatchObject({
      reason: "earlier_in_chain",
      message: 'An earlier rule of the chain "checkout" matched: "First".',
    });
  });

  it.each([
    ["has a condition that does not hold", "conditions_differ", "record", { conditions: never }],
    ["is for another event key", "event_key_differs", "record", { eventKey: "order.paid" }],
    ["differs in key and conditions", "event_key_differs", "record", { eventKey: "order.paid", conditions: never }],
    ["is disabled", "rule_disabled", "record", { enabled: false }],
    ["is disabled and for another event key", "rule_disabled", "record", { enabled: false, eventKey: "order.paid" }],
    ["would match today", "changed", "today", {}],
  ])('gives, for a rule that %s, the reason "%s" with the basis "%s"', (_, reason, basis, rule) => {
    expect(explainRule(rule)).toMatchObject({ reason, basis });
  });

  it("has a trace that shows the mismatch, and no groups or notifications", () => {
    expect(explainRule({ conditions: never })).toMatchObject({
      id: "rule_1",
      version: 3,
      name: "Orders",
      message: "The rule's conditions were not met. The trace shows which.",
      trace: { matches: false, conditions: [{ expected: "Order paid", actual: "Order failed", verdict: false }] },
      groups: [],
      notifications: [],
      escalation: null,
    });
  });
});
