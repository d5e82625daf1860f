import "../test/faults/engine/environment.ts";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { LateOrder, LateRun } from "../test/faults/late.ts";
import { scenarios } from "../test/faults/scenarios/index.ts";
import { readArguments } from "../tools/command-line.ts";
import { measureOutages } from "./lateness/outages.ts";
import { isOnTime, renderOutageTable, listFaultRows, renderFaultTable, compareWithGoal } from "./lateness/rows.ts";
import { renderIncidents, renderYears } from "./lateness/year.ts";
import { writeSection } from "./performance-page.ts";

/*
 * Measures how late an event's first push is under each fault. The real functions run in virtual time with single faults, pairs
 * of faults, and outages. Results are the same on any machine.
 */

const values = readArguments(
  `npm run bench:lateness                     every fourth single fault, and a sample of pairs
npm run bench:lateness -- --all            every single fault; writes no page
npm run bench:lateness -- --only plain     some scenarios; writes no page
npm run bench:lateness -- --pairs 40       pairs of faults for each scenario (40)`,
  { only: { type: "string" }, all: { type: "boolean", default: false }, pairs: { type: "string", default: "40" } },
);

/** The number of shares of all runs, the same on every machine, because each share has its own pairs of faults. */
const SHARES = 8;
const SHARES_ON_PAGE = 2;

const names = values.only?.split(",") ?? scenarios.filter(({ large }) => large !== true).map(({ name }) => name);
const waiting = Array.from({ length: values.all ? SHARES : SHARES_ON_PAGE }, (_, share) => share);

/** Runs a share of all runs in a worker thread. `share`: the number of the share, from 0 to SHARES - 1. */
const runShareInWorker = (share: number): Promise<LateRun[]> =>
  new Promise((resolve, reject) => {
    const order: LateOrder = { pairs: Number(values.pairs), share, of: SHARES };
    const worker = new Worker(new URL("lateness/worker.ts", import.meta.url), { workerData: { names, order } });
    worker.on("message", resolve);
    worker.on("error", reject);
  });

const runs: LateRun[][] = [];
/** Runs the waiting shares one after another in workers, until no share waits. */
const runWaitingShares = async (): Promise<void> => {
  for (let share = waiting.shift(); share !== undefined; share = waiting.shift()) {
    runs[share] = await runShareInWorker(share);
    console.log(`share ${share + 1} of ${SHARES}: ${runs[share]?.length} runs`);
  }
};
await Promise.all(Array.from({ length: Math.max(1, availableParallelism()) }, runWaitingShares));

const rows = listFaultRows(runs.flat());
const outages = await measureOutages();
const single = renderFaultTable("What goes wrong, once", rows);
const down = renderOutageTable(outages);
for (const { name, worst } of rows) console.log(`${name}: npm run faults -- --replay '${worst}'`);
console.log([...single, "", ...down, "", ...renderYears(), "", ...renderIncidents()].join("\n"));
if (values.only === undefined && !values.all) {
  const count = rows.reduce((sum, { samples }) => sum + samples.length, 0);
  writeSection("lateness", [
    `The table covers ${count.toLocaleString("en")} runs in ${names.length} scenarios, each with one fault. Of the faults that can delay a first push, every fourth is tried.`,
    "The delays are seconds of virtual time, from storing the event to the first push of the recipient who is notified last.",
    "",
    ...renderFaultTable("What goes wrong, once", [
      ...rows.slice(0, 1),
      ...rows.slice(1).filter((row) => !isOnTime(row)),
    ]),
    "",
    `${rows.slice(1).filter(isOnTime).length} other kinds of fault delay no push by more than 5 s.`,
    "",
    "The cells show p50, p99 and worst delay in outages. The goal is the length of the outage plus 65 s. An event arrives every 13 s, and eight arrive",
    "just before the outage.",
    "",
    ...renderOutageTable(outages.filter(({ lastsMs }) => lastsMs > 60_000)),
  ]);
  writeSection("year", renderYears());
}
const missed = [...rows, ...outages].filter((row) => !compareWithGoal(row).met);
if (missed.length > 0) {
  console.error(`goals not met: ${missed.map(({ name }) => name).join("; ")}`);
  process.exitCode = 1;
}
