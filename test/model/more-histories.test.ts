import { expect, it } from "vitest";
import { checkHistories } from "./check.ts";

const RUNS = 300;

it(`${RUNS} more random histories match the specification`, { timeout: 600_000 }, async () => {
  const { failure, rounds } = await checkHistories({ runs: RUNS, seed: 20_261_122 });

  expect(failure).toBeUndefined();
  for (const count of Object.values(rounds)) expect(count).toBeGreaterThan(0);
});
