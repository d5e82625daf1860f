import { expect, it } from "vitest";
import { createTokenBucket } from "../../local/bucket.ts";

it("a token bucket starts full, refills one token at a time, and never holds more than its burst", () => {
  let now = 0;
  const take = createTokenBucket(2, 1000, () => now);
  const takeAt = (at: number, count: number) => {
    now = at;
    return Array.from({ length: count }, take);
  };

  expect(takeAt(0, 3)).toEqual([true, true, false]);
  expect(takeAt(500, 1)).toEqual([false]);
  expect(takeAt(1000, 2)).toEqual([true, false]);
  expect(takeAt(60_000, 3)).toEqual([true, true, false]);
});
