import * as v from "valibot";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { wholeNumberSchema } from "../basics/number.ts";
import type { Fault } from "../basics/refusal.ts";
import { nameSchema } from "../basics/text.ts";
import type { RoutingRule } from "./routing-rule.ts";

/* Fallback rules are decided first, so that an unneeded fallback rule never suppresses the other rules of its chain. */

export const CHAIN_POSITION_MAX = 100_000;

export const Chain = v.nullable(nameSchema("chain", NAME_MAX_CODE_POINTS));
/** A rule's position in its chain; the rule with the lowest position is first. */
export const Position = v.nullable(wholeNumberSchema("position", 1, CHAIN_POSITION_MAX));

export type ChainPlace = Pick<RoutingRule, "chain" | "position">;

/** Returns a fault if only one of `chain` and `position` is set. */
export const findChainFaults = ({ chain, position }: ChainPlace): Fault[] => {
  if ((chain === null) === (position === null)) return [];
  return chain === null
    ? [{ field: "chain", code: "required", message: '"chain" is required with "position", such as "checkout".' }]
    : [{ field: "position", code: "required", message: '"position" is required with "chain", such as 10.' }];
};

export type PlacedRule = Pick<RoutingRule, "id" | "name" | "fallback" | "chain" | "position">;

const compareTexts = (first: string, second: string): number => (first < second ? -1 : Number(first > second));

/** Compares two rules for sorting: by position, then by name, then by id. */
export const compareInChain = (first: PlacedRule, second: PlacedRule): number =>
  (first.position ?? 0) - (second.position ?? 0) ||
  compareTexts(first.name, second.name) ||
  compareTexts(first.id, second.id);

/** Keeps each chain's first rule that certainly matches, and earlier rules that may match, whose ids are in `undecided`. */
const keepFirstRuleOfEachChain = <Rule extends PlacedRule>(
  rules: readonly Rule[],
  undecided: readonly string[],
): Rule[] => {
  const endless = new Set(undecided);
  const first = new Map<string, Rule>();
  for (const rule of rules) {
    if (rule.chain === null || endless.has(rule.id)) continue;
    const known = first.get(rule.chain);
    if (known === undefined || compareInChain(rule, known) < 0) first.set(rule.chain, rule);
  }
  return rules.filter((rule) => {
    const end = rule.chain === null ? undefined : first.get(rule.chain);
    return end === undefined || compareInChain(rule, end) <= 0;
  });
};

/** Returns the rules that apply: the first of each chain, and fallback rules only if no other rule matches. `undecided`: ids. */
export const findAppliedRules = <Rule extends PlacedRule>(
  matchingRules: Rule[],
  undecided: readonly string[] = [],
  hasChains = true,
): Rule[] => {
  const regular = matchingRules.filter(({ fallback }) => !fallback);
  const needed = regular.length === 0 ? matchingRules : regular;
  return hasChains ? keepFirstRuleOfEachChain(needed, undecided) : needed;
};

/** Rules that suppress other rules. `regular`: suppresses fallback rules. `chains`: the last rule that applies, by chain. */
export type DecidingRules = { regular?: PlacedRule | undefined; chains: ReadonlyMap<string, PlacedRule> };

export const NO_DECIDERS: DecidingRules = { chains: new Map() };

/** Returns the rules that keep other rules from applying. `appliedRules`: all rules that apply to the event. */
export const findDeciders = (appliedRules: readonly PlacedRule[]): DecidingRules => {
  const chains = new Map<string, PlacedRule>();
  for (const rule of appliedRules) {
    if (rule.chain === null) continue;
    const known = chains.get(rule.chain);
    if (known === undefined || compareInChain(known, rule) < 0) chains.set(rule.chain, rule);
  }
  return { regular: appliedRules.find(({ fallback }) => !fallback), chains };
};

/** Returns the rule that keeps the given rule of its chain from applying, if any. */
export const findPrecedingRule = (rule: PlacedRule, { chains }: DecidingRules): PlacedRule | undefined => {
  const decider = rule.chain === null ? undefined : chains.get(rule.chain);
  return decider !== undefined && compareInChain(decider, rule) < 0 ? decider : undefined;
};
