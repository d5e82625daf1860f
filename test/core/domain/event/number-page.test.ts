import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageOfNumbers } from "../../../../core/domain/event/number-page.ts";

describe("a page of numbers", () => {
  it("begins with the newest", () => {
    expect(pageOfNumbers(120, [], { page: 1, limit: 50 })).toEqual({ total: 120, range: { from: 71, to: 120 } });
    expect(pageOfNumbers(120, [], { page: 3, limit: 50 })).toEqual({ total: 120, range: { from: 1, to: 20 } });
  });

  it("is empty past the end", () => {
    expect(pageOfNumbers(120, [], { page: 4, limit: 50 })).toEqual({ total: 120, range: undefined });
    expect(pageOfNumbers(0, [], { page: 1, limit: 50 })).toEqual({ total: 0, range: undefined });
    expect(pageOfNumbers(7, [], { page: 1e300, limit: 50 })).toEqual({ total: 7, range: undefined });
  });

  it("steps over lost numbers, and ignores those that were not handed out when it was asked", () => {
    expect(pageOfNumbers(10, [3, 9, 10, 11], { page: 1, limit: 4 })).toEqual({ total: 7, range: { from: 5, to: 8 } });
    expect(pageOfNumbers(10, [3, 9, 10], { page: 2, limit: 4 })).toEqual({ total: 7, range: { from: 1, to: 4 } });
  });

  it("holds every number that is not lost on exactly one page", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 60 })),
        fc.integer({ min: 1, max: 12 }),
        (last, numbers, limit) => {
          const lost = numbers.toSorted((a, b) => a - b);
          const stored = Array.from({ length: last }, (_, index) => index + 1).filter((n) => !lost.includes(n));
          const seen: number[] = [];

          for (let page = 1; page <= 61; page += 1) {
            const { total, range } = pageOfNumbers(last, lost, { page, limit });
            expect(total).toBe(stored.length);
            const held = stored.filter((n) => range !== undefined && n >= range.from && n <= range.to);
            expect(held.length).toBeLessThanOrEqual(limit);
            seen.push(...held.toReversed());
          }

          expect(seen).toEqual(stored.toReversed());
        },
      ),
      { seed: 7 },
    );
  });
});
