import { numberAt, type ReadLostCounts } from "./lost-numbers.ts";

/** Which numbers of a sequence a page holds. `to` is the newest; `range` is undefined when the page is past the end. */
export type NumberPage = { total: number; range: { from: number; to: number } | undefined };

/**
 * A page of the events numbered 1 to `last`, the newest first, without the `lost` numbers whose event never came. Every
 * page is one range of numbers, so it costs the same wherever it lies. `read` is called only where numbers are lost.
 */
export const pageOfNumbers = async (
  last: number,
  lost: number,
  { page, limit }: { page: number; limit: number },
  read: ReadLostCounts,
): Promise<NumberPage> => {
  const total = Math.max(0, last - lost);
  const first = (page - 1) * limit + 1;
  if (first > total) return { total, range: undefined };
  const end = Math.min(page * limit, total);
  if (lost === 0) return { total, range: { from: last - end + 1, to: last - first + 1 } };
  const [from, to] = await Promise.all([numberAt(last, end, read), numberAt(last, first, read)]);
  return { total, range: { from, to } };
};
