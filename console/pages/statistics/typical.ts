import type { Answers } from "../../app/types.ts";

/** From this number of values, quantiles are shown; for fewer values, the mean. */
const QUANTILES_FROM = 20;

/** Returns the median and the 90th percentile, or the mean of few values, in seconds. Undefined without values. */
export const findTypicalDuration = ({ count, mean, median, p90 }: Answers["Statistics"]["acknowledged"]) => {
  if (mean === null || median === null || p90 === null) return undefined;
  return count < QUANTILES_FROM ? { value: mean, median: null, p90: null } : { value: median, median, p90 };
};
