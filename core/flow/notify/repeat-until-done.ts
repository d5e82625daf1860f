import type { Deps } from "../../deps.ts";

const PAUSE_FIRST_MS = 100;
const PAUSE_MAX_MS = 2000;

/**
 * Repeats `work` until it succeeds. Each pause is twice as long as the previous pause, and half of its length is random. Throws
 * the last error if the next attempt would begin after `until`, in milliseconds. Calls `onError` before each further attempt.
 */
export const repeatUntilDone = async <Result>(
  deps: Pick<Deps, "now" | "random" | "sleep">,
  until: number,
  work: () => Promise<Result>,
  onError: (error: unknown) => void,
): Promise<Result> => {
  for (let longestMs = PAUSE_FIRST_MS; ; longestMs = Math.min(PAUSE_MAX_MS, 2 * longestMs)) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = longestMs / 2 + (deps.random() * longestMs) / 2;
      if (deps.now() + pauseMs > until) throw error;
      onError(error);
      await deps.sleep(pauseMs);
    }
  }
};
