import { buildWorkspace } from "../../test/faults/fixtures.ts";
import type { World } from "../../test/faults/engine/world.ts";
import { runForPushes } from "../../test/faults/run.ts";
import type { Scenario } from "../../test/faults/scenario.ts";
import type { FaultRow } from "./rows.ts";

/* Sends events before, during and after an outage of a dependency. */

const SECOND_MS = 1000;
/** The interval between events, which does not divide a minute, so that events arrive at various times before the next sweep. */
const EVERY_MS = 13 * SECOND_MS;
const BEFORE_MS = 65 * SECOND_MS;

/** The times, in ms before the outage, of events that are in progress when the outage begins. */
const JUST_BEFORE_MS = Array.from({ length: 8 }, (_, nr) => 30 * (nr + 1));

type Outage = { name: string; set: (world: World, on: boolean) => void; atOnce?: boolean };

/** Returns a function that makes each invocation of a worker die (`isBroken`), or succeed. */
const createWorkerSwitch = (functionName: "matcher" | "sender") => (world: World, isBroken: boolean) => {
  if (isBroken) world.brokenFunctions.add(functionName);
  else world.brokenFunctions.delete(functionName);
};

const outages: readonly Outage[] = [
  { name: "The queues", set: (world, on) => Object.assign(world.outage, { sqs: on }) },
  { name: "The table", set: (world, on) => Object.assign(world.outage, { dynamodb: on }) },
  { name: "FCM asks for retries", set: (world, on) => Object.assign(world.outage, { fcm: on }) },
  {
    name: "Secrets Manager, while no sender has read the secrets",
    set: (world, on) => Object.assign(world.outage, { secrets: on ? "silent" : undefined }),
    atOnce: true,
  },
  {
    name: "FCM, which accepts pushes but never answers",
    set: (world, on) => Object.assign(world.outage, { mute: on }),
  },
  { name: "The matcher: each invocation dies", set: createWorkerSwitch("matcher") },
  { name: "The sender: each invocation dies", set: createWorkerSwitch("sender") },
  { name: "Lambda at its limit: no worker starts", set: (world, on) => world.setWorkersBlocked(on) },
  {
    name: "The sweeper and the queues",
    set: (world, on) => {
      Object.assign(world.outage, { sqs: on });
      world.setConcurrentSweeps(on ? 0 : 1);
    },
  },
];

const LENGTHS_MS = [30, 120, 600].map((seconds) => seconds * SECOND_MS);

/** Creates a scenario of an outage. `set`: begins or ends the outage. `atOnce`: the outage begins before any function starts. */
const createOutageScenario = ({ name, set, atOnce = false }: Outage, lastsMs: number): Scenario => ({
  name: `${name}, ${lastsMs} ms`,
  about: name,
  setup: async (deps) => [
    await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], bob: ["bob-phone"] },
      rules: { orders: { eventKey: "order.*" } },
    }),
  ],
  play: async ({ clients, world, fixtures: [acme] }) => {
    if (acme === undefined) throw new Error("the scenario has one workspace");
    const began = world.kernel.now();
    const from = atOnce ? 0 : BEFORE_MS;
    /** Returns a function that begins or ends the outage. */
    const switchOutage = (isActive: boolean) => () => {
      set(world, isActive);
      world.extendDisturbance(world.kernel.now());
    };
    world.kernel.at(began + from, switchOutage(true));
    world.kernel.at(began + from + lastsMs, switchOutage(false));
    const postEventAfter = async (delayMs: number) => {
      await world.kernel.sleep(delayMs);
      await clients.post(acme, { event: "order.failed", title: `at ${delayMs}` }, { idempotencyKey: `${delayMs}` });
    };
    const regular = Array.from({ length: Math.ceil((2 * BEFORE_MS + lastsMs) / EVERY_MS) }, (_, nr) => nr * EVERY_MS);
    await Promise.all([...regular, ...JUST_BEFORE_MS.map((ms) => BEFORE_MS - ms)].map(postEventAfter));
  },
  expectNotified: () => undefined,
  minutes: 90,
});

/** Measures the delays of first pushes for each outage and length. */
export const measureOutages = async (): Promise<FaultRow[]> => {
  const rows: FaultRow[] = [];
  for (const outage of outages)
    for (const lastsMs of LENGTHS_MS) {
      const { firstPushes } = await runForPushes(createOutageScenario(outage, lastsMs), 1, []);
      rows.push({ name: outage.name, lastsMs, samples: firstPushes, worst: undefined });
    }
  return rows;
};
