/** Response times of AWS and FCM, as quantiles. Each time has a source or is marked as assumed. */

/** Ascending pairs. For example, [0.5, 8] means that half of all calls take at most 8 ms. */
type Quantiles = readonly (readonly [quantile: number, ms: number])[];
export type Times = { what: string; source: string; quantiles: Quantiles };

export const awsTimes = {
  queue: {
    what: "SQS, from a message sent to its worker started",
    source: "bitesizedserverless.com, September 2022, eu-west-1: p10, p50, p90, p99",
    quantiles: [
      [0, 12],
      [0.1, 13.7],
      [0.5, 16.2],
      [0.9, 33.8],
      [0.99, 105],
      [1, 250],
    ],
  },
  table: {
    what: "DynamoDB, one call",
    source: "AWS says single-digit milliseconds; the tail is assumed",
    quantiles: [
      [0, 2.5],
      [0.5, 4.5],
      [0.9, 9],
      [0.99, 20],
      [1, 60],
    ],
  },
  push: {
    what: "FCM, one push",
    source: "assumed: Google publishes none",
    quantiles: [
      [0, 40],
      [0.5, 90],
      [0.9, 160],
      [0.99, 400],
      [1, 1000],
    ],
  },
  init: {
    what: "Lambda, an environment and Node before our code",
    source: "assumed: 150 to 400 ms is what others report of Node",
    quantiles: [
      [0, 150],
      [0.5, 210],
      [0.9, 300],
      [0.99, 400],
      [1, 600],
    ],
  },
} as const satisfies Record<string, Times>;

/** Returns the time in ms at a quantile, interpolated logarithmically between known quantiles. */
export const findMsAtQuantile = ({ quantiles }: Times, quantile: number): number => {
  const above = quantiles.findIndex(([known]) => known >= quantile);
  const [to, toMs] = quantiles[Math.max(0, above)] ?? [1, Number.NaN];
  const [from, fromMs] = quantiles[Math.max(0, above - 1)] ?? [to, toMs];
  return to === from ? toMs : fromMs * (toMs / fromMs) ** ((quantile - from) / (to - from));
};
