import { compileRules } from "./compile.ts";
import type { Condition, ConditionMatch } from "./stored-condition.ts";
import type { MatchableRule } from "./engine.ts";
import { keyMatches } from "../../event/event-key.ts";
import { readField, type MatchableEvent } from "./field.ts";

export type ConditionTrace = {
  field: string;
  operator: Condition["operator"];
  /** The condition's value; null for operators that take none. */
  expected: unknown;
  /** What the event holds there; null where it holds nothing. */
  actual: unknown;
  verdict: boolean;
};

export type RuleTrace = {
  matches: boolean;
  enabled: boolean;
  eventKey: { expected: string; actual: string; verdict: boolean };
  conditionMatch: ConditionMatch;
  conditions: ConditionTrace[];
};

/** Why a rule matches an event or does not: every condition with its verdict, also where an earlier one decided. */
export const explainRule = (rule: MatchableRule, event: MatchableEvent): RuleTrace => ({
  matches: compileRules([rule])(event).length > 0,
  enabled: rule.enabled ?? true,
  eventKey: { expected: rule.eventKey, actual: event.eventKey, verdict: keyMatches(rule.eventKey, event.eventKey) },
  conditionMatch: rule.conditionMatch ?? "all",
  conditions: (rule.conditions ?? []).map((condition) => ({
    field: condition.field,
    operator: condition.operator,
    expected: condition.value ?? null,
    actual: readField(condition.field, event) ?? null,
    // Each condition as a rule of its own: what delivery decides by decides here.
    verdict: compileRules([{ id: "", eventKey: "*", conditions: [condition] }])(event).length > 0,
  })),
});
