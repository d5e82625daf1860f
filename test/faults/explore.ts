import { createRandom } from "./engine/kernel.ts";
import { formatPlan, modesOf, type CallKind, type Fault, type Plan } from "./engine/modes.ts";
import { runPlan, type Outcome } from "./run.ts";
import type { Scenario } from "./scenario.ts";

/** Which runs of a scenario to make. Work is shared by taking every `of`-th run. */
export type Order = { seed: number; pairs: number | "all"; share: number; of: number };

type Violation = { plan: string; found: string[] };
export type Report = {
  scenario: string;
  calls: number;
  singles: number;
  pairs: number;
  violations: Violation[];
  seen: string[];
};

const VIOLATIONS_KEPT = 25;

/** Pushes and idle questions of one run are alike: so many get every mode, those after them one mode, in turn. */
const IN_FULL: Partial<Record<CallKind, number>> = { push: 12, idle: 3 };
/** Of the further idle questions, every so many-th is disturbed. */
const IDLE_EVERY = 7;

const faultsAt = (kinds: readonly CallKind[], from: number): Fault[] => {
  const counts: Partial<Record<CallKind, number>> = {};
  return kinds.flatMap((kind, index) => {
    const count = (counts[kind] ?? 0) + 1;
    counts[kind] = count;
    if (index < from) return [];
    const all = modesOf(kind).map((mode): Fault => ({ call: index + 1, mode }));
    if (count <= (IN_FULL[kind] ?? Infinity)) return all;
    if (kind === "idle" && count % IDLE_EVERY > 0) return [];
    return [all[count % all.length]!];
  });
};

/**
 * Runs a scenario undisturbed, then with every fault at every call, then with pairs of faults: the second one at any
 * call of the run that the first one led to.
 */
export const explore = async (scenario: Scenario, { seed, pairs, share, of }: Order): Promise<Report> => {
  const report: Report = { scenario: scenario.name, calls: 0, singles: 0, pairs: 0, violations: [], seen: [] };
  const seen = new Set<string>();
  const note = (plan: Plan, outcome: Outcome) => {
    for (const what of outcome.seen) seen.add(what);
    if (outcome.violations.length > 0 && report.violations.length < VIOLATIONS_KEPT)
      report.violations.push({ plan: formatPlan(scenario.name, seed, plan), found: outcome.violations });
    return outcome;
  };

  const base = note([], await runPlan(scenario, seed, []));
  report.calls = base.kinds.length;
  const first = faultsAt(base.kinds, 0).filter((_, index) => index % of === share);
  const random = createRandom(seed + share * 1009);
  const perSingle = pairs === "all" ? Infinity : pairs / of / Math.max(1, first.length);
  let owed = 0;
  for (const fault of first) {
    const { kinds } = note([fault], await runPlan(scenario, seed, [fault]));
    report.singles += 1;
    const second = faultsAt(kinds, fault.call);
    if (second.length === 0) continue;
    owed += perSingle;
    const chosen: Fault[] = [];
    if (pairs === "all") chosen.push(...second);
    else for (; owed >= 1; owed -= 1) chosen.push(second[Math.floor(random() * second.length)]!);
    for (const other of chosen) {
      note([fault, other], await runPlan(scenario, seed, [fault, other]));
      report.pairs += 1;
    }
  }
  return { ...report, seen: [...seen] };
};
