import { NUMBER_MAX_DIGITS } from "./limits.ts";

const LONG_NUMBER = new RegExp(`[\\d.]{${NUMBER_MAX_DIGITS + 1},}`);

/** Returns whether a number in the JSON text has more digits than can be stored. */
export const hasLongNumber = (text: string): boolean => LONG_NUMBER.test(text);

const countSignificantDigits = (literal: string): number =>
  literal
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "").length;

/** Parses JSON. A number with too many digits to store becomes NaN, so that the schema's error names the field. */
export const parseJson = (text: string): unknown => {
  const value: unknown = JSON.parse(text);
  if (!hasLongNumber(text)) return value;
  try {
    return JSON.parse(text, (_key, inner: unknown, context?: { source?: string }) =>
      typeof inner === "number" && countSignificantDigits(context?.source ?? "") > NUMBER_MAX_DIGITS ? NaN : inner,
    );
  } catch (error) {
    // Thousands of nested arrays exhaust the reviver's stack. Data that is nested too deeply is refused later.
    if (error instanceof RangeError) return value;
    throw error;
  }
};
