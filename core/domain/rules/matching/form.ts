import type { Decimal } from "./decimal.ts";

export type Scalar = string | number | boolean;

export const STARTS = 0;
export const ENDS = 1;
export const CONTAINS = 2;
export type PlainTest = typeof STARTS | typeof ENDS | typeof CONTAINS;
export const STARTS_IN_ANY_CASE = 3;
export const ENDS_IN_ANY_CASE = 4;
export const CONTAINS_IN_ANY_CASE = 5;
export type FoldedTest = typeof STARTS_IN_ANY_CASE | typeof ENDS_IN_ANY_CASE | typeof CONTAINS_IN_ANY_CASE;
export type TextTest = PlainTest | FoldedTest;

export const inAnyCase = {
  [STARTS]: STARTS_IN_ANY_CASE,
  [ENDS]: ENDS_IN_ANY_CASE,
  [CONTAINS]: CONTAINS_IN_ANY_CASE,
} as const satisfies Record<PlainTest, FoldedTest>;

export const ignoresCase = (test: TextTest): test is FoldedTest => test >= STARTS_IN_ANY_CASE;

/** Returns whether the text contains the needle, or begins or ends with it. To ignore case, pass both texts in folded case. */
export const passesTextTest = (test: TextTest, text: string, needle: string): boolean => {
  if (test === CONTAINS || test === CONTAINS_IN_ANY_CASE) return text.includes(needle);
  return test === STARTS || test === STARTS_IN_ANY_CASE ? text.startsWith(needle) : text.endsWith(needle);
};

/** One end (bound) of a range. `open`: the range excludes the bound itself. */
export type Bound = { at: Decimal; open: boolean };

/** What a condition tests. Each operator is reduced to one of these forms, so that its meaning is defined in one place. */
export type ConditionForm =
  | { kind: "among"; values: readonly Scalar[]; ignoresCase: boolean }
  /** If a bound is missing, the range has no limit at that end. */
  | { kind: "within"; low?: Bound; high?: Bound }
  | { kind: "text"; test: TextTest; needle: string }
  /** The pattern may match anywhere in the text. */
  | { kind: "pattern"; source: string }
  | { kind: "filled" };

/** A form that is always false, for an operand of the wrong type. */
export const nothing: ConditionForm = { kind: "among", values: [], ignoresCase: false };

/** Returns the cost of deciding a condition of this form: 0 is constant, 1 scans a text, and 2 runs a pattern. */
export const estimateDecisionCost = (form: ConditionForm): number => {
  if (form.kind === "pattern") return 2;
  return form.kind === "text" && form.test >= CONTAINS ? 1 : 0;
};
