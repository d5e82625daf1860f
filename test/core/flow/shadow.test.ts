import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { toIso } from "../../../core/domain/basics/time.ts";
import { toChannel } from "../../../core/domain/device/device.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { storeIncumbentMessage } from "../../../core/flow/ingest/take-incumbent.ts";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { notifyMorePeople } from "../../../core/flow/respond/respond.ts";
import { readEventView, readPlannedPacks } from "../../../core/flow/read/read-event.ts";
import { readShadow } from "../../../core/flow/read/read-shadow.ts";
import { createConnection } from "../../../core/flow/admin/connections.ts";
import { registerDevice } from "../../../core/flow/admin/register-device.ts";
import { ConnectionInput } from "../../../core/domain/connection/connection.ts";
import { EVENT_TYPES } from "../../../core/domain/webhook/webhook.ts";
import { readWorkspace } from "../../../core/store/people/read-workspace.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { listOpenEvents } from "../../../core/store/events/open-events.ts";
import { createWebhook } from "../../../core/store/delivery/webhooks.ts";
import { putNotificationRules } from "../../../core/store/people/notification-rules.ts";
import { startShadow, endShadow } from "../../../core/store/people/workspaces.ts";
import { addOverride } from "../../../core/store/schedules/on-call.ts";
import { removeDevices } from "../../../core/store/people/devices.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type World } from "../../world/world.ts";
import { createRules, everyPriority } from "./notification-step-world.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const beginShadow = async (world: World) => {
  await startShadow(world.deps, world.ws, toIso(world.now() + 10 * DAY));
};

/** Creates a team of Ann, with one app, and Bob, with two. All events notify Ann and Bob, and require acknowledgement. */
const setUpTeam = async (world: World, fields: object = {}) => {
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.group("Bobs", ["usr_bob"], 2);
  await world.rule([ops], { requiresAck: true, ...fields });
  return ops;
};

type Scenario = readonly [name: string, arrange: (world: World) => Promise<unknown>, events?: readonly object[]];

const silence = { name: "Night", eventKey: "disk.*", endsAt: "2099-01-01T00:00:00Z" };

const scenarios: readonly Scenario[] = [
  ["a rule that requires no acknowledgement", (world) => setUpTeam(world, { requiresAck: false })],
  [
    "a policy with three steps and a repeat",
    async (world) =>
      setUpTeam(world, {
        escalationPolicyId: await world.policy([stepTo("usr_bob", 5), stepTo("usr_ann", 10), stepTo("usr_bob", 3)], {
          repeat: 1,
        }),
      }),
  ],
  [
    "the shift ends before the policy's step, and an override then names a person without a device",
    async (world) => {
      const duty = await world.group("Duty", ["usr_ann", "usr_bob", "usr_cleo"]);
      await removeDevices(world.deps, world.ws, "usr_cleo");
      const span = { start: toIso(world.now() + HOUR), end: toIso(world.now() + 2 * HOUR) };
      await addOverride(world.deps, world.ws, duty, { userId: "usr_cleo", ...span });
      await world.schedule(duty, {
        timeZone: "Etc/UTC",
        layers: [{ start: "2026-01-01T00:00", every: 1, unit: "hour", participants: ["usr_ann", "usr_bob"] }],
      });
      const target = { type: "group" as const, groupId: duty, onCallOnly: true };
      const policy = await world.policy([{ delayMinutes: 65, targets: [target] }]);
      return world.rule([duty], { requiresAck: true, onCallOnly: true, escalationPolicyId: policy });
    },
  ],
  [
    "a person's own notification steps",
    async (world) => {
      await setUpTeam(world);
      await world.contact("usr_ann", { email: "usr_ann-1@acme.example" });
      const steps = createRules(
        everyPriority([
          [0, "push"],
          [7, "email"],
          [20, "push", "email"],
        ]),
      );
      await putNotificationRules(world.deps, world.ws, "usr_ann", steps);
    },
  ],
  [
    "own steps by a channel that the person does not have",
    async (world) => {
      await setUpTeam(world);
      await putNotificationRules(
        world.deps,
        world.ws,
        "usr_ann",
        createRules(
          everyPriority([
            [2, "sms"],
            [9, "push"],
          ]),
        ),
      );
    },
  ],
  [
    "a telephone, for an event that requires an acknowledgement",
    async (world) => {
      await setUpTeam(world);
      await world.contact("usr_ann", { phone: "+4930123456", ways: ["sms", "voice"] });
    },
  ],
  [
    "a telephone, for an event that requires no acknowledgement",
    async (world) => {
      await setUpTeam(world, { requiresAck: false });
      await world.contact("usr_ann", { phone: "+4930123456", ways: ["sms", "voice"] });
    },
  ],
  [
    "a person without a device, whose policy continues at once",
    async (world) => {
      await setUpTeam(world);
      const empty = await world.group("Empty", ["usr_cleo"], 0);
      return world.rule([empty], { requiresAck: true, escalationPolicyId: await world.policy([stepTo("usr_bob", 5)]) });
    },
  ],
  [
    "two rules with the same person, one of which sets the priority",
    async (world) => world.rule([await setUpTeam(world)], { name: "Loud", priorityOverride: "URGENT" }),
  ],
  [
    "a silence",
    async (world) => {
      await setUpTeam(world);
      return createSilence(world.deps, world.ws, v.parse(SilenceInput, silence));
    },
  ],
  ["a group of events", (world) => setUpTeam(world, { groupBy: ["data.host"], groupMinutes: 30 }), [{}, {}]],
  [
    "a threshold",
    (world) => setUpTeam(world, { groupBy: [], groupMinutes: 30, atLeast: { count: 2, withinMinutes: 10 } }),
    [{}, {}],
  ],
  ["a repeated event", (world) => setUpTeam(world), [{ dedupeKey: "one" }, { dedupeKey: "one" }]],
];

