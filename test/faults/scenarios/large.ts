import { formatEventId, formatNonce } from "../../../core/domain/basics/ids.ts";
import { createPolicy } from "../../../core/store/rules/escalation-policies.ts";
import { createEvent } from "../../../core/store/events/events.ts";
import { readControl } from "../../../core/store/events/control.ts";
import { controlKey } from "../../../core/store/keys.ts";
import { putMarker } from "../../../core/store/events/markers.ts";
import { updateRule } from "../../../core/store/rules/rules.ts";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { START } from "../engine/world.ts";
import { buildWorkspace, type Fixture } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";
import { listItems, countStoredEvents } from "../items.ts";

/*
 * These scenarios find problems that occur only at scale: plans in parts, hundreds of packs, thousands of markers. Each
 * scenario exists twice: in a small size for every run, and in full size.
 */

const MINUTE_MS = 60_000;
const plan = { monthlyEvents: 1_000_000, eventsPerMinute: 100_000, burst: 1000, retentionDays: 400 };
const common = { large: true, expectsNoErrors: false } as const;

const createNames = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${String(index).padStart(4, "0")}`);
/** Returns the devices of people by name. Every tenth person has no device, all others have one. */
const createDevicesByName = (names: readonly string[]) =>
  Object.fromEntries(names.map((name, index) => [name, index % 10 === 9 ? [] : [`${name}-phone`]]));
const createNumberedEntries = <Value>(prefix: string, count: number, value: Value) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, value]));

const createManyNotified = (name: string, people: number, rules: number): Scenario => {
  const names = createNames(people);
  return {
    ...common,
    name,
    about: `${rules} rules notify ${people} people of one event: ${rules * people} notifications`,
    channel: "both",
    setup: async (deps) => [
      await buildWorkspace(deps, {
        plan,
        people: createDevicesByName(names),
        groups: { all: names },
        rules: createNumberedEntries("rule", rules, { eventKey: "site.*", groups: ["all"] }),
      }),
    ],
    play: async ({ clients, fixtures: [acme] }) => {
      await clients.post(acme!, { event: "site.down", title: "Down" }, { idempotencyKey: "down" });
    },
    check: async ({ world }) => {
      if (world.dynamo.partitions().some((pk) => pk.includes("#PLAN#")))
        world.seen.add("a plan was stored in several parts");
      return [];
    },
    expectNotified: () => [
      Array.from({ length: rules }, (_, rule) => names.map((person) => `rule${rule}|${person}`)).flat(),
    ],
  };
};

/** Stores events as if the queue had been unavailable: each with a marker, and without a queue message. */
const storeUnqueuedEvents = async (
  deps: Parameters<Scenario["setup"]>[0],
  { ws }: Fixture,
  count: number,
): Promise<void> => {
  const control = await readControl(deps, ws);
  const receivedAt = START - 10 * MINUTE_MS;
  for (let seq = 1; seq <= count; seq += 1) {
    const eventId = formatEventId({ seq, nonce: formatNonce(deps.newId("evt")) });
    const content = { eventKey: "order.failed", title: `Order ${seq}`, body: "No stock", priority: "NORMAL" } as const;
    const versions = { rulesVersion: control?.rulesVersion ?? 0, peopleVersion: control?.peopleVersion ?? 0 };
    await putMarker(deps, { ws, eventId, due: receivedAt + MINUTE_MS, since: receivedAt, tries: 0 });
    await createEvent(deps, { workspaceId: ws, eventId, receivedAt, ...versions, content }, deps.newId("req"));
  }
  const input = {
    TableName: deps.table.name,
    Key: controlKey(ws),
    UpdateExpression: "SET seq = :count, used = :count",
    ExpressionAttributeValues: { ":count": count },
  };
  await deps.table.client.send(new UpdateCommand(input));
};

const createBacklog = (name: string, count: number): Scenario => ({
  ...common,
  name,
  about: `${count} events have waited ten minutes for a queue that was unavailable`,
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, { plan, rules: { orders: { eventKey: "order.*" } } });
    await storeUnqueuedEvents(deps, acme, count);
    return [acme];
  },
  play: async () => {},
  expectNotified: () => [["orders|alice"]],
  check: async ({ world }) => {
    const stored = countStoredEvents(world);
    if (stored >= 1000 && world.seen.has("the sweeper queued an event again"))
      world.seen.add("the sweeper queued a thousand events again");
    return stored === count ? [] : [`${stored} of ${count} events are stored`];
  },
});

const STEPS = 8;
const REPEATS = 5;

const createLongEscalation = (name: string, people: number): Scenario => {
  const names = createNames(people);
  return {
    ...common,
    name,
    about: `an escalation fires ${STEPS * REPEATS} times and notifies ${people} people each time`,
    setup: async (deps) => {
      const acme = await buildWorkspace(deps, {
        plan,
        people: { ...createDevicesByName(names), first: ["first-phone"] },
        groups: { all: names, ops: ["first"] },
        rules: { outages: { eventKey: "site.down", requiresAck: true } },
      });
      const targets = [{ type: "group" as const, groupId: acme.groups["all"]!, onCallOnly: false }];
      const steps = Array.from({ length: STEPS }, () => ({ delayMinutes: 2, targets }));
      const policy = await createPolicy(deps, acme.ws, { name: "long", repeat: REPEATS - 1, steps });
      await updateRule(deps, acme.ws, acme.rules["outages"]!, { escalationPolicyId: policy.id });
      return [acme];
    },
    play: async ({ clients, fixtures: [acme] }) => {
      await clients.post(acme!, { event: "site.down", title: "Down" }, { idempotencyKey: "down" });
    },
    expectNotified: () => [["outages|first"]],
    minutes: 150,
    check: async ({ world }) => {
      const event = listItems(world, "EVENTS").find((item) => item["plan"] !== undefined);
      const notified = Object.values(event?.["steps"]?.M ?? {}).reduce((sum, { N }) => sum + Number(N), 0);
      const wanted = event === undefined ? 0 : STEPS * REPEATS * people;
      if (notified === wanted && notified >= 4000)
        world.seen.add("an escalation fired forty times for hundreds of people");
      return notified === wanted ? [] : [`the steps notified ${notified} people instead of ${wanted}`];
    },
  };
};

export const largeScenarios: readonly Scenario[] = [
  createManyNotified("many-notifications", 200, 10),
  // The packs need more senders than a new account has.
  { ...createManyNotified("new-account", 200, 10), accountConcurrency: 10 },
  createManyNotified("many-rules", 1, 200),
  createBacklog("large-backlog", 1000),
  createLongEscalation("long-escalation", 200),
];

export const fullSizeScenarios: readonly Scenario[] = [
  createManyNotified("many-notifications-full", 500, 40),
  createManyNotified("many-rules-full", 1, 2000),
  createBacklog("large-backlog-full", 50_000),
  createLongEscalation("long-escalation-full", 2000),
];
