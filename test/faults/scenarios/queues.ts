import type { WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { queueNames } from "../../world/queues.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";
import { listEventsBetween } from "../../../core/store/events/events.ts";
import { readSitePage } from "../../../core/store/events/sites.ts";

const createFixtureInput = (ws: WorkspaceId = "ws_acme") => ({
  ws,
  people: { alice: ["alice-phone"], bob: ["bob-phone"] },
  rules: { orders: { eventKey: "order.*" } },
});
const notified = [["orders|alice", "orders|bob"]];
const MINUTE_MS = 60_000;
/** What these scenarios share: in spite of the faults, Alice and Bob are notified of each event. */
const common = {
  setup: async (deps) => [await buildWorkspace(deps, createFixtureInput())],
  expectNotified: () => notified,
  expectsNoErrors: false,
} satisfies Partial<Scenario>;

export const invalidMessages: Scenario = {
  ...common,
  name: "invalid-messages",
  about: "invalid messages are in the same batches as valid messages",
  play: async ({ clients, world, fixtures: [acme] }) => {
    world.queues.events.send("{");
    world.queues.pushes.send('{"invalid":true}');
    await clients.post(acme!, { event: "order.failed", title: "one", dedupeKey: "1" });
    world.queues.events.send('{"kind":"accepted"}');
    await clients.post(acme!, { event: "order.failed", title: "two", dedupeKey: "2" });
  },
  isExpectedDeadLetter: (body) => ["{", '{"invalid":true}', '{"kind":"accepted"}'].includes(body),
  check: async ({ world }) => {
    const dead = queueNames.reduce((sum, name) => sum + world.queues[name].dead.size, 0);
    world.seen.add("invalid messages reached the dead-letter queue");
    return dead === 3 ? [] : [`${dead} of 3 invalid messages are in the dead-letter queues`];
  },
};

export const redrive: Scenario = {
  ...common,
  name: "redrive",
  about: "a broken sender fills the dead-letter queue, which is redriven after the sender is repaired",
  play: async ({ clients, world, fixtures: [acme] }) => {
    world.brokenFunctions.add("sender");
    await clients.post(acme!, { event: "order.failed", title: "one", dedupeKey: "1" });
    await world.kernel.sleep(17 * MINUTE_MS);
    world.brokenFunctions.delete("sender");
    world.extendDisturbance(world.kernel.now());
    let redriven = world.queues.pushes.redrive();
    // A message of the broken sender becomes a dead letter after its visibility timeout, or after one more attempt.
    for (let round = 0; round < 2; round += 1) {
      await world.kernel.sleep(6 * MINUTE_MS);
      redriven += world.queues.pushes.redrive();
    }
    if (redriven > 0) world.seen.add("dead letters were redriven");
  },
};

export const sqsAndFcmOutage: Scenario = {
  ...common,
  name: "sqs-and-fcm-outage",
  about: "SQS and FCM are down for four minutes while events come in; each event is answered with 201",
  play: async ({ clients, world, fixtures: [acme] }) => {
    Object.assign(world.outage, { sqs: true, fcm: true });
    const posts = [await clients.post(acme!, { event: "order.failed", title: "one", dedupeKey: "1" })];
    await world.kernel.sleep(2 * MINUTE_MS);
    posts.push(await clients.post(acme!, { event: "order.failed", title: "two", dedupeKey: "2" }));
    await world.kernel.sleep(2 * MINUTE_MS);
    Object.assign(world.outage, { sqs: false, fcm: false });
    world.extendDisturbance(world.kernel.now());
    for (const { title, answers } of posts) {
      const last = answers.at(-1)?.status;
      if (last !== 201 && last !== 200) clients.failures.push(`P3: ${title} was answered ${last} while SQS was down`);
    }
  },
};

export const fcmOutage: Scenario = {
  ...common,
  name: "fcm-outage",
  about: "FCM asks senders to retry, for five minutes",
  play: async ({ clients, world, fixtures: [acme] }) => {
    world.outage.fcm = true;
    await clients.post(acme!, { event: "order.failed", title: "one", dedupeKey: "1" });
    await world.kernel.sleep(5 * MINUTE_MS);
    world.outage.fcm = false;
    world.extendDisturbance(world.kernel.now());
  },
};

export const fcmSilent: Scenario = {
  ...common,
  name: "fcm-silent",
  about: "FCM accepts pushes for two minutes without answering",
  play: async ({ clients, world, fixtures: [acme] }) => {
    world.outage.silent = true;
    await clients.post(acme!, { event: "order.failed", title: "one", dedupeKey: "1" });
    await world.kernel.sleep(2 * MINUTE_MS);
    world.outage.silent = false;
    world.extendDisturbance(world.kernel.now());
    await clients.post(acme!, { event: "order.failed", title: "two", dedupeKey: "2" });
  },
  hasUnknownOutcomes: true,
};

export const concurrentSweeps: Scenario = {
  ...common,
  name: "concurrent-sweeps",
  about: "SQS is down at first, and each sweep runs twice at once",
  play: async ({ clients, world, fixtures: [acme] }) => {
    world.setConcurrentSweeps(2);
    world.outage.sqs = true;
    await clients.post(acme!, { event: "order.failed", title: "one", dedupeKey: "1" });
    await world.kernel.sleep(MINUTE_MS / 4);
    world.outage.sqs = false;
    world.extendDisturbance(world.kernel.now());
  },
};

const SITE = "https://shop.example";

export const burst: Scenario = {
  name: "burst",
  about: "seven events of two workspaces come at once, and share batches of messages and the writes of their sites",
  setup: async (deps) => [
    await buildWorkspace(deps, createFixtureInput()),
    await buildWorkspace(deps, { ...createFixtureInput("ws_globex"), people: { alice: ["alice-2"], bob: ["bob-2"] } }),
  ],
  play: async ({ clients, fixtures: [acme, globex] }) => {
    const send = (fixture: typeof acme, title: string) =>
      clients.post(
        fixture!,
        { event: "order.failed", title, data: { site: SITE, site_name: "Shop" } },
        { idempotencyKey: title },
      );
    await Promise.all([
      ...["a1", "a2", "a3", "a4"].map((title) => send(acme, title)),
      ...["g1", "g2", "g3"].map((title) => send(globex, title)),
    ]);
  },
  expectNotified: () => notified,
  check: async ({ world, fixtures }) => {
    const found: string[] = [];
    for (const { ws } of fixtures) {
      const stored = await world.outside((deps) => listEventsBetween(deps, ws, { from: 0, to: 1000 }));
      const listed = await world.outside((deps) => readSitePage(deps, ws, SITE, { page: 1, limit: 50, edge: 0 }));
      const sent = stored.filter(({ content }) => content.notice === undefined);
      const seqs = sent.map(({ seq }) => seq).join(" ");
      if (listed.seqs.join(" ") !== seqs) found.push(`the site of ${ws} lists ${listed.seqs.join(" ")}, not ${seqs}`);
    }
    return found;
  },
};
