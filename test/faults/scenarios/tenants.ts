import { listEventsBetween } from "../../../core/store/events/events.ts";
import { setUsagePlan } from "../../../core/store/events/control.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";
import type { World } from "../engine/world.ts";

/** Counts the stored events, without the events of the service itself. */
const countSentEvents = async (world: World): Promise<number> => {
  const stored = await world.outside((deps) => listEventsBetween(deps, "ws_acme", { from: 0, to: 1000 }));
  return stored.filter(({ content }) => content.notice === undefined).length;
};

export const equalIds: Scenario = {
  name: "equal-ids",
  about:
    "two workspaces have equal ids of groups, rules, users and events, and each is notified only of its own events",
  setup: async (deps) => {
    const createCountingDeps = () => {
      let count = 0;
      return {
        ...deps,
        newId: <Prefix extends string>(prefix: Prefix) =>
          `${prefix}_${String((count += 1)).padStart(16, "0")}` as const,
      };
    };
    const same = { groups: { ops: ["alice", "bob"] }, rules: { orders: { eventKey: "order.*" } } };
    const acme = await buildWorkspace(createCountingDeps(), {
      people: { alice: ["alice-acme"], bob: ["bob-acme"] },
      userIds: "usr_",
      ...same,
    });
    const globex = await buildWorkspace(createCountingDeps(), {
      ws: "ws_globex",
      people: { alice: ["alice-globex"], bob: ["bob-globex"] },
      userIds: "usr_",
      ...same,
    });
    return [acme, globex];
  },
  play: async ({ clients, fixtures: [acme, globex] }) => {
    await Promise.all([
      clients.post(acme!, { event: "order.failed", title: "of acme", dedupeKey: "same" }),
      clients.post(globex!, { event: "order.failed", title: "of globex", dedupeKey: "same" }),
    ]);
    const other = await clients.call(globex!, "alice", "list-events", {});
    const items = (other.body as { items?: { title: string }[] }).items ?? [];
    for (const { title } of items)
      if (title !== "of globex") clients.failures.push(`P5: globex lists the event ${title}`);
  },
  expectNotified: () => [["orders|alice", "orders|bob"]],
};

export const quotaLimit: Scenario = {
  name: "quota-limit",
  about:
    "four events come at once while the month's quota allows one, and a client repeats its request with its Idempotency-Key",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, { rules: { orders: { eventKey: "order.*" } } });
    await setUsagePlan(deps, acme.ws, { monthlyEvents: 1, eventsPerMinute: 600, burst: 100, retentionDays: 400 });
    return [acme];
  },
  play: async ({ clients, fixtures: [acme] }) => {
    await Promise.all(
      ["one", "two", "three", "four"].map((title) =>
        clients.post(acme!, { event: "order.failed", title }, { idempotencyKey: title }),
      ),
    );
  },
  expectNotified: ({ eventKey }) =>
    eventKey === "service.quota" ? [["The service's own notices|alice"]] : [["orders|alice"]],
  check: async ({ clients, world }) => {
    const found: string[] = [];
    const statuses = clients.posts.map(({ answers }) => answers.at(-1)?.status ?? 0);
    const created = statuses.filter((status) => status === 201).length;
    const events = await countSentEvents(world);
    if (created > 1 || events > 1)
      found.push(`${created} requests were answered 201 and ${events} events are stored, but the quota is 1`);
    for (const status of statuses)
      if (status < 500 && ![201, 403, 409].includes(status)) found.push(`an answer was ${status}`);
    return found;
  },
};

/** The number of a client's attempts: enough to outlast two requests that die while they hold a lease. */
const ATTEMPTS = 24;

export const idempotency: Scenario = {
  name: "idempotency",
  about: "a request is repeated with its Idempotency-Key after each failure, also concurrently, and a minute later",
  setup: async (deps) => [await buildWorkspace(deps, { rules: { orders: { eventKey: "order.*" } } })],
  play: async ({ clients, world, fixtures: [acme] }) => {
    const send = (tries: number) =>
      clients.post(acme!, { event: "order.failed", title: "once" }, { idempotencyKey: "k-1", tries });
    const first = send(ATTEMPTS);
    await world.kernel.sleep(20);
    await Promise.all([first, send(ATTEMPTS)]);
    // By this time, late calls have taken effect and throttling has ended.
    await world.kernel.sleep(60_000 + Math.max(0, world.disturbedUntil() - world.kernel.now()));
    await send(ATTEMPTS);
  },
  expectNotified: () => [["orders|alice"]],
  check: async ({ clients, world }) => {
    const events = await countSentEvents(world);
    const answers = clients.posts.flatMap(({ answers }) => answers.filter(({ status }) => status === 201));
    const ids = new Set(answers.map(({ eventId }) => eventId));
    const found = events > 1 ? [`one Idempotency-Key created ${events} events`] : [];
    if (ids.size > 1) found.push(`one Idempotency-Key was answered with ${ids.size} ids`);
    // A client that got an answer after the last disturbance must have got 201 in the end.
    const patient = clients.posts.filter(({ answers }) => (answers.at(-1)?.at ?? 0) > world.disturbedUntil());
    if (patient.some(({ answers }) => answers.at(-1)?.status !== 201)) found.push("a client was never answered 201");
    return found;
  },
};
