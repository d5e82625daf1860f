import type { Answers } from "../../app/types.ts";

/** With fewer values than this, estimated quantiles say little, so the mean, which is exact, is shown. */
const QUANTILES_FROM = 20;

/** How long something took, in seconds: the median and the 90th percentile, or the mean of a few. Undefined without any. */
export const typicalDuration = ({ count, mean, median, p90 }: Answers["Statistics"]["acknowledged"]) => {
  if (mean === null || median === null || p90 === null) return undefined;
  return count < QUANTILES_FROM ? { value: mean, median: null, p90: null } : { value: median, median, p90 };
};
