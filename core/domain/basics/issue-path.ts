import type * as v from "valibot";

type Key = string | number;

/** The path leads from the input to the wrong value. */
export const toIssuePath = (input: unknown, first: Key, ...rest: Key[]): [v.IssuePathItem, ...v.IssuePathItem[]] => {
  const toItem = (key: Key): v.IssuePathItem => ({ type: "unknown", origin: "value", input, key, value: undefined });
  return [toItem(first), ...rest.map(toItem)];
};
