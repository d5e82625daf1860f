import * as v from "valibot";
import { toIso } from "../basics/time.ts";
import { Restriction } from "../basics/clock/week.ts";
import { compileActiveHours } from "./active-hours.ts";
import { findAppliedRules, findDeciders, findPrecedingRule, NO_DECIDERS } from "./chain.ts";
import type { DecidingRules, PlacedRule } from "./chain.ts";
import { createRegexPool, explainRule, type MatchableEvent, type RegexPool } from "./matching/index.ts";
import { toRuleIdOrNull, type RoutingRule } from "./routing-rule.ts";

const RuleName = v.object({ id: v.nullable(v.string()), name: v.string() });

const toRuleName = ({ id, name }: PlacedRule): v.InferOutput<typeof RuleName> => ({ id: toRuleIdOrNull(id), name });

/** Shows why a rule matches: event key, conditions, active hours, and rules that take precedence. */
export const Trace = v.object({
  matches: v.boolean(),
  enabled: v.boolean(),
  eventKey: v.object({ expected: v.string(), actual: v.string(), verdict: v.boolean() }),
  conditionMatch: v.picklist(["all", "any"]),
  conditions: v.array(
    v.object({
      field: v.string(),
      operator: v.string(),
      not: v.exactOptional(v.literal(true)),
      ignoreCase: v.exactOptional(v.literal(true)),
      expected: v.unknown(),
      actual: v.unknown(),
      verdict: v.boolean(),
    }),
  ),
  /** How the rule's active hours decide; null if the rule is always active. */
  activeHours: v.nullable(
    v.object({ expected: v.array(Restriction), timeZone: v.string(), actual: v.string(), verdict: v.boolean() }),
  ),
  /** For a fallback rule: `verdict` is true if no regular rule matched; if not, the first regular rule that matched is named. */
  fallback: v.nullable(v.object({ verdict: v.boolean(), matched: v.nullable(RuleName) })),
  /** For a rule in a chain: `verdict` is true if no earlier rule of the chain matched; if not, the earlier rule is named. */
  chain: v.nullable(
    v.object({ name: v.string(), position: v.number(), verdict: v.boolean(), matched: v.nullable(RuleName) }),
  ),
});
export type Trace = v.InferOutput<typeof Trace>;

/** Explains whether a rule applies at `receivedAt` (ms). `deciders`: the rules that precede it. `regexes`: patterns to reuse. */
export const traceRule = (
  rule: RoutingRule,
  event: MatchableEvent,
  receivedAt: number,
  deciders: DecidingRules = NO_DECIDERS,
  regexes?: RegexPool,
): Trace => {
  const trace = explainRule(rule, event, regexes);
  const active = compileActiveHours(rule)(receivedAt);
  const { regular } = deciders;
  const needed = !rule.fallback || regular === undefined;
  const earlier = findPrecedingRule(rule, deciders);
  return {
    ...trace,
    matches: trace.matches && active && needed && earlier === undefined,
    activeHours:
      rule.activeHours === null
        ? null
        : {
            expected: rule.activeHours,
            timeZone: rule.timeZone ?? "UTC",
            actual: toIso(receivedAt),
            verdict: active,
          },
    fallback: rule.fallback ? { verdict: needed, matched: regular === undefined ? null : toRuleName(regular) } : null,
    chain:
      rule.chain === null
        ? null
        : {
            name: rule.chain,
            position: rule.position ?? 0,
            verdict: earlier === undefined,
            matched: earlier === undefined ? null : toRuleName(earlier),
          },
  };
};

/** Explains each rule. `rules`: must include all rules that may take precedence over other rules. */
export const traceRules = (
  rules: readonly RoutingRule[],
  event: MatchableEvent,
  receivedAt: number,
): { rule: RoutingRule; trace: Trace }[] => {
  const regexes = createRegexPool();
  const alone = rules.map((rule) => ({ rule, trace: traceRule(rule, event, receivedAt, NO_DECIDERS, regexes) }));
  const deciders = findDeciders(findAppliedRules(alone.flatMap(({ rule, trace }) => (trace.matches ? [rule] : []))));
  return alone.map(({ rule, trace }) => ({
    rule,
    trace: rule.fallback || rule.chain !== null ? traceRule(rule, event, receivedAt, deciders, regexes) : trace,
  }));
};
