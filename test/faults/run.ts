import { toIso } from "../../core/domain/basics/time.ts";
import { DAY_MS, MINUTE_MS } from "../../core/domain/basics/units.ts";
import { startShadow } from "../../core/store/people/workspaces.ts";
import { createClients } from "./clients.ts";
import type { MadeCall } from "./engine/calls.ts";
import type { CallRecord } from "./engine/calls-context.ts";
import type { Snapshot } from "./engine/dynamo.ts";
import type { Plan } from "./engine/modes.ts";
import { stockClients } from "./engine/wire.ts";
import { createWorld, START } from "./engine/world.ts";
import { findFirstPushes, type FirstPush } from "./first-pushes.ts";
import type { Fixture } from "./fixtures.ts";
import { describeError, findViolations } from "./invariants.ts";
import { observe } from "./observe.ts";
import type { Play, Scenario } from "./scenario.ts";

export type Outcome = {
  violations: string[];
  /** The calls of the run, in order. */
  calls: readonly MadeCall[];
  records: readonly CallRecord[];
  seen: ReadonlySet<string>;
};

type PreparedScenario = { snapshot: Snapshot; fixtures: readonly Fixture[] };
const prepared = new Map<string, PreparedScenario>();

const RUN_MINUTES = 45;
const SETUP_BEFORE_MS = 10 * MINUTE_MS;

const prepareScenario = async (scenario: Scenario): Promise<PreparedScenario> => {
  const known = prepared.get(scenario.name);
  if (known !== undefined) return known;
  const world = createWorld({ seed: 1, plan: [], snapshot: new Map(), start: START - SETUP_BEFORE_MS });
  const fixtures = await world.outside((deps) => scenario.setup({ ...deps, channel: scenario.channel ?? "fcm" }));
  const made = { snapshot: world.dynamo.snapshot(), fixtures };
  world.close();
  prepared.set(scenario.name, made);
  return made;
};

/** Unhandled rejections, which are defects in any run. */
const unhandled: string[] = [];
let listening = false;

const collectRejections = () => {
  if (listening) return;
  listening = true;
  process.on("unhandledRejection", (reason) => unhandled.push(describeError(reason)));
};

/** The offsets in the sweeper's minute at which runs begin, chosen by the seed. */
const PHASES_MS = [0, 16_000, 31_000, 46_000] as const;
const computeStartOffset = (seed: number): number => PHASES_MS[(seed - 1) % PHASES_MS.length] ?? 0;
export const startOffsets = PHASES_MS.length;

const startRun = async (scenario: Scenario, seed: number, plan: Plan) => {
  collectRejections();
  await stockClients();
  const { snapshot, fixtures } = await prepareScenario(scenario);
  const world = createWorld({
    seed,
    plan,
    snapshot,
    large: scenario.large ?? false,
    accountConcurrency: scenario.accountConcurrency,
  });
  const play = { world, clients: createClients(world), fixtures };
  const observations = observe(world);
  const failures: unknown[] = [];
  world.kernel.at(START + computeStartOffset(seed), () => {
    scenario.play(play).catch((error: unknown) => failures.push(error));
  });
  return { play, observations, failures, end: START + (scenario.minutes ?? RUN_MINUTES) * MINUTE_MS };
};

/** Runs a scenario with the plan's faults until no work is left, and then checks the state. */
export const runPlan = async (scenario: Scenario, seed: number, plan: Plan): Promise<Outcome> => {
  const { play, observations, failures, end } = await startRun(scenario, seed, plan);
  const { world } = play;
  const rested = await world.run(end);
  const violations = await findViolations(scenario, play, observations, { rested, faults: plan.length });
  for (const failure of failures) violations.push(`the scenario failed: ${describeError(failure)}`);
  for (const reason of unhandled.splice(0)) violations.push(`unhandled rejection: ${reason}`);
  world.close();
  return { violations, calls: world.calls.made, records: world.calls.records, seen: world.seen };
};

/** Runs a scenario in a shadow that began before the scenario's first event. */
export const runShadowed = async (scenario: Scenario): Promise<Play> => {
  const { play, end } = await startRun(scenario, 1, []);
  const { world, fixtures } = play;
  for (const { ws } of fixtures) await world.outside((deps) => startShadow(deps, ws, toIso(START + 10 * DAY_MS)));
  await world.run(end);
  world.close();
  return play;
};

/** A run with faults has this much more time for the first pushes than the run without faults took. */
const EXTRA_TIME_MS = 15 * MINUTE_MS;

/** Runs a scenario until the first pushes, and returns them. `base`: the first pushes of the run without faults. */
export const runForPushes = async (
  scenario: Scenario,
  seed: number,
  plan: Plan,
  base?: readonly FirstPush[],
): Promise<{ made: readonly MadeCall[]; firstPushes: FirstPush[] }> => {
  const { play, observations, end } = await startRun(scenario, seed, plan);
  const { world } = play;
  if (base !== undefined) await world.run(Math.min(end, Math.max(START, ...base.map(({ at }) => at)) + EXTRA_TIME_MS));
  let firstPushes = await findFirstPushes(play, observations);
  if (base === undefined || firstPushes.length < base.length) {
    await world.run(end);
    firstPushes = await findFirstPushes(play, observations);
  }
  unhandled.splice(0);
  world.close();
  return { made: world.calls.made, firstPushes };
};
