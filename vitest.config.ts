import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Left to itself, vitest keeps one core free: half of them, where there are two.
    maxWorkers: "100%",
    // Handlers read their environment when they are loaded; tests hand their own dependencies to the factories.
    env: {
      AWS_REGION: "local",
      TABLE_NAME: "none",
      STAGE: "test",
      EVENTS_QUEUE_URL: "none",
      PUSHES_QUEUE_URL: "none",
      ESCALATIONS_QUEUE_URL: "none",
      FCM_SECRET_ARN: "none",
    },
    coverage: {
      provider: "v8",
      include: ["core/**/*.ts", "functions/**/*.ts", "lib/**/*.ts"],
      reporter: ["text-summary"],
    },
  },
});
