import { countJsonSize } from "./text.ts";

/** Lambda returns at most 6 MB, including the body as a JSON string. The remaining bytes are for other fields and headers. */
export const LISTS_MAX_BYTES = 5_000_000;

/** Returns the value's size in Lambda's response, in which each quote is escaped once more. */
const countResponseBytes = (value: unknown): number => countJsonSize(JSON.stringify(value));

/** Takes as many items from the start of the list as fit into `maxBytes`. `left`: the bytes that remain free. */
export const takeItemsThatFit = <Item>(values: readonly Item[], maxBytes: number): { taken: Item[]; left: number } => {
  let left = maxBytes;
  const end = values.findIndex((value) => (left -= countResponseBytes(value)) < 0);
  return end < 0 ? { taken: [...values], left } : { taken: values.slice(0, end), left: 0 };
};
