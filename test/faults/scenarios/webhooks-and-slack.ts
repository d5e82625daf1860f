import { EVENT_TYPES } from "../../../core/domain/webhook/webhook.ts";
import { createConnection, listConnections } from "../../../core/store/delivery/connections.ts";
import { listFirstMessages } from "../../../core/store/delivery/delivery-queues.ts";
import { createWebhook, listWebhooks } from "../../../core/store/delivery/webhooks.ts";
import { buildWorkspace } from "../fixtures.ts";
import { listItems } from "../items.ts";
import type { Play, Scenario } from "../scenario.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
/** The length of the outage: longer than the pause between two attempts, so that messages wait in the queue. */
const DOWN_MS = 20 * SECOND_MS;
/** A fault delays a message by a pause of the queue, a lease or a visibility timeout, and two faults may follow each other. */
const NOTIFIED_WITHIN_MS = 12 * MINUTE_MS;

const STEADY = "https://steady.example.com/hook";
const RECOVERING = "https://back.example.com/hook";
const CHANNEL = "C0123456789";
const MESSAGE_TYPES: readonly string[] = ["event.opened", "event.acknowledged", "event.resolved"];

/** Waits for a pack for some minutes at most. */
const waitForPack = async ({ world }: Play): Promise<string> => {
  for (let round = 0; round < 500; round += 1) {
    const [pack] = listItems(world, "NOTIFICATIONS");
    if (pack !== undefined) return pack["sk"]?.S ?? "";
    await world.kernel.sleep(round < 100 ? 7 : 500);
  }
  return "";
};

/** Lists the accepted messages in the order in which each message first came. */
const listAccepted = ({ world }: Play, url: string) => {
  const all = world.receivers.received.filter((one) => one.url === url);
  return { all, first: all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index) };
};

const FAULTS_AT_ONCE = 2;
/** The text of the channel's last message, by the last change of the event. */
const LAST_TEXT: Readonly<Record<string, string>> = {
  "event.opened": "Open: Failed",
  "event.acknowledged": "Acknowledged: Failed",
  "event.resolved": "Resolved: Failed",
};

/** Checks that the channel's last message shows the event's last change, and that only lost answers led to more messages. */
const checkChannel = ({ world, clients }: Play, wanted: readonly string[]): string[] => {
  const messages = world.slack.channels.get(CHANNEL) ?? [];
  const last = messages.at(-1)?.text;
  const right = LAST_TEXT[wanted.at(-1) ?? ""];
  const found = last === right ? [] : [`the channel shows "${last}" instead of "${right}"`];
  if (messages.length > (world.disturbedUntil() > (clients.posts[0]?.sentAt ?? 0) ? FAULTS_AT_ONCE + 1 : 1))
    found.push(`the channel has ${messages.length} messages`);
  if (messages.length > 1) world.seen.add("a Slack channel got a second message after a lost answer");
  if ((messages.at(-1)?.edits ?? 0) > 0) world.seen.add("a Slack message was updated with its event");
  return found;
};

export const webhooksAndSlack: Scenario = {
  name: "webhooks-and-slack",
  about:
    "webhooks and a Slack channel get an event's opening, acknowledgement and resolution; one webhook is down at first",
  setup: async (deps) => {
    const acme = await buildWorkspace(deps, {
      people: { alice: ["alice-phone"], bob: ["bob-phone"] },
      rules: { orders: { eventKey: "order.*", requiresAck: true } },
    });
    const rest = { types: [...EVENT_TYPES], eventKeys: null, paused: false };
    await createWebhook(deps, acme.ws, { name: "steady", url: STEADY, ...rest });
    await createWebhook(deps, acme.ws, { name: "back", url: RECOVERING, ...rest });
    const filters = { ruleIds: null, groupIds: null, paused: false };
    await createConnection(deps, acme.ws, { name: "channel", kind: "slack", channel: CHANNEL, ...filters });
    return [acme];
  },
  play: async (play) => {
    const { clients, world } = play;
    const acme = play.fixtures[0]!;
    world.receivers.down.set(RECOVERING, { kind: "failed", code: "ECONNREFUSED" });
    world.kernel.at(world.kernel.now() + DOWN_MS, () => world.receivers.down.delete(RECOVERING));
    const post = await clients.post(acme, { event: "order.failed", title: "Failed" }, { idempotencyKey: "1" });
    const eventId = post.answers.find(({ status }) => status === 201 || status === 200)?.eventId;
    const packId = await waitForPack(play);
    if (packId === "" || eventId === undefined) return;
    await world.kernel.sleep(SECOND_MS);
    await clients.report(acme, "alice", `ntf_${packId}0`);
    await world.kernel.sleep(SECOND_MS);
    const resolved = await clients.call(acme, "bob", "resolve-event", { path: { eventId }, body: {} });
    if (resolved.status === 200) clients.resolved.push({ ws: acme.ws, eventId, answeredAt: world.kernel.now() });
  },
  expectNotified: () => [["orders|alice", "orders|bob"]],
  check: async (play) => {
    const { world } = play;
    const found: string[] = [];
    const { posts, acknowledgements, resolved } = play.clients;
    const done = [
      posts.some(({ answers }) => answers.some(({ status }) => status < 300)),
      acknowledgements.some(({ status }) => status === 200),
      resolved.length > 0,
    ];
    const wanted = MESSAGE_TYPES.filter((_, index) => done[index] === true);
    for (const url of [STEADY, RECOVERING]) {
      const { all, first } = listAccepted(play, url);
      const types = first.map(({ type }) => type);
      if (types.join() !== wanted.join()) found.push(`${url} got ${types.join(", ") || "nothing"}`);
      if (first.some(({ sequence }, index) => sequence !== index + 1))
        found.push(`${url} got messages out of order: ${first.map(({ sequence }) => sequence).join()}`);
      const last = Math.max(...first.map(({ at }) => at));
      const since = Math.max(world.disturbedUntil(), play.clients.posts[0]?.sentAt ?? 0);
      if (last > since + NOTIFIED_WITHIN_MS)
        found.push(`P4: ${url} got its last message ${(last - since) / SECOND_MS} s late`);
      if (all.length > first.length) world.seen.add("a webhook received a message twice with one id");
      if (url === RECOVERING && first.length === MESSAGE_TYPES.length)
        world.seen.add("a webhook received the messages that had waited");
    }
    found.push(...checkChannel(play, wanted));
    const left = await world.outside(async (deps) => {
      const ends = [...(await listWebhooks(deps, "ws_acme")), ...(await listConnections(deps, "ws_acme"))];
      return Promise.all(ends.map(({ id }) => listFirstMessages(deps, { ws: "ws_acme", id }, 1)));
    });
    if (left.flat().length > 0) found.push("a message is still in the delivery queue");
    return found;
  },
};
