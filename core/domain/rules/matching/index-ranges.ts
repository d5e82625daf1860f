import { addHit, type Hits } from "./hits.ts";

/** Rules by a range of doubles, both ends included, that a field's number must be in. */
export type RangeIndex = {
  add(low: number, high: number, rule: number): void;
  collect(number: number, hits: Hits): void;
};

/** So many ranges, neighbours by their low end, share the highest of their high ends: one look skips them all. */
const BLOCK = 16;

type Sorted = { lows: Float64Array; highs: Float64Array; rules: Int32Array; blockHighs: Float64Array };

const sortRanges = (ranges: readonly Range[]): Sorted => {
  const sorted = ranges.toSorted((a, b) => a.low - b.low || b.high - a.high);
  const highs = Float64Array.from(sorted, (range) => range.high);
  return {
    lows: Float64Array.from(sorted, (range) => range.low),
    highs,
    rules: Int32Array.from(sorted, (range) => range.rule),
    blockHighs: Float64Array.from({ length: Math.ceil(highs.length / BLOCK) }, (_, block) =>
      highs.subarray(block * BLOCK, (block + 1) * BLOCK).reduce((a, b) => Math.max(a, b)),
    ),
  };
};

type Range = { low: number; high: number; rule: number };

/** How many of the sorted numbers are at most this one. */
const countUpTo = (sorted: Float64Array, number: number): number => {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((sorted[middle] ?? 0) <= number) from = middle + 1;
    else to = middle;
  }
  return from;
};

export const createRangeIndex = (): RangeIndex => {
  let added: Range[] = [];
  let sorted: Sorted | undefined;

  return {
    add: (low, high, rule) => {
      // A bound that is no number holds for nothing.
      if (!Number.isNaN(low) && !Number.isNaN(high)) added.push({ low, high, rule });
    },
    collect: (number, hits) => {
      if (Number.isNaN(number)) return;
      if (sorted === undefined) {
        sorted = sortRanges(added);
        added = [];
      }
      const { lows, highs, rules, blockHighs } = sorted;
      const count = countUpTo(lows, number);
      for (let block = 0; block * BLOCK < count; block += 1) {
        if ((blockHighs[block] ?? 0) < number) continue;
        const end = Math.min(count, (block + 1) * BLOCK);
        for (let index = block * BLOCK; index < end; index += 1) {
          if ((highs[index] ?? 0) >= number) addHit(hits, rules[index] ?? 0);
        }
      }
    },
  };
};
