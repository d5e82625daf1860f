import { setTimeout as sleep } from "node:timers/promises";

const WAIT_MS = 30_000;

/** Polls until there is a value. If there is no value in time, rejects with an error that contains `expected`. */
export const waitForValue = async <Found>(expected: string, ask: () => Promise<Found | undefined>): Promise<Found> => {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(50)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${expected} did not happen within ${WAIT_MS / 1000} s`);
};
