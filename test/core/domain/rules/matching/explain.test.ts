import { expect, test } from "vitest";
import {
  explainRule,
  type MatchableEvent,
  type MatchableRule,
} from "../../../../../core/domain/rules/matching/index.ts";

const anEvent: MatchableEvent = {
  eventKey: "refund.created",
  title: "Refund of 1,200",
  body: "",
  priority: "CRITICAL",
  data: { amount: "1200.00", env: "production", flag: true },
};

const aRule = (more: Partial<MatchableRule> = {}): MatchableRule => ({ id: "rule_1", eventKey: "refund.*", ...more });

test("an explained match says for each condition what was expected, what the event has, and whether the condition is met", () => {
  const rule = aRule({
    conditions: [
      { field: "data.amount", operator: "greater_than", value: 2000 },
      { field: "priority", operator: "one_of", value: ["CRITICAL"] },
      { field: "data.flag", operator: "equals", value: true },
      { field: "data.note", operator: "is_empty" },
      { field: "title", operator: "contains", value: "REFUND", not: true, ignoreCase: true },
    ],
  });

  expect(explainRule(rule, anEvent)).toEqual({
    matches: false,
    enabled: true,
    eventKey: { expected: "refund.*", actual: "refund.created", verdict: true },
    conditionMatch: "all",
    conditions: [
      { field: "data.amount", operator: "greater_than", expected: 2000, actual: "1200.00", verdict: false },
      { field: "priority", operator: "one_of", expected: ["CRITICAL"], actual: "URGENT", verdict: true },
      { field: "data.flag", operator: "equals", expected: true, actual: true, verdict: true },
      { field: "data.note", operator: "is_empty", expected: null, actual: null, verdict: true },
      {
        field: "title",
        operator: "contains",
        not: true,
        ignoreCase: true,
        expected: "REFUND",
        actual: "Refund of 1,200",
        verdict: false,
      },
    ],
  });
});

test("a rule that is disabled or for another event key does not match, whatever its conditions are", () => {
  expect(explainRule(aRule({ enabled: false }), anEvent)).toMatchObject({ matches: false, enabled: false });
  expect(explainRule(aRule({ eventKey: "refund.failed" }), anEvent)).toMatchObject({
    matches: false,
    eventKey: { expected: "refund.failed", actual: "refund.created", verdict: false },
  });
  expect(explainRule(aRule(), anEvent)).toMatchObject({ matches: true, conditions: [] });
});

test("a rule that requires any one of its conditions matches if one of them is met", () => {
  const conditions = [
    { field: "data.env", operator: "equals", value: "test" },
    { field: "title", operator: "starts_with", value: "Refund" },
  ] as const;

  expect(explainRule(aRule({ conditions, conditionMatch: "any" }), anEvent).matches).toBe(true);
  expect(explainRule(aRule({ conditions, conditionMatch: "all" }), anEvent).matches).toBe(false);
});
