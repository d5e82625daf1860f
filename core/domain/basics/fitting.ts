import { jsonSize } from "./text.ts";

/**
 * The most bytes that the lists of an answer may take. Lambda returns at most 6 MB, with the body as a string within
 * JSON; the rest is left for the answer's other fields and headers.
 */
export const LISTS_MAX_BYTES = 5_000_000;

/** Returns the bytes of a value as JSON within Lambda's response, where every quote is escaped once more. */
const responseBytes = (value: unknown): number => jsonSize(JSON.stringify(value));

/** Returns the longest prefix of the list that fits into `bytes`, and how many bytes are left. */
export const takeItemsThatFit = <Value>(values: readonly Value[], bytes: number): { taken: Value[]; left: number } => {
  let left = bytes;
  const end = values.findIndex((value) => (left -= responseBytes(value)) < 0);
  return end < 0 ? { taken: [...values], left } : { taken: values.slice(0, end), left: 0 };
};
