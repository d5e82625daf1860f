import { conditionTest, createBench, type MatchableRule } from "./evaluate.ts";
import { keyMatches } from "./event-key.ts";
import { fieldReader, type MatchableEvent } from "./field.ts";
import { EVENT_BUDGET_UNITS } from "./limits.ts";
import { operators } from "./operators.ts";
import { valueOf } from "./value.ts";

export type MatchOptions = {
  /** What the event may cost, in units of about 10 ns. */
  budgetUnits?: number;
};

export type MatchResult = {
  /** The ids of the rules that fire, in any order, those over budget among them. */
  matched: string[];
  /** The ids of the rules that fire because nothing was left to decide them: everything that was decided holds. */
  overBudget: string[];
  spentUnits: number;
};

export type CompiledRules = {
  /** The ids of the rules that match, in any order, whatever it costs. */
  (event: MatchableEvent): string[];
  /** The same within a budget. A rule that could not be decided fires: a page too many is better than one too few. */
  match(event: MatchableEvent, options?: MatchOptions): MatchResult;
};

export const compileRules = (rules: readonly MatchableRule[]): CompiledRules => {
  const bench = createBench();
  const compiled = rules
    .filter((rule) => rule.enabled ?? true)
    .map((rule) => ({
      id: rule.id,
      eventKey: rule.eventKey,
      any: rule.conditionMatch === "any",
      conditions: (rule.conditions ?? [])
        .toSorted((a, b) => operators[a.operator].effort - operators[b.operator].effort)
        .map((condition) => ({ read: fieldReader(condition.field), test: conditionTest(condition, bench) })),
    }));

  const match = (event: MatchableEvent, limit: number): MatchResult => {
    bench.spent = 0;
    bench.limit = limit;
    const matched: string[] = [];
    const overBudget: string[] = [];
    for (const { id, eventKey, any, conditions } of compiled) {
      if (!keyMatches(eventKey, event.eventKey)) continue;
      bench.refused = false;
      const holds = ({ read, test }: (typeof conditions)[number]) => test(valueOf(read(event)));
      const verdict = conditions.length === 0 || (any ? conditions.some(holds) : conditions.every(holds));
      if (verdict || bench.refused) matched.push(id);
      if (!verdict && bench.refused) overBudget.push(id);
    }
    return { matched, overBudget, spentUnits: bench.spent };
  };

  return Object.assign((event: MatchableEvent) => match(event, Number.POSITIVE_INFINITY).matched, {
    match: (event: MatchableEvent, options: MatchOptions = {}) =>
      match(event, options.budgetUnits ?? EVENT_BUDGET_UNITS),
  });
};
