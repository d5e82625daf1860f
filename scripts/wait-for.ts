import { setTimeout as sleep } from "node:timers/promises";

const WAIT_MS = 30_000;

/** Calls `ask` until it returns a value, and returns that value. Throws an error after 30 s. `expected`: names the value in the error. */
export const waitForValue = async <Found>(expected: string, ask: () => Promise<Found | undefined>): Promise<Found> => {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; await sleep(50)) {
    const found = await ask();
    if (found !== undefined) return found;
  }
  throw new Error(`${expected} did not happen within ${WAIT_MS / 1000} s`);
};
