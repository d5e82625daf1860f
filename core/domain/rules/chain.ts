import * as v from "valibot";
import { NAME_MAX_CODE_POINTS } from "../basics/limits.ts";
import { wholeNumber } from "../basics/number.ts";
import type { Fault } from "../basics/refusal.ts";
import { nameText } from "../basics/text.ts";
import type { RoutingRule } from "./routing-rule.ts";

/*
 * Of the rules of a chain only the first that matches applies. Fallback rules are judged before chains: one applies
 * only if no other rule matches, so a fallback rule that is not needed never takes an event from a chain.
 */

export const CHAIN_POSITION_MAX = 100_000;

/** The chain of a rule, by its name; null for a rule without one. */
export const Chain = v.nullable(nameText("chain", NAME_MAX_CODE_POINTS));
/** Where in its chain a rule is; the lowest number comes first. */
export const Position = v.nullable(wholeNumber("position", 1, CHAIN_POSITION_MAX));

export type InChain = Pick<RoutingRule, "chain" | "position">;

/** The faults in the combination of both. */
export const chainFaults = ({ chain, position }: InChain): Fault[] => {
  if ((chain === null) === (position === null)) return [];
  return chain === null
    ? [{ field: "chain", code: "required", message: "chain is required with position, such as checkout." }]
    : [{ field: "position", code: "required", message: "position is required with chain, such as 10." }];
};

/** What decides whether a rule applies beside others. */
export type Placed = Pick<RoutingRule, "id" | "name" | "fallback" | "chain" | "position">;

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** The order of rules of one chain. Rules at one position are ordered by name, and then by id. */
export const inOrder = (one: Placed, other: Placed): number =>
  (one.position ?? 0) - (other.position ?? 0) || compare(one.name, other.name) || compare(one.id, other.id);

/**
 * Keeps the first rule of each chain. Undecided rules apply too, and do not end their chain: a rule that is decided later
 * may be the one that really matches.
 */
const firstOfEach = <Rule extends Placed>(rules: readonly Rule[], undecided: readonly string[]): Rule[] => {
  const endless = new Set(undecided);
  const first = new Map<string, Rule>();
  for (const rule of rules) {
    if (rule.chain === null || endless.has(rule.id)) continue;
    const known = first.get(rule.chain);
    if (known === undefined || inOrder(rule, known) < 0) first.set(rule.chain, rule);
  }
  return rules.filter((rule) => {
    const end = rule.chain === null ? undefined : first.get(rule.chain);
    return end === undefined || inOrder(rule, end) <= 0;
  });
};

/**
 * Returns the matching, active rules that apply: fallback rules only if there is no other, and of each chain the
 * first. `undecided`: the ids of rules that match because the budget ran out.
 */
export const applying = <Rule extends Placed>(
  matched: Rule[],
  undecided: readonly string[] = [],
  hasChains = true,
): Rule[] => {
  const regular = matched.filter(({ fallback }) => !fallback);
  const needed = regular.length === 0 ? matched : regular;
  return hasChains ? firstOfEach(needed, undecided) : needed;
};

/** The rules because of which others do not apply: one that is not a fallback rule, and the last that applies of each chain. */
export type Deciders = { regular?: Placed | undefined; chains: ReadonlyMap<string, Placed> };

export const NO_DECIDERS: Deciders = { chains: new Map() };

/** `applied`: all rules that apply to an event. */
export const decidersOf = (applied: readonly Placed[]): Deciders => {
  const chains = new Map<string, Placed>();
  for (const rule of applied) {
    if (rule.chain === null) continue;
    const known = chains.get(rule.chain);
    if (known === undefined || inOrder(known, rule) < 0) chains.set(rule.chain, rule);
  }
  return { regular: applied.find(({ fallback }) => !fallback), chains };
};

/** The rule of the same chain that comes before a rule and applies, if there is one. */
export const earlierInChain = (rule: Placed, { chains }: Deciders): Placed | undefined => {
  const decider = rule.chain === null ? undefined : chains.get(rule.chain);
  return decider !== undefined && inOrder(decider, rule) < 0 ? decider : undefined;
};
