import type { Config } from "./config.ts";
import { timers, workers } from "./workers.ts";

type ConcurrencySetting = Pick<Config, "ingestConcurrency">;

/** Returns the concurrency that ingest and the timers reserve together; 0 if ingest reserves no concurrency. */
export const sumReservedConcurrency = ({ ingestConcurrency }: ConcurrencySetting): number =>
  ingestConcurrency === 0
    ? 0
    : timers.reduce((sum, { reservedConcurrency = 0 }) => sum + reservedConcurrency, ingestConcurrency);

/** Returns the maximum concurrency of a function, or Infinity if the function has no maximum. */
export const findConcurrencyLimit = (entry: string, { ingestConcurrency }: ConcurrencySetting): number => {
  if (entry === "post-event") return ingestConcurrency === 0 ? Infinity : ingestConcurrency;
  return workers.find((worker) => worker.entry === entry)?.maxConcurrency ?? Infinity;
};
