import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { hashApiKey } from "../../../core/domain/workspace/api-key-text.ts";
import { EventInput } from "../../../core/domain/event/event.ts";
import { RuleInput } from "../../../core/domain/rules/rule-input.ts";
import { SilenceInput } from "../../../core/domain/rules/silence-input.ts";
import { createIngest, type IngestInput } from "../../../core/flow/ingest/ingest-event.ts";
import { acknowledgeUntil } from "../../../core/flow/respond/temporary-ack.ts";
import { escalateNow, notifyMorePeople } from "../../../core/flow/respond/respond.ts";
import { acknowledgeEvents, resolveByKey, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { searchEvents } from "../../../core/flow/read/list-events.ts";
import { readEventView } from "../../../core/flow/read/read-event.ts";
import { createApiKey } from "../../../core/store/people/api-keys.ts";
import { listOpenEvents, setIndexProgress } from "../../../core/store/events/open-events.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { createRule } from "../../../core/store/rules/rules.ts";
import { createSilence } from "../../../core/store/rules/silences.ts";
import { callTo, callWith, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { listMarkers, stepTo, type WorldOptions } from "../../world/world.ts";

/* Messages of a tool about an open alert belong to its event, however late they come. */

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ann = { id: "usr_ann", name: "Ann" };

/** A world in which Ann must acknowledge the alerts of a tool that sends by the key `test`. */
const aWorld = async (options: WorldOptions = {}, rule: object = {}) => {
  const world = await useWorld(options);
  const { deps, ws } = world;
  const ops = await world.group("Ops", ["usr_ann"]);
  await world.rule([ops], { eventKey: "tool.firing", requiresAck: true, ...rule });
  const ingest = createIngest(deps);
  const send = async (fields: object, source: IngestInput["source"] = {}, apiKey = world.credentials) => {
    const event = v.parse(EventInput, { event: "tool.firing", title: "Disk full", body: "2 % left", ...fields });
    const answer = await ingest({ apiKey, input: { event, idempotency: undefined, source } });
    await world.work();
    return answer;
  };
  return {
    ...world,
    ops,
    send,
    fires: (fields: object = {}) => send({ dedupeKey: "tool:1", ...fields }),
    ends: (fields: object = {}) => send({ event: "tool.resolved", title: "Fine", resolves: "tool:1", ...fields }),
    keyOf: async (name: string, mayResolve?: "any") => {
      const { key } = await createApiKey(deps, ws, { name, ...(mayResolve === undefined ? {} : { mayResolve }) });
      return { workspaceId: ws, hash: await hashApiKey(key) };
    },
    view: (eventId: string) => readEventView(deps, ws, eventId),
    open: async () =>
      (await searchEvents(deps, ws, { state: "open" }, { page: 1, limit: 100 })).items.map(({ id }) => id),
    told: () =>
      world.pushed
        .splice(0)
        .filter(({ message }) => message.data["state"] === undefined)
        .map(
          ({ userId, message: { notification, data } }) =>
            `${userId.slice(4)} ${data["priority"]} ${notification.title}`,
        ),
  };
};

describe("a repeat of an open alert", () => {
  it("joins the alert's event, however late it comes, is counted, and notifies nobody", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();
    world.told();

    for (let day = 0; day < 5; day += 1) {
      await world.runFor(DAY);
      expect(await world.fires()).toMatchObject({ kind: "duplicate", eventId });
    }

    expect(world.told()).toEqual([]);
    expect(await world.view(eventId)).toMatchObject({ repeats: 5, repeatedAt: "2026-11-26T12:07:23.456Z" });
    expect(await world.open()).toEqual([eventId]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("is counted once for each of many simultaneous posts", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();

    await Promise.all(Array.from({ length: 8 }, () => world.fires()));

    expect(await world.view(eventId)).toMatchObject({ repeats: 8 });
  });

  it("is a new event if no acknowledgement is required and ten minutes have passed", async () => {
    const world = await aWorld({}, { requiresAck: false });
    const { eventId } = await world.fires();

    expect(await world.fires()).toMatchObject({ kind: "duplicate", eventId });
    await world.runFor(11 * MINUTE);
    expect((await world.fires()).kind).toBe("created");
    expect(world.told()).toEqual(["ann NORMAL Disk full", "ann NORMAL Disk full"]);
  });

  it("is a new event and notifies if a person has resolved the alert", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();
    await resolveEvent(world.deps, world.ws, eventId, ann, undefined);
    world.told();

    const again = await world.fires();

    expect(again.kind).toBe("created");
    expect(world.told()).toEqual(["ann NORMAL Disk full"]);
  });

  it("is a new event, and is not lost, if it comes while a person resolves the alert", async () => {
    const { beforeCall, arm } = createInterruption(callWith(":repeats"));
    const world = await aWorld({ beforeCall });
    const { eventId } = await world.fires();
    arm(() => resolveEvent(world.deps, world.ws, eventId, ann, undefined));

    const again = await world.fires();
    await world.runFor(2 * MINUTE);

    expect(again.kind).toBe("created");
    expect(await world.open()).toEqual([again.eventId]);
    expect(await world.view(eventId)).toMatchObject({ state: "resolved", repeats: 0 });
  });

  it("joins a silenced event and is counted with it, as long as that event would still notify after the silence", async () => {
    const world = await aWorld();
    const silence = { name: "Work", eventKey: "tool.firing", endsAt: "2026-12-20T12:00:00Z" };
    await createSilence(world.deps, world.ws, v.parse(SilenceInput, silence));
    const { eventId } = await world.fires();
    await world.runFor(DAY / 2);

    expect(await world.fires()).toMatchObject({ kind: "duplicate", eventId });
    expect(await world.view(eventId)).toMatchObject({ repeats: 1 });
    await world.runFor(DAY);
    expect((await world.fires()).kind).toBe("created");
  });
});

describe("a repeat of an alert with a higher priority", () => {
  it("notifies at that priority, once for each higher priority, and is not a second event", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();
    for (const priority of ["HIGH", "NORMAL", "HIGH", "URGENT", "URGENT"]) {
      await world.runFor(MINUTE);
      await world.fires({ priority });
    }

    expect(world.told()).toEqual(["ann NORMAL Disk full", "ann HIGH Worse: Disk full", "ann URGENT Worse: Disk full"]);
    expect(await world.open()).toEqual([eventId]);
    expect(await world.view(eventId)).toMatchObject({
      priority: "URGENT",
      repeats: 5,
      notifications: [{ added: null }, { added: { because: "raised" } }, { added: { because: "raised" } }],
    });
    const { items } = await searchEvents(
      world.deps,
      world.ws,
      { state: "open", priority: "URGENT" },
      { page: 1, limit: 9 },
    );
    expect(items).toMatchObject([{ id: eventId, priority: "URGENT" }]);
  });

  it("lists the event at the higher priority, even if one of the event's rules sets a lower priority", async () => {
    const world = await aWorld({}, { priorityOverride: "LOW" });
    await world.rule([await world.group("Ops", ["usr_bob"])], { eventKey: "tool.firing", requiresAck: true });
    await world.fires();
    await world.fires({ priority: "URGENT" });
    const rows = await listOpenEvents(world.deps, world.ws, { limit: "all" });

    expect(rows.map(({ urgency, content }) => [urgency, content.priority])).toEqual([["URGENT", "URGENT"]]);
  });

  it("notifies even if the event is acknowledged", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    world.told();

    await world.fires({ priority: "URGENT" });

    expect(world.told()).toEqual(["ann URGENT Worse: Disk full"]);
    expect(await world.view(eventId)).toMatchObject({ state: "acknowledged" });
  });

  it("notifies people whom only the higher priority reaches, and opens an event that required no acknowledgement", async () => {
    const world = await aWorld({}, { requiresAck: false });
    const boss = await world.group("Boss", ["usr_bob"]);
    const conditions = [{ field: "priority", operator: "equals", value: "URGENT" }];
    await createRule(
      world.deps,
      world.ws,
      v.parse(RuleInput, {
        name: "Worst",
        eventKey: "tool.firing",
        targets: [{ type: "group", groupId: boss }],
        conditions,
        requiresAck: true,
      }),
    );
    const { eventId } = await world.fires();
    await world.fires({ priority: "HIGH" });
    expect(world.told()).toEqual(["ann NORMAL Disk full", "ann HIGH Worse: Disk full"]);
    expect(await world.open()).toEqual([]);

    await world.fires({ priority: "URGENT" });

    expect(world.told().sort()).toEqual(["ann URGENT Worse: Disk full", "bob URGENT Worse: Disk full"]);
    expect(await world.open()).toEqual([eventId]);
    expect(await explainEvent(world.deps, world.ws, eventId, "usr_bob")).toMatchObject({ told: true });
  });

  it("notifies nobody by a rule that has not reached its threshold, or that sets its own priority", async () => {
    const world = await aWorld({}, { atLeast: { count: 3, withinMinutes: 10 } });
    await world.rule([await world.group("Quiet", ["usr_bob"])], {
      name: "Quiet",
      eventKey: "tool.firing",
      requiresAck: true,
      priorityOverride: "LOW",
    });
    await world.fires();
    expect(world.told()).toEqual(["bob LOW Disk full"]);

    await world.fires({ priority: "URGENT" });

    expect(world.told()).toEqual([]);
  });

  it("makes the following escalation steps notify at that priority", async () => {
    const world = await aWorld();
    const escalationPolicyId = await world.policy([stepTo("usr_ann", 5)]);
    await world.rule([world.ops], { name: "Steps", eventKey: "tool.firing", requiresAck: true, escalationPolicyId });
    await world.fires();
    await world.fires({ priority: "URGENT" });
    world.told();

    await world.runFor(6 * MINUTE);

    expect(world.told()).toEqual(["ann URGENT Disk full"]);
  });

  it("sets the priority of later notifications, and of the event in the open list after an acknowledgement ends", async () => {
    const world = await aWorld();
    for (const name of ["usr_bob", "usr_cleo"]) await world.group(name, [name]);
    const escalationPolicyId = await world.policy([stepTo("usr_cleo", 600)]);
    const rule = { eventKey: "tool.firing", requiresAck: true };
    await world.rule([world.ops], { ...rule, name: "Steps", escalationPolicyId });
    await world.rule([world.ops], { ...rule, name: "Quiet", priorityOverride: "LOW" });
    const { eventId } = await world.fires();
    await world.fires({ priority: "URGENT" });
    await acknowledgeUntil(world.deps, world.ws, eventId, ann, world.now() + 30 * MINUTE);
    world.told();

    await notifyMorePeople(world.deps, world.ws, eventId, ann, { userIds: ["usr_bob"], groupIds: [] });
    await world.runFor(MINUTE);
    await escalateNow(world.deps, world.ws, eventId, ann, undefined);
    await world.runFor(30 * MINUTE);

    expect(world.told()).toEqual([
      "bob URGENT Disk full",
      "cleo URGENT Disk full",
      "ann URGENT Still on it? Disk full",
    ]);
    const rows = await listOpenEvents(world.deps, world.ws, { limit: "all" });
    expect(rows.map(({ urgency, content }) => [urgency, content.priority])).toEqual([["URGENT", "URGENT"]]);
  });

  it("notifies once if its first request died after storing the repeat, and the sender sends it again", async () => {
    const { beforeCall, arm } = createInterruption(callWith(":repeats"));
    const world = await aWorld({ beforeCall });
    await world.fires();
    world.told();
    arm();
    await expect(world.fires({ priority: "HIGH" })).rejects.toThrow("died");
    await world.fires({ priority: "HIGH" });
    await world.runFor(3 * MINUTE);

    expect(world.told()).toEqual(["ann HIGH Worse: Disk full"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("is also recognised for an application's event, if it comes within ten minutes with the same dedupeKey", async () => {
    const world = await aWorld();
    const { eventId } = await world.post({ event: "tool.firing", dedupeKey: "disk" });
    expect(await world.post({ event: "tool.firing", dedupeKey: "disk" })).toMatchObject({ isWorse: false });
    await world.work();
    world.told();

    const worse = await world.post({ event: "tool.firing", dedupeKey: "disk", priority: "HIGH" });
    await world.work();

    expect(worse).toMatchObject({ kind: "duplicate", eventId, isWorse: true });
    expect(world.told()).toEqual(["ann HIGH Worse: Disk full"]);
  });
});

describe("an acknowledged alert that repeats", () => {
  it("notifies its acknowledger once a day that the alert is still open", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    world.told();

    for (let hours = 0; hours < 60; hours += 6) {
      await world.runFor(DAY / 4);
      await world.fires();
    }

    expect(world.told()).toEqual(["ann NORMAL Still failing: Disk full", "ann NORMAL Still failing: Disk full"]);
    const { notifications } = (await world.view(eventId))!;
    expect(notifications.map(({ added }) => added?.because)).toEqual([undefined, "still_failing", "still_failing"]);
  });

  it("shows the number of its repeats", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    for (let hour = 0; hour < 36; hour += 1) {
      await world.runFor(DAY / 36);
      await world.fires();
    }
    const said = world.pushed
      .splice(0)
      .flatMap(({ message: { notification } }) => (notification.title.startsWith("Still") ? [notification.body] : []));
    await world.runFor(DAY / 36);
    await world.fires();

    expect(await world.view(eventId)).toMatchObject({ repeats: 37 });
    expect(said).toEqual(["36 repeats since you acknowledged it. 2 % left"]);
  });

  it("shows the number of its repeats since the last of several acknowledgements", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();
    await acknowledgeUntil(world.deps, world.ws, eventId, ann, world.now() + DAY / 2);
    await world.runFor(DAY / 4);
    await world.fires();
    await world.runFor(DAY / 2);
    await world.fires();
    await acknowledgeEvents(world.deps, world.ws, [eventId], ann);
    await world.runFor(DAY / 2);
    await world.fires();
    world.pushed.splice(0);
    await world.runFor(DAY / 2);
    await world.fires();

    expect(world.pushed.map(({ message: { notification } }) => notification.body)).toEqual([
      "2 repeats since you acknowledged it. 2 % left",
    ]);
  });
});

describe("an alert that has reached nobody", () => {
  it("is sent to its recipients again when it repeats", async () => {
    let isOut = true;
    const world = await aWorld({
      answer: () => (isOut ? { kind: "invalid", code: "INVALID_ARGUMENT" } : { kind: "accepted", messageId: "m" }),
    });
    const { eventId } = await world.fires();
    world.told();
    isOut = false;
    await world.runFor(20 * MINUTE);

    await world.fires();

    expect(world.told()).toEqual(["ann NORMAL Disk full"]);
    expect(await world.view(eventId)).toMatchObject({ outcome: "partial" });
    await world.runFor(20 * MINUTE);
    await world.fires();
    expect(world.told()).toEqual([]);
  });

  it("notifies once if it repeats before its first notifications are written", async () => {
    const { beforeCall, arm } = createInterruption(({ input: { Item } }) => Item !== undefined && "head" in Item);
    const world = await aWorld({ beforeCall });
    arm();
    await world.fires();
    world.queues.events.drainBatch();
    world.skip(20 * MINUTE);
    await world.fires();
    await world.runFor(20 * MINUTE);

    expect(world.told()).toEqual(["ann NORMAL Disk full"]);
  });
});

describe("alerts with equal ids from two senders", () => {
  it("are separate: each sender ends its own alert, and an API key that may resolve any event ends both alerts", async () => {
    const world = await aWorld();
    const second = await world.keyOf("second");
    const any = await world.keyOf("any", "any");
    const one = await world.fires();
    const other = await world.send({ dedupeKey: "tool:1" }, {}, second);
    expect(other.kind).toBe("created");

    await world.send({ event: "tool.resolved", resolves: "tool:1" }, {}, second);
    expect(await world.open()).toEqual([one.eventId]);
    await world.send({ event: "tool.resolved", resolves: "tool:1" }, {}, any);
    expect(await world.open()).toEqual([]);
  });

  it("are ended by a message from each sender, even if both messages have the same Idempotency-Key", async () => {
    const world = await aWorld();
    const second = await world.keyOf("second");
    const ingest = createIngest(world.deps);
    await world.fires();
    await world.send({ dedupeKey: "tool:1" }, {}, second);
    for (const apiKey of [world.credentials, second]) {
      const event = v.parse(EventInput, { event: "tool.resolved", title: "Fine", body: "B", resolves: "tool:1" });
      await ingest({ apiKey, input: { event, idempotency: { key: "m1", body: "m1" }, source: {} } });
    }
    await world.work();

    expect(await world.open()).toEqual([]);
  });

  it("are one alert if both API keys have the same name, so that a key can be replaced", async () => {
    const world = await aWorld();
    const { eventId } = await world.fires();
    const successor = await world.keyOf("test");

    expect(await world.send({ dedupeKey: "tool:1" }, {}, successor)).toMatchObject({ kind: "duplicate", eventId });
    await world.send({ event: "tool.resolved", resolves: "tool:1" }, {}, successor);
    expect(await world.open()).toEqual([]);
  });

  it("can open again right after they were ended by an API key that may resolve any event", async () => {
    const world = await aWorld();
    const any = await world.keyOf("any", "any");
    const first = await world.fires();
    const ingest = createIngest(world.deps);
    const post = (fields: object, apiKey = world.credentials) =>
      ingest({
        apiKey,
        input: {
          event: v.parse(EventInput, { event: "tool.firing", title: "Disk full", body: "B", ...fields }),
          idempotency: undefined,
          source: {},
        },
      });
    await post({ event: "tool.resolved", resolves: "tool:1" }, any);
    const again = await post({ dedupeKey: "tool:1" });
    await world.work();

    expect(again.kind).toBe("created");
    expect(again.eventId).not.toBe(first.eventId);
    expect(await world.open()).toEqual([again.eventId]);
  });

  it("are opened by an older message that comes after the request with the newest message died", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Put", "#EVENTS"));
    const world = await aWorld({ beforeCall });
    arm();
    const newest = world.send({ dedupeKey: "tool:1" }, { changedAt: world.start });
    await expect(newest).rejects.toThrow("died");
    await world.runFor(20 * MINUTE);

    const { eventId } = await world.send({ dedupeKey: "tool:1" }, { changedAt: world.start - MINUTE });

    expect(await world.open()).toEqual([eventId]);
  });

  it("open again after their end if the tool repeats the alert, even with an old start time", async () => {
    const world = await aWorld();
    const any = await world.keyOf("any", "any");
    const since = { changedAt: world.start };
    await world.send({ dedupeKey: "tool:1" }, since);
    await world.runFor(20 * MINUTE);
    await world.send({ event: "tool.resolved", resolves: "tool:1" }, { changedAt: world.now() }, any);
    expect(await world.open()).toEqual([]);
    await world.runFor(20 * MINUTE);

    const { eventId } = await world.send({ dedupeKey: "tool:1" }, since);

    expect(await world.open()).toEqual([eventId]);
  });

  it("are closed and notify nobody if they are matched only long after the resolving event", async () => {
    const world = await aWorld();
    const any = await world.keyOf("any", "any");
    const ingest = createIngest(world.deps);
    const event = v.parse(EventInput, { event: "tool.firing", title: "T", body: "B", dedupeKey: "tool:1" });
    await ingest({ apiKey: world.credentials, input: { event, idempotency: undefined, source: {} } });
    world.queues.events.drainBatch();
    await world.send({ event: "tool.resolved", resolves: "tool:1" }, {}, any);
    await world.runFor(5 * MINUTE);

    expect(await world.open()).toEqual([]);
    expect(world.told()).toEqual([]);
  });
});

