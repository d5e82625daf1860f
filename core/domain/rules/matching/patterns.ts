import * as v from "valibot";
import type { Fault } from "../../basics/refusal.ts";
import { PATTERNS_UNITS_MAX } from "./limits.ts";
import { operators } from "./operators.ts";
import { parsePlainPattern } from "./plain-pattern.ts";
import { estimatePatternCost } from "./price.ts";

/* The regular expressions of a workspace have a budget. Equal patterns use the budget only once, and plain texts use none. */

const Pattern = v.object({
  operator: v.literal("matches_regex"),
  value: v.string(),
  ignoreCase: v.optional(v.boolean()),
});

/** Returns the condition's regular expression; undefined if there is none, or if the expression is only a plain text. */
const readPatternSource = (condition: unknown): string | undefined => {
  if (!v.is(Pattern, condition)) return undefined;
  const form = operators.matches_regex.form(condition.value, condition.ignoreCase ?? false);
  return form.kind === "pattern" && parsePlainPattern(form.source) === undefined ? form.source : undefined;
};

/** Returns the regular expressions in lists of conditions, without those that are only a plain text. */
export const listPatterns = (lists: Iterable<readonly unknown[]>): Set<string> => {
  const found = new Set<string>();
  for (const conditions of lists)
    for (const condition of conditions) {
      const source = readPatternSource(condition);
      if (source !== undefined) found.add(source);
    }
  return found;
};

export const sumPatternCost = (patterns: Iterable<string>): number => {
  let units = 0;
  for (const pattern of patterns) units += estimatePatternCost(pattern);
  return units;
};

/** Returns the patterns that do not fit into the budget if the cheapest come first. */
export const findPatternsOverBudget = (patterns: Iterable<string>, budget: number): Set<string> => {
  const priced = [...patterns].map((pattern) => ({ pattern, units: estimatePatternCost(pattern) }));
  priced.sort((one, other) => one.units - other.units || (one.pattern < other.pattern ? -1 : 1));
  let left = budget;
  return new Set(priced.filter(({ units }) => (left -= units) < 0).map(({ pattern }) => pattern));
};

/** `prefix`: the rule's path in a request, such as `rules[3].`. */
export type LocatedConditions = { prefix: string; conditions: readonly unknown[] };

/** Returns a fault for the most expensive pattern if the budget is exceeded. `others`: the workspace's other patterns. */
export const findCostlyPatterns = (lists: readonly LocatedConditions[], others: Iterable<string> = []): Fault[] => {
  const own = lists.flatMap(({ prefix, conditions }) =>
    conditions.flatMap((condition, index) => {
      const source = readPatternSource(condition);
      if (source === undefined) return [];
      return [{ field: `${prefix}conditions[${index}].value`, source, units: estimatePatternCost(source) }];
    }),
  );
  const [first, ...rest] = own;
  if (first === undefined) return [];
  const together = sumPatternCost(new Set([...others, ...own.map(({ source }) => source)]));
  if (together <= PATTERNS_UNITS_MAX) return [];
  const { field, units } = rest.reduce((dearest, one) => (one.units > dearest.units ? one : dearest), first);
  const message =
    `The regular expressions of a workspace cost at most ${PATTERNS_UNITS_MAX} units; with this request they would ` +
    `cost ${together}. This regular expression is the most expensive of the request, with ${units} units. Lower its repetition counts, or use fewer character classes.`;
  return [{ field, code: "pattern_too_dear", message }];
};

const RuleWithConditions = v.looseObject({ conditions: v.array(v.unknown()) });
const Nested = v.looseObject({ rule: v.optional(v.unknown()), rules: v.optional(v.unknown()) });

const listRuleConditions = (prefix: string, value: unknown): LocatedConditions[] =>
  v.is(RuleWithConditions, value) ? [{ prefix, conditions: value.conditions }] : [];

/** Returns a fault if the request exceeds the budget. Must be called before validation, which compiles patterns. */
export const findCostlyPatternsInJson = (json: unknown): Fault[] => {
  const { rule, rules } = v.is(Nested, json) ? json : {};
  return findCostlyPatterns([
    ...listRuleConditions("", json),
    ...listRuleConditions("rule.", rule),
    ...(Array.isArray(rules) ? rules.flatMap((one, index) => listRuleConditions(`rules[${index}].`, one)) : []),
  ]);
};
