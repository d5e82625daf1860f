import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import { acknowledgeEvents, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { setExpired } from "../../../core/store/events/progress.ts";
import { readControl } from "../../../core/store/events/control.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { listRules, updateRule } from "../../../core/store/rules/rules.ts";
import { listOpenEvents } from "../../../core/store/events/open-events.ts";
import { sendTwice } from "../../world/queues.ts";
import { callTo, callWith, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, type World, type WorldOptions } from "../../world/world.ts";

const MINUTE = 60_000;
const ann = { id: "usr_ann", name: "Ann" };

/** A world in which Ann and Bob are notified of failures on each of their devices, and somebody must acknowledge them. */
const setUp = async (options: WorldOptions = {}, devices = 1): Promise<World> => {
  const world = await useWorld(options);
  const ops = await world.group("Ops", ["usr_ann", "usr_bob"], devices);
  await world.rule([ops], { eventKey: "site.down", requiresAck: true });
  return world;
};

const listOpenIds = async ({ deps, ws }: World) =>
  (await listOpenEvents(deps, ws, { limit: "all" })).map(({ eventId }) => eventId);
const readResolver = async ({ deps, ws }: World, eventId: string) =>
  (await readEvent(deps, ws, eventId))?.life.resolved?.name;

const freezes = callWith(":plan");

describe("resolving an event", () => {
  it("that is not matched yet pages nobody, whether that event or the resolving event is matched first", async () => {
    const world = await setUp();
    const { eventId } = await world.post({ event: "site.down", dedupeKey: "db-1" });
    // The queue loses the first event's message, which the sweeper sends again long after the resolving event was matched.
    world.queues.events.drainBatch();

    await world.post({ event: "site.up", title: "Up again", resolves: "db-1" });
    await world.runFor(5 * MINUTE);

    expect(await readResolver(world, eventId)).toBe("Up again");
    expect(world.pushed).toEqual([]);
    expect(await listOpenIds(world)).toEqual([]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("ends each of several events, even if all are matched only after an outage of the queue", async () => {
    const world = await setUp();
    const downs: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      downs.push((await world.post({ event: "site.down", dedupeKey: "db-1" })).eventId);
      await world.post({ event: "site.up", title: `Up ${round}`, resolves: "db-1" });
    }
    world.queues.events.drainBatch();

    await world.runFor(5 * MINUTE);

    expect(await Promise.all(downs.map((id) => readResolver(world, id)))).toEqual(["Up 0", "Up 1", "Up 2"]);
    expect(await listOpenIds(world)).toEqual([]);
  });
});

describe("resolving an event by its dedupeKey", () => {
  it("frees the dedupeKey within minutes even if the resolving request died before freeing it", async () => {
    const { beforeCall, arm } = createInterruption(callWith(":free"));
    const world = await setUp({ beforeCall });
    arm();
    const first = await world.post({ event: "site.down", dedupeKey: "db-1" });
    await expect(world.post({ event: "site.up", resolves: "db-1" })).rejects.toThrow("died");

    await world.runFor(3 * MINUTE);
    const again = await world.post({ event: "site.down", dedupeKey: "db-1" });

    expect(await readResolver(world, first.eventId)).toBe("Disk full");
    expect(again.kind).toBe("created");
  });

  it("does not free the dedupeKey if a newer event uses it meanwhile", async () => {
    const world = await setUp();
    await world.post({ event: "site.down", dedupeKey: "db-1" });
    const up = await world.post({ event: "site.up", resolves: "db-1" });
    const again = await world.post({ event: "site.down", dedupeKey: "db-1" });
    // The queue loses the resolving event, which the sweeper sends again after the newer event has taken the dedupeKey.
    world.queues.events.drainBatch();
    await world.runFor(3 * MINUTE);

    expect(await readResolver(world, again.eventId)).toBeUndefined();
    expect(await world.post({ event: "site.down", dedupeKey: "db-1" })).toMatchObject({
      kind: "duplicate",
      eventId: again.eventId,
    });
    expect(up.kind).toBe("created");
  });

  it("leaves a later event with the dedupeKey open, even if it comes before the resolving event is matched", async () => {
    const world = await setUp();
    const first = await world.post({ event: "site.down", dedupeKey: "db-1" });
    await world.post({ event: "site.up", title: "Up again", resolves: "db-1" });
    // The queue loses the messages of both events.
    world.queues.events.drainBatch();
    const later = await world.post({ event: "site.down", dedupeKey: "db-1" });
    await world.work();
    expect(await listOpenIds(world)).toContain(later.eventId);
    await world.runFor(3 * MINUTE);

    expect(await Promise.all([first, later].map(({ eventId }) => readResolver(world, eventId)))).toEqual([
      "Up again",
      undefined,
    ]);
  });
});

describe("the dedupeKey of an event", () => {
  it.each([
    ["a person", (world: World, eventId: string) => resolveEvent(world.deps, world.ws, eventId, ann, undefined)],
    [
      "its expiry",
      (world: World, eventId: string) => setExpired(world.deps, world.ws, eventId, { at: world.now(), round: "req_1" }),
    ],
  ])("is free at once after the event was ended by %s", async (_, end) => {
    const world = await setUp();
    const first = await world.post({ event: "site.down", dedupeKey: "db-1" });
    await world.work();
    await end(world, first.eventId);

    const again = await world.post({ event: "site.down", dedupeKey: "db-1" });
    await world.work();

    expect(again.kind).toBe("created");
    expect(await listOpenIds(world)).toContain(again.eventId);
    expect(await world.post({ event: "site.down", dedupeKey: "db-1" })).toMatchObject({
      kind: "duplicate",
      eventId: again.eventId,
    });
  });

  it("is given to one of many simultaneous posts, and the other posts cost nothing", async () => {
    const world = await setUp();
    const first = await world.post({ event: "site.down", dedupeKey: "db-1" });
    await world.work();
    await resolveEvent(world.deps, world.ws, first.eventId, ann, undefined);

    const posts = Array.from({ length: 10 }, () => world.post({ event: "site.down", dedupeKey: "db-1" }));
    const answers = await Promise.all(posts);

    expect(answers.filter(({ kind }) => kind === "created")).toHaveLength(1);
    expect(new Set(answers.map(({ eventId }) => eventId)).size).toBe(1);
    expect((await readControl(world.deps, world.ws))?.used).toBe(2);
  });
});

describe("when a sender resolves an event, its recipients", () => {
  const listEndPushes = ({ pushed }: World) =>
    pushed.flatMap(({ token, message }) => (message.data["state"] === "resolved" ? [{ token, message }] : []));

  it("get one more push, which silently replaces the push about the resolved event", async () => {
    const world = await setUp();
    await world.post({ event: "site.down", title: "Down", dedupeKey: "db-1", priority: "URGENT" });
    await world.work();
    const [first] = world.pushed;
    await world.post({ event: "site.up", title: "Up again", resolves: "db-1" });
    await world.runFor(5 * MINUTE);

    expect(listEndPushes(world).map(({ token }) => token)).toEqual(["usr_ann-1", "usr_bob-1"]);
    expect(listEndPushes(world)[0]?.message).toMatchObject({
      notification: { title: "Resolved: Down", body: "Up again" },
      data: { notificationId: first!.message.data["notificationId"], priority: "LOW", requiresAck: "false" },
      apns: { headers: { "apns-priority": "5", "apns-collapse-id": first!.message.data["notificationId"] } },
    });
    expect(listMarkers(world)).toEqual([]);
  });

  it.each([
    ["200 OK", "200 OK"],
    ["The site is down.", "Resolved: Down"],
  ])(
    "see the resolving event's body, or its title if both events have the same body: the body %j is shown as %j",
    async (body, said) => {
      const world = await setUp();
      await world.post({ event: "site.down", title: "Down", body: "The site is down.", dedupeKey: "db-1" });
      await world.work();
      await world.post({ event: "site.up", title: "Resolved: Down", body, resolves: "db-1" });
      await world.runFor(5 * MINUTE);

      expect(listEndPushes(world)[0]?.message).toMatchObject({ notification: { title: "Resolved: Down", body: said } });
    },
  );

  it("get the push about the end once on each device, however often that push is retried", async () => {
    const refusals = new Map(Object.entries({ "usr_bob-1": 1, "usr_bob-2": 2 }));
    const answer: WorldOptions["answer"] = ({ data, notification, ...to }) => {
      const token = "token" in to ? to.token : "";
      const left = refusals.get(token) ?? 0;
      const isIt = data["state"] !== undefined && notification.title === "Resolved: Down";
      if (!isIt || left === 0) return { kind: "accepted", messageId: "m" };
      refusals.set(token, left - 1);
      return { kind: "retry", code: "UNAVAILABLE" };
    };
    const world = await setUp({ answer }, 2);
    await world.post({ event: "site.down", title: "Down", dedupeKey: "db-1" });
    const byHand = await world.post({ event: "site.down", title: "By hand" });
    await world.work();
    await resolveEvent(world.deps, world.ws, byHand.eventId, ann, undefined);
    await world.post({ event: "site.up", resolves: "db-1" });
    await world.runFor(5 * MINUTE);

    const notified = listEndPushes(world).filter(({ message }) => message.notification.title === "Resolved: Down");
    const all = ["usr_ann-1", "usr_ann-2", "usr_bob-1", "usr_bob-2"];
    expect(notified.map(({ token }) => token)).toEqual([...all, ...all.slice(2), ...all.slice(3)]);
  });
});

describe("an event that a person resolves while it is being matched", () => {
  it.each(["before", "after"])("is not open if it was resolved %s its plan was stored", async (moment) => {
    let isFrozen = false;
    const { beforeCall, arm } = createInterruption((call) => {
      const isMoment = moment === "before" ? freezes(call) : isFrozen;
      isFrozen ||= freezes(call);
      return isMoment;
    });
    const world = await setUp({ beforeCall });
    const { eventId } = await world.post({ event: "site.down" });
    arm(() => resolveEvent(world.deps, world.ws, eventId, ann, undefined));

    await world.runFor(5 * MINUTE);

    expect(await readResolver(world, eventId)).toBe("Ann");
    expect(await listOpenIds(world)).toEqual([]);
    expect(world.pushed).toEqual([]);
  });
});

describe("an entry in the list of open events", () => {
  it("is removed if the matcher that wrote it died, and the plan that is stored later requires no acknowledgement", async () => {
    const { beforeCall, arm } = createInterruption(freezes);
    const world = await setUp({ beforeCall });
    arm();
    const { eventId } = await world.post({ event: "site.down" });
    await world.work();
    expect(await listOpenIds(world)).toEqual([eventId]);

    const [rule] = await listRules(world.deps, world.ws);
    await updateRule(world.deps, world.ws, rule!.id, { requiresAck: false });
    // After a minute, the matcher uses the changed rules, even for an event that came before the change.
    world.skip(MINUTE);
    await world.runFor(3 * MINUTE);

    expect((await readEvent(world.deps, world.ws, eventId))?.life.needsAck).toBe(false);
    expect(await listOpenIds(world)).toEqual([]);
  });

  it.each([
    ["the first write of the entry", 1],
    ["the first write of the entry, for a message that comes twice", 2],
    ["the write of the entry with the final plan", 3],
  ])("is removed even if the AWS client repeats %s after the event was acknowledged", async (_, which) => {
    let late: (() => Promise<unknown>) | undefined;
    let rows = 0;
    const world: World = await setUp({
      beforeCall: async (call) => {
        if (!callTo("Put", "#OPEN")(call)) return;
        rows += 1;
        if (rows !== which) return;
        const { TableName, Item } = (call as unknown as PutCommand).input;
        late = () => world.deps.table.client.send(new PutCommand({ TableName, Item }) as never);
        // The table is so slow that the client sends its request again.
        world.skip(1000);
      },
    });
    const sendOnce = sendTwice(world.queues.events.queue);
    const { eventId } = await world.post({ event: "site.down" });
    sendOnce();
    await world.work();
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);

    await late?.();
    expect(await listOpenIds(world)).toEqual([eventId]);
    await world.runFor(3 * MINUTE);

    expect(await listOpenIds(world)).toEqual([]);
    expect(listMarkers(world)).toEqual([]);
  });
});
