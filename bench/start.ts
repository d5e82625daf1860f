import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiKeyText } from "../core/domain/workspace/api-key-text.ts";
import { buildFunctions, distDir } from "../lib/build.ts";
import { readArguments } from "../tools/command-line.ts";
import { renderNights } from "./night.ts";
import { writeSection } from "./performance-page.ts";
import { median } from "./scenario.ts";

/* Measures how long each function takes to load and to send its first request, compared with an empty handler. */

const values = readArguments("npm run bench:start -- --rounds 15    measurements of each function (15)", {
  rounds: { type: "string", default: "15" },
});
const rounds = Number(values.rounds);

const marker = { ws: "ws_1", eventId: `evt_${"0".repeat(20)}`, due: 1, since: 1, tries: 0 };
const sqsEvent = (message: object) => ({
  Records: [
    { messageId: "1", receiptHandle: "1", body: JSON.stringify(message), attributes: { ApproximateReceiveCount: "1" } },
  ],
});
const apiKey = await createApiKeyText((prefix) => `${prefix}_0000000000000000`, "ws_1");
const call = { requestContext: { requestId: "bench" }, headers: { "x-api-key": apiKey } };

/** The default goal for a start's time, as a multiple of an empty handler's time. */
const RATIO_GOAL = 2.1;

/** `event`: makes the function read the table. `kilobytes`, `ratio`: the goals for the size and for the start. */
const subjects: readonly { name: string; event: object; kilobytes?: number; ratio?: number }[] = [
  { name: "post-event", event: call, kilobytes: 390, ratio: 1.8 },
  { name: "matcher", event: sqsEvent({ kind: "unfinished", marker }), kilobytes: 530 },
  {
    name: "sender",
    event: sqsEvent({ marker, packId: "0".repeat(26), userIds: ["usr_1"], sizes: [], text: { title: "t", body: "b" } }),
    kilobytes: 790,
    ratio: 2.3,
  },
  { name: "escalator", event: sqsEvent({ marker: { ...marker, step: { rule: 0, cursor: 1 } } }) },
  { name: "sweeper", event: {} },
  { name: "ping", event: call },
];

const temp = mkdtempSync(join(tmpdir(), "bench-start-"));
const runner = join(temp, "runner.cjs");
writeFileSync(
  runner,
  `const { handler } = require(process.argv[2]);
process.send("ready");
const context = { getRemainingTimeInMillis: () => 30_000 };
// The table's answer does not matter, because the measurement ends with the first request.
Promise.resolve().then(() => handler(JSON.parse(process.env.PROBE), context)).catch(() => {}).finally(() => process.exit(0));
`,
);
const empty = join(temp, "empty.js");
writeFileSync(empty, "exports.handler = async () => ({ statusCode: 200 });\n");

let handleTableRequest = (): void => {};
const table = createServer((request, response) => {
  handleTableRequest();
  request.resume();
  response.setHeader("Content-Type", "application/x-amz-json-1.0").end("{}");
});
await new Promise<void>((resolve) => {
  table.listen(0, "127.0.0.1", resolve);
});
const address = table.address();
if (address === null || typeof address === "string") throw new Error("the table stand-in has no port");
const endpoint = `http://127.0.0.1:${address.port}`;

type StartTimes = { ready: number; asked: number };

/** Starts a function in a new process. Returns the ms until the handler is ready, and until it first requests the table. */
const measureStart = (file: string, event: object): Promise<StartTimes> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const sample: StartTimes = { ready: 0, asked: 0 };
    const measureElapsedMs = () => performance.now() - began;
    handleTableRequest = () => {
      if (sample.asked === 0) sample.asked = measureElapsedMs();
    };
    const child = spawn(process.execPath, [runner, file], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: {
        PATH: process.env["PATH"],
        PROBE: JSON.stringify(event),
        AWS_REGION: "local",
        AWS_ACCESS_KEY_ID: "bench",
        AWS_SECRET_ACCESS_KEY: "bench",
        AWS_ENDPOINT_URL: endpoint,
        TABLE_NAME: "bench",
        STAGE: "bench",
        EVENTS_QUEUE_URL: endpoint,
        PUSHES_QUEUE_URL: endpoint,
        ESCALATIONS_QUEUE_URL: endpoint,
        WEBHOOKS_QUEUE_URL: endpoint,
        INBOUND_QUEUE_URL: endpoint,
        FCM_SECRET_ARN: "bench",
        VAPID_SECRET_ARN: "bench",
        RECEIPT_SECRET_ARN: "bench",
        BASE_URL: endpoint,
      },
    });
    child.once("message", () => {
      sample.ready = measureElapsedMs();
    });
    child.once("error", reject);
    child.once("exit", () => (sample.ready > 0 ? resolve(sample) : reject(new Error(`${file} did not start`))));
  });

buildFunctions();
const toBundlePath = (name: string): string => join(distDir, name, "index.js");
const samples = new Map<string, StartTimes[]>(["empty", ...subjects.map(({ name }) => name)].map((name) => [name, []]));
for (let round = 0; round <= rounds; round += 1) {
  const turn = [
    { name: "empty", file: empty, event: {} },
    ...subjects.map((s) => ({ ...s, file: toBundlePath(s.name) })),
  ];
  for (const { name, file, event } of turn) {
    const sample = await measureStart(file, event);
    // Round 0 only fills the file system's cache.
    if (round > 0) samples.get(name)?.push(sample);
  }
}
table.close();
rmSync(temp, { recursive: true });

const computeMedian = (functionName: string, field: keyof StartTimes): number =>
  median((samples.get(functionName) ?? []).map((sample) => sample[field]));
const base = computeMedian("empty", "ready");
const rows = subjects.map(({ name, kilobytes, ratio = RATIO_GOAL }) => {
  const size = statSync(toBundlePath(name)).size / 1000;
  const ready = computeMedian(name, "ready") / base;
  const asked = computeMedian(name, "asked") / base;
  const kept = asked > 0 && size <= (kilobytes ?? Infinity) && ready <= ratio;
  return { name, size, ready, asked, kilobytes, ratio, kept };
});
const lines = [
  "| Function | Bundle, kB | Goal | Ready | Goal |",
  "|---|---|---|---|---|",
  ...rows.map(
    ({ name, size, ready, kilobytes, ratio }) =>
      `| ${name} | ${size.toFixed(0)} | ${kilobytes ?? ""} | ${ready.toFixed(2)}x | ${ratio}x${ready > ratio ? " **not met**" : ""} |`,
  ),
];
console.log(`empty handler: ${base.toFixed(0)} ms, median of ${rounds}\n${lines.join("\n")}`);
writeSection("start", [
  `Time from a fresh process to a ready handler: medians of ${rounds} starts, compared with an empty handler (${base.toFixed(0)} ms here).`,
  "",
  ...lines,
]);
const ownMs = rows.map(({ name, asked, ready }) => [name, (Math.max(asked, ready) - 1) * base] as const);
writeSection("night", renderNights(Object.fromEntries(ownMs)));
const broken = rows.filter(({ kept }) => !kept);
if (broken.length > 0) {
  console.error(`over budget: ${broken.map(({ name }) => name).join(", ")}`);
  process.exitCode = 1;
}
