import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take long, since they start the local service or play histories: at the end, one would keep a core waiting. */
const SLOW = /\/test\/(?:local|model)\//;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [true, false].flatMap((slow) => sorted.filter(({ moduleId }) => SLOW.test(moduleId) === slow));
  }
}

const GRANTS = "test/local/grants.test.ts";

export default defineConfig({
  test: {
    projects: [
      // Pure functions leave nothing behind: a worker for each of their many small files would cost more than they do.
      { extends: true, test: { name: "domain", include: ["test/core/domain/*/*.test.ts"], isolate: false } },
      {
        extends: true,
        test: { name: "all else", include: ["test/**/*.test.ts"], exclude: ["test/core/domain/*/*.test.ts", GRANTS] },
      },
      // A whole run of the service, as long as many other tests together: `npm run test:grants`, which CI runs, too.
      { extends: true, test: { name: "grants", include: [GRANTS] } },
    ],
    // Generous, for a busy machine: what waits for something ends when it is there.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // Left to itself, vitest keeps one core free: half of them, where there are two.
    maxWorkers: "100%",
    sequence: { sequencer: SlowFirst },
    // Handlers read their environment when they are loaded; tests hand their own dependencies to the factories.
    env: {
      AWS_REGION: "local",
      TABLE_NAME: "none",
      STAGE: "test",
      EVENTS_QUEUE_URL: "none",
      PUSHES_QUEUE_URL: "none",
      ESCALATIONS_QUEUE_URL: "none",
      FCM_SECRET_ARN: "none",
      VAPID_SECRET_ARN: "none",
      BASE_URL: "https://alerts.example",
    },
    coverage: {
      provider: "v8",
      include: ["core/**/*.ts", "functions/**/*.ts", "lib/**/*.ts"],
      reporter: ["text-summary"],
    },
  },
});
