import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { aPerson, readSession } from "./person.ts";

/** The number of requests that one laptop can send. */
const PER_SECOND = 500;
const STEP_MS = 20;

const startFlood = () => {
  const statuses = new Map<number, number>();
  const stop = new AbortController();
  let asked = 0;
  const sendRequest = async (path: string) => {
    const answer = await fetch(`${readSession().baseUrl}${path}`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer !== undefined) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  };
  const sendUntilStopped = async () => {
    const from = performance.now();
    while (!stop.signal.aborted) {
      const due = ((performance.now() - from) / 1000) * PER_SECOND;
      for (; asked < due; asked += 1) void sendRequest(`/no-such-page-${asked}`);
      await pause(STEP_MS);
    }
  };
  const ran = sendUntilStopped();
  return {
    statuses,
    stop: async () => {
      stop.abort();
      await ran;
    },
  };
};

test("under 500 requests a second for unknown paths, the inbox still opens for returning and new visitors", async () => {
  const returning = await aPerson();
  await returning.signInAs("dora@demo.example");
  await returning.page.evaluate("navigator.serviceWorker.ready.then(() => true)");
  const attack = startFlood();
  await expect.poll(() => attack.statuses.get(429) ?? 0).toBeGreaterThan(100);

  await returning.open("/inbox", "Demo");
  await returning.heading("Inbox").waitFor();
  await returning.open("/rules", "Demo");
  await returning.heading("Rules").waitFor();
  const newcomer = await aPerson();
  await newcomer.signInAs("alice@acme.example");

  await attack.stop();
});
