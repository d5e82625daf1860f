import { awsTimes, findMsAtQuantile, type Times } from "./aws-times.ts";
import { createRandom } from "../tools/random.ts";

/**
 * Measures a page at night: an event after an hour without traffic, for which every function starts cold. The loading times of
 * the service's code are measured; AWS's times are drawn from their distributions.
 */

const EVENTS = 10_000;
/** The functions that lead to a push. Each function waits `before`, calls the table `table` times, and then calls `after`. */
const steps = [
  { name: "post-event", table: 3, before: [], after: [] },
  { name: "matcher", table: 4, before: [awsTimes.queue], after: [] },
  // A cold sender's requests: a secret, Google's access token, the push.
  { name: "sender", table: 3, before: [awsTimes.queue], after: [awsTimes.push, awsTimes.push, awsTimes.push] },
] as const;

/** Returns simulated ms from the request to the first push, ascending. `ownMs`: how long each function's code loads. */
export const simulateNights = (ownMs: Readonly<Record<string, number>>, isCold: boolean): number[] => {
  const random = createRandom(1);
  const drawMs = (times: Times): number => findMsAtQuantile(times, random());
  const drawMsToFirstPush = (): number => {
    let sum = 0;
    for (const { name, table, before, after } of steps) {
      for (const times of before) sum += drawMs(times);
      if (isCold) sum += drawMs(awsTimes.init) + (ownMs[name] ?? Number.NaN);
      for (let call = 0; call < table; call += 1) sum += drawMs(awsTimes.table);
      for (const times of isCold ? after : after.slice(-1)) sum += drawMs(times);
    }
    return sum;
  };
  return Array.from({ length: EVENTS }, drawMsToFirstPush).toSorted((a, b) => a - b);
};

/** Renders a table of the ms to the first push, with warm and cold functions. `ownMs`: how long each function's code loads. */
export const renderNights = (ownMs: Readonly<Record<string, number>>): string[] => {
  const formatRow = (name: string, times: readonly number[]): string =>
    `| ${name} | ${[0.5, 0.99].map((part) => times[Math.ceil(part * times.length) - 1]?.toFixed(0)).join(" | ")} |`;
  return [
    "The table shows milliseconds from the request to the first push. Loading the code of a function was measured with a full CPU core:",
    `${steps.map(({ name }) => `${ownMs[name]?.toFixed(0)} ms for ${name}`).join(", ")}. Lambda's own part of a start (150 to 400 ms) is assumed.`,
    "",
    "| State of the functions | p50 | p99 |",
    "|---|---|---|",
    formatRow("all have run before", simulateNights(ownMs, false)),
    formatRow("all start for this event", simulateNights(ownMs, true)),
  ];
};
