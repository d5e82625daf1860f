import { collectMatches, createBucket, prepareBucket, type Bucket, type RuleMatches } from "./bucket.ts";
import { parseEventKeyPattern, parseResource } from "../../basics/event-key.ts";
import { createEngine, type MatchableRule } from "./engine.ts";
import type { MatchableEvent } from "./field.ts";
import { EVENT_BUDGET_UNITS } from "./limits.ts";
import { findPatternsOverBudget, listPatterns } from "./patterns.ts";
import { createRegexPool, type RegexPool } from "./regex.ts";
import { setCurrentEvent } from "./event-slots.ts";

export type MatchOptions = {
  /** How long matching an event may take, in units of about 10 ns. */
  budgetUnits?: number;
};

export type MatchResult = {
  /** The ids of the rules that fire, in any order; includes `overBudget`. */
  matched: string[];
  /** Rules that fire because the budget ran out before they were decided. */
  overBudget: string[];
  spentUnits: number;
};

export type CompiledRules = {
  /** Returns the ids of matching rules in any order, without a budget. */
  (event: MatchableEvent): string[];
  /** Matches events within a budget. An undecided rule fires, because an unneeded page is better than a missing page. */
  match(event: MatchableEvent, options?: MatchOptions): MatchResult;
  /** The memory of all compiled patterns, in bytes. */
  estimateBytes(): number;
};

export type CompileOptions = {
  /** The budget for compiling patterns. Every instance leaves out the same patterns: the most expensive beyond the budget. */
  patternsUnits?: number;
  /** Compiled patterns that rule sets share and that `patternsUnits` does not limit. */
  regexes?: RegexPool;
};

const KNOWN_KEYS_MAX = 1_000;

/** Returns a function that matches events. `patternsUnits`: the budget for all patterns. `regexes`: shared compiled patterns. */
export const compileRules = (
  rules: readonly MatchableRule[],
  { patternsUnits = Number.POSITIVE_INFINITY, regexes }: CompileOptions = {},
): CompiledRules => {
  const listPatternsBeyondBudget = () =>
    patternsUnits === Number.POSITIVE_INFINITY
      ? new Set<string>()
      : findPatternsOverBudget(
          listPatterns(rules.map(({ enabled, conditions = [] }) => (enabled === false ? [] : conditions))),
          patternsUnits,
        );
  const engine = createEngine(regexes ?? createRegexPool({ beyond: listPatternsBeyondBudget }));
  const every = createBucket();
  const byResource = new Map<string, Bucket>();
  const byKey = new Map<string, Bucket>();

  const findOrAddBucket = (buckets: Map<string, Bucket>, key: string): Bucket => {
    const known = buckets.get(key);
    if (known !== undefined) return known;
    const bucket = createBucket();
    buckets.set(key, bucket);
    return bucket;
  };

  const findOrAddBucketForKey = (eventKey: string): Bucket => {
    const pattern = parseEventKeyPattern(eventKey);
    switch (pattern.kind) {
      case "all":
        return every;
      case "resource":
        return findOrAddBucket(byResource, pattern.resource);
      case "exact":
        return findOrAddBucket(byKey, pattern.key);
    }
  };

  for (const rule of rules) {
    if (rule.enabled === false) continue;
    const bucket = findOrAddBucketForKey(rule.eventKey);
    if ((rule.conditions?.length ?? 0) === 0) bucket.unconditional.push(rule.id);
    else bucket.rules.push(rule);
  }

  /** The buckets of rules, by event key. The map has a limited number of event keys, because senders can choose any event keys. */
  const known = new Map<string, readonly Bucket[]>();
  const findBuckets = (eventKey: string): readonly Bucket[] => {
    const remembered = known.get(eventKey);
    if (remembered !== undefined) return remembered;
    const buckets = [byKey.get(eventKey), byResource.get(parseResource(eventKey)), every];
    const found = buckets.filter((bucket) => bucket !== undefined);
    for (const bucket of found) prepareBucket(bucket, engine);
    if (known.size < KNOWN_KEYS_MAX) known.set(eventKey, found);
    return found;
  };

  const matchEvent = (event: MatchableEvent, budgetUnits: number): RuleMatches => {
    const { meter, slots } = engine;
    engine.regexes.tidy();
    meter.spent = 0;
    meter.limit = budgetUnits;
    const matches: RuleMatches = { matched: [], overBudget: [] };
    const buckets = findBuckets(event.eventKey);
    setCurrentEvent(slots, event);
    for (const bucket of buckets) collectMatches(bucket, engine, matches);
    return matches;
  };

  return Object.assign((event: MatchableEvent) => matchEvent(event, Number.POSITIVE_INFINITY).matched, {
    match: (event: MatchableEvent, options: MatchOptions = {}) => ({
      ...matchEvent(event, options.budgetUnits ?? EVENT_BUDGET_UNITS),
      spentUnits: engine.meter.spent,
    }),
    estimateBytes: () => engine.regexes.estimateBytes(),
  });
};
