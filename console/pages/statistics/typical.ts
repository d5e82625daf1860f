import type { Answers } from "../../app/types.ts";

/** The number of values from which quantiles are shown. With fewer, quantiles say little, and the exact mean is shown. */
const QUANTILES_FROM = 20;

/** Returns typical durations in seconds: the median and the 90th percentile, or the mean of a few. Undefined without any. */
export const typicalDuration = ({ count, mean, median, p90 }: Answers["Statistics"]["acknowledged"]) => {
  if (mean === null || median === null || p90 === null) return undefined;
  return count < QUANTILES_FROM ? { value: mean, median: null, p90: null } : { value: median, median, p90 };
};
