import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { compileRules, type MatchableEvent, type MatchableRule } from "../core/domain/rules/matching/index.ts";
import { createNaiveMatcher } from "./matching-naive.ts";
import { drawWorkload, workloads, type Workload } from "./matching-workload.ts";
import { writeSection } from "./performance-page.ts";
import { median } from "./scenario.ts";
import { readArguments } from "../tools/command-line.ts";

/**
 * Measures how many events per second the engine matches, as a ratio to a naive loop. Engine and loop alternate, so that a busy
 * machine slows both. Before the measurement, engine and loop must match the same rules.
 */

const usage = `npm run bench:matching -- --sizes 10,1000          numbers of rules
npm run bench:matching -- --workloads core,mixed   kinds of rules and events
npm run bench:matching -- --turns 5                measurements at each size; the median counts (5)
npm run bench:matching -- --turnMs 150             milliseconds of a measurement (150)
npm run bench:matching -- --dry                    prints only: writes no page`;

const options = readArguments(usage, {
  sizes: { type: "string", default: "10,100,1000,10000,100000" },
  workloads: { type: "string", default: "core,mixed,all,star,hot" },
  turns: { type: "string", default: "5" },
  turnMs: { type: "string", default: "150" },
  dry: { type: "boolean", default: false },
});
const sizes = options.sizes.split(",").map(Number);
const turns = Number(options.turns);
const turnMs = Number(options.turnMs);
const isWorkload = (name: string): name is Workload => Object.hasOwn(workloads, name);
const chosen = options.workloads.split(",").filter(isWorkload);

const EVENTS = 512;
/** Workloads with goals, for which the engine is tuned. */
const goalWorkloads: readonly Workload[] = ["core", "mixed"];
/** The minimum ratios to the naive loop, by number of rules. */
const ratioGoals = new Map([
  [10, 0.9],
  [100, 1.5],
  [1_000, 8],
  [10_000, 30],
  [100_000, 60],
]);
/** The maximum time to compile 1,000 rules and match a first event, in a warm process. */
const COMPILE_GOAL_MS = 1;
/** The maximum bytes per rule, by number of rules. */
const memoryGoalBytes = new Map([
  [1_000, 1_000],
  [10_000, 400],
  [100_000, 400],
]);

type Matcher = (event: MatchableEvent) => string[];
type Contestant = { name: string; compile: (rules: readonly MatchableRule[]) => Matcher };
const naive: Contestant = { name: "naive loop", compile: createNaiveMatcher };
const ours: Contestant = { name: "this engine", compile: compileRules };

/** Returns the processor time of this thread in ms, without other work of the machine. */
const readProcessorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

/** Returns how many events an engine matches per second of processor time. */
const measureRate = (match: Matcher, events: readonly MatchableEvent[]): number => {
  const start = readProcessorMs();
  let done = 0;
  let took = 0;
  let step = 1;
  do {
    for (const end = done + step; done < end; done += 1) {
      const event = events[done % events.length];
      if (event !== undefined) match(event);
    }
    took = readProcessorMs() - start;
    // The clock is read once per step of several events, so larger steps spend less time on the clock.
    if (took < turnMs / 50) step *= 2;
  } while (took < turnMs);
  return (done / took) * 1000;
};

const countDifferentlyMatchedEvents = (match: Matcher, reference: Matcher, events: readonly MatchableEvent[]): number =>
  events.filter((event) => reference(event).toSorted().join() !== match(event).toSorted().join()).length;

type EngineResult = { size: number; name: string; perSecond: number; ratio: number };

/** Returns the speed of each engine, and its ratio to the naive loop. Throws if the engines match different rules. */
const compareEngines = (workload: Workload, size: number): EngineResult[] => {
  const { rules, events } = drawWorkload(workload, size, EVENTS);
  const reference = naive.compile(rules);
  const checked = events.slice(0, Math.max(5, Math.min(EVENTS, 2_000_000 / size)));
  const ready = [naive, ours].map(({ name, compile }) => {
    const match = compile(rules);
    const different = countDifferentlyMatchedEvents(match, reference, checked);
    if (different > 0)
      throw new Error(`${name} differs from the naive loop on ${different} events of ${workload}, ${size}`);
    // Matching the first event builds some indexes, which the measurement must not include.
    const began = performance.now();
    for (const event of events) {
      match(event);
      if (performance.now() - began > 1_000) break;
    }
    return { name, match, rates: [] as number[], ratios: [] as number[] };
  });
  // Turn 0 is for warming up.
  for (let turn = 0; turn <= turns; turn += 1) {
    let base = NaN;
    for (const { name, match, rates, ratios } of ready) {
      const perSecond = measureRate(match, events);
      if (name === naive.name) base = perSecond;
      if (turn === 0) continue;
      rates.push(perSecond);
      ratios.push(perSecond / base);
    }
  }
  return ready.map(({ name, rates, ratios }) => ({ size, name, perSecond: median(rates), ratio: median(ratios) }));
};

