import type { Condition, ConditionMatch } from "./condition.ts";
import { keyMatches } from "./event-key.ts";
import { fieldReader, type MatchableEvent } from "./field.ts";
import { operators, type Bench, type Test } from "./operators.ts";
import { createRegexPool } from "./regex.ts";
import { valueOf, type Value } from "./value.ts";

/** What the engine reads of a rule; other fields are ignored. Absent conditions are none, absent `enabled` is true. */
export type MatchableRule = {
  id: string;
  eventKey: string;
  conditions?: readonly Condition[] | undefined;
  conditionMatch?: ConditionMatch | undefined;
  enabled?: boolean | undefined;
};

export const createBench = (): Bench => ({
  regexes: createRegexPool(),
  spent: 0,
  limit: Number.POSITIVE_INFINITY,
  refused: false,
});

const never: Test = () => false;
const critical: Value = valueOf("CRITICAL");

/** One condition as a test of its field's value. The only place where a condition gets its meaning. */
export const conditionTest = ({ field, operator, value }: Condition, bench: Bench): Test => {
  // Only a rule that was never validated names another operator: it cannot hold, and must not stop the others.
  if (!Object.hasOwn(operators, operator)) return never;
  const entry = operators[operator];
  const test = entry.test(value, bench);
  if (field !== "priority") return test;
  // URGENT and CRITICAL are one value with two spellings: what holds for either holds.
  return entry.negates === true
    ? (found) => test(found) && (found.raw !== "URGENT" || test(critical))
    : (found) => test(found) || (found.raw === "URGENT" && test(critical));
};

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
export const explainRule = (rule: MatchableRule, event: MatchableEvent): RuleTrace => {
  const bench = createBench();
  const conditions = (rule.conditions ?? []).map((condition): ConditionTrace => {
    const found = fieldReader(condition.field)(event);
    return {
      field: condition.field,
      operator: condition.operator,
      expected: condition.value ?? null,
      actual: found ?? null,
      verdict: conditionTest(condition, bench)(valueOf(found)),
    };
  });
  const conditionMatch = rule.conditionMatch ?? "all";
  const enabled = rule.enabled ?? true;
  const eventKey = {
    expected: rule.eventKey,
    actual: event.eventKey,
    verdict: keyMatches(rule.eventKey, event.eventKey),
  };
  const holds =
    conditions.length === 0 ||
    (conditionMatch === "all" ? conditions.every((trace) => trace.verdict) : conditions.some((trace) => trace.verdict));
  return { matches: enabled && eventKey.verdict && holds, enabled, eventKey, conditionMatch, conditions };
};
