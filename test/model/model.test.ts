import { expect, it } from "vitest";
import { checkHistories } from "./check.ts";

/** The number of histories: fewer than `npm run test:model` plays. */
const RUNS = Number(process.env["MODEL_RUNS"] ?? 30);

it(`${RUNS} random histories of two workspaces match the specification`, { timeout: 600_000 }, async () => {
  const { failure, rounds } = await checkHistories({ runs: RUNS, seed: 20_261_121 });

  expect(failure).toBeUndefined();
  for (const count of Object.values(rounds)) expect(count).toBeGreaterThan(0);
});