/** Sends the events a second apart, lets three hours pass, and returns who was paged. */
const playScenario = async (world: World, [, arrange, events = [{}]]: Scenario): Promise<Set<string>> => {
  await arrange(world);
  await world.work();
  world.pushed.length = 0;
  const ids = new Set<string>();
  for (const event of events) {
    ids.add((await world.post({ data: { host: "db-1" }, ...event })).eventId);
    await world.runFor(1000);
  }
  await world.runFor(3 * HOUR);
  return ids;
};

const ownerOf: Readonly<Record<string, string>> = { "phone +4930123456": "usr_ann" };

describe("the plan of an event during a shadow", () => {
  it.each(scenarios.map((one) => [one[0], one] as const))(
    "equals what delivery does without a shadow, in the scenario: %s",
    async (_, scenario) => {
      const delivering = await useWorld();
      await playScenario(delivering, scenario);
      // A silent push that only updates the number of a group is not a page.
      const paged = delivering.pushed.filter(({ message: { data } }) => data["state"] === undefined);
      const delivered = paged.map(({ at, userId, token, message }) => {
        const person = ownerOf[token] ?? userId.replace("mail ", "");
        return `${Math.floor((at - delivering.start) / MINUTE)} ${person} ${toChannel(message)}`;
      });
      const shadowed = await useWorld();
      await beginShadow(shadowed);

      const ids = await playScenario(shadowed, scenario);

      const planned: string[] = [];
      for (const id of ids) {
        const view = await readEventView(shadowed.deps, shadowed.ws, id);
        for (const { at, user, devices } of view?.shadow?.pages ?? [])
          for (const { by } of devices)
            planned.push(`${Math.floor((Date.parse(at) - shadowed.start) / MINUTE)} ${user.id} ${by}`);
      }
      expect(planned.toSorted()).toEqual(delivered.toSorted());
      expect(shadowed.pushed).toEqual([]);
      expect(listMarkers(shadowed)).toEqual([]);
    },
  );
});

const bob = { id: "usr_bob", name: "Bob" };

/** Creates a team with an owner who can be notified, whose events a webhook and a Slack channel receive. */
const setUpWatchedTeam = async () => {
  const world = await useWorld();
  const { deps, ws } = world;
  await registerDevice(deps, ws, "usr_owner", { token: "usr_owner-1", platform: "ios" });
  const fields = { escalationPolicyId: await world.policy([stepTo("usr_owner", 5)]), groupBy: [], groupMinutes: 60 };
  await setUpTeam(world, fields);
  await createWebhook(deps, ws, {
    name: "hook",
    url: "https://hook.example.com/",
    types: [...EVENT_TYPES],
    eventKeys: null,
    paused: false,
  });
  await createConnection(deps, ws, v.parse(ConnectionInput, { name: "room", kind: "slack", channel: "C0123456789" }));
  await world.work();
  return world;
};
const countMessages = ({ pushed, posted, slackCalls }: World) => [pushed.length, posted.length, slackCalls.length];

