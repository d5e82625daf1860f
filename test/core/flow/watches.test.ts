import { describe, expect, it } from "vitest";
import type { PostRequest } from "../../../core/domain/webhook/delivery-queue.ts";
import type { WebhookType } from "../../../core/domain/webhook/webhook.ts";
import { checkWorkspace } from "../../../core/flow/deliver/check-workspace.ts";
import { replayMessages } from "../../../core/flow/admin/webhooks.ts";
import { createGroup, deleteGroup, updateGroup } from "../../../core/store/people/groups.ts";
import { addOverride } from "../../../core/store/schedules/on-call.ts";
import { putItem } from "../../../core/store/table.ts";
import { listMessages } from "../../../core/store/delivery/delivery-queues.ts";
import { startWatch, readWatch, storeWatchCheck } from "../../../core/store/delivery/watches.ts";
import { createWebhook, deleteWebhook, updateWebhook } from "../../../core/store/delivery/webhooks.ts";
import { callTo, createInterruption } from "../../world/interruption.ts";
import { NOON } from "../../world/clock.ts";
import { useWorld } from "../../world/use-world.ts";
import type { World, WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const createWatchingWebhook = (world: World, types: WebhookType[], name = "first") =>
  createWebhook(world.deps, world.ws, {
    name,
    url: `https://${name}.example.com/hook`,
    types,
    eventKeys: null,
    paused: false,
  });

/** At noon, Ann is on call until 13:00, and then Bob until 13:00 on the next day. */
const setUp = async (types: WebhookType[], options: WorldOptions = {}) => {
  const world = await useWorld({ start: NOON, sweepAtSecond: 0, ...options });
  const group = await world.group("Duty", ["usr_ann", "usr_bob"]);
  await world.schedule(group, {
    timeZone: "UTC",
    layers: [{ start: "2026-11-20T13:00", every: 1, unit: "day", participants: ["usr_ann", "usr_bob"] }],
  });
  const webhook = await createWatchingWebhook(world, types);
  return { world, group, webhook };
};

type Body = { type: string; timestamp: string; data: Record<string, unknown> };
const bodiesOf = (posted: readonly PostRequest[], name = "first"): Body[] =>
  posted.filter(({ url }) => url.includes(`//${name}.`)).map(({ body }) => JSON.parse(body) as Body);
const formatPeople = (list: unknown) => (list as { id: string }[]).map(({ id }) => id).join();
const listChanges = ({ posted }: World, name = "first") =>
  bodiesOf(posted, name).map(
    ({ timestamp, data }) =>
      `${String(data["sequence"])} ${timestamp.slice(8, 19)} ${formatPeople(data["before"])}>${formatPeople(data["onCall"])}`,
  );
const listEntries = ({ posted }: World, name = "first") =>
  bodiesOf(posted, name)
    .filter(({ type }) => type === "audit.recorded")
    .map(({ data }) => {
      const { kind, name: of } = data["target"] as { kind: string; name: string };
      return `${String(data["action"])} ${kind} ${of}`;
    });

describe("a webhook message about who is on call", () => {
  it("is sent at the second at which a shift begins, and names the people who were on call before", async () => {
    const { world, group } = await setUp(["oncall.changed"]);
    await world.runFor(2 * HOUR);

    expect(world.posted.map(({ at }) => at - world.start)).toEqual([HOUR]);
    expect(bodiesOf(world.posted)).toEqual([
      {
        type: "oncall.changed",
        timestamp: "2026-11-21T13:00:00.000Z",
        data: {
          sequence: 1,
          workspaceId: world.ws,
          groupId: group,
          groupName: "Duty",
          onCall: [{ id: "usr_bob", name: "bob" }],
          onCallCount: 1,
          before: [{ id: "usr_ann", name: "ann" }],
          beforeCount: 1,
        },
      },
    ]);
    expect(world.posted[0]?.headers["webhook-id"]).toBe(`msg_${group}_1`);
  });

  it("is sent within a minute for overrides, edits and a deleted group, once each", async () => {
    const { world, group } = await setUp(["oncall.changed"]);
    await world.runFor(5 * MINUTE);
    const at = (minutes: number) => new Date(world.start + minutes * MINUTE).toISOString();
    await addOverride(world.deps, world.ws, group, { userId: "usr_bob", start: at(0), end: at(6.5) });
    await world.runFor(10 * MINUTE);
    await world.schedule(group, { timeZone: "UTC", layers: [] });
    await world.runFor(MINUTE);
    await deleteGroup(world.deps, world.ws, group);
    await world.runFor(HOUR);

    expect(listChanges(world)).toEqual([
      "1 21T12:06:00 usr_ann>usr_bob",
      "2 21T12:06:30 usr_bob>usr_ann",
      "3 21T12:16:00 usr_ann>",
    ]);
    expect(world.posted[1]!.at - world.start).toBe(6.5 * MINUTE);
  });

  it("is sent for an edit even if it comes while the audit trail is being delivered", async () => {
    const { beforeCall, arm, isArmed } = createInterruption(callTo("Query", "#TRAIL"));
    const { world, group } = await setUp(["oncall.changed", "audit.recorded"], { beforeCall });
    await world.runFor(5 * MINUTE);
    arm(() => world.schedule(group, { timeZone: "UTC", layers: [] }));
    await updateGroup(world.deps, world.ws, group, { name: "Night" });
    await world.runFor(5 * MINUTE);

    expect(isArmed()).toBe(false);
    const notified = bodiesOf(world.posted).filter(({ type }) => type === "oncall.changed");
    expect(notified.map(({ data }) => `${formatPeople(data["before"])}>${formatPeople(data["onCall"])}`)).toEqual([
      "usr_ann>",
    ]);
  });

  it("is sent in order, with the times of the schedule, after an outage during which shifts began", async () => {
    const { world } = await setUp(["oncall.changed"]);
    await world.runFor(2 * MINUTE);
    world.skip(2 * DAY);
    await world.runFor(5 * MINUTE);

    expect(listChanges(world)).toEqual(["1 21T13:00:00 usr_ann>usr_bob", "2 22T13:00:00 usr_bob>usr_ann"]);
  });

  it("names ten people at most, and has the number of all people", async () => {
    const world = await useWorld();
    const ids = Array.from({ length: 40 }, (_, index) => `usr_p${String(index).padStart(2, "0")}`);
    const group = await world.group("Duty", ids, 1);
    await createWatchingWebhook(world, ["oncall.changed"]);
    await world.runFor(MINUTE);
    const [start, end] = [new Date(world.start).toISOString(), new Date(world.start + HOUR).toISOString()];
    for (const userId of ids) await addOverride(world.deps, world.ws, group, { userId, start, end });
    await world.runFor(MINUTE);

    const { onCall, onCallCount } = bodiesOf(world.posted)[0]!.data;
    expect([formatPeople(onCall).split(",").length, onCallCount]).toEqual([10, 40]);
  });
});

it("a shift that begins while a sweep checks who is on call is reported with its start", async () => {
  const { beforeCall, arm } = createInterruption(callTo("Update", "WATCHES"));
  const { world } = await setUp(["oncall.changed"], { beforeCall });
  await world.runUntil(world.start + HOUR - 500);
  arm(() => world.skip(5000));
  await checkWorkspace(world.deps, world.ws, () => true);
  await world.runFor(MINUTE);

  expect(listChanges(world)).toEqual(["1 21T13:00:00 usr_ann>usr_bob"]);
});

describe("a webhook message about the audit trail", () => {
  it("is sent once for each entry since the creation of the webhook, in order, without field values", async () => {
    const { world, webhook } = await setUp(["audit.recorded"]);
    const { id } = await createGroup(world.deps, world.ws, "Night");
    // The second subscription must not skip entries that the first webhook has not got yet.
    await createWatchingWebhook(world, ["audit.recorded"], "second");
    await updateGroup(world.deps, world.ws, id, { name: "Nights" });
    await deleteGroup(world.deps, world.ws, id);
    await world.runFor(5 * MINUTE);

    expect(listEntries(world)).toEqual([
      "created webhook first",
      "created group Night",
      "created webhook second",
      "updated group Nights",
      "deleted group Nights",
    ]);
    const notified = bodiesOf(world.posted);
    const numbers = notified.map(({ data }) => data["sequence"] as number);
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    expect(notified[3]).toEqual({
      type: "audit.recorded",
      timestamp: new Date(world.start).toISOString(),
      data: {
        sequence: numbers[3],
        workspaceId: world.ws,
        auditId: expect.stringMatching(/^aud_/),
        actor: null,
        via: "operator",
        action: "updated",
        target: { kind: "group", id, name: "Nights" },
        fields: ["name"],
        requestId: expect.any(String),
      },
    });
    const deliveries = await listMessages(world.deps, { ws: world.ws, id: webhook.id }, { limit: 10 });
    expect(deliveries).toHaveLength(5);
    expect(deliveries.every(({ eventId }) => eventId === undefined)).toBe(true);
  });

  it("is queued once, even if each check has time for only a few entries", async () => {
    const { world, webhook } = await setUp(["audit.recorded"]);
    for (let index = 0; index < 30; index += 1) await createGroup(world.deps, world.ws, `Group ${index}`);
    const counts: number[] = [];
    for (let check = 0; check < 3; check += 1) {
      let left = 1;
      await checkWorkspace(world.deps, world.ws, () => left-- > 0);
      counts.push((await listMessages(world.deps, { ws: world.ws, id: webhook.id }, { limit: 100 })).length);
    }

    expect(counts).toEqual([25, 31, 31]);
  });

  it("is sent without waiting for the next shift, even if the first check has no time for all entries", async () => {
    const { world } = await setUp(["audit.recorded"]);
    for (let index = 0; index < 30; index += 1) await createGroup(world.deps, world.ws, `Group ${index}`);
    let left = 1;
    await checkWorkspace(world.deps, world.ws, () => left-- > 0);
    await world.work();

    expect(listEntries(world)).toHaveLength(31);
  });

  it("is sent in several parts if the trail has many entries, and can be replayed", async () => {
    const { world, webhook } = await setUp(["audit.recorded"]);
    for (let index = 0; index < 60; index += 1) await createGroup(world.deps, world.ws, `Group ${index}`);
    await world.runFor(5 * MINUTE);
    expect(listEntries(world).slice(1)).toEqual(
      Array.from({ length: 60 }, (_, index) => `created group Group ${index}`),
    );

    world.posted.splice(0);
    const [from, to] = [world.start - DAY, world.now()].map((ms) => new Date(ms).toISOString());
    expect(await replayMessages(world.deps, world.ws, webhook.id, { from: from!, to: to! })).toBe(61);
    await world.runFor(MINUTE);
    // The audit trail has an entry for the replay itself.
    expect(listEntries(world)).toHaveLength(62);
  });
});

describe("a webhook that subscribes to configuration changes", () => {
  it("gets only changes of the types that it names", async () => {
    const { world, group } = await setUp(["oncall.changed"]);
    await createWatchingWebhook(world, ["event.opened"], "events");
    await createWatchingWebhook(world, ["audit.recorded"], "trail");
    await world.rule([group], { requiresAck: true });
    await world.post();
    await world.runFor(2 * HOUR);

    expect(bodiesOf(world.posted).map(({ type }) => type)).toEqual(["oncall.changed"]);
    expect(bodiesOf(world.posted, "events").map(({ type }) => type)).toEqual(["event.opened"]);
    expect(new Set(bodiesOf(world.posted, "trail").map(({ type }) => type))).toEqual(new Set(["audit.recorded"]));
  });

  it("gets changes from the time of its subscription, even if another webhook was subscribed before", async () => {
    const { world, group } = await setUp(["oncall.changed"]);
    await world.runFor(2 * HOUR);
    const second = await createWatchingWebhook(world, ["event.opened"], "second");
    await updateWebhook(world.deps, world.ws, second.id, { types: ["oncall.changed", "audit.recorded"] });
    const [start, end] = [new Date(world.now()).toISOString(), new Date(world.now() + DAY).toISOString()];
    await addOverride(world.deps, world.ws, group, { userId: "usr_ann", start, end });
    await world.runFor(10 * MINUTE);

    expect(listChanges(world)).toHaveLength(2);
    const types = bodiesOf(world.posted, "second").map(({ type }) => type);
    expect(types.filter((type) => type === "oncall.changed")).toHaveLength(1);
    expect(listEntries(world, "second")).toContain("updated webhook second");
  });

  it("gets changes even if it is the only subscriber, and subscribed only after its creation", async () => {
    const { world, webhook } = await setUp(["event.opened"]);
    await updateWebhook(world.deps, world.ws, webhook.id, { types: ["oncall.changed"] });
    await world.runFor(2 * HOUR);

    expect(listChanges(world)).toHaveLength(1);
  });

  it("gets each change once: an older check does not overwrite the stored time of a newer check", async () => {
    const { world } = await setUp(["oncall.changed"]);
    const watch = (await readWatch(world.deps, world.ws))!;
    const at = world.now();
    for (const looked of [at + 1, at]) await storeWatchCheck(world.deps, watch, { looked, due: looked });

    expect(await readWatch(world.deps, world.ws)).toMatchObject({ looked: at + 1, due: at + 1 });
  });

  it("keeps the checks for changes running for 15 minutes after its deletion, in case a second webhook is just being created", async () => {
    const { world, webhook } = await setUp(["oncall.changed", "audit.recorded"]);
    await world.runFor(20 * MINUTE);
    await startWatch(world.deps, world.ws);
    await deleteWebhook(world.deps, world.ws, webhook.id);
    await world.runFor(14 * MINUTE);
    expect(await readWatch(world.deps, world.ws)).toBeDefined();

    await world.runFor(3 * MINUTE);
    expect(await readWatch(world.deps, world.ws)).toBeUndefined();
  });

  it("gets its changes even if the stored state of another workspace's checks is unreadable", async () => {
    const { world } = await setUp(["oncall.changed"]);
    await putItem(world.deps, { pk: "WATCHES", sk: "ws_0" }, { asked: "often" });
    await world.runFor(2 * HOUR);

    expect(listChanges(world)).toEqual(["1 21T13:00:00 usr_ann>usr_bob"]);
  });

  it("costs nothing in a workspace without such a webhook: no item is stored", async () => {
    const { world } = await setUp(["event.opened"]);
    await world.runFor(2 * HOUR);

    expect(await readWatch(world.deps, world.ws)).toBeUndefined();
    expect(world.posted).toEqual([]);
  });
});
