import { useState } from "preact/hooks";
import { type Failure, failureOrRethrow } from "../app/failure.ts";
import { type Result, showStatus } from "../app/status.ts";

export type Doing = { busy: boolean; failure: Failure | undefined; run: () => Promise<void> };

/** Runs an action, but never twice at a time. The status line shows its result. A failure is kept until the next attempt. */
export const useAction = (action: () => Promise<Result>): Doing => {
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
      setFailure(failureOrRethrow(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, failure, run: runOnce };
};
