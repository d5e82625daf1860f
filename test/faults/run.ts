import { createClients } from "./clients.ts";
import type { Made } from "./engine/calls.ts";
import type { Line } from "./engine/calls-context.ts";
import type { Snapshot } from "./engine/dynamo.ts";
import type { Plan } from "./engine/modes.ts";
import { stockClients } from "./engine/wire.ts";
import { createWorld, START } from "./engine/world.ts";
import type { Fixture } from "./fixtures.ts";
import { describeError, findViolations } from "./invariants.ts";
import { observe } from "./observe.ts";
import type { Scenario } from "./scenario.ts";

export type Outcome = {
  violations: string[];
  /** Every call, in order. */
  made: readonly Made[];
  lines: readonly Line[];
  seen: ReadonlySet<string>;
};

type Prepared = { snapshot: Snapshot; fixtures: readonly Fixture[] };
const prepared = new Map<string, Prepared>();

const MINUTE_MS = 60_000;
const RUN_MINUTES = 45;
const SETUP_BEFORE_MS = 10 * MINUTE_MS;

const prepare = async (scenario: Scenario): Promise<Prepared> => {
  const known = prepared.get(scenario.name);
  if (known !== undefined) return known;
  const world = createWorld({ seed: 1, plan: [], snapshot: new Map(), start: START - SETUP_BEFORE_MS });
  const fixtures = await world.outside((deps) => scenario.setup({ ...deps, way: scenario.way ?? "fcm" }));
  const made = { snapshot: world.dynamo.snapshot(), fixtures };
  world.close();
  prepared.set(scenario.name, made);
  return made;
};

/** Rejections that nobody handled since the last check: a defect, whichever run they happen in. */
const unhandled: string[] = [];
let listening = false;

const listen = () => {
  if (listening) return;
  listening = true;
  process.on("unhandledRejection", (reason) => unhandled.push(describeError(reason)));
};

/** Runs a scenario with its faults, then without more of them until everything is quiet, and checks what is left. */
export const runPlan = async (scenario: Scenario, seed: number, plan: Plan): Promise<Outcome> => {
  listen();
  await stockClients();
  const { snapshot, fixtures } = await prepare(scenario);
  const world = createWorld({ seed, plan, snapshot, great: scenario.great ?? false, account: scenario.account });
  const clients = createClients(world);
  const play = { world, clients, fixtures };
  const observations = observe(world);
  let failure: unknown;
  world.kernel.at(START, () => {
    scenario.play(play).catch((error: unknown) => {
      failure = error;
    });
  });
  const rested = await world.run(START + (scenario.minutes ?? RUN_MINUTES) * MINUTE_MS);
  const violations = await findViolations(scenario, play, observations, { rested, faults: plan.length });
  if (failure !== undefined) violations.push(`the scenario itself failed: ${describeError(failure)}`);
  for (const reason of unhandled.splice(0)) violations.push(`unhandled rejection: ${reason}`);
  world.close();
  return { violations, made: world.calls.made, lines: world.calls.lines, seen: world.seen };
};
