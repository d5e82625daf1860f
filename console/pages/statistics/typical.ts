import type { Answers } from "../../app/types.ts";

/** Below this number, quantiles mean little, and the mean is shown. */
const QUANTILES_FROM = 20;

/** In seconds: the median and the 90th percentile, or the mean of few values. Undefined without values. */
export const typicalDuration = ({ count, mean, median, p90 }: Answers["Statistics"]["acknowledged"]) => {
  if (mean === null || median === null || p90 === null) return undefined;
  return count < QUANTILES_FROM ? { value: mean, median: null, p90: null } : { value: median, median, p90 };
};
