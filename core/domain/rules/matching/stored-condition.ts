import * as v from "valibot";
import type { Scalar as ScalarValue } from "./form.ts";

/** The names of the operators, whose meanings are in `operators.ts`. */
export const operatorNames = [
  "equals",
  "not_equals",
  "one_of",
  "not_one_of",
  "contains",
  "starts_with",
  "ends_with",
  "greater_than",
  "greater_than_or_equal",
  "less_than",
  "less_than_or_equal",
  "between",
  "is_empty",
  "is_not_empty",
  "matches_regex",
] as const;
export type OperatorName = (typeof operatorNames)[number];

export type Operand = ScalarValue | readonly ScalarValue[] | undefined;

export type Condition = { field: string; operator: OperatorName; value?: Operand; not?: boolean; ignoreCase?: boolean };

const Scalar = v.union([v.string(), v.number(), v.boolean()]);

/** Stored conditions are checked only for their shape, because they were validated when they were saved. */
export const StoredConditions = v.array(
  v.object({
    field: v.string(),
    operator: v.picklist(operatorNames),
    value: v.exactOptional(v.union([Scalar, v.array(Scalar)])),
    not: v.exactOptional(v.boolean()),
    ignoreCase: v.exactOptional(v.boolean()),
  }),
);

export const ConditionMatch = v.picklist(["all", "any"], 'The match of conditions is "all" or "any".');
export type ConditionMatch = v.InferOutput<typeof ConditionMatch>;
