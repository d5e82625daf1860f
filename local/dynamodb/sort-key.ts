import type { Value } from "./item.ts";

export type KeyCondition = { ComparisonOperator: string; AttributeValueList: Value[] };

export const listOperands = (condition: KeyCondition | undefined): string[] =>
  (condition?.AttributeValueList ?? []).map(({ S = "" }) => S);

/** Returns the lowest and highest sort key that can meet the condition; `high`: undefined without an upper limit. */
export const findSortKeyRange = (condition: KeyCondition | undefined): { low: string; high: string | undefined } => {
  const operator = condition?.ComparisonOperator ?? "";
  const [first = "", second] = listOperands(condition);
  if (operator === "EQ") return { low: first, high: first };
  if (operator === "LT" || operator === "LE") return { low: "", high: first };
  if (operator === "BETWEEN") return { low: first, high: second };
  if (operator === "BEGINS_WITH") return { low: first, high: `${first}\u{10FFFF}` };
  return { low: first, high: undefined };
};
/** Returns whether a sort key in the range of `findSortKeyRange` nevertheless does not meet the condition. */
export const isExcluded = (condition: KeyCondition | undefined, sortKey: string): boolean => {
  const operator = condition?.ComparisonOperator;
  const [first] = listOperands(condition);
  return (
    ((operator === "LT" || operator === "GT") && sortKey === first) ||
    (operator === "BEGINS_WITH" && !sortKey.startsWith(first ?? ""))
  );
};
