import { createRandom } from "../../tools/random.ts";
import type { MadeCall } from "./engine/calls.ts";
import { formatPlan, modesOf, type CallKind, type Fault, type Mode, type Plan } from "./engine/modes.ts";
import { runPlan, type Outcome } from "./run.ts";
import type { Scenario } from "./scenario.ts";

/**
 * Which runs to make: each share of the work takes every `of`-th run. `every`: whether to try every mode at each call,
 * even at calls that do the same as earlier calls.
 */
export type Assignment = { seed: number; pairs: number | "all"; share: number; of: number; every?: boolean };

export type Violation = { plan: string; found: string[] };
export type Report = {
  scenario: string;
  calls: number;
  singles: number;
  pairs: number;
  violations: number;
  seen: string[];
};

/** A violation is reported at once, with the number of runs so far. A scenario is reported when it is finished. */
export type Progress = { kind: "violation"; violation: Violation; runs: number } | { kind: "report"; report: Report };

/** Faults that leave work half done, or its outcome unknown, reveal most defects. These modes are tried first, at every call. */
const REVEALING: ReadonlySet<Mode> = new Set([
  "die-before",
  "die-after",
  "denied",
  "lost",
  "hang-after",
  "accepted-no-answer",
  "retry",
  "partial",
]);

/** From the third query that finds nothing, only every n-th query gets a fault. */
const IDLE_FAULT_EVERY = 7;

/**
 * Lists the faults to try at the calls of a run. Among calls that do the same, the first gets every mode, the second the most
 * revealing modes, and each later one a single mode, in turn. `from`, `to`: the range of calls.
 */
export const faultsAt = (
  made: readonly MadeCall[],
  {
    from = 0,
    to = Infinity,
    every = false,
    faultyCalls,
  }: { from?: number; to?: number; every?: boolean; faultyCalls: RegExp | undefined },
): Fault[] => {
  const counts = new Map<string, number>();
  return made.flatMap(({ kind, likeness }, index) => {
    const count = (counts.get(likeness) ?? 0) + 1;
    counts.set(likeness, count);
    if (index < from || index >= to || faultyCalls?.test(likeness) === false) return [];
    const all = modesOf(kind).map((mode): Fault => ({ call: index + 1, mode }));
    if (every || count === 1) return all;
    if (count === 2) return all.filter(({ mode }) => REVEALING.has(mode));
    if (kind === "idle" && count % IDLE_FAULT_EVERY > 0) return [];
    return [all[count % all.length]!];
  });
};

/** The few faults of a large scenario: the mode, the kind of the call that fails, and its position in the run (0 to 1). */
const FEW_FAULTS: readonly [Mode, CallKind, number][] = [
  ["die-after", "write", 0.5],
  ["throttle-partition", "write", 0.4],
  ["duplicate", "send-batch", 0.2],
];

const chooseFewFaults = (made: readonly MadeCall[]): Fault[] =>
  FEW_FAULTS.flatMap(([mode, wanted, share]) => {
    const call = made.findIndex(({ kind }, index) => kind === wanted && index >= share * made.length);
    return call < 0 ? [] : [{ call: call + 1, mode }];
  });

/** Returns the numbers below `count` in bit-reversed order, so that any first part of them covers the range evenly. */
const listNumbersEvenly = (count: number): number[] => {
  const bits = Math.ceil(Math.log2(Math.max(2, count)));
  const reverseBits = (index: number) => {
    let result = 0;
    for (let bit = 0; bit < bits; bit += 1) result |= ((index >> bit) & 1) << (bits - 1 - bit);
    return result;
  };
  return Array.from({ length: 2 ** bits }, (_, index) => reverseBits(index)).filter((index) => index < count);
};

const sortRevealingFirst = (faults: readonly Fault[]): Fault[] => {
  const inTurn = listNumbersEvenly(faults.length).map((index) => faults[index]!);
  return [true, false].flatMap((notifying) => inTurn.filter(({ mode }) => REVEALING.has(mode) === notifying));
};

/** The first run of a scenario has an empty plan, which contains no faults. */
export type Run = { plan: Plan; outcome: Outcome };

/**
 * Runs a scenario without faults, then with every fault at every call, then with pairs of faults. The second fault may be at
 * any later call of the run with the first fault.
 */
export async function* explore(
  scenario: Scenario,
  { seed, pairs, share, of, every = false }: Assignment,
): AsyncGenerator<Run> {
  const run = async (plan: Plan): Promise<Run> => ({ plan, outcome: await runPlan(scenario, seed, plan) });
  const base = await run([]);
  yield base;
  const { faultyCalls } = scenario;
  if (scenario.large === true) {
    for (const fault of chooseFewFaults(base.outcome.calls)) yield await run([fault]);
    return;
  }
  const faults = faultsAt(base.outcome.calls, { every, faultyCalls }).filter((_, index) => index % of === share);
  const random = createRandom(seed + share * 1009);
  const perSingle = pairs === "all" ? Infinity : pairs / of / Math.max(1, faults.length);
  let owed = 0;
  const singles: { fault: Fault; made: readonly MadeCall[] }[] = [];
  for (const fault of sortRevealingFirst(faults)) {
    const single = await run([fault]);
    singles.push({ fault, made: single.outcome.calls });
    yield single;
  }
  for (const { fault, made } of singles) {
    const second = faultsAt(made, { from: fault.call, every, faultyCalls });
    if (second.length === 0) continue;
    owed += perSingle;
    const chosen: Fault[] = [];
    if (pairs === "all") chosen.push(...second);
    else for (; owed >= 1; owed -= 1) chosen.push(second[Math.floor(random() * second.length)]!);
    for (const other of chosen) yield await run([fault, other]);
  }
}

/** Always continues the scenario that has run for the shortest time, so that short scenarios finish within seconds. */
export async function* exploreAll(scenarios: readonly Scenario[], order: Assignment): AsyncGenerator<Progress> {
  // One worker explores a whole large scenario, because even the scenario's first run takes long.
  const mine = scenarios.filter(({ large }, index) => large !== true || index % order.of === order.share);
  const open = mine.map((scenario) => ({
    report: { scenario: scenario.name, calls: 0, singles: 0, pairs: 0, violations: 0 },
    seen: new Set<string>(),
    runs: explore(scenario, order),
    spentMs: 0,
  }));
  let runs = 0;
  while (open.length > 0) {
    const next = open.reduce((least, one) => (one.spentMs < least.spentMs ? one : least));
    const { report, seen } = next;
    const started = performance.now();
    const result = await next.runs.next();
    next.spentMs += performance.now() - started;
    if (result.done === true) {
      open.splice(open.indexOf(next), 1);
      yield { kind: "report", report: { ...report, seen: [...seen] } };
      continue;
    }
    runs += 1;
    const { plan, outcome } = result.value;
    if (plan.length === 0) report.calls = outcome.calls.length;
    if (plan.length === 1) report.singles += 1;
    if (plan.length === 2) report.pairs += 1;
    for (const what of outcome.seen) seen.add(what);
    if (outcome.violations.length === 0) continue;
    report.violations += 1;
    const violation = { plan: formatPlan(report.scenario, order.seed, plan), found: outcome.violations };
    yield { kind: "violation", violation, runs };
  }
}
