import { sweep, type SweepDeps } from "../core/flow/sweep.ts";
import { liveDeps } from "../core/live.ts";

/** What Lambda says of an invocation: how long it has still to live. */
type Invocation = { getRemainingTimeInMillis: () => number };

/** For what is under way when a round ends: the chunks of all shards, with their retries. */
const TO_END_MS = 3000;

/** Runs every minute: whatever is not finished in time is sent on its way again, as far as the time of a round goes. */
export const createSweeper =
  (deps: SweepDeps) =>
  (_event: unknown, invocation: Invocation): Promise<void> =>
    sweep(deps, deps.now() + invocation.getRemainingTimeInMillis() - TO_END_MS);

export const handler = createSweeper(liveDeps("events", "escalations"));
