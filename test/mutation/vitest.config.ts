import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import base, { LONG, OWN } from "../../vitest.config.ts";
import { AREA, areas, listTestPatterns } from "./areas.ts";

const { tests, slow = [], repeatable = false } = areas[process.env[AREA] ?? ""]!;

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: listTestPatterns(tests),
    exclude: [...LONG, ...listTestPatterns(slow), ...(repeatable ? OWN : [])],
    isolate: !repeatable,
    ...(repeatable ? { runner: fileURLToPath(new URL("session.ts", import.meta.url)) } : {}),
    // A few random cases are enough, because each case catches the same mutants.
    env: {
      ...base.test?.env,
      IMPORTED_SCHEDULES: "3",
      MATCHING_PAIRS: "3000",
      RANDOM_PAYLOADS: "20",
      SILENCE_RUNS: "2",
    },
    testTimeout: 60_000,
  },
});
