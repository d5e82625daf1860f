import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import base, { LONG, OWN } from "../../vitest.config.ts";
import { ROOM, rooms, listTestPatterns } from "./rooms.ts";

const { tests, slow = [], again = false } = rooms[process.env[ROOM] ?? ""]!;

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    include: listTestPatterns(tests),
    exclude: [...LONG, ...listTestPatterns(slow), ...(again ? OWN : [])],
    isolate: !again,
    ...(again ? { runner: fileURLToPath(new URL("session.ts", import.meta.url)) } : {}),
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
