import { PRIORITIES } from "../basics/priority.ts";
import { compileRules, type Condition, type MatchableEvent } from "./matching/index.ts";
import type { RoutingRule } from "./routing-rule.ts";

type ConditionedRule = Pick<RoutingRule, "eventKey" | "conditions" | "conditionMatch">;

/** Returns an event that has only this field, or no field if `value` is undefined. */
const createEventWithField = (field: string, value: unknown): MatchableEvent => {
  const bare = { eventKey: "", title: "", body: "", priority: "NORMAL" };
  if (field === "sender") return { ...bare, sender: typeof value === "string" ? { name: value } : null };
  if (!field.startsWith("data.")) return { ...bare, [field]: value };
  return { ...bare, data: value === undefined ? {} : { [field.slice("data.".length)]: value } };
};

/** Returns whether an event with only this field meets the conditions, by the code for real events. */
const meetsAllConditions = (conditions: readonly Condition[], field: string, value: unknown): boolean =>
  compileRules([{ id: "one", eventKey: "*", conditions }])(createEventWithField(field, value)).length > 0;

/** Lists the values that meet the condition. Returns undefined if the values cannot be listed. */
const listAllowedValues = (condition: Condition): readonly unknown[] | undefined => {
  const { operator, value, not = false, ignoreCase = false } = condition;
  if (operator === "is_empty" && !not) return [undefined, ""];
  if (ignoreCase || not || (operator !== "equals" && operator !== "one_of")) return undefined;
  const values = typeof value === "object" ? value : [value];
  // A numeric text equals all spellings of its number, such as 5.0 for 5, which are too many to list.
  return values.every((one) => typeof one === "string" && Number.isNaN(Number(one))) ? values : undefined;
};

const negations: Partial<Record<Condition["operator"], Condition["operator"]>> = {
  not_equals: "equals",
  not_one_of: "one_of",
  is_empty: "is_not_empty",
};

/** Returns the condition as text without its negation, and whether it was negated. */
const stripNegation = ({ operator, not = false, ...rest }: Condition): { text: string; negated: boolean } => {
  const positive = negations[operator];
  return {
    text: JSON.stringify({ operator: positive ?? operator, ...rest }),
    negated: not !== (positive !== undefined),
  };
};

const areOppositeConditions = (first: Condition, second: Condition): boolean => {
  const [left, right] = [stripNegation(first), stripNegation(second)];
  return left.text === right.text && left.negated !== right.negated;
};

type Bounds = [low: number, high: number];

const bounds: Partial<Record<Condition["operator"], (values: readonly number[]) => Bounds>> = {
  greater_than: ([low = NaN]) => [low, Infinity],
  greater_than_or_equal: ([low = NaN]) => [low, Infinity],
  less_than: ([high = NaN]) => [-Infinity, high],
  less_than_or_equal: ([high = NaN]) => [-Infinity, high],
  between: ([low = NaN, high = NaN]) => [low, high],
};

/** Returns the range in which a number meets the condition; undefined if the condition is not a range of numbers. */
const readBounds = ({ field, operator, value, not = false }: Condition): Bounds | undefined => {
  if (not || field === "priority") return undefined;
  return bounds[operator]?.((typeof value === "object" ? value : [value]).map(Number));
};

/** Returns whether both conditions are ranges that have no number in common. */
const areBoundsDisjoint = (first: Condition, second: Condition): boolean => {
  const [left, right] = [readBounds(first), readBounds(second)];
  return left !== undefined && right !== undefined && (left[1] < right[0] || right[1] < left[0]);
};

/** Lists the possible values of a field. Returns undefined if there are too many values. */
const listFieldValues = (field: string, eventKey: string): readonly unknown[] | undefined => {
  if (field === "priority") return PRIORITIES;
  return field === "eventKey" && !eventKey.endsWith("*") ? [eventKey] : undefined;
};

/** Returns a field whose conditions contradict each other, or undefined. Some contradictions are not found. */
export const findContradiction = ({ eventKey, conditions, conditionMatch }: ConditionedRule): string | undefined => {
  if (conditionMatch === "any" && conditions.length > 1) return undefined;
  for (const [field, same = []] of Map.groupBy(conditions, (condition) => condition.field)) {
    const values = listFieldValues(field, eventKey) ?? same.map(listAllowedValues).find((left) => left !== undefined);
    const none = values !== undefined && !values.some((value) => meetsAllConditions(same, field, value));
    const clash = same.some((one, index) =>
      same.slice(index + 1).some((other) => areOppositeConditions(one, other) || areBoundsDisjoint(one, other)),
    );
    if (none || clash) return field;
  }
  return undefined;
};
