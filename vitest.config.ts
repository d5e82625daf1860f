import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take long, since they start the local service or play histories: at the end, one would keep a core waiting. */
const SLOW = /\/test\/(?:local|model)\//;

class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    // The files of `shared` follow each other, because its workers end when a file of another project is next.
    const isFirst = ({ project, moduleId }: TestSpecification) => project.name !== "shared" || SLOW.test(moduleId);
    return [true, false].flatMap((first) => sorted.filter((file) => isFirst(file) === first));
  }
}

const BROWSER = "test/browser/*.test.ts";
export const LONG = [
  "test/local/bad-input.test.ts",
  "test/local/start.test.ts",
  "test/local/grants.test.ts",
  "test/local/canaries.test.ts",
  "test/local/machine-applies.test.ts",
  "test/local/demo-move.test.ts",
  "test/local/single-sign-on.test.ts",
  "test/local/start-and-kill.test.ts",
  "test/outside/send-page.test.ts",
  "test/core/flow/many-recipients.test.ts",
  "test/model/more-histories.test.ts",
  "test/core/domain/shifts/ten-years.test.ts",
  "test/core/flow/another-month.test.ts",
  "test/core/flow/retention.test.ts",
  "test/core/flow/month-of-acknowledgements.test.ts",
  "test/core/flow/large-plans.test.ts",
  "test/core/flow/busy-workspace.test.ts",
  "test/core/flow/shadow-scenarios.test.ts",
  "test/bench/event-cost.test.ts",
  "test/bench/neighbours-on-aws.test.ts",
  "test/lib/settings.test.ts",
  "test/scripts/help.test.ts",
  "test/scripts/release.test.ts",
  "test/setup/package.test.ts",
];
/** Those that need a process of their own. */
export const OWN = [
  "test/core/domain/rules/matching/no-engine.test.ts",
  "test/core/live-secrets.test.ts",
  "test/core/push/{access-token,changed-sdk,credentials,fcm,one-request,unreachable}.test.ts",
  "test/core/push/web/{strange-answers,web-push}.test.ts",
  "test/bench/lateness.test.ts",
  "test/local/{fcm,runtime,sign-in,sqs}/*.test.ts",
  "test/model/*.test.ts",
];
const CONSOLE = "test/console/app/*.test.ts";
const LOCAL = "test/local/*.test.ts";

/** More workers than cores, because these files mostly wait. The others run first, so that each core loads their modules once. */
const WAITING = { maxWorkers: 2 * availableParallelism(), sequence: { groupOrder: 1 } };

export default defineConfig({
  test: {
    projects: [
      // They leave nothing behind: a worker for each of their many files would cost a fifth more than they do.
      {
        extends: true,
        test: {
          name: "shared",
          include: ["test/**/*.test.ts"],
          exclude: [...OWN, ...LONG, LOCAL, CONSOLE, BROWSER],
          isolate: false,
        },
      },
      // They load the console's modules again for each test, but leave nothing else behind.
      { extends: true, test: { name: "console", include: [CONSOLE], isolate: false } },
      // They redirect what the SDKs connect to, or start servers, processes and workers.
      { extends: true, test: { name: "own", include: OWN, exclude: LONG, ...WAITING } },
      // They start the local service, whose functions are built once for all of them.
      {
        extends: true,
        test: { name: "local", include: [LOCAL], exclude: LONG, globalSetup: "test/support/build.ts", ...WAITING },
      },
      // Whole runs of the service, each as long as many other tests together: CI runs them.
      { extends: true, test: { name: "long", include: LONG, globalSetup: "test/support/build.ts" } },
      // The console in Chromium, on a service that is started once: `npm run test:browser`, which CI runs, too.
      { extends: true, test: { name: "browser", include: [BROWSER], globalSetup: "test/browser/service.ts" } },
    ],
    // Generous, for a busy machine: what waits for something ends when it is there.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    setupFiles: "test/world/after-each-test.ts",
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
      WEBHOOKS_QUEUE_URL: "none",
      INBOUND_QUEUE_URL: "none",
      FCM_SECRET_ARN: "none",
      VAPID_SECRET_ARN: "none",
      USER_POOL_URL: "http://127.0.0.1:9",
      RECEIPT_SECRET_ARN: "none",
      WEBHOOK_SECRET_ARN: "none",
      BASE_URL: "https://alerts.example",
    },
    coverage: {
      provider: "v8",
      include: ["core/**/*.ts", "functions/**/*.ts", "lib/**/*.ts"],
      reporter: ["text-summary"],
    },
  },
});
