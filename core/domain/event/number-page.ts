/** Which numbers of a sequence a page holds. `to` is the newest; undefined when the page lies past the end. */
export type NumberPage = { total: number; range: { from: number; to: number } | undefined };

/** The `rank`th newest number (1 is the newest) that is not lost. `lost` is in ascending order and holds no number twice. */
const numberAt = (last: number, lost: readonly number[], rank: number): number => {
  let number = last - rank + 1;
  for (let index = lost.length - 1; index >= 0; index -= 1) {
    const gap = lost[index];
    if (gap === undefined || gap < number) break;
    number -= 1;
  }
  return number;
};

/**
 * A page of the events numbered 1 to `last`, the newest first, without the numbers whose event never came. Every page
 * is one range of numbers, so that it costs the same wherever it lies.
 */
export const pageOfNumbers = (
  last: number,
  lost: readonly number[],
  { page, limit }: { page: number; limit: number },
): NumberPage => {
  const gaps = lost.filter((number) => number <= last);
  const total = last - gaps.length;
  const first = (page - 1) * limit + 1;
  if (first > total) return { total, range: undefined };
  const end = Math.min(page * limit, total);
  return { total, range: { from: numberAt(last, gaps, end), to: numberAt(last, gaps, first) } };
};
