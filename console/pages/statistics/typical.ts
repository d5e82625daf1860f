import type { Answers } from "../../app/types.ts";

/** With fewer values, quantiles say little, and the exact mean is shown. */
const QUANTILES_FROM = 20;

/** Returns seconds: the median and the 90th percentile, or the mean of a few values. Returns undefined without values. */
export const typicalDuration = ({ count, mean, median, p90 }: Answers["Statistics"]["acknowledged"]) => {
  if (mean === null || median === null || p90 === null) return undefined;
  return count < QUANTILES_FROM ? { value: mean, median: null, p90: null } : { value: median, median, p90 };
};
