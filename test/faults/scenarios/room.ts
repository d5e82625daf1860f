import { WEBHOOK_TYPES } from "../../../core/domain/webhook/webhook.ts";
import { firstInLine } from "../../../core/store/webhook-lines.ts";
import { createWebhook, listWebhooks } from "../../../core/store/webhooks.ts";
import { buildWorkspace } from "../fixtures.ts";
import { itemsOf } from "../items.ts";
import type { Play, Scenario } from "../scenario.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** Longer than a pause between two tries, so that what waited goes out behind the first message that is taken. */
const DOWN_MS = 20 * SECOND_MS;
/** A fault costs a pause of the line, a lease, or a message's time out of sight; and two faults may follow one another. */
const TOLD_WITHIN_MS = 12 * MINUTE_MS;

const STEADY = "https://steady.example.com/hook";
const BACK = "https://back.example.com/hook";
const WANTED: readonly string[] = ["event.opened", "event.acknowledged", "event.resolved"];

/** Waits until a pack is written; some minutes at most. */
const untilTold = async ({ world }: Play): Promise<string> => {
  for (let round = 0; round < 500; round += 1) {
    const [pack] = itemsOf(world, "NOTIFICATIONS");
    if (pack !== undefined) return pack["sk"]?.S ?? "";
    await world.kernel.sleep(round < 100 ? 7 : 500);
  }
  return "";
};

/** What a receiver took, in the order in which each message first came. */
const tookOf = ({ world }: Play, url: string) => {
  const all = world.receivers.arrived.filter((one) => one.url === url);
  return { all, first: all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index) };
};

/** An event is told to two webhooks, one of which is down for a while: all of it, in its order, whatever dies. */
export const room: Scenario = {
  name: "room",
  about: "webhooks are told of an event that is opened, acknowledged and resolved; one of them is down at first",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      ws: "ws_acme",
      people: { alice: ["alice-phone"], bob: ["bob-phone"] },
      groups: { ops: ["alice", "bob"] },
      rules: { orders: { eventKey: "order.*", groups: ["ops"], requiresAck: true } },
    });
    const rest = { types: [...WEBHOOK_TYPES], eventKeys: null, paused: false };
    await createWebhook(deps, acme.ws, { name: "steady", url: STEADY, ...rest });
    await createWebhook(deps, acme.ws, { name: "back", url: BACK, ...rest });
    return [acme];
  },
  play: async (play) => {
    const { clients, world } = play;
    const acme = play.fixtures[0]!;
    world.receivers.down.set(BACK, { kind: "failed", code: "ECONNREFUSED" });
    world.kernel.at(world.kernel.now() + DOWN_MS, () => world.receivers.down.delete(BACK));
    const post = await clients.post(acme, { event: "order.failed", title: "Failed" }, { idempotencyKey: "1" });
    const eventId = post.answers.find(({ status }) => status === 201 || status === 200)?.eventId;
    const packId = await untilTold(play);
    if (packId === "" || eventId === undefined) return;
    await world.kernel.sleep(SECOND_MS);
    await clients.report(acme, "alice", `ntf_${packId}0`);
    await world.kernel.sleep(SECOND_MS);
    const resolved = await clients.ask(acme, "bob", "resolve-event", { path: { eventId }, body: {} });
    if (resolved.status === 200) clients.resolved.push({ ws: acme.ws, eventId, answeredAt: world.kernel.now() });
  },
  tells: () => [["orders|alice", "orders|bob"]],
  check: async (play) => {
    const { world } = play;
    const found: string[] = [];
    // Whoever has given up was told so.
    const { posts, acknowledgements, resolved } = play.clients;
    const done = [
      posts.some(({ answers }) => answers.some(({ status }) => status < 300)),
      acknowledgements.some(({ status }) => status === 200),
      resolved.length > 0,
    ];
    const wanted = WANTED.filter((_, index) => done[index] === true);
    for (const url of [STEADY, BACK]) {
      const { all, first } = tookOf(play, url);
      const types = first.map(({ type }) => type);
      if (types.join() !== wanted.join()) found.push(`${url} was told ${types.join(", ") || "nothing"}`);
      if (first.some(({ sequence }, index) => sequence !== index + 1))
        found.push(`${url} was told out of order: ${first.map(({ sequence }) => sequence).join()}`);
      const last = Math.max(...first.map(({ at }) => at));
      const since = Math.max(world.disturbedUntil(), play.clients.posts[0]?.sentAt ?? 0);
      if (last > since + TOLD_WITHIN_MS) found.push(`P4: ${url} was told ${(last - since) / SECOND_MS} s late`);
      if (all.length > first.length) world.seen.add("a webhook was told twice under one id");
      if (url === BACK && first.length === WANTED.length) world.seen.add("a webhook took what had waited for it");
    }
    const left = await world.outside(async (deps) => {
      const webhooks = await listWebhooks(deps, "ws_acme");
      return Promise.all(webhooks.map(({ id }) => firstInLine(deps, { ws: "ws_acme", id }, 1)));
    });
    if (left.flat().length > 0) found.push("a message is left in line");
    return found;
  },
};
