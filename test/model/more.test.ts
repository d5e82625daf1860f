import { expect, it } from "vitest";
import { checkHistories } from "./check.ts";

const RUNS = 300;

it(`${RUNS} more random histories match the specification`, { timeout: 600_000 }, async () => {
  const failure = await checkHistories({ runs: RUNS, seed: 20_261_122 });

  expect(failure?.text).toBeUndefined();
});
