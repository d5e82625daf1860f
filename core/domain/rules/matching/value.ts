import { digitsIfInexact, isDecimal } from "./decimal.ts";

/** `raw`: undefined for a missing field; `number`: NaN if it is not a number. */
export type Value = { raw: string | number | object | undefined; number: number; digits: string | undefined };

export const emptyValue = (): Value => ({ raw: undefined, number: Number.NaN, digits: undefined });

/** Changes the value in place, so that reading fields allocates nothing. */
export const setValue = (value: Value, found: unknown): void => {
  value.number = Number.NaN;
  value.digits = undefined;
  value.raw = undefined;
  if (typeof found === "string") {
    value.raw = found;
    if (isDecimal(found)) {
      value.number = Number(found);
      value.digits = digitsIfInexact(found);
    }
  } else if (typeof found === "number") {
    value.raw = found;
    value.number = found;
  } else if (typeof found === "boolean") {
    value.raw = found ? "true" : "false";
  } else if (typeof found === "object" && found !== null) {
    value.raw = found;
  }
};

export const toText = (value: Value): string | undefined => {
  if (typeof value.raw === "string") return value.raw;
  return typeof value.raw === "number" ? String(value.raw) : undefined;
};

export const isEmpty = (value: Value): boolean => {
  if (typeof value.raw === "object") return Object.keys(value.raw).length === 0;
  return value.raw === undefined || value.raw === "";
};
