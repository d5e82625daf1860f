import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { listNotificationsAfter, readEventView } from "../../../core/flow/read/read-event.ts";
import { removeGroupMember } from "../../../core/store/people/groups.ts";
import { escalationKey } from "../../../core/store/keys.ts";
import { listNewestPacks } from "../../world/newest-packs.ts";
import { sendTwice } from "../../world/queues.ts";
import { quotas } from "../../../lib/quotas.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;

const userIds = (count: number) => Array.from({ length: count }, (_, index) => `usr_${String(index).padStart(4, "0")}`);

/** Creates rules that each notify the same people, who have one device each. */
const setUp = async (people: number, rules: number, options: WorldOptions = {}, fields: object = {}) => {
  const world = await useWorld(options);
  const groupId = await world.largeGroup(userIds(people), (userId) => [`${userId}-1`]);
  for (let rule = 0; rule < rules; rule += 1) await world.rule([groupId], { name: `Rule ${rule}`, ...fields });
  return { world, groupId };
};

const postEvent = async (world: World) => (await world.post()).eventId;

/** Expects that every rule has notified every person once. */
const expectAllNotified = async (world: World, people: number, rules: number) => {
  const notifications = await world.notifications();
  expect(notifications).toHaveLength(people * rules);
  expect(notifications.every(({ status }) => status === "SENT")).toBe(true);
  expect(new Set(notifications.map(({ userId, rule }) => `${userId} ${rule.id}`)).size).toBe(people * rules);
  expect(world.pushed).toHaveLength(people * rules);
  expect(listMarkers(world)).toEqual([]);
};

describe("an event whose delivery plan has several parts", () => {
  it("notifies everybody once by every rule, and leaves no unfinished work", async () => {
    const { world } = await setUp(1, 66);

    const eventId = await postEvent(world);
    await world.runFor(MINUTE);

    await expectAllNotified(world, 1, 66);
    const view = await readEventView(world.deps, world.ws, eventId);
    expect(view).toMatchObject({ outcome: "delivered", _count: { notifications: 66 } });
    expect(view?.notifications).toHaveLength(66);
    expect(view?.matchedRules.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 66 }, (_, rule) => `Rule ${rule}`).sort(),
    );
  });

  it("continues with the remaining people of a rule in the next part", async () => {
    const { world } = await setUp(1100, 1);

    const eventId = await postEvent(world);
    await world.runFor(MINUTE);

    await expectAllNotified(world, 1100, 1);
    const explained = await explainEvent(world.deps, world.ws, eventId, "usr_1099");
    expect(explained).toMatchObject({ told: true, rules: [{ reason: "told", notifications: [{ status: "SENT" }] }] });
  });

  it.each([
    ["the sweeper, if the queue refuses its parts", () => Promise.reject(new Error("the queue is down"))],
    ["the markers of its parts, if their messages are lost", () => Promise.resolve({ Failed: [] })],
  ])("is finished after a failure of the queue: by %s", async (_, first) => {
    const { world } = await setUp(1, 66);
    await world.post();
    let sent = 0;
    const { client } = world.queues.events.queue;
    const send = client.send.bind(client);
    client.send = ((command: never) => {
      sent += 1;
      return sent === 1 ? first() : send(command);
    }) as never;

    await world.runFor(5 * MINUTE);

    expect(sent).toBeGreaterThan(1);
    await expectAllNotified(world, 1, 66);
  });

  it("uses the plan that was stored as final, and no part of an earlier plan that a failed attempt left", async () => {
    let parts = 0;
    const { world, groupId } = await setUp(2, 66, {
      beforeCall: async ({ constructor, input }) => {
        if (constructor.name !== "PutCommand" || input.Item?.pk?.includes("#PLAN#") !== true) return;
        parts += 1;
        if (parts === 2) throw new Error("the table is out of order");
      },
    });
    await world.post();
    await world.work();
    await removeGroupMember(world.deps, world.ws, { groupId, userId: "usr_0001" });
    // After a minute, the matcher uses the changed people, even for an event that came before the change.
    world.skip(MINUTE);

    await world.runFor(5 * MINUTE);

    expect(parts).toBeGreaterThan(2);
    await expectAllNotified(world, 1, 66);
    expect(world.pushed.some(({ userId }) => userId === "usr_0001")).toBe(false);
  });

  it("is delivered once if its message comes twice from the queue", async () => {
    const { world } = await setUp(1, 66);
    sendTwice(world.queues.events.queue);

    await world.post();
    await world.runFor(5 * MINUTE);

    await expectAllNotified(world, 1, 66);
  });
});

