export { Condition, Conditions } from "./condition.ts";
export { compileRules, type CompiledRules } from "./compile.ts";
export { EventKey, EventKeyPattern, keyMatches } from "../../event/event-key.ts";
export { explainRule, type RuleTrace } from "./explain.ts";
export type { MatchableRule } from "./engine.ts";
export type { MatchableEvent } from "./field.ts";
export { EVENT_BUDGET_UNITS } from "./limits.ts";
export { canonicalPriority, PrioritySpelling } from "../../basics/priority.ts";
export { ConditionMatch, StoredConditions } from "./stored-condition.ts";
