import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundling } from "../../../lib/build.ts";
import { fcmPreload, startFcm } from "../../../local/fcm/server.ts";
import type { Fcm } from "../../../local/fcm/server.ts";
import { serviceAccount } from "../../core/push/support.ts";

let fcm: Fcm;
let directory: string;
let bundle: string;

const sender = `
  import { buildMessage } from "../../../core/domain/delivery/push/message.ts";
  import { createFcmChannel } from "../../../core/push/fcm.ts";

  const { SERVICE_ACCOUNT, DEVICE_TOKEN } = process.env;
  const push = createFcmChannel({ getServiceAccount: async () => SERVICE_ACCOUNT, now: Date.now });
  const message = buildMessage({
    workspaceId: "ws_acme", eventId: "evt_1", notificationId: "ntf_1", title: "Disk full", body: "db-1",
    priority: "HIGH", requiresAck: false, platform: "ios", nowMs: 0, consoleUrl: "",
    to: { token: DEVICE_TOKEN },
  });
  push.send(message).then((outcome) => process.stdout.write(JSON.stringify(outcome), () => process.exit()));
`;

// The function is bundled like the stack's functions: one minified CommonJS file that contains firebase-admin.
beforeAll(async () => {
  fcm = await startFcm();
  directory = await mkdtemp(join(tmpdir(), "fcm-"));
  bundle = join(directory, "index.js");
  await build({
    stdin: { contents: sender, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: bundle,
    ...bundling,
    logLevel: "error",
  });
});
afterAll(async () => {
  await fcm.close();
  await rm(directory, { recursive: true });
});

const createEnvironment = (functionName: string, token: string) => ({
  ...fcm.preloadEnv,
  AWS_LAMBDA_FUNCTION_NAME: functionName,
  SERVICE_ACCOUNT: serviceAccount,
  DEVICE_TOKEN: token,
});

it("the preload script makes a function in a worker thread send to the FCM stand-in, which counts the messages", async () => {
  fcm.resetCounts();
  const worker = new Worker(bundle, {
    execArgv: ["--import", fcmPreload],
    env: createEnvironment("sender", "phone-1"),
    stdout: true,
  });

  expect(JSON.parse(await text(worker.stdout))).toMatchObject({ kind: "accepted" });
  expect(fcm.counts()).toEqual({ total: 1, byFunction: { sender: 1 } });
});

it("the preload script makes a bundled function in its own process send to the FCM stand-in", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", fcmPreload, bundle], {
    env: createEnvironment("sender", "stale-1"),
  });

  expect(JSON.parse(stdout)).toEqual({ kind: "unregistered" });
});

it("the bundle of a function that sends pushes by FCM is smaller than 500 KB", async () => {
  const { size } = await stat(bundle);
  expect(size).toBeLessThan(500_000);
});
