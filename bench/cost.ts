import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { PAGE_LIMIT } from "../core/domain/workspace/page-limit.ts";
import { readArguments } from "../tools/command-line.ts";
import { startLocalService, type LocalService } from "./local-service.ts";
import { writeSection } from "./performance-page.ts";
import type { Usage } from "../local/aws/meters.ts";
import { dollarsLeft, computeDollars, prices } from "./prices.ts";
import { buildEvent, setUpRule, callAsMember, postEvent } from "./scenario.ts";

readArguments(
  "npm run bench:cost    counts what each kind of work costs, and writes it to docs/performance.md and bench/cost-measured.json",
  {},
);

/**
 * Compares the usage of each kind of work with a budget. The local service's meters count like AWS's bill. Each kind of work
 * runs once before the measurement, to warm up the instances.
 */

type Budget = { writeUnits: number; readUnits: number; sqsRequests?: number };
type CostRow = { work: string; times: number; usage: Usage; budget: Budget };

await using service = await startLocalService();
const { workspace } = service;
const member = callAsMember(service, workspace);
const post = (event: object) => postEvent(service, workspace, event);

/** Waits until the service is idle: until its meters have not changed for a second. */
const waitUntilIdle = async (): Promise<void> => {
  for (let still = 0, last = -1; still < 4;) {
    await sleep(250);
    const { total } = await service.meters();
    const now = total.writeUnits + total.fcmRequests + total.sqsRequests;
    still = now === last ? still + 1 : 0;
    last = now;
  }
};

/** Returns the average usage per run; zeros if `total` is undefined. */
const divideUsage = (total: Usage | undefined, runs: number): Usage => {
  const divideKind = (kind: keyof Usage): number => (total?.[kind] ?? 0) / runs;
  return {
    invocations: divideKind("invocations"),
    writeUnits: divideKind("writeUnits"),
    readUnits: divideKind("readUnits"),
    sqsRequests: divideKind("sqsRequests"),
    fcmRequests: divideKind("fcmRequests"),
    processorMs: divideKind("processorMs"),
  };
};

/** Returns the average usage per run, after a run to warm up. `entry`: the only function whose usage counts. */
const meterPerRun = async (times: number, work: (run: number) => Promise<unknown>, entry?: string): Promise<Usage> => {
  await work(-1);
  await waitUntilIdle();
  await service.resetMeters();
  for (let run = 0; run < times; run += 1) {
    await work(run);
    if (entry === undefined) await waitUntilIdle();
  }
  const { functions, total } = await service.meters();
  const used = entry === undefined ? total : functions[entry];
  return divideUsage(used, times);
};

