import { useState } from "preact/hooks";
import { type Failure, toFailureOrRethrow } from "../app/failure.ts";
import { type ActionResult, showStatus } from "../app/status.ts";

export type ActionState = { busy: boolean; failure: Failure | undefined; run: () => Promise<void> };

/** Returns the last failure, and a function that runs the action unless it is running. The status line shows the result. */
export const useAction = (action: () => Promise<ActionResult>): ActionState => {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const runOnce = async (): Promise<void> => {
    if (busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const done = await action();
      if (done !== undefined) showStatus(done);
    } catch (error) {
      setFailure(toFailureOrRethrow(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run: runOnce };
};