describe("an alert that an earlier version of the service stored, without a sender in its dedupeKey,", () => {
  it.each([
    ["by the dedupeKey of the resolving event", "tool:1", {}],
    [
      "by the dedupeKey in the form of that version",
      "tool:1:2026-11-21T12:00:00Z",
      { formerKey: "tool:1:2026-11-21T12:00:00Z" },
    ],
  ])("can still be ended %s", async (_, dedupeKey, source) => {
    const world = await aWorld();
    // An earlier version of the service stored an event of a tool as if it had been posted to the API.
    const { eventId } = await world.post({ event: "tool.firing", dedupeKey });
    await world.work();
    expect(await world.open()).toEqual([eventId]);

    await world.send({ event: "tool.resolved", resolves: "tool:1" }, source);

    expect(await world.open()).toEqual([]);
  });

  it("is ended even before it is matched", async () => {
    const world = await aWorld();
    await world.post({ event: "tool.firing", dedupeKey: "tool:1" });
    world.queues.events.drainBatch();
    await world.ends();
    await world.runFor(5 * MINUTE);

    expect(await world.open()).toEqual([]);
    expect(world.told()).toEqual([]);
  });
});

describe("an event that resolves a dedupeKey", () => {
  it("closes an alert even if the tool reports the same time as its start and as its end", async () => {
    const world = await aWorld();
    const { eventId } = await world.send({ dedupeKey: "tool:1" }, { changedAt: world.start });
    const { content, seq, workspaceId } = (await readEvent(world.deps, world.ws, eventId))!;

    const ending = { eventId: "evt_2", seq: seq + 1, content: { ...content, resolves: "tool:1" } };
    await resolveByKey(world.deps, { workspaceId, ...ending });

    expect(await world.view(eventId)).toMatchObject({ state: "resolved" });
  });

  it("closes every event with that dedupeKey, even hundreds of events", async () => {
    const world = await aWorld();
    for (let index = 0; index < 103; index += 1) {
      await world.post({ event: "tool.firing", dedupeKey: "db" });
      world.skip(11 * MINUTE);
    }
    await world.work();
    // Marks all open events as indexed by their dedupeKeys, so that only indexed events are read.
    await setIndexProgress(world.deps, world.ws, { since: 0, upTo: 1000, done: true });
    await world.post({ event: "tool.resolved", resolves: "db" });
    await world.work();

    expect(await world.open()).toEqual([]);
  });
});
