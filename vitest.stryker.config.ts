import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** Tests of time fail on mutated code, which counts what it runs. */
const UNTIMED = /^(?!.*(?:under 2 ms|less than 20 ms|budget and little more))/;

const { projects: _, ...common } = base.test ?? {};

/** The domain's own tests, those of random cases with fewer of them: they run once for every mutant. */
export default defineConfig({
  test: {
    ...common,
    include: ["test/core/domain/**/*.test.ts"],
    testNamePattern: UNTIMED,
    isolate: false,
    coverage: { enabled: false },
    env: { ...common.env, MATCHING_PAIRS: "2500", CLOCK_CHANGE_RUNS: "4" },
  },
});