const measureWorkloads = async (service: LocalService): Promise<CostRow[]> => {
  if (workspace.members.length < 3) throw new Error(`${service.session.baseUrl} has too few members`);
  await setUpRule(service, workspace, { resource: "three", people: 3, devices: 2 });
  const rows: CostRow[] = [];
  /** Measures a kind of work in several runs, and adds its row. `entry`: the only function whose usage counts. */
  const addRow = async (
    work: string,
    times: number,
    budget: Budget,
    run: (n: number) => Promise<unknown>,
    entry?: string,
  ) => {
    rows.push({ work, times, budget, usage: await meterPerRun(times, run, entry) });
  };

  await addRow(
    "`POST /v1/events`",
    20,
    { writeUnits: 3, readUnits: 1 },
    (n) => post(buildEvent("nobody", n)),
    "post-event",
  );
  await addRow(
    "`POST /v1/events` with a `dedupeKey`",
    20,
    { writeUnits: 4, readUnits: 1 },
    (n) => post({ ...buildEvent("nobody", n), dedupeKey: `bench-${n}` }),
    "post-event",
  );
  await addRow("an event that no rule matches, until nothing is left to do", 5, { writeUnits: 5, readUnits: 0 }, (n) =>
    post(buildEvent("nobody", n)),
  );
  const postForThree = (eventNumber: number): Promise<string> => post(buildEvent("three", eventNumber));
  const counted = { writeUnits: 8 + 3, readUnits: 0.5, sqsRequests: 6 };
  await addRow("an event for three people whose pages are counted", 5, counted, postForThree);
  // The service does not count pages in a workspace without a page limit.
  await member("PATCH", "", { loudPerTenMinutes: null });
  const uncounted = { writeUnits: 8, readUnits: 0.5, sqsRequests: 6 };
  await addRow("an event for three people with two devices each, until all are notified", 5, uncounted, postForThree);
  await member("PATCH", "", { loudPerTenMinutes: PAGE_LIMIT });
  const burst = 100;
  // An idle instance assumes that the rate limit is unused. If other instances have used the limit, a refused write is paid.
  const refusedAdmissions = 0.2;
  const usage = await meterPerRun(1, (n) =>
    Promise.all(Array.from({ length: burst }, (_, index) => post(buildEvent("three", burst * (n + 1) + index)))),
  );
  rows.push({
    work: "one event of a burst of a hundred, for three people with two devices each",
    times: burst,
    usage: divideUsage(usage, burst),
    budget: { writeUnits: 8 + refusedAdmissions, readUnits: 1, sqsRequests: 3.5 },
  });
  await addRow(
    "a page of 50 events",
    5,
    { writeUnits: 0, readUnits: 13 },
    () => member("GET", "/events?limit=50"),
    "read-events",
  );
  await addRow(
    "50 notifications, newest first",
    5,
    { writeUnits: 0, readUnits: 7 },
    () => member("GET", "/notifications?limit=50"),
    "read-notifications",
  );
  const Notifications = v.array(v.object({ id: v.string() }));
  const list = v.parse(Notifications, await member("GET", "/notifications?limit=20"));
  await addRow(
    "an acknowledgement",
    10,
    { writeUnits: 2, readUnits: 2 },
    (n) => member("PATCH", `/notifications/${list[n + 1]?.id}`, { status: "ACKNOWLEDGED" }),
    "write-notifications",
  );
  return rows;
};

const rows = await measureWorkloads(service);

const formatNumber = (value: number): string => String(Math.round(value * 100) / 100);
const formatWithBudget = (value: number, budget: number | undefined): string =>
  budget === undefined ? formatNumber(value) : `${formatNumber(value)} of ${formatNumber(budget)}`;
const MILLION = 1e6;
/** Returns the cost of one run by purpose, including stored data and API requests. */
const computeCosts = ({ work, usage }: CostRow): Record<string, number> => ({
  ...computeDollars(usage),
  API: prices.httpApiRequest,
  ...(/event for|event that|burst/.test(work) ? dollarsLeft : { logs: 0, storage: 0, backups: 0 }),
});
const sumDollars = (dollars: Record<string, number>): number =>
  Object.values(dollars).reduce((total, one) => total + one, 0);
const lines = [
  "| Work | Write units | Read units | SQS requests | Processor, ms | $ a million |",
  "|---|---|---|---|---|---|",
  ...rows.map((row) => {
    const { work, usage, budget } = row;
    return (
      `| ${work} | ${formatWithBudget(usage.writeUnits, budget.writeUnits)} | ${formatWithBudget(usage.readUnits, budget.readUnits)} | ` +
      `${formatWithBudget(usage.sqsRequests, budget.sqsRequests)} | ${formatNumber(usage.processorMs)} | ` +
      `${(MILLION * sumDollars(computeCosts(row))).toFixed(2)} |`
    );
  }),
];
console.log(lines.join("\n"));
writeSection("cost", [
  "Measured on the local service, with events of about 1 KB and warm instances. `3 of 4` means that 3 are used, and that a test allows at most 4.",
  "Processor time depends on the machine of the run. Dollars are list prices (`bench/prices.ts`) of table, queues, Lambda, API, logs, and a year of storage and backups.",
  "",
  ...lines,
]);
writeFileSync(
  join(import.meta.dirname, "cost-measured.json"),
  `${JSON.stringify(Object.fromEntries(rows.map(({ work, usage }) => [work, usage])), null, 2)}\n`,
);

const broken = rows.filter(
  ({ usage, budget }) =>
    usage.writeUnits > budget.writeUnits + 1e-9 ||
    usage.readUnits > budget.readUnits + 1e-9 ||
    usage.sqsRequests > (budget.sqsRequests ?? Infinity) + 1e-9,
);
if (broken.length > 0) {
  console.error(`over budget: ${broken.map(({ work }) => work).join("; ")}`);
  process.exitCode = 1;
}
