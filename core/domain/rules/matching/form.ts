import type { Decimal } from "./decimal.ts";

export type Scalar = string | number | boolean;

/** How a text is searched. Compiled rules hold these codes. */
export const STARTS = 0;
export const ENDS = 1;
export const CONTAINS = 2;
export type TextTest = typeof STARTS | typeof ENDS | typeof CONTAINS;

export const textPasses = (test: TextTest, text: string, needle: string): boolean => {
  if (test === STARTS) return text.startsWith(needle);
  return test === ENDS ? text.endsWith(needle) : text.includes(needle);
};

/** One end of a range; an open end is not part of it. */
export type Bound = { at: Decimal; open: boolean };

/**
 * The few forms to which the fifteen operators are reduced. Compiled rules, indexes and traces know only forms, so that
 * an operator's meaning is in one place.
 */
export type Form =
  /** The field has one of these values. */
  | { kind: "among"; values: readonly Scalar[] }
  /** The field's number lies between the bounds; a missing bound is no bound. */
  | { kind: "within"; low?: Bound; high?: Bound }
  /** The field's text starts with, ends with or contains the needle. */
  | { kind: "text"; test: TextTest; needle: string }
  /** The pattern is found in the field's text. */
  | { kind: "pattern"; source: string }
  /** The field is not empty. */
  | { kind: "filled" };

/** Never holds. It stands for an operand of the wrong type, which no validated rule has. */
export const nothing: Form = { kind: "among", values: [] };

/** The order in which conditions are decided: 0 takes constant time, 1 scans a text, 2 runs a pattern. */
export const effortOf = (form: Form): number => {
  if (form.kind === "pattern") return 2;
  return form.kind === "text" && form.test === CONTAINS ? 1 : 0;
};
