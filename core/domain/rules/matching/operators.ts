import * as v from "valibot";
import { isStorableNumber, NUMBER_KEPT } from "../../basics/number.ts";
import { textSchema } from "../../basics/text.ts";
import { compareDecimals, isDecimal, parseDecimal, type Decimal } from "./decimal.ts";
import { foldCase } from "./fold-case.ts";
import {
  CONTAINS,
  ENDS,
  inAnyCase,
  nothing,
  STARTS,
  type Bound,
  type ConditionForm,
  type PlainTest,
  type Scalar,
} from "./form.ts";
import { LIST_OPERANDS_MAX, OPERAND_MAX_CODE_POINTS, REGEX_MAX_CODE_POINTS } from "./limits.ts";
import { PRIORITY_SPELLINGS, PrioritySpelling } from "../../basics/priority.ts";
import { findRegexFault } from "./regex.ts";
import type { Operand, OperatorName } from "./stored-condition.ts";

type Operator = {
  /** The schema of a condition's value; undefined if the operator takes no value. */
  operand: v.GenericSchema<unknown, Operand> | undefined;
  /** Returns what a condition with the operator tests (its form), by which the index also finds rules. */
  form(operand: Operand, ignoresCase: boolean): ConditionForm;
  /** If true, the operator is the negation of its form. */
  negates?: true;
  /** Conditions with this operator may set `ignoreCase`. */
  texts?: true;
};

const textOperandSchema = (field: string, min: number) => textSchema(field, OPERAND_MAX_CODE_POINTS, min);
const storableNumberSchema = (message: string) => v.pipe(v.number(message), v.check(isStorableNumber, message));

const scalarMessage = `The value must be a string, true, false, or ${NUMBER_KEPT}.`;
const ScalarOperand = v.union(
  [textOperandSchema("The value", 0), storableNumberSchema(scalarMessage), v.boolean()],
  scalarMessage,
);

const List = v.pipe(
  v.array(ScalarOperand, "The value must be a list of strings, numbers, true or false."),
  v.minLength(1, "The list must have at least one value."),
  v.maxLength(LIST_OPERANDS_MAX, `The list must have at most ${LIST_OPERANDS_MAX} values.`),
);

const Needle = textOperandSchema("The value", 1);

export const orderedMessage = `The value must be ${NUMBER_KEPT}, or a string with a decimal number such as "12.50"; for the field priority it must be one of ${PRIORITY_SPELLINGS.join(", ")}.`;
export const Ordered = v.union(
  [
    storableNumberSchema(orderedMessage),
    PrioritySpelling,
    v.pipe(v.string(), v.maxLength(OPERAND_MAX_CODE_POINTS), v.check(isDecimal, orderedMessage)),
  ],
  orderedMessage,
);

const rangeMessage = "The value must be a list of two numbers, [low, high], or for priority a list of two priorities.";
const Range = v.pipe(
  v.strictTuple([Ordered, Ordered], rangeMessage),
  v.check(([low, high]) => {
    const bounds = [parseNumericOperand(low), parseNumericOperand(high)] as const;
    // This check ignores bounds that are not numbers, which other checks refuse.
    return bounds[0] === undefined || bounds[1] === undefined || compareDecimals(bounds[0], bounds[1]) <= 0;
  }, "The value must be [low, high] with low not above high."),
);

const Regex = v.pipe(
  textSchema("A regular expression", REGEX_MAX_CODE_POINTS),
  v.rawCheck(({ dataset, addIssue }) => {
    const message = dataset.typed ? findRegexFault(dataset.value) : undefined;
    if (message !== undefined) addIssue({ message });
  }),
);

function parseNumericOperand(operand: Operand): Decimal | undefined {
  if (typeof operand === "number") return { number: operand, digits: undefined };
  return typeof operand === "string" ? parseDecimal(operand) : undefined;
}

const toList = (operand: Operand): readonly Scalar[] => {
  if (operand === undefined) return [];
  return typeof operand === "object" ? operand : [operand];
};