describe("an event that comes during a shadow", () => {
  it("causes no push, webhook message or Slack message, even if it is acknowledged, repeated or resolved", async () => {
    const world = await setUpWatchedTeam();
    const { deps, ws } = world;
    await beginShadow(world);

    const { eventId } = await world.post({ priority: "NORMAL", dedupeKey: "one" });
    await world.runFor(MINUTE);
    await world.post({ priority: "URGENT", dedupeKey: "one" });
    await world.post({ dedupeKey: "two" });
    await world.post({ event: "nobody.asked", priority: "URGENT" });
    await acknowledgeEvents(deps, ws, [eventId], bob);
    await world.runFor(HOUR);
    await world.post({ resolves: "two" });
    await resolveEvent(deps, ws, eventId, bob, undefined);
    await world.runFor(3 * HOUR);

    expect(countMessages(world)).toEqual([0, 0, 0]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("shows its notifications as SHADOW, waits for no acknowledgement, and cannot be sent to more people", async () => {
    const world = await useWorld();
    await setUpTeam(world, { escalationPolicyId: await world.policy([stepTo("usr_bob", 5)]) });
    await beginShadow(world);

    const { eventId } = await world.post();
    await world.runFor(10 * MINUTE);

    const view = await readEventView(world.deps, world.ws, eventId);
    expect(view).toMatchObject({ state: "none", outcome: "shadow" });
    expect(view?.notifications.map(({ status, user }) => [status, user.id])).toEqual([["SHADOW", "usr_ann"]]);
    await expect(
      notifyMorePeople(world.deps, world.ws, eventId, bob, { userIds: ["usr_bob"], groupIds: [], note: undefined }),
    ).rejects.toMatchObject({ kind: "nothing_to_do" });
  });

  it("is not reported to the owners if no rule matches it", async () => {
    const world = await useWorld();
    await registerDevice(world.deps, world.ws, "usr_owner", { token: "usr_owner-1", platform: "ios" });
    await beginShadow(world);

    await world.post({ priority: "URGENT" });
    await world.runFor(10 * MINUTE);

    expect(world.pushed).toEqual([]);
  });

  it("stays closed and gets no more notifications when a repeat raises its priority", async () => {
    const world = await useWorld();
    await setUpTeam(world);
    await beginShadow(world);
    const { eventId } = await world.post({ priority: "NORMAL", dedupeKey: "one" });
    await world.runFor(MINUTE);

    await world.post({ priority: "URGENT", dedupeKey: "one" });
    await world.work();

    const view = await readEventView(world.deps, world.ws, eventId);
    expect(view).toMatchObject({ state: "none", repeats: 1 });
    expect(view?.notifications.map(({ status }) => status)).toEqual(["SHADOW"]);
    expect(await listOpenEvents(world.deps, world.ws, { limit: "all" })).toEqual([]);
  });

  it("has no stored notifications, so nobody can be notified of its end", async () => {
    const world = await useWorld();
    await setUpTeam(world);
    await beginShadow(world);
    const { eventId } = await world.post();
    await world.work();

    const event = await readEvent(world.deps, world.ws, eventId);

    expect(await readPlannedPacks(world.deps, { ...event!, plan: event!.plan! })).toEqual([]);
  });

  it("notifies nobody even after the shadow, but the next repeat of its alert notifies people", async () => {
    const world = await useWorld();
    await setUpTeam(world, { groupBy: [], groupMinutes: 600 });
    await beginShadow(world);
    await world.post({ dedupeKey: "one" });
    await world.runFor(MINUTE);
    await endShadow(world.deps, world.ws);
    await world.runFor(2 * MINUTE);
    const before = world.pushed.length;

    await world.post({ dedupeKey: "one" });
    await world.work();

    expect([before, world.pushed.map(({ userId }) => userId)]).toEqual([0, ["usr_ann"]]);
    const ended = (await readWorkspace(world.deps, world.ws))!.shadow;
    await endShadow(world.deps, world.ws);
    expect((await readWorkspace(world.deps, world.ws))!.shadow).toEqual(ended);
  });

  it("does not count towards the page limit", async () => {
    const world = await useWorld();
    await setUpTeam(world);
    await beginShadow(world);
    for (let nr = 0; nr < 15; nr += 1) await world.post();
    await world.runFor(MINUTE);
    await endShadow(world.deps, world.ws);

    await world.post();
    await world.work();

    expect((await world.notifications()).map(({ quiet }) => quiet)).toEqual([undefined]);
  });
});

describe("a shadow", () => {
  it("that ended two days ago accepts no messages of the old service, and searches no events for them", async () => {
    const world = await useWorld();
    await beginShadow(world);
    await world.post({ dedupeKey: "one" });
    await world.work();
    await endShadow(world.deps, world.ws);
    const storeMessage = () =>
      storeIncumbentMessage(world.deps, world.ws, { action: "closed", at: undefined, notified: [], keys: ["one"] });
    const soon = await storeMessage();
    world.skip(2 * DAY);
    world.usedUnits();

    expect([soon?.incumbent?.length, await storeMessage(), world.usedUnits()]).toEqual([1, undefined, 1]);
  });

  it("assigns an old service's message to the event with the same key, not to a newer one with the same title", async () => {
    const world = await useWorld();
    await beginShadow(world);
    const { eventId } = await world.post({ dedupeKey: "one", title: "Disk" });
    await world.post({ dedupeKey: "two", title: "Disk full" });
    const message = { action: "closed" as const, at: undefined, notified: [], keys: ["one"], title: "Disk full" };

    const event = await storeIncumbentMessage(world.deps, world.ws, message);

    expect(event?.eventId).toBe(eventId);
  });

  it.each([
    ["an event 5 minutes after the message fits", 5 * MINUTE, true],
    ["an event more than 5 minutes after the message does not fit", 5 * MINUTE + 1, false],
    ["an event less than 2 days before the message fits", -2 * DAY + 1, true],
    ["an event 2 days before the message does not fit", -2 * DAY, false],
  ])("assigns a message of the old service only to an event from about the same time: %s", async (_, ms, isFound) => {
    const world = await useWorld();
    await beginShadow(world);
    const { eventId } = await world.post({ dedupeKey: "one" });
    const message = { action: "closed" as const, at: world.now() - ms, notified: [], keys: ["one"] };

    const event = await storeIncumbentMessage(world.deps, world.ws, message);

    expect(event?.eventId).toBe(isFound ? eventId : undefined);
  });

  it("compares only pages that were due before the event ended in this service", async () => {
    const world = await useWorld();
    await setUpTeam(world, { escalationPolicyId: await world.policy([stepTo("usr_bob", 5)]) });
    await beginShadow(world);
    const { eventId } = await world.post({ dedupeKey: "one" });
    await world.runFor(MINUTE);
    await resolveEvent(world.deps, world.ws, eventId, bob, undefined);
    const message = { action: "triggered" as const, at: world.start, notified: ["ann", "bob"], keys: ["one"] };
    await storeIncumbentMessage(world.deps, world.ws, message);

    const { items } = await readShadow(world.deps, world.ws, undefined);

    expect(items[0]?.people.map(({ verdict, theirs }) => [theirs?.person.split("@")[0], verdict])).toEqual([
      ["ann", "same"],
      ["bob", "nobody"],
    ]);
  });

  it("ends by itself at its planned time", async () => {
    const world = await useWorld();
    await setUpTeam(world);
    await beginShadow(world);
    world.skip(10 * DAY);

    await world.post();
    await world.work();

    expect(world.pushed).toHaveLength(1);
  });

  it("notifies the owners twice before its end: a day before and an hour before", async () => {
    const world = await useWorld();
    await registerDevice(world.deps, world.ws, "usr_owner", { token: "usr_owner-1", platform: "ios" });
    await startShadow(world.deps, world.ws, toIso(world.now() + 3 * DAY));

    await world.runFor(4 * DAY);

    const hoursLeft = world.pushed.map(({ at }) => Math.floor((world.start + 3 * DAY - at) / HOUR));
    expect(hoursLeft).toEqual([24, 1]);
  });

  it("notifies the owners of its end, however short the shadow is, even in a workspace without events for days", async () => {
    const world = await useWorld();
    await registerDevice(world.deps, world.ws, "usr_owner", { token: "usr_owner-1", platform: "ios" });
    await world.runFor(2 * DAY + HOUR);
    const end = world.now() + 3 * HOUR;
    await startShadow(world.deps, world.ws, toIso(end));

    await world.runFor(4 * HOUR);

    expect(world.pushed.map(({ at }) => Math.floor((end - at) / HOUR))).toEqual([2, 1]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("does not change events that were paging before it began", async () => {
    const world = await useWorld();
    await setUpTeam(world, { escalationPolicyId: await world.policy([stepTo("usr_bob", 5)]) });
    await world.post();
    await world.work();
    await beginShadow(world);

    await world.runFor(10 * MINUTE);

    expect(world.pushed.map(({ userId }) => userId)).toEqual(["usr_ann", "usr_bob", "usr_bob"]);
  });

  it("lists its events page by page, newest first, with the people whom each event would have notified", async () => {
    const world = await useWorld();
    await setUpTeam(world);
    await beginShadow(world);
    await world.post({ title: "In an earlier shadow" });
    await world.runFor(1000);
    await endShadow(world.deps, world.ws);
    await world.post({ title: "Before" });
    await world.runFor(1000);
    await beginShadow(world);
    await world.post({ title: "First" });
    await world.post({ title: "Second" });
    await world.work();

    const { items, next } = await readShadow(world.deps, world.ws, undefined);

    expect(items.map(({ title, pages }) => [title, pages.map(({ user }) => user.name)])).toEqual([
      ["Second", ["ann"]],
      ["First", ["ann"]],
    ]);
    expect(next).toBeUndefined();
    const older = await readShadow(world.deps, world.ws, 4);
    expect(older.items.map(({ title }) => title)).toEqual(["First"]);
  });
});
