import { createRandom } from "../../tools/random.ts";
import { formatPlan, type Plan } from "./engine/modes.ts";
import { faultsAt } from "./explore.ts";
import type { FirstPush } from "./first-pushes.ts";
import { startOffsets, runForPushes } from "./run.ts";
import type { Scenario } from "./scenario.ts";

/**
 * The lateness of a run. `lateMs`: the delay of the first push to the last recipient. `faults`: the kind and the mode of each
 * call that failed.
 */
export type LateRun = { plan: string; faults: string[]; lateMs: number; repeats: number; unexcused: number };

/** Which runs to make: each share takes every `of`-th single fault, and a number of pairs. */
export type LateOrder = { pairs: number; share: number; of: number };

/** If a scenario's first pushes are later than this even without a fault, the scenario contains an outage. */
const QUIET_MS = 5000;

const lastCallNumber = (pushes: readonly FirstPush[]): number => Math.max(0, ...pushes.map(({ call }) => call));

/**
 * Tries all single faults that can delay a first push, at different seconds of the sweeper's minute, and a sample of pairs.
 * Skips scenarios that contain an outage.
 */
export async function* exploreLate(scenario: Scenario, { pairs, share, of }: LateOrder): AsyncGenerator<LateRun> {
  const { faultyCalls } = scenario;
  for (let seed = 1; seed <= startOffsets; seed += 1) {
    const run = async (plan: Plan, base?: readonly FirstPush[]) => {
      const { made, firstPushes } = await runForPushes(scenario, seed, plan, base);
      const sumOf = (what: "repeats" | "unexcused") => firstPushes.reduce((total, push) => total + push[what], 0);
      const late: LateRun = {
        plan: formatPlan(scenario.name, seed, plan),
        faults: plan.map(({ call, mode }) => `${made[call - 1]?.kind} ${mode}`),
        lateMs: Math.max(...firstPushes.map(({ lateMs }) => lateMs)),
        repeats: sumOf("repeats"),
        unexcused: sumOf("unexcused"),
      };
      return { made, firstPushes, late: firstPushes.length === 0 ? [] : [late] };
    };
    const { made, firstPushes, late } = await run([]);
    if (firstPushes.some(({ lateMs }) => lateMs > QUIET_MS)) return;
    if (share === 0) yield* late;
    const faults = faultsAt(made, { to: lastCallNumber(firstPushes), faultyCalls }).filter(
      (_, index) => index % of === share && Math.floor(index / of) % startOffsets === seed - 1,
    );
    const random = createRandom(seed + share * 1009);
    let owed = 0;
    for (const fault of faults) {
      const single = await run([fault], firstPushes);
      yield* single.late;
      const second = faultsAt(single.made, { from: fault.call, to: lastCallNumber(single.firstPushes), faultyCalls });
      for (owed += pairs / of / startOffsets / faults.length; owed >= 1 && second.length > 0; owed -= 1)
        yield* (await run([fault, second[Math.floor(random() * second.length)]!], firstPushes)).late;
    }
  }
}
