import { runSweep, type SweepDeps } from "../core/flow/sweep/sweep.ts";
import { liveDeps } from "../core/live.ts";

type Invocation = { getRemainingTimeInMillis: () => number };

/** The time reserved for work in progress when a sweep ends: the current chunks of all shards, with their retries. */
const TO_END_MS = 3000;

/** Creates the function that runs every minute and sends overdue unfinished work to the queues again, until its time is up. */
export const createSweeper =
  (deps: SweepDeps) =>
  (_event: unknown, invocation: Invocation): Promise<void> =>
    runSweep(deps, deps.now() + invocation.getRemainingTimeInMillis() - TO_END_MS);

export const handler = createSweeper(liveDeps("events", "pushes", "escalations", "webhooks"));
