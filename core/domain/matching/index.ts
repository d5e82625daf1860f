export { Condition, ConditionMatch, Conditions, operatorNames, StoredConditions } from "./condition.ts";
export { compileRules, type CompiledRules, type MatchOptions, type MatchResult } from "./compile.ts";
export { EventKey, EventKeyPattern } from "./event-key.ts";
export { explainRule, type ConditionTrace, type RuleTrace } from "./explain.ts";
export type { MatchableRule } from "./engine.ts";
export type { MatchableEvent } from "./field.ts";
export { EVENT_BUDGET_UNITS } from "./limits.ts";
export type { OperatorName } from "./operators.ts";
export { canonicalPriority, PRIORITIES, PRIORITY_SPELLINGS, PrioritySpelling, type Priority } from "./priority.ts";
