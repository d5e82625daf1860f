import { keepDigitsIfInexact, isDecimal } from "./decimal.ts";

/** A field's value in an event. `raw`: undefined if the field is missing. `number`: NaN if the value is not a number. */
export type Value = { raw: string | number | object | undefined; number: number; digits: string | undefined };

export const createEmptyValue = (): Value => ({ raw: undefined, number: Number.NaN, digits: undefined });

/** Stores a field's value in `value`. Changes `value` in place, so that reading fields allocates nothing. */
export const setValue = (value: Value, fieldValue: unknown): void => {
  value.number = Number.NaN;
  value.digits = undefined;
  value.raw = undefined;
  if (typeof fieldValue === "string") {
    value.raw = fieldValue;
    if (isDecimal(fieldValue)) {
      value.number = Number(fieldValue);
      value.digits = keepDigitsIfInexact(fieldValue);
    }
  } else if (typeof fieldValue === "number") {
    value.raw = fieldValue;
    value.number = fieldValue;
  } else if (typeof fieldValue === "boolean") {
    value.raw = fieldValue ? "true" : "false";
  } else if (typeof fieldValue === "object" && fieldValue !== null) {
    value.raw = fieldValue;
  }
};

/** Returns the text that text operators test; undefined for an object or a missing field. */
export const toText = (value: Value): string | undefined => {
  if (typeof value.raw === "string") return value.raw;
  return typeof value.raw === "number" ? String(value.raw) : undefined;
};

export const isEmpty = (value: Value): boolean => {
  if (typeof value.raw === "object") return Object.keys(value.raw).length === 0;
  return value.raw === undefined || value.raw === "";
};
