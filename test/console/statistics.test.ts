import { expect, it } from "vitest";
import { typicalDuration } from "../../console/pages/statistics/typical.ts";

it.each([
  ["no values have no typical time", { count: 0, mean: null, median: null, p90: null }, undefined],
  [
    "one value has a mean",
    { count: 1, mean: 133.5, median: 139.6, p90: 139.6 },
    { value: 133.5, median: null, p90: null },
  ],
  ["19 values have a mean", { count: 19, mean: 40, median: 31, p90: 90 }, { value: 40, median: null, p90: null }],
  ["20 values have quantiles", { count: 20, mean: 40, median: 31, p90: 90 }, { value: 31, median: 31, p90: 90 }],
])("in the statistics, %s", (_, times, typical) => {
  expect(typicalDuration(times)).toEqual(typical);
});