/** Lets time pass as if 20 matchers and 50 senders were working, with 5 ms per call to the table and 100 ms to FCM. */
const simulateWorkers = (peopleInPack: number) => {
  let world: World | undefined;
  let passed = 0;
  const passTime = (ms: number) => {
    passed += ms;
    world?.skip(Math.floor(passed));
    passed %= 1;
  };
  return {
    options: {
      throttled: () => world !== undefined,
      tableWrites: quotas.tableWrites,
      beforeCall: async () => passTime(5 / 70),
      answer: () => {
        passTime(100 / 50 / peopleInPack);
        return { kind: "accepted", messageId: "m" };
      },
    } satisfies WorldOptions,
    begin: (one: World) => {
      world = one;
    },
  };
};

describe.runIf(process.env["LARGE_PLANS"] !== undefined)("an event with very many recipients or rules", () => {
  it.each([
    [500, 45, 0],
    // The first packs of all rules are in one partition, which refuses some writes.
    [1, 1100, 100],
  ])("notifies %i people by %i rules, each person once", { timeout: 900_000 }, async (people, rules, refusals) => {
    const work = simulateWorkers(Math.min(people, 16));
    const { world } = await setUp(people, rules, work.options);
    world.skip(MINUTE);
    work.begin(world);
    const began = performance.now();

    const eventId = await postEvent(world);
    await world.runFor(3 * MINUTE);

    process.stdout.write(
      `${people * rules} notifications ended in ${Math.round(performance.now() - began)} ms, ` +
        `in ${world.pushed.at(-1)!.at - world.pushed[0]!.at} ms of virtual time\n`,
    );
    expect(world.throttles()).toBeLessThanOrEqual(refusals);
    const newest = await listNewestPacks(world.deps, world.ws, 200);
    const ids = newest.flatMap(({ recipients }) => recipients.map(({ notificationId }) => notificationId));
    const all = (await world.notifications())
      .map(({ notificationId }) => notificationId)
      .toSorted()
      .toReversed();
    expect(ids.toSorted().toReversed().slice(0, 200)).toEqual(all.slice(0, 200));
    const view = await readEventView(world.deps, world.ws, eventId);
    expect(view).toMatchObject({ outcome: "delivered", _count: { notifications: people * rules } });
    expect(view!.notifications.length + view!.notificationsNotListed).toBe(people * rules);
    const listed = view!.notifications.map(({ id }) => id);
    while (listed.length < people * rules) {
      const next = await listNotificationsAfter(world.deps, world.ws, eventId, listed.at(-1));
      if (next === undefined || next === "unknown") throw new Error("the list of notifications broke off");
      listed.push(...next.notifications.map(({ id }) => id));
    }
    expect(new Set(listed).size).toBe(people * rules);
    expect(world.pushed).toHaveLength(people * rules);
    expect(listMarkers(world)).toEqual([]);
  });
});

describe("an escalation with many steps and recipients", () => {
  it("is stored in a small item, which counts the recipients", async () => {
    const world = await useWorld();
    const crowd = await world.largeGroup(userIds(100), () => []);
    const first = await world.group("First", ["usr_ann"]);
    const escalationPolicyId = await world.policy([stepTo(crowd, 1)], { repeat: 5 });
    await world.rule([first], { requiresAck: true, escalationPolicyId });

    const eventId = await postEvent(world);
    await world.runFor(10 * MINUTE);

    const { Item } = await world.deps.table.client.send(
      new GetCommand({ TableName: world.deps.table.name, Key: escalationKey(world.ws, 1, 0) }),
    );
    expect(Item).toMatchObject({ state: "armed", last: 6, told: 600 });
    expect(JSON.stringify(Item).length).toBeLessThan(200);
    const view = await readEventView(world.deps, world.ws, eventId);
    expect(view).toMatchObject({ _count: { notifications: 601 } });
    expect(view?.notifications).toHaveLength(601);
    expect(listMarkers(world)).toEqual([]);
  });
});
