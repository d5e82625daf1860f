import { compileRules, type CompiledRules } from "./matching/index.ts";
import type { RoutingRule } from "./routing-rule.ts";
import { compileSilences, type Silence } from "./silence.ts";

/** Compiled rules, ready to match, with the rules themselves by id. */
export type RuleSet = {
  compiled: CompiledRules;
  byId: ReadonlyMap<string, RoutingRule>;
  /** The silence that covers an event, if one does. */
  silenceOf: ReturnType<typeof compileSilences>;
};

export const toRuleSet = (rules: readonly RoutingRule[], silences: readonly Silence[]): RuleSet => ({
  compiled: compileRules(rules),
  byId: new Map(rules.map((rule) => [rule.id, rule])),
  silenceOf: compileSilences(silences),
});
