import "./engine/environment.ts";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { readArguments, parsePart } from "../../tools/command-line.ts";
import { parsePlan } from "./engine/modes.ts";
import { START } from "./engine/world.ts";
import type { Progress, Assignment, Report, Violation } from "./explore.ts";
import { mustHappen } from "./must-happen.ts";
import { runPlan } from "./run.ts";
import { scenarioByName, scenarios, fullSizeScenarios } from "./scenarios/index.ts";

const usage = `npm run faults                            every single fault of every scenario, and a sample of pairs
npm run faults -- --pairs all             all pairs
npm run faults -- --part 3/40             the third of 40 parts of the runs
npm run faults -- --every                 every fault at every call, also at calls similar to earlier calls
npm run faults -- --large                 the large scenarios in full size, which takes long
npm run faults -- --only plain,burst      only these scenarios
npm run faults -- --seed 7                another sample of pairs
npm run faults -- --workers 1             the number of concurrent runs; by default, the number of processors
npm run faults -- --first                 stops at the first violation
npm run faults -- --replay '<plan>'       one run, shown call by call`;

const print = (text: string) => process.stdout.write(`${text}\n`);

const values = readArguments(usage, {
  pairs: { type: "string", default: "40" },
  large: { type: "boolean", default: false },
  every: { type: "boolean", default: false },
  only: { type: "string" },
  seed: { type: "string", default: "1" },
  workers: { type: "string" },
  part: { type: "string", default: "1/1" },
  replay: { type: "string" },
  first: { type: "boolean", default: false },
});

const replay = async (text: string): Promise<number> => {
  const { scenario, seed, plan } = parsePlan(text);
  const { records, violations } = await runPlan(scenarioByName(scenario), seed, plan);
  for (const { call, at, caller, request, attempt, mode, outcome } of records)
    print(
      `${String(call).padStart(4)} ${((at - START) / 1000).toFixed(3).padStart(9)} s  ${caller.padEnd(16)} ${request}` +
        `${attempt > 1 ? ` (try ${attempt})` : ""}${mode === undefined ? "" : ` <<${mode}>>`}: ${outcome}`,
    );
  print(violations.length === 0 ? "all invariants hold" : violations.map((line) => `VIOLATION ${line}`).join("\n"));
  return violations.length;
};

const mergeReports = (reports: readonly Report[]): Report[] =>
  [...Map.groupBy(reports, ({ scenario }) => scenario)].map(([scenario, parts]) => ({
    scenario,
    calls: Math.max(...parts.map(({ calls }) => calls)),
    singles: parts.reduce((sum, { singles }) => sum + singles, 0),
    pairs: parts.reduce((sum, { pairs }) => sum + pairs, 0),
    violations: parts.reduce((sum, { violations }) => sum + violations, 0),
    seen: [...new Set(parts.flatMap(({ seen }) => seen))],
  }));

const VIOLATIONS_SHOWN = 50;
let shown = 0;

const printViolation = ({ plan, found }: Violation): void => {
  shown += 1;
  if (shown <= VIOLATIONS_SHOWN)
    print(`VIOLATION npm run faults -- --replay '${plan}'\n${found.map((line) => `    ${line}`).join("\n")}`);
  if (shown === VIOLATIONS_SHOWN) print("further violations are only counted");
};

/** Explores scenarios in a worker thread, and returns the reports. Stops at the first violation on request. */
const runWorker = (names: readonly string[], order: Assignment): Promise<Report[]> =>
  new Promise((resolve, reject) => {
    const reports: Report[] = [];
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: { names, order } });
    worker.on("message", (news: Progress) => {
      if (news.kind === "violation") {
        printViolation(news.violation);
        if (values.first) process.exit(1);
        return;
      }
      const { report } = news;
      reports.push(report);
      print(
        `  ${report.scenario} ${order.share + 1}/${order.of}: ${report.singles} single faults, ${report.pairs} pairs`,
      );
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve(reports));
  });

const exploreAll = async (): Promise<number> => {
  const started = performance.now();
  const names = values.only?.split(",") ?? (values.large ? fullSizeScenarios : scenarios).map(({ name }) => name);
  const { part, parts } = parsePart(usage, values.part);
  const workers = Number(values.workers ?? Math.max(1, availableParallelism()));
  const of = workers * parts;
  const pairs = values.pairs === "all" ? "all" : Number(values.pairs);
  const seed = Number(values.seed);
  const shares = Array.from({ length: workers }, (_, worker) => (part - 1) * workers + worker);
  const found = await Promise.all(
    shares.map((share) => runWorker(names, { seed, pairs, share, of, every: values.every })),
  );
  const reports = mergeReports(found.flat());
  print(
    `${"scenario".padEnd(20)}${"calls".padStart(7)}${"singles".padStart(9)}${"pairs".padStart(9)}${"violations".padStart(12)}`,
  );
  for (const { scenario, calls, singles, pairs, violations } of reports)
    print(
      scenario.padEnd(20) +
        [calls, singles, pairs, violations]
          .map((count, index) => String(count).padStart([7, 9, 9, 12][index] ?? 0))
          .join(""),
    );
  const seen = new Set(reports.flatMap((report) => report.seen));
  const missing =
    values.only === undefined && !values.large && parts === 1 ? mustHappen.filter((what) => !seen.has(what)) : [];
  for (const what of mustHappen) print(`${seen.has(what) ? "seen   " : "MISSING"} ${what}`);
  const violations = reports.reduce((sum, report) => sum + report.violations, 0);
  const runs = reports.reduce((sum, { singles, pairs }) => sum + singles + pairs + 1, 0);
  print(`${runs} runs in ${((performance.now() - started) / 1000).toFixed(0)} s, ${violations} with violations`);
  return violations + missing.length;
};

process.exitCode = (await (values.replay === undefined ? exploreAll() : replay(values.replay))) === 0 ? 0 : 1;
