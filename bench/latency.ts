import { cpus, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { startLocalService } from "./local-service.ts";
import { writeSection } from "./performance-page.ts";
import { buildEvent, setUpRule, runAtRate, findQuantile, postEvent, listPushDelays } from "./scenario.ts";
import { readArguments } from "../tools/command-line.ts";

/* Measures the time from the answer 201 to each push at the stand-in for FCM, at a fixed rate of events, all on one machine. */

const usage = `npm run bench:latency -- --rate 20       events a second (20)
npm run bench:latency -- --seconds 60    duration in seconds (60)
npm run bench:latency -- --people 3      people notified for each event (3)
npm run bench:latency -- --devices 2     devices of each person (2)
npm run bench:latency -- --no-page       prints only: writes no page`;

const values = readArguments(usage, {
  rate: { type: "string", default: "20" },
  seconds: { type: "string", default: "60" },
  people: { type: "string", default: "3" },
  devices: { type: "string", default: "2" },
  "no-page": { type: "boolean", default: false },
});
const [rate, seconds, people, devices] = [values.rate, values.seconds, values.people, values.devices].map(Number);
if (![rate, seconds, people, devices].every((value) => Number.isInteger(value) && (value ?? 0) > 0))
  throw new Error("--rate, --seconds, --people and --devices are whole numbers from 1 on");

const WARM_UP_EVENTS = 40;
const WAIT_FOR_REST_MS = 60_000;
const P99_GOAL_MS = 1000;

await using service = await startLocalService();
const { workspace } = service;

const answered = new Map<string, number>();
const toAnswer: number[] = [];

/** Posts the event with the number `number`. Stores the duration and the arrival time of the answer. */
const postAndStoreTimes = async (number: number): Promise<void> => {
  const began = performance.now();
  const eventId = await postEvent(service, workspace, buildEvent("latency", number));
  const at = Date.now();
  toAnswer.push(performance.now() - began);
  answered.set(eventId, at);
};

const renderQuantileRow = (name: string, measured: readonly number[]): string => {
  const toQuantileMs = (quantile: number) => Math.max(0, Math.round(findQuantile(measured, quantile)));
  return `| ${name} | ${toQuantileMs(0.5)} | ${toQuantileMs(0.99)} | ${toQuantileMs(1)} |`;
};

await setUpRule(service, workspace, { resource: "latency", people: people ?? 1, devices: devices ?? 1 });
await runAtRate(rate ?? 1, WARM_UP_EVENTS, postAndStoreTimes);
await sleep(2000);
answered.clear();
toAnswer.length = 0;

const load = loadavg()[0] ?? 0;
await runAtRate(rate ?? 1, (rate ?? 1) * (seconds ?? 1), postAndStoreTimes);
const expected = answered.size * (people ?? 1) * (devices ?? 1);

let found = await listPushDelays(service, answered);
for (let waited = 0; found.length < expected && waited < WAIT_FOR_REST_MS; waited += 500) {
  await sleep(500);
  found = await listPushDelays(service, answered);
}

const all = found.map(({ ms }) => ms);
const firsts = [...Map.groupBy(found, ({ eventId }) => eventId).values()].map((pushes) =>
  Math.min(...pushes.map(({ ms }) => ms)),
);
const lines = [
  `The table shows milliseconds on the local service: ${rate} events a second for ${seconds} seconds, each to ${people} people with ${devices} devices. The service`,
  `and the sender share ${cpus().length} cores, whose load was ${load.toFixed(1)} before the run.`,
  "",
  "| From, to | p50 | p99 | Most |",
  "|---|---|---|---|",
  renderQuantileRow("201 to the first push at FCM", firsts),
  renderQuantileRow("201 to every push at FCM", all),
  renderQuantileRow("request to 201", toAnswer),
];
console.log(lines.join("\n"));
if (!values["no-page"]) writeSection("latency", lines);

const p99 = findQuantile(all, 0.99);
if (found.length !== expected || p99 > P99_GOAL_MS) {
  console.error(`${found.length} of ${expected} pushes came; p99 is ${p99} ms, the goal ${P99_GOAL_MS}`);
  process.exitCode = 1;
}
