import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    coverage: {
      provider: "v8",
      include: ["core/**/*.ts", "functions/**/*.ts", "lib/**/*.ts"],
      reporter: ["text-summary"],
    },
  },
});
