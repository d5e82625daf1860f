import type { Condition, ConditionMatch } from "./stored-condition.ts";
import { nothing } from "./form.ts";
import { findOperator } from "./operators.ts";
import { isOrderingOperator, listPriorities } from "./priority.ts";
import { createProgram, type Program, type ReadyCondition } from "./program.ts";
import { createRegexPool, type RegexPool } from "./regex.ts";
import type { Meter } from "./search.ts";
import { createEventSlots, type EventSlots } from "./event-slots.ts";

/** The fields of a rule that the engine needs. `conditions`: empty by default; `enabled`: true by default. */
export type MatchableRule = {
  id: string;
  eventKey: string;
  conditions?: readonly Condition[] | undefined;
  conditionMatch?: ConditionMatch | undefined;
  enabled?: boolean | undefined;
};

export type Engine = { slots: EventSlots; program: Program; regexes: RegexPool; meter: Meter };

export const createEngine = (regexes: RegexPool = createRegexPool()): Engine => ({
  slots: createEventSlots(),
  program: createProgram(),
  regexes,
  meter: { spent: 0, limit: Number.POSITIVE_INFINITY, refused: false },
});

/** Returns what the condition tests; a condition with an unknown operator is always false. */
export const prepareCondition = (condition: Condition): ReadyCondition => {
  const { field, operator, value, not = false, ignoreCase = false } = condition;
  if (field === "priority" && isOrderingOperator(operator)) {
    const values = listPriorities(operator, value);
    return { field, form: { kind: "among", values, ignoresCase: false }, negated: not };
  }
  const known = findOperator(operator);
  if (known === undefined) return { field, form: nothing, negated: false };
  return { field, form: known.form(value, ignoreCase), negated: not !== (known.negates === true) };
};
