import type { Condition, ConditionMatch } from "./stored-condition.ts";
import { nothing } from "./form.ts";
import { operatorOf } from "./operators.ts";
import { ordersPriorities, prioritiesThatAre } from "./priority.ts";
import { createProgram, type Program, type ReadyCondition } from "./program.ts";
import { createRegexPool, type RegexPool } from "./regex.ts";
import type { Meter } from "./search.ts";
import { createEventSlots, type EventSlots } from "./slot.ts";

/** The fields of a rule that the engine reads. Without `conditions` it has none; without `enabled` it is enabled. */
export type MatchableRule = {
  id: string;
  eventKey: string;
  conditions?: readonly Condition[] | undefined;
  conditionMatch?: ConditionMatch | undefined;
  enabled?: boolean | undefined;
};

/** What all buckets of one rule set share. */
export type Engine = { view: EventSlots; program: Program; regexes: RegexPool; meter: Meter };

export const createEngine = (): Engine => ({
  view: createEventSlots(),
  program: createProgram(),
  regexes: createRegexPool(),
  meter: { spent: 0, limit: Number.POSITIVE_INFINITY, refused: false },
});

/** A condition as the engine needs it. One that was never validated never holds, and must not stop the others. */
export const readyCondition = ({ field, operator, value }: Condition): ReadyCondition => {
  if (field === "priority" && ordersPriorities(operator))
    return { field, form: { kind: "among", values: prioritiesThatAre(operator, value) }, negated: false };
  const known = operatorOf(operator);
  return { field, form: known?.form(value) ?? nothing, negated: known?.negates === true };
};
