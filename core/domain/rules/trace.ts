import * as v from "valibot";
import { toIso } from "../basics/time.ts";
import { Restriction } from "../basics/clock/week.ts";
import { compileHours } from "./active-hours.ts";
import { createRegexPool, explainRule, type MatchableEvent, type RegexPool } from "./matching/index.ts";
import { shownId, type RoutingRule } from "./routing-rule.ts";

const RuleName = v.object({ id: v.nullable(v.string()), name: v.string() });
type RuleName = v.InferOutput<typeof RuleName>;

/**
 * Why a rule does or does not apply to an event: its key and every condition, each with expected and actual value, its
 * hours, and whether it was needed.
 */
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
  /** Whether the event came in the rule's active hours; null for a rule that is always active. */
  activeHours: v.nullable(
    v.object({ expected: v.array(Restriction), timeZone: v.string(), actual: v.string(), verdict: v.boolean() }),
  ),
  /** Whether no other rule matched, or else one that did; null for a rule that is no fallback rule. */
  fallback: v.nullable(v.object({ verdict: v.boolean(), matched: v.nullable(RuleName) })),
});
export type Trace = v.InferOutput<typeof Trace>;

/**
 * Traces a rule on an event that came at a moment (milliseconds). `matched`: a rule that applies and is no fallback rule,
 * if there is one. `regexes`: compiled patterns, for those who trace several rules.
 */
export const traceRule = (
  rule: RoutingRule,
  event: MatchableEvent,
  receivedAt: number,
  matched: RuleName | undefined,
  regexes?: RegexPool,
): Trace => {
  const trace = explainRule(rule, event, regexes);
  const active = compileHours(rule)(receivedAt);
  const needed = !rule.fallback || matched === undefined;
  return {
    ...trace,
    matches: trace.matches && active && needed,
    activeHours:
      rule.activeHours === null
        ? null
        : {
            expected: rule.activeHours,
            timeZone: rule.timeZone ?? "UTC",
            actual: toIso(receivedAt),
            verdict: active,
          },
    fallback: rule.fallback ? { verdict: needed, matched: matched ?? null } : null,
  };
};

/** Traces rules of which these are all. */
export const traceRules = (
  rules: readonly RoutingRule[],
  event: MatchableEvent,
  receivedAt: number,
): { rule: RoutingRule; trace: Trace }[] => {
  const regexes = createRegexPool();
  const traced = rules.map((rule) => ({ rule, trace: traceRule(rule, event, receivedAt, undefined, regexes) }));
  const regular = traced.find(({ rule, trace }) => trace.matches && !rule.fallback)?.rule;
  if (regular === undefined) return traced;
  const matched = { id: shownId(regular.id), name: regular.name };
  return traced.map(({ rule, trace }) => ({
    rule,
    trace: rule.fallback ? traceRule(rule, event, receivedAt, matched, regexes) : trace,
  }));
};
