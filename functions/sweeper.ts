import { runSweep, type SweepDeps } from "../core/flow/sweep/sweep.ts";
import { liveDeps } from "../core/live.ts";

type Invocation = { getRemainingTimeInMillis: () => number };

/** The time that is reserved for work in progress at the end of a sweep. */
const TO_END_MS = 3000;

/** Creates the handler that runs a sweep every minute. */
export const createSweeper =
  (deps: SweepDeps) =>
  (_event: unknown, invocation: Invocation): Promise<void> =>
    runSweep(deps, deps.now() + invocation.getRemainingTimeInMillis() - TO_END_MS);

export const handler = createSweeper(liveDeps("events", "pushes", "escalations", "webhooks"));
