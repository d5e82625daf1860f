import { sendSynthetic, type SyntheticDeps } from "../core/flow/sweep/send-synthetic.ts";
import { liveSynthetic } from "../core/live-synthetic.ts";
import { liveDeps } from "../core/live.ts";

/** Creates the handler that sends a synthetic event every minute. */
export const createSynthetic = (deps: SyntheticDeps) => (): Promise<void> => sendSynthetic(deps);

export const handler = createSynthetic({ ...liveDeps(), ...liveSynthetic() });
