import { sendSynthetic, type SyntheticDeps } from "../core/flow/send-synthetic.ts";
import { liveSynthetic } from "../core/live-synthetic.ts";
import { liveDeps } from "../core/live.ts";

/** Runs every minute where the stack is asked for it: an event goes the whole way. */
export const createSynthetic = (deps: SyntheticDeps) => (): Promise<void> => sendSynthetic(deps);

export const handler = createSynthetic({ ...liveDeps(), ...liveSynthetic() });
