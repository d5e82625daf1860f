import type { World } from "../engine/world.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** A request that begins this long before a sweep has an event number during the sweep, but no stored event. */
const BEFORE_SWEEP_MS = 25;
/** The number of calls before an event is stored, if the workspace is cached: one for its number, one for its marker. */
const CALLS_BEFORE_EVENT = 2;

const setup: Scenario["setup"] = async (deps) => [
  await buildWorkspace(deps, { rules: { orders: { eventKey: "order.*" } } }),
];
const notified = [["orders|alice"]];

const findNextAuditTime = ({ dynamo }: World): number => {
  const due = dynamo
    .partitions()
    .filter((pk) => pk.startsWith("AUDIT#"))
    .flatMap((pk) => Number(dynamo.first(pk)?.["due"]?.N ?? Infinity));
  return Math.ceil(Math.min(...due) / MINUTE_MS) * MINUTE_MS;
};

export const concurrentAudits: Scenario = {
  name: "concurrent-audits",
  about:
    "each sweep runs twice at once for 30 hours; an event is being processed at each audit, and one event number is lost",
  setup,
  play: async ({ clients, world, fixtures: [acme] }) => {
    const { kernel } = world;
    world.setConcurrentSweeps(2);
    world.setAuditsOn();
    await clients.post(acme!, { event: "order.failed", title: "one" }, { idempotencyKey: "one" });
    // After a minute, only the next request makes calls, so the fault hits that request.
    await kernel.sleep(MINUTE_MS);
    world.calls.waitingFaults.push({ mode: "die-before", after: CALLS_BEFORE_EVENT });
    await clients.post(acme!, { event: "order.failed", title: "dies" });
    world.calls.waitingFaults.splice(0);
    for (const title of ["two", "three", "four"]) {
      await kernel.sleep(Math.max(0, findNextAuditTime(world) - BEFORE_SWEEP_MS - kernel.now()));
      await clients.post(acme!, { event: "order.failed", title });
      await kernel.sleep(2 * MINUTE_MS);
    }
    await kernel.sleep(3 * HOUR_MS);
    world.setAuditsOn(false);
  },
  expectNotified: () => notified,
  titleOfKilledPost: "dies",
  minutes: 40 * 60,
  expectsNoErrors: false,
};

export const frozenInstances: Scenario = {
  name: "frozen-instances",
  about: "three events come nine minutes apart, and every function instance is frozen in between",
  setup,
  play: async ({ clients, world, fixtures: [acme] }) => {
    for (const title of ["one", "two", "three"]) {
      await clients.post(acme!, { event: "order.failed", title }, { idempotencyKey: title });
      await world.kernel.sleep(9 * MINUTE_MS);
    }
  },
  expectNotified: () => notified,
};

const LISTS = ["list-events", "list-notifications", "list-members", "list-devices"] as const;

export const readingLists: Scenario = {
  name: "reading-lists",
  about: "a person reads every list again and again while two events come in",
  setup,
  play: async ({ clients, world, fixtures: [acme] }) => {
    const readLists = async () => {
      for (let round = 0; round < 4; round += 1) {
        for (const name of LISTS) {
          const { status } = await clients.call(acme!, "alice", name, {});
          // After two successive disturbances of minutes each, a client may have given up.
          if (status !== 200 && world.kernel.now() > world.disturbedUntil())
            clients.failures.push(`${name} was answered ${status}`);
        }
        await world.kernel.sleep(70);
      }
    };
    const send = async () => {
      for (const title of ["one", "two"])
        await clients.post(acme!, { event: "order.failed", title }, { idempotencyKey: title });
    };
    await Promise.all([readLists(), send()]);
  },
  expectNotified: () => notified,
};
