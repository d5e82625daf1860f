import { sweep, type SweepDeps } from "../core/flow/sweep.ts";
import { liveDeps } from "../core/live.ts";

/** Runs every minute: whatever is not finished in time is sent on its way again. */
export const createSweeper = (deps: SweepDeps) => (): Promise<void> => sweep(deps);

export const handler = createSweeper(liveDeps("events", "escalations"));
