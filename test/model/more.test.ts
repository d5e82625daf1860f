import { expect, it } from "vitest";
import { checkHistories } from "./check.ts";

const RUNS = 300;

it(`${RUNS} more histories go as the interface has it`, { timeout: 600_000 }, async () => {
  const failure = await checkHistories({ runs: RUNS, seed: 20_261_122 });

  expect(failure?.text).toBeUndefined();
});
