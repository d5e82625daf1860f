import type { LateRun } from "../../test/faults/late.ts";

/** Groups the runs by their faults. The lateness of a run is the longest delay of a recipient's first push. */

const SECOND_MS = 1000;
/** The goal after a fault: a minute until the next sweep, and five seconds for the work. */
export const GOAL_MS = 65 * SECOND_MS;

export type DelaySample = { lateMs: number; repeats: number; unexcused: number };
/** `lastsMs`: the duration of the fault. `worst`: the faults of the run with the longest delay. */
export type FaultRow = { name: string; lastsMs: number; samples: readonly DelaySample[]; worst: string | undefined };

type FaultKind = { name: string; of: RegExp; lastsMs?: number };
const table = "(?:write|read|stale-read|batch-read|idle)";
const queue = "(?:send|send-batch)";
const push = "(?:push|contact)";
/** Compiles a pattern that must match the whole text. */
const regex = (pattern: string): RegExp => new RegExp(`^${pattern}$`);

const kinds: readonly FaultKind[] = [
  { name: "A worker or a request dies", of: regex(`(?!${push}).* die-(?:before|after)`) },
  { name: "The sender dies as it sends a push", of: regex(`${push} die-(?:before|after)`) },
  { name: "A call hangs until its function times out", of: regex(".* hang(?:-after)?") },
  { name: "The table refuses a call, or its answer is lost", of: regex(`${table} (?:fail|denied|lost|late|partial)`) },
  { name: "A write takes effect 50 s after it timed out", of: regex(`${table} very-late`) },
  { name: "The table throttles one call", of: regex(`${table} throttle`) },
  { name: "A partition is throttled for 12 s", of: regex(`${table} throttle-12s`), lastsMs: 12 * SECOND_MS },
  {
    name: "A partition is throttled for two minutes",
    of: regex(`${table} throttle-partition`),
    lastsMs: 120 * SECOND_MS,
  },
  {
    name: "The whole table is throttled for two minutes",
    of: regex(`${table} throttle-table`),
    lastsMs: 120 * SECOND_MS,
  },
  { name: "A read sees old data, once or for a minute", of: regex(`${table} stale(?:-minute)?`) },
  { name: "The sockets of an instance are dead", of: regex(`(?!secret).* (?:silent|dead-sockets)`) },
  {
    name: "A queue refuses a message, or its answer is lost",
    of: regex(`${queue} (?:fail|denied|lost|late|throttle|partial)`),
  },
  { name: "A queue delivers a message twice", of: regex(`${queue} (?:duplicate|late-duplicate)`) },
  { name: "A queue delivers a message 70 s late, after others", of: regex(`${queue} slow`) },
  { name: "A message cannot be put off", of: regex("visibility (?:fail|denied|lost|throttle)") },
  { name: "FCM's quota of a minute is used up", of: regex("push rate-limit"), lastsMs: 60 * SECOND_MS },
  { name: "A push service asks for a retry", of: regex(`${push} (?:retry|rate-error|rate-limit)`) },
  { name: "A push service asks for a retry after 20 s", of: regex(`${push} retry-after`), lastsMs: 20 * SECOND_MS },
  { name: "AWS says that a day's quota is used up", of: regex("contact quota-exceeded") },
  { name: "A push service answers late, after 4 s", of: regex(`${push} slow`) },
  { name: "The answer of a push service is lost", of: regex(`${push} (?:no-answer|accepted-no-answer|accepted-late)`) },
  { name: "A push service refuses the credentials or the token", of: regex(`${push} (?:auth|unregistered)`) },
  { name: "Secrets Manager refuses, or does not answer", of: regex("secret .*") },
  { name: "The clock of an instance jumps by 8 s", of: regex(".* clock-(?:ahead|behind)") },
  { name: "The sweeper starts twice, or not at all", of: regex("round .*") },
  { name: "A webhook's receiver fails", of: regex("post .*") },
];

const findFaultKind = (fault: string): FaultKind => {
  const found = kinds.find((kind) => kind.of.test(fault));
  if (found === undefined) throw new Error(`no row of the table of lateness has "${fault}"`);
  return found;
};

const createFaultRow = (kind: Omit<FaultKind, "of">, runs: readonly LateRun[]): FaultRow => ({
  lastsMs: 0,
  ...kind,
  samples: runs,
  worst: runs.toSorted((one, other) => other.lateMs - one.lateMs)[0]?.plan,
});

/** Lists a row for the runs without a fault, and a row for each kind of fault. Ignores runs with several faults. */
export const listFaultRows = (runs: readonly LateRun[]): FaultRow[] => {
  const listRunsWithFaults = (count: number) => runs.filter(({ faults }) => faults.length === count);
  const singles = Map.groupBy(listRunsWithFaults(1), ({ faults: [fault = ""] }) => findFaultKind(fault));
  return [
    createFaultRow({ name: "Nothing" }, listRunsWithFaults(0)),
    ...kinds.flatMap((kind) => (singles.has(kind) ? [createFaultRow(kind, singles.get(kind) ?? [])] : [])),
  ];
};

/** Returns a quantile (0 to 1) of values in ascending order; NaN if there are no values. */
const findQuantile = (sorted: readonly number[], quantile: number): number =>
  sorted[Math.ceil(quantile * sorted.length) - 1] ?? Number.NaN;
const formatSeconds = (durationMs: number): string => (durationMs / SECOND_MS).toFixed(1);

/** Returns the delays, and whether all are within the goal (`met`). A repeated push misses the goal unless an answer was lost. */
export const compareWithGoal = ({ lastsMs, samples }: FaultRow) => {
  const sorted = samples.map(({ lateMs }) => lateMs).toSorted((one, other) => one - other);
  const worstMs = sorted.at(-1) ?? 0;
  return {
    p50Ms: findQuantile(sorted, 0.5),
    p99Ms: findQuantile(sorted, 0.99),
    worstMs,
    goalMs: lastsMs + GOAL_MS,
    met: worstMs <= lastsMs + GOAL_MS && samples.every(({ unexcused }) => unexcused === 0),
  };
};

/** Formats the p50, p99 and worst delay of a row in seconds, with a mark if the row misses its goal. */
const formatDelays = (row: FaultRow): string => {
  const { p50Ms, p99Ms, worstMs, met } = compareWithGoal(row);
  return `${[p50Ms, p99Ms, worstMs].map(formatSeconds).join(", ")}${met ? "" : " **not met**"}`;
};

export const renderFaultTable = (firstHeading: string, rows: readonly FaultRow[]): string[] => [
  `| ${firstHeading} | p50, p99, worst | Goal |`,
  "|---|---|---|",
  ...rows.map((row) => `| ${row.name} | ${formatDelays(row)} | ${compareWithGoal(row).goalMs / SECOND_MS} |`),
];

/** Returns true if the row meets its goal, and no push is more than five seconds late. */
export const isOnTime = (row: FaultRow): boolean => {
  const { worstMs, met } = compareWithGoal(row);
  return met && worstMs <= 5 * SECOND_MS;
};

export const renderOutageTable = (rows: readonly FaultRow[]): string[] => {
  const lengths = [...new Set(rows.map(({ lastsMs }) => lastsMs))];
  return [
    `| What is down | ${lengths.map((ms) => `for ${ms / SECOND_MS} s`).join(" | ")} |`,
    `|---|${lengths.map(() => "---|").join("")}`,
    ...[...Map.groupBy(rows, ({ name }) => name)].map(
      ([name, same]) => `| ${name} | ${same.map(formatDelays).join(" | ")} |`,
    ),
  ];
};
