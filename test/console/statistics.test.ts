import { expect, it } from "vitest";
import { findTypicalDuration } from "../../console/pages/statistics/typical.ts";

it.each([
  ["is missing if there are no values", { count: 0, mean: null, median: null, p90: null }, undefined],
  [
    "is the mean of one value",
    { count: 1, mean: 133.5, median: 139.6, p90: 139.6 },
    { value: 133.5, median: null, p90: null },
  ],
  ["is the mean of 19 values", { count: 19, mean: 40, median: 31, p90: 90 }, { value: 40, median: null, p90: null }],
  [
    "is the median of 20 values, with the ninth decile",
    { count: 20, mean: 40, median: 31, p90: 90 },
    { value: 31, median: 31, p90: 90 },
  ],
])("in the statistics, the typical time until events are acknowledged or resolved %s", (_, times, typical) => {
  expect(findTypicalDuration(times)).toEqual(typical);
});
