import { jsonSize } from "./text.ts";

/** Lambda returns at most 6 MB, with the body as a string within JSON. The rest is for the answer's other fields and headers. */
export const LISTS_MAX_BYTES = 5_000_000;

/** Counts a value within Lambda's response, where every quote is escaped once more. */
const responseBytes = (value: unknown): number => jsonSize(JSON.stringify(value));

/** Takes the longest prefix of the list. `left`: the bytes that remain. */
export const takeItemsThatFit = <Value>(values: readonly Value[], bytes: number): { taken: Value[]; left: number } => {
  let left = bytes;
  const end = values.findIndex((value) => (left -= responseBytes(value)) < 0);
  return end < 0 ? { taken: [...values], left } : { taken: values.slice(0, end), left: 0 };
};
