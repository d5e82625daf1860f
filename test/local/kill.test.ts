import { expect, it } from "vitest";
import { killAndRestart } from "../../scripts/kill-and-restart.ts";

it("nothing that was answered 201 is lost, or sent twice, when the whole service is killed in mid-stream", async () => {
  const outcome = await killAndRestart({ rounds: 1, events: 40, posters: 8, aheadSeconds: 120, say: () => {} });

  expect(outcome.accepted).toBeGreaterThanOrEqual(40);
  expect(outcome.faults).toStrictEqual([]);
}, 120_000);
