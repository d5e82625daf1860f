import { bytesAsJson } from "./text.ts";

/**
 * Bytes of an answer's lists. Lambda hands on at most 6 MB, in which the body is a text within JSON; the rest is for the
 * other fields of the answer and for its headers.
 */
export const LISTS_MAX_BYTES = 5_000_000;

/** Bytes of a value as JSON within the text of Lambda's answer: every quote is escaped there once more. */
const sizeOf = (value: unknown): number => bytesAsJson(JSON.stringify(value));

/** The first of some values, as many as fit into so many bytes, and how many bytes are left. */
export const takeFitting = <Value>(values: readonly Value[], bytes: number): { taken: Value[]; left: number } => {
  let left = bytes;
  const end = values.findIndex((value) => (left -= sizeOf(value)) < 0);
  return end < 0 ? { taken: [...values], left } : { taken: values.slice(0, end), left: 0 };
};