const createListForm = (operand: Operand, ignoresCase: boolean): ConditionForm => ({
  kind: "among",
  values: toList(operand),
  ignoresCase,
});

const createBound = (operand: Operand, isExclusive: boolean): Bound | undefined => {
  const at = parseNumericOperand(operand);
  return at === undefined ? undefined : { at, open: isExclusive };
};

const createGreaterThanForm = (operand: Operand, isExclusive: boolean): ConditionForm => {
  const low = createBound(operand, isExclusive);
  return low === undefined ? nothing : { kind: "within", low };
};

const createLessThanForm = (operand: Operand, isExclusive: boolean): ConditionForm => {
  const high = createBound(operand, isExclusive);
  return high === undefined ? nothing : { kind: "within", high };
};

const toSearchForm = (operand: Operand, test: PlainTest, ignoresCase: boolean): ConditionForm => {
  if (typeof operand !== "string") return nothing;
  return ignoresCase
    ? { kind: "text", test: inAnyCase[test], needle: foldCase(operand) }
    : { kind: "text", test, needle: operand };
};

const IN_ANY_CASE = "(?i)";

const createPatternForm = (operand: Operand, ignoresCase: boolean): ConditionForm => {
  if (typeof operand !== "string") return nothing;
  return {
    kind: "pattern",
    source: ignoresCase && !operand.startsWith(IN_ANY_CASE) ? `${IN_ANY_CASE}${operand}` : operand,
  };
};

/** Unless stated otherwise, operators are false for a missing field, which counts as empty (see `docs/matching.md`). */
export const operators: Readonly<Record<OperatorName, Operator>> = {
  /** A number equals a text with the same decimal value (5, "5", "5.0"). Two texts are equal only if all characters are equal. */
  equals: { operand: ScalarOperand, form: createListForm, texts: true },
  /** The operator is true for a missing field. */
  not_equals: { operand: ScalarOperand, form: createListForm, negates: true, texts: true },
  one_of: { operand: List, form: createListForm, texts: true },
  /** True for a missing field. */
  not_one_of: { operand: List, form: createListForm, negates: true, texts: true },

  /** Text operators are case-sensitive by default, use a number's text, and are false for an object. */
  contains: {
    operand: Needle,
    form: (operand, ignoresCase) => toSearchForm(operand, CONTAINS, ignoresCase),
    texts: true,
  },
  starts_with: {
    operand: Needle,
    form: (operand, ignoresCase) => toSearchForm(operand, STARTS, ignoresCase),
    texts: true,
  },
  ends_with: { operand: Needle, form: (operand, ignoresCase) => toSearchForm(operand, ENDS, ignoresCase), texts: true },

  /** Compares numbers exactly; false for a text that is not a decimal number. For `priority`, see `priority.ts`. */
  greater_than: { operand: Ordered, form: (operand) => createGreaterThanForm(operand, true) },
  greater_than_or_equal: { operand: Ordered, form: (operand) => createGreaterThanForm(operand, false) },
  less_than: { operand: Ordered, form: (operand) => createLessThanForm(operand, true) },
  less_than_or_equal: { operand: Ordered, form: (operand) => createLessThanForm(operand, false) },
  /** The range includes both ends. */
  between: {
    operand: Range,
    form: (operand) => {
      const [from, to] = toList(operand);
      const low = createBound(from, false);
      const high = createBound(to, false);
      return low === undefined || high === undefined ? nothing : { kind: "within", low, high };
    },
  },

  /** A field is empty if it is missing, an empty text, or an object without keys. Zero, false and a blank are not empty. */
  is_empty: { operand: undefined, form: () => ({ kind: "filled" }), negates: true },
  is_not_empty: { operand: undefined, form: () => ({ kind: "filled" }) },

  /** The pattern has RE2's syntax, and matches anywhere in the text unless the pattern is anchored. */
  matches_regex: { operand: Regex, form: createPatternForm, texts: true },
};

const byName: Readonly<Record<string, Operator>> = operators;

export const findOperator = (name: string): Operator | undefined =>
  Object.hasOwn(operators, name) ? byName[name] : undefined;
