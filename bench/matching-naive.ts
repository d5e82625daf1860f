import { RE2JS } from "re2js";
import type { MatchableEvent, MatchableRule } from "../core/domain/rules/matching/index.ts";

type Condition = NonNullable<MatchableRule["conditions"]>[number];
type Scalar = string | number | boolean;

const DECIMAL = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?$/u;

/** Reads the text or number at a path in the event. Returns undefined for every other value. */
const readField = (path: readonly string[], event: MatchableEvent): string | number | undefined => {
  let found: unknown = event;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return typeof found === "string" || typeof found === "number" ? found : undefined;
};

const toNumberOrNaN = (value: unknown): number => {
  if (typeof value === "number") return value;
  return typeof value === "string" && DECIMAL.test(value) ? Number(value) : Number.NaN;
};

const equalsScalar = (value: string | number | undefined, expected: Scalar): boolean => {
  if (value === undefined) return false;
  if (typeof value === "number" || typeof expected === "number")
    return toNumberOrNaN(value) === toNumberOrNaN(expected);
  return value === String(expected);
};

/** Returns the value of a condition; "" if the condition has a list of values or no value. */
const toScalarOrEmpty = (value: Condition["value"]): Scalar =>
  typeof value === "object" || value === undefined ? "" : value;
const toScalarList = (value: Condition["value"]): readonly Scalar[] => (typeof value === "object" ? value : []);

type Prepared = {
  rule: MatchableRule;
  conditions: { condition: Condition; path: string[]; regex: RE2JS | undefined }[];
};

const meetsCondition = ({ condition, path, regex }: Prepared["conditions"][number], event: MatchableEvent): boolean => {
  const { operator, value } = condition;
  const found = readField(path, event);
  const text = found === undefined ? undefined : String(found);
  switch (operator) {
    case "equals":
      return equalsScalar(found, toScalarOrEmpty(value));
    case "not_equals":
      return !equalsScalar(found, toScalarOrEmpty(value));
    case "one_of":
      return toScalarList(value).some((item) => equalsScalar(found, item));
    case "not_one_of":
      return !toScalarList(value).some((item) => equalsScalar(found, item));
    case "contains":
      return text?.includes(String(value)) ?? false;
    case "starts_with":
      return text?.startsWith(String(value)) ?? false;
    case "ends_with":
      return text?.endsWith(String(value)) ?? false;
    case "greater_than":
      return toNumberOrNaN(found) > toNumberOrNaN(value);
    case "greater_than_or_equal":
      return toNumberOrNaN(found) >= toNumberOrNaN(value);
    case "less_than":
      return toNumberOrNaN(found) < toNumberOrNaN(value);
    case "less_than_or_equal":
      return toNumberOrNaN(found) <= toNumberOrNaN(value);
    case "between": {
      const number = toNumberOrNaN(found);
      const [low, high] = toScalarList(value);
      return number >= toNumberOrNaN(low) && number <= toNumberOrNaN(high);
    }
    case "is_empty":
      return found === undefined || found === "";
    case "is_not_empty":
      return found !== undefined && found !== "";
    case "matches_regex":
      return text !== undefined && regex !== undefined && regex.test(text);
  }
};

const matchesKey = (pattern: string, key: string): boolean =>
  pattern === "*" || pattern === key || (pattern.endsWith(".*") && key.startsWith(pattern.slice(0, -1)));

/** Returns a function that tries each rule, and lists the ids of matching rules. Paths and patterns are prepared in advance. */
export const createNaiveMatcher = (rules: readonly MatchableRule[]): ((event: MatchableEvent) => string[]) => {
  const prepared: Prepared[] = rules.map((rule) => ({
    rule,
    conditions: (rule.conditions ?? []).map((condition) => ({
      condition:
        condition.field === "priority" && typeof condition.value === "object"
          ? { ...condition, value: condition.value.map((item) => (item === "CRITICAL" ? "URGENT" : item)) }
          : condition,
      path: condition.field.split("."),
      regex: condition.operator === "matches_regex" ? RE2JS.compile(String(condition.value)) : undefined,
    })),
  }));
  return (event) => {
    const matched: string[] = [];
    for (const { rule, conditions } of prepared) {
      if (rule.enabled === false || !matchesKey(rule.eventKey, event.eventKey)) continue;
      const verdict =
        conditions.length === 0 ||
        (rule.conditionMatch === "any"
          ? conditions.some((condition) => meetsCondition(condition, event))
          : conditions.every((condition) => meetsCondition(condition, event)));
      if (verdict) matched.push(rule.id);
    }
    return matched;
  };
};
