import { createRandom } from "./engine/kernel.ts";
import { formatPlan, type Plan } from "./engine/modes.ts";
import { faultsAt } from "./explore.ts";
import type { FirstPush } from "./first-pushes.ts";
import { runForPushes } from "./run.ts";
import type { Scenario } from "./scenario.ts";

/** How late the last recipient of a run was notified first. `faults`: the kind and the mode of each call that failed. */
export type LateRun = { scenario: string; plan: string; faults: string[]; lateMs: number; repeats: number; unexcused: number };

/** Which runs to make: each share takes every `of`-th single fault, and so many pairs. */
export type LateOrder = { seed: number; pairs: number; share: number; of: number };

/** Scenarios with first pushes that are later than this without a fault have an outage of their own. */
const QUIET_MS = 5000;

const lastCall = (pushes: readonly FirstPush[]): number => Math.max(0, ...pushes.map(({ call }) => call));

/**
 * Plays a scenario without faults, and with those that can delay a first push: all singles, and a sample of pairs.
 * Nothing of scenarios that have an outage of their own.
 */
export async function* exploreLate(scenario: Scenario, { seed, pairs, share, of }: LateOrder): AsyncGenerator<LateRun> {
  const { disturbs } = scenario;
  let base: readonly FirstPush[] | undefined;
  const run = async (plan: Plan) => {
    const { made, firstPushes } = await runForPushes(scenario, seed, plan, base);
    const late: LateRun = {
      scenario: scenario.name,
      plan: formatPlan(scenario.name, seed, plan),
      faults: plan.map(({ call, mode }) => `${made[call - 1]?.kind} ${mode}`),
      lateMs: Math.max(...firstPushes.map(({ lateMs }) => lateMs)),
      repeats: firstPushes.reduce((sum, { repeats }) => sum + repeats, 0),
      unexcused: firstPushes.reduce((sum, { unexcused }) => sum + unexcused, 0),
    };
    return { made, firstPushes, late: firstPushes.length === 0 ? [] : [late] };
  };
  const { made, firstPushes, late } = await run([]);
  if (firstPushes.some(({ lateMs }) => lateMs > QUIET_MS)) return;
  base = firstPushes;
  if (share === 0) yield* late;
  const to = lastCall(firstPushes);
  const faults = faultsAt(made, { to, disturbs }).filter((_, index) => index % of === share);
  const random = createRandom(seed + share * 1009);
  let owed = 0;
  for (const fault of faults) {
    const single = await run([fault]);
    yield* single.late;
    const second = faultsAt(single.made, { from: fault.call, to: lastCall(single.firstPushes), disturbs });
    for (owed += pairs / of / faults.length; owed >= 1 && second.length > 0; owed -= 1)
      yield* (await run([fault, second[Math.floor(random() * second.length)]!])).late;
  }
}
