import type { Answers } from "../../app/types.ts";

/** The number of values from which quantiles are shown; for fewer values, the mean is shown. */
const QUANTILES_FROM = 20;

/** Returns the median and the 90th percentile, or the mean of few values, in seconds; undefined without values. */
export const findTypicalDuration = ({ count, mean, median, p90 }: Answers["Statistics"]["acknowledged"]) => {
  if (mean === null || median === null || p90 === null) return undefined;
  return count < QUANTILES_FROM ? { value: mean, median: null, p90: null } : { value: median, median, p90 };
};