setFlagsFromString("--expose-gc");
const collectGarbage: unknown = runInNewContext("gc");
const measureBytesAfterGarbageCollection = (): number => {
  if (typeof collectGarbage === "function") for (let round = 0; round < 3; round += 1) collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

/** Returns the engine's bytes per rule, without the rule itself. Matches events first, because indexes are built at first use. */
const measureBytesPerRule = (workload: Workload, size: number): number => {
  const { rules, events } = drawWorkload(workload, size, EVENTS);
  const before = measureBytesAfterGarbageCollection();
  const match = compileRules(rules);
  for (const event of events) match(event);
  const after = measureBytesAfterGarbageCollection();
  return match(events[0] ?? events[1] ?? { eventKey: "", title: "", body: "", priority: "" }).length >= 0 &&
    rules.length > 0
    ? (after - before) / size
    : NaN;
};

/** Returns the median time in ms to compile the rules and match an event, in a warm process. */
const measureFirstEvent = (workload: Workload, size: number): number => {
  const { rules, events } = drawWorkload(workload, size, EVENTS);
  const times: number[] = [];
  const began = performance.now();
  for (const event of events.slice(0, 101)) {
    const start = performance.now();
    compileRules(rules)(event);
    times.push(performance.now() - start);
    if (times.length >= 7 && performance.now() - began > 2_000) break;
  }
  return median(times);
};

/** Returns the share of the rules that match an event, on average. */
const computeAverageMatchedShare = (rules: readonly MatchableRule[], events: readonly MatchableEvent[]): number => {
  const match = compileRules(rules);
  return events.reduce((sum, event) => sum + match(event).length, 0) / events.length / rules.length;
};

const formatRatio = (ratio: number | undefined): string => {
  if (ratio === undefined) return "–";
  return `${ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2)}x`;
};
const formatRate = (perSecond: number): string =>
  perSecond >= 10_000 ? `${Math.round(perSecond / 1000)}k` : Math.round(perSecond).toLocaleString("en");

const formatMs = (ms: number): string => `${ms < 10 ? ms.toPrecision(2) : ms.toFixed(0)} ms`;
/** Renders a table row with a cell for each number of rules. */
const renderRow = (name: string, cell: (size: number) => string): string =>
  `| ${name} | ${sizes.map(cell).join(" | ")} |`;

const lines: string[] = [];
const printAndKeepLines = (...more: string[]): void => {
  lines.push(...more);
  console.log(more.join("\n"));
};

// Memory is measured before the workloads leave garbage. The first run does not count, because V8 also compiles the engine.
for (const workload of goalWorkloads) measureBytesPerRule(workload, 10_000);
const memory = goalWorkloads.map((workload) => ({
  workload,
  bytes: sizes.map((size) => (memoryGoalBytes.has(size) ? measureBytesPerRule(workload, size) : undefined)),
}));

printAndKeepLines(
  `The first rows show events per second of processor time on one core, compared with a naive loop in the same run (median of ${turns} turns of ${turnMs} ms).`,
  '"First answer" is the time from reading the rules to matching the first event. "Bytes a rule" is the memory',
  "that matching needs for each rule, in addition to the rule itself, measured after 512 events. The events have 200 event keys, distributed by Zipf.",
  "",
);
const missed: string[] = [];
const rateRows: string[] = [];
for (const workload of chosen) {
  const results = sizes.flatMap((size) => compareEngines(workload, size)).filter(({ name }) => name === ours.name);
  const findResult = (size: number) => results.find((result) => result.size === size);
  const { rules, events } = drawWorkload(workload, 1_000, EVENTS);
  const share = (100 * computeAverageMatchedShare(rules, events)).toFixed(2);
  printAndKeepLines(`- \`${workload}\`: ${workloads[workload]}. Of 1,000 rules, ${share} % match an event.`);
  for (const { size, ratio } of results) {
    const goal = ratioGoals.get(size);
    if (goalWorkloads.includes(workload) && goal !== undefined && ratio < goal)
      missed.push(`${workload}, ${size} rules: ${formatRatio(ratio)} of ${goal}x`);
  }
  rateRows.push(
    renderRow(`${workload}: events a second`, (size) => formatRate(findResult(size)?.perSecond ?? NaN)),
    renderRow(`${workload}: compared with the loop`, (size) => `**${formatRatio(findResult(size)?.ratio)}**`),
  );
}
const goals = renderRow("goal of `core` and `mixed`", (size) => formatRatio(ratioGoals.get(size)));
printAndKeepLines(
  "",
  renderRow("Rules", (size) => size.toLocaleString("en")),
  renderRow("---", () => "---"),
  ...rateRows,
  goals,
);

for (const workload of goalWorkloads) {
  const times = new Map(sizes.map((size) => [size, measureFirstEvent(workload, size)]));
  const first = times.get(1_000);
  if (first !== undefined && first > COMPILE_GOAL_MS)
    missed.push(`${workload}, first event of 1,000 rules: ${formatMs(first)} of ${COMPILE_GOAL_MS} ms`);
  printAndKeepLines(renderRow(`${workload}: first answer`, (size) => formatMs(times.get(size) ?? NaN)));
}
printAndKeepLines(renderRow("goal", (size) => (size === 1_000 ? formatMs(COMPILE_GOAL_MS) : "")));
for (const { workload, bytes } of memory) {
  printAndKeepLines(renderRow(`${workload}: bytes a rule`, (size) => bytes[sizes.indexOf(size)]?.toFixed(0) ?? ""));
  for (const [index, count] of bytes.entries()) {
    const goal = memoryGoalBytes.get(sizes[index] ?? 0) ?? Number.POSITIVE_INFINITY;
    if (count !== undefined && count > goal)
      missed.push(`${workload}, ${sizes[index]} rules: ${count.toFixed(0)} of ${goal} bytes a rule`);
  }
}
printAndKeepLines(renderRow("goal", (size) => memoryGoalBytes.get(size)?.toString() ?? ""));

if (!options.dry) writeSection("matching", lines);
if (missed.length > 0) {
  console.error(`missed: ${missed.join("; ")}`);
  process.exitCode = 1;
}
