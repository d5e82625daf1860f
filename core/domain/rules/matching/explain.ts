import { compileRules } from "./compile.ts";
import type { Condition, ConditionMatch } from "./stored-condition.ts";
import type { MatchableRule } from "./engine.ts";
import { matchesEventKey } from "../../basics/event-key.ts";
import { readField, type MatchableEvent } from "./field.ts";
import { createRegexPool, type RegexPool } from "./regex.ts";

type ConditionTrace = {
  field: string;
  operator: Condition["operator"];
  /** True if the condition has the option, otherwise absent. */
  not?: true;
  ignoreCase?: true;
  /** The condition's value; null if the operator takes no value. */
  expected: unknown;
  /** The event's value; null if the event lacks the field. */
  actual: unknown;
  /** Whether the event meets the condition, after negation by `not`. */
  verdict: boolean;
};

type RuleTrace = {
  matches: boolean;
  enabled: boolean;
  eventKey: { expected: string; actual: string; verdict: boolean };
  conditionMatch: ConditionMatch;
  conditions: ConditionTrace[];
};

/** Returns each condition's verdict; evaluates every condition, even if an earlier condition decides. */
export const explainRule = (
  rule: MatchableRule,
  event: MatchableEvent,
  regexes: RegexPool = createRegexPool(),
): RuleTrace => ({
  matches: compileRules([rule], { regexes })(event).length > 0,
  enabled: rule.enabled ?? true,
  eventKey: {
    expected: rule.eventKey,
    actual: event.eventKey,
    verdict: matchesEventKey(rule.eventKey, event.eventKey),
  },
  conditionMatch: rule.conditionMatch ?? "all",
  conditions: (rule.conditions ?? []).map((condition) => ({
    field: condition.field,
    operator: condition.operator,
    ...(condition.not ? { not: true } : {}),
    ...(condition.ignoreCase ? { ignoreCase: true } : {}),
    expected: condition.value ?? null,
    actual: readField(condition.field, event) ?? null,
    // Decides each condition as if it were a whole rule, by the code for real events.
    verdict: compileRules([{ id: "", eventKey: "*", conditions: [condition] }], { regexes })(event).length > 0,
  })),
});
