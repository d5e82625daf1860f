import type { Answers } from "../../app/types.ts";

/** Operators in the order of the menu. */
export const operators = {
  equals: "one",
  not_equals: "one",
  contains: "one",
  starts_with: "one",
  ends_with: "one",
  one_of: "list",
  not_one_of: "list",
  greater_than: "one",
  greater_than_or_equal: "one",
  less_than: "one",
  less_than_or_equal: "one",
  between: "two",
  is_empty: "none",
  is_not_empty: "none",
  matches_regex: "one",
} as const satisfies Record<string, "one" | "list" | "two" | "none">;
export type Operator = keyof typeof operators;
export const isOperator = (text: string): text is Operator => Object.hasOwn(operators, text);
export const operatorNames = Object.keys(operators).filter(isOperator);

/** `id`: identifies the condition while other conditions are added and removed. */
export type ConditionDraft = {
  id: number;
  field: string;
  not: boolean;
  operator: Operator;
  value: string;
  high: string;
  ignoreCase: boolean;
};

export const emptyCondition = { not: false, operator: "equals", value: "", high: "", ignoreCase: false } as const;

/** The operators that compare texts, and so can ignore case. */
const textOperators: ReadonlySet<Operator> = new Set([
  "equals",
  "not_equals",
  "contains",
  "starts_with",
  "ends_with",
  "one_of",
  "not_one_of",
  "matches_regex",
]);
export const comparesTexts = (operator: Operator): boolean => textOperators.has(operator);

/** Fields of an event that are not in `data`. */
export const eventFields = ["title", "body", "priority", "eventKey", "detail", "url", "sender"];

type Hours = NonNullable<Answers["RoutingRule"]["activeHours"]>[number];

export type Draft = {
  name: string;
  eventKey: string;
  groupIds: readonly string[];
  requiresAck: boolean;
  priority: "" | "LOW" | "NORMAL" | "HIGH" | "URGENT" | "CRITICAL";
  onCallOnly: boolean;
  policyId: string;
  conditionMatch: "all" | "any";
  conditions: readonly ConditionDraft[];
  enabled: boolean;
  fallback: boolean;
  activeHours: readonly (Omit<Hours, "days"> & { days: readonly Hours["days"][number][] })[];
  /** The time zone; empty if none is chosen. */
  timeZone: string;
  groups: boolean;
  groupBy: string;
  groupMinutes: string;
  counts: boolean;
  count: string;
  withinMinutes: string;
  /** The chain's name; empty if the rule is in no chain. */
  chain: string;
  position: string;
};

export const emptyDraft: Draft = {
  name: "",
  eventKey: "*",
  groupIds: [],
  requiresAck: true,
  priority: "",
  onCallOnly: false,
  policyId: "",
  conditionMatch: "all",
  conditions: [],
  enabled: true,
  fallback: false,
  activeHours: [],
  timeZone: "",
  groups: false,
  groupBy: "eventKey",
  groupMinutes: "30",
  counts: false,
  count: "5",
  withinMinutes: "10",
  chain: "",
  position: "",
};

const splitAtCommas = (value: string): string[] =>
  value
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Returns the value that the API expects for the operator; undefined if the operator needs no value. */
const toConditionValue = ({ operator, value, high }: ConditionDraft): string | string[] | undefined => {
  switch (operators[operator]) {
    case "none":
      return undefined;
    case "two":
      return [value.trim(), high.trim()];
    case "list":
      return splitAtCommas(value);
    case "one":
      return value;
  }
};

/** Converts drafts of conditions to the API's input. Numbers are sent as text, because the API treats `5` and `"5"` alike. */
export const toConditions = (conditions: readonly ConditionDraft[]) =>
  conditions.map((condition) => ({
    field: condition.field,
    operator: condition.operator,
    value: toConditionValue(condition),
    ...(condition.not ? { not: true } : {}),
    ...(condition.ignoreCase && comparesTexts(condition.operator) ? { ignoreCase: true } : {}),
  }));

export const toRuleInput = (draft: Draft) => ({
  name: draft.name,
  eventKey: draft.eventKey,
  targets: draft.groupIds.map((groupId) => ({ type: "group" as const, groupId })),
  conditions: toConditions(draft.conditions),
  conditionMatch: draft.conditionMatch,
  requiresAck: draft.requiresAck,
  priorityOverride: draft.priority === "" ? null : draft.priority,
  onCallOnly: draft.onCallOnly,
  escalationPolicyId: draft.policyId === "" ? null : draft.policyId,
  enabled: draft.enabled,
  fallback: draft.fallback,
  activeHours:
    draft.activeHours.length === 0 ? null : draft.activeHours.map((one) => ({ ...one, days: [...one.days] })),
  timeZone: draft.timeZone === "" ? null : draft.timeZone,
  groupBy: draft.groups ? splitAtCommas(draft.groupBy) : null,
  groupMinutes: draft.groups ? Number(draft.groupMinutes) : null,
  atLeast: draft.counts ? { count: Number(draft.count), withinMinutes: Number(draft.withinMinutes) } : null,
  chain: draft.chain === "" ? null : draft.chain,
  position: draft.chain === "" || draft.position === "" ? null : Number(draft.position),
});

const formatOperand = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

export const toConditionDrafts = (conditions: Answers["RoutingRule"]["conditions"]): ConditionDraft[] =>
  conditions.map(({ field, operator, value, not = false, ignoreCase = false }, id) => {
    const values = Array.isArray(value) ? value.map(formatOperand) : [formatOperand(value)];
    const isRange = operator === "between";
    return {
      id,
      field,
      not,
      operator,
      ignoreCase,
      value: isRange ? (values[0] ?? "") : values.join(", "),
      high: isRange ? (values[1] ?? "") : "",
    };
  });

export const toDraft = (rule: Answers["RoutingRule"]): Draft => ({
  name: rule.name,
  eventKey: rule.eventKey,
  groupIds: rule.targets.map(({ groupId }) => groupId),
  requiresAck: rule.requiresAck,
  priority: rule.priorityOverride ?? "",
  onCallOnly: rule.onCallOnly,
  policyId: rule.escalationPolicyId ?? "",
  conditionMatch: rule.conditionMatch,
  conditions: toConditionDrafts(rule.conditions),
  enabled: rule.enabled,
  fallback: rule.fallback,
  activeHours: rule.activeHours ?? [],
  timeZone: rule.timeZone ?? "",
  groups: rule.groupBy !== null,
  groupBy: rule.groupBy?.join(", ") ?? emptyDraft.groupBy,
  groupMinutes: String(rule.groupMinutes ?? emptyDraft.groupMinutes),
  counts: rule.atLeast !== null,
  count: String(rule.atLeast?.count ?? emptyDraft.count),
  withinMinutes: String(rule.atLeast?.withinMinutes ?? emptyDraft.withinMinutes),
  chain: rule.chain ?? "",
  position: String(rule.position ?? ""),
});
