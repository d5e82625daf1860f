import * as v from "valibot";
import { Field } from "./field.ts";
import { CONDITIONS_MAX } from "./limits.ts";
import { operators, orderedMessage } from "./operators.ts";
import { PRIORITY_SPELLINGS } from "../../basics/priority.ts";
import {
  operatorNames,
  type Condition as StoredCondition,
  type Operand,
  type OperatorName,
} from "./stored-condition.ts";
import { isOrderingOperator, listPriorities } from "./priority.ts";

const spellings: ReadonlySet<unknown> = new Set(PRIORITY_SPELLINGS);

const comparing: ReadonlySet<string> = new Set(["equals", "not_equals", "one_of", "not_one_of"]);

const listOperandValues = (value: Operand): readonly unknown[] => (typeof value === "object" ? value : [value]);

/** Returns false if a condition on the priority names a priority that does not exist, and that no event can have. */
const namesKnownPriority = ({ field, operator, value }: Condition): boolean =>
  field !== "priority" ||
  !(comparing.has(operator) || isOrderingOperator(operator)) ||
  listOperandValues(value).every((item) => spellings.has(item));

/** Returns whether the bounds of a range of priorities are in ascending order. */
const hasOrderedBounds = ({ field, operator, value }: Condition): boolean =>
  field !== "priority" || operator !== "between" || listPriorities(operator, value).length > 0;

/** Returns false if an ordering operator compares a priority with any field but `priority`, which alone has this order. */
const hasOrderedOperand = ({ field, operator, value }: Condition): boolean =>
  field === "priority" ||
  !isOrderingOperator(operator) ||
  !listOperandValues(value).some((item) => spellings.has(item));

/** Drops the value of an operator that takes no value, because web forms send an empty text or null. */
const ignored: v.GenericSchema<unknown, Operand> = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((): Operand => undefined),
  ),
);

const optionSchema = (name: string) => v.exactOptional(v.boolean(`${name} must be true or false.`), false);

const textOperators = operatorNames.filter((name) => operators[name].texts === true);

/** Refuses `ignoreCase` for operators on which it has no effect, because the condition's author expects an effect. */
const ignoreCaseSchema = (operator: OperatorName) =>
  v.pipe(
    optionSchema("ignoreCase"),
    v.check(
      (ignoreCase) => !ignoreCase || operators[operator].texts === true,
      `ignoreCase is only for text operators (${textOperators.join(", ")}). Leave ignoreCase out with ${operator}.`,
    ),
  );

const conditionSchema = (operator: OperatorName) =>
  v.pipe(
    v.strictObject(
      {
        field: Field,
        operator: v.literal(operator),
        value: operators[operator].operand ?? ignored,
        not: optionSchema("not"),
        ignoreCase: ignoreCaseSchema(operator),
      },
      ({ expected }) => `A condition ${expected === "never" ? "does not have" : "must have"} this field.`,
    ),
    v.transform(({ field, operator, value, not, ignoreCase }): Condition => ({
      field,
      operator,
      ...(value === undefined ? {} : { value }),
      ...(not ? { not } : {}),
      ...(ignoreCase ? { ignoreCase } : {}),
    })),
    v.forward(
      v.check(
        (condition: Condition) => namesKnownPriority(condition),
        `A priority is one of ${PRIORITY_SPELLINGS.join(", ")}.`,
      ),
      ["value"],
    ),
    v.forward(
      v.check(
        (condition: Condition) => !namesKnownPriority(condition) || hasOrderedBounds(condition),
        "The value must be [low, high] with low not above high.",
      ),
      ["value"],
    ),
    v.forward(
      v.check((condition: Condition) => hasOrderedOperand(condition), orderedMessage),
      ["value"],
    ),
  );

export type Condition = StoredCondition;
export const Condition = v.variant(
  "operator",
  operatorNames.map(conditionSchema),
  `A condition has a field, an operator and its value; the operator is one of ${operatorNames.join(", ")}.`,
);

export const Conditions = v.pipe(
  v.array(Condition, "The conditions must be a list."),
  v.maxLength(CONDITIONS_MAX, `A rule must have at most ${CONDITIONS_MAX} conditions.`),
);
export type Conditions = v.InferOutput<typeof Conditions>;
