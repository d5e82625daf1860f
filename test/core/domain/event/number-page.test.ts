import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  computeChildIndex,
  computeFirstNumberOfLeaf,
  computeNodeIndex,
  sumCounts,
  TOP_LEVEL,
  type ReadLostCounts,
} from "../../../../core/domain/event/lost-numbers.ts";
import { readSequencePage } from "../../../../core/domain/event/number-page.ts";

/** Builds the tree of lost numbers, and counts the reads of nodes below the root. */
const createTreeOf = (lost: readonly number[]) => {
  let asked = 0;
  const readLostCounts: ReadLostCounts = (level, node) => {
    if (level < TOP_LEVEL) asked += 1;
    const counts = new Map<number, number>();
    for (const number of lost.filter((one) => computeNodeIndex(level, one) === node)) {
      const child = computeChildIndex(level, number);
      counts.set(child, (counts.get(child) ?? 0) + 1);
    }
    return Promise.resolve(counts);
  };
  return { read: readLostCounts, asked: () => asked };
};

it("in the index of event numbers, a leaf has 1,024 numbers, and a node has 256 leaves", () => {
  expect([1_023, 1_024].map((number) => computeNodeIndex(0, number))).toEqual([0, 1]);
  expect([262_143, 262_144].map((number) => computeNodeIndex(1, number))).toEqual([0, 1]);
  expect(computeFirstNumberOfLeaf(3)).toBe(3_072);
  expect(
    sumCounts(
      new Map([
        [1, 2],
        [5, 3],
      ]),
    ),
  ).toBe(5);
  expect(sumCounts(new Map())).toBe(0);
});

const readPage = (last: number, lost: readonly number[], pagination: { page: number; limit: number }, edge = 0) =>
  readSequencePage({ last, edge, lost: lost.length }, pagination, createTreeOf(lost).read);

describe("a page of event numbers in the event list", () => {
  it("begins with the newest event", async () => {
    expect(await readPage(120, [], { page: 1, limit: 50 })).toEqual({ total: 120, range: { from: 71, to: 120 } });
    expect(await readPage(120, [], { page: 3, limit: 50 })).toEqual({ total: 120, range: { from: 1, to: 20 } });
  });

  it("is empty if there are no older events", async () => {
    expect(await readPage(120, [], { page: 4, limit: 50 })).toEqual({ total: 120, range: undefined });
    expect(await readPage(0, [], { page: 1, limit: 50 })).toEqual({ total: 0, range: undefined });
    expect(await readPage(7, [], { page: 1e300, limit: 50 })).toEqual({ total: 7, range: undefined });
  });

  it("skips numbers that no event has", async () => {
    expect(await readPage(10, [3, 9, 10], { page: 1, limit: 4 })).toEqual({ total: 7, range: { from: 5, to: 8 } });
    expect(await readPage(10, [3, 9, 10], { page: 2, limit: 4 })).toEqual({ total: 7, range: { from: 1, to: 4 } });
  });

  it("leaves out events past retention, and counts unused numbers only within retention", async () => {
    expect(await readPage(10, [], { page: 2, limit: 4 }, 4)).toEqual({ total: 6, range: { from: 5, to: 6 } });
    expect(await readPage(10, [3, 4, 5, 9], { page: 1, limit: 4 }, 4)).toEqual({
      total: 4,
      range: { from: 6, to: 10 },
    });
    expect(await readPage(10, [3], { page: 1, limit: 4 }, 10)).toEqual({ total: 0, range: undefined });
  });

  it("is found by reading one path of the index of event numbers, however old the page is", async () => {
    const last = 40_000_000_000;
    const lost = Array.from({ length: 2_000 }, (_, index) => 1 + index * 20_000_000);

    for (const [number, from] of [
      [1, last - 49],
      // The 20,000,000th newest number is lost, so this page ends one number earlier.
      [400_000, last - 20_000_000],
    ] as const) {
      const tree = createTreeOf(lost);
      const { range } = await readSequencePage(
        { last, edge: 0, lost: lost.length },
        { page: number, limit: 50 },
        tree.read,
      );
      expect(range?.from).toBe(from);
      expect(tree.asked()).toBeLessThanOrEqual(2 * TOP_LEVEL);
    }
  });

  const near = fc.integer({ min: 1, max: 60 });
  const far = fc.tuple(fc.constantFrom(0, 1_000, 262_100, 67_108_830), near).map(([begin, number]) => begin + number);
  it.each([
    ["few", near, 60],
    ["many", far, 67_108_890],
  ])("contains every used number exactly once if there are %s numbers", async (_, number, max) => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: Math.max(0, max - 60), max }),
        fc.uniqueArray(number),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 70 }),
        async (last, numbers, limit, shown) => {
          const lost = numbers.filter((one) => one <= last).toSorted((a, b) => a - b);
          const edge = Math.max(0, last - shown);
          const isLost = new Set(lost);
          let below = last + 1;

          for (let at = 1; at <= 7; at += 1) {
            const { total, range } = await readPage(last, lost, { page: at, limit }, edge);
            expect(total).toBe(last - edge - lost.filter((one) => one > edge).length);
            if (range === undefined) {
              expect((at - 1) * limit).toBeGreaterThanOrEqual(total);
              break;
            }
            expect(range.to).toBeLessThan(below);
            expect(range.from).toBeGreaterThan(edge);
            for (let between = range.to + 1; between < below; between += 1) expect(isLost.has(between)).toBe(true);
            const held = Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index);
            const stored = held.filter((one) => !isLost.has(one)).length;
            expect(stored).toBe(Math.min(limit, total - (at - 1) * limit));
            below = range.from;
          }
        },
      ),
      { seed: 7 },
    );
  });
});
