import type { Answers } from "../../app/types.ts";

/** If there are fewer values, the mean is shown. */
const QUANTILES_FROM = 20;

/** In seconds: the median and the 90th percentile, or the mean of few values. */
export const findTypicalDuration = ({ count, mean, median, p90 }: Answers["Statistics"]["acknowledged"]) => {
  if (mean === null || median === null || p90 === null) return undefined;
  return count < QUANTILES_FROM ? { value: mean, median: null, p90: null } : { value: median, median, p90 };
};
