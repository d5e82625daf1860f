import type { Answers } from "../../app/types.ts";

/** The operators in the order in which they are offered, each with the kind of value it takes. */
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

/** A condition as it is typed. `id` identifies it while conditions are added and removed. */
export type ConditionDraft = { id: number; field: string; operator: Operator; value: string; high: string };

/** A rule as it is typed. */
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
};

const valueOf = ({ operator, value, high }: ConditionDraft): string | string[] | undefined => {
  switch (operators[operator]) {
    case "none":
      return undefined;
    case "two":
      return [value.trim(), high.trim()];
    case "list":
      return value
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "");
    case "one":
      return value;
  }
};

/** Conditions as they are sent. Numbers are sent as they were typed: the API compares `5` and `"5"` as equal. */
export const toConditions = (conditions: readonly ConditionDraft[]) =>
  conditions.map((condition) => ({
    field: condition.field,
    operator: condition.operator,
    value: valueOf(condition),
  }));

/** What is sent of a draft. */
export const toInput = (draft: Draft) => ({
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
});

const text = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

export const toConditionDrafts = (conditions: Answers["RoutingRule"]["conditions"]): ConditionDraft[] =>
  conditions.map(({ field, operator, value }, id) => {
    const values = Array.isArray(value) ? value.map(text) : [text(value)];
    const isRange = operator === "between";
    return {
      id,
      field,
      operator,
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
});

/** Whether an event key fits a pattern: a single key, all of a resource, or everything. */
export const fits = (pattern: string, eventKey: string): boolean =>
  pattern === "*" || pattern === eventKey || (pattern.endsWith(".*") && eventKey.startsWith(pattern.slice(0, -1)));
