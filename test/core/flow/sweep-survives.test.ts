import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { HeartbeatInput } from "../../../core/domain/heartbeat/heartbeat.ts";
import { listEvents } from "../../../core/flow/read/list-events.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { parseEventId, type WorkspaceId } from "../../../core/domain/basics/ids.ts";
import { readEvent, readEventsNumbered } from "../../../core/store/events/events.ts";
import { createHeartbeat, readHeartbeat } from "../../../core/store/rules/heartbeats.ts";
import { dueAuditKey, dueCheckKey, dueCoverKey, shards, silenceEndKey } from "../../../core/store/keys.ts";
import { listDueAudits } from "../../../core/store/events/sequence.ts";
import { storeSweepStart } from "../../../core/store/delivery/sweeps.ts";
import { startWatch } from "../../../core/store/delivery/watches.ts";
import { createWorkspace } from "../../../core/store/people/workspaces.ts";
import { useWorld } from "../../world/use-world.ts";
import { stepTo, type World, type WorldOptions } from "../../world/world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const textOf = (due: number) => String(due).padStart(13, "0");
/** Stores an item directly, so that the sweeper finds it due. */
const put = ({ deps }: World, item: Record<string, unknown>) =>
  deps.table.client.send(new PutCommand({ TableName: deps.table.name, Item: item }));
/** Adds an unreadable item, which is sorted before all others, to every shard of a list. */
const addUnreadable = async (world: World, list: string, rest: (shard: string) => string, fields: object = {}) => {
  for (const shard of shards)
    await put(world, { pk: `${list}#${shard}`, sk: `${textOf(world.start)}#${rest(shard)}`, ...fields });
};
const keysOf = (world: World, list: string) => [...world.markers.keys()].filter((name) => name.startsWith(`${list}#`));
const metricOf = (world: World, name: string) =>
  world.deps.log.metric.mock.calls.filter(([one]) => one === name).map(([, value]) => Number(value));
const countFailures = (world: World) => metricOf(world, "SweeperFailed").reduce((sum, count) => sum + count, 0);
const eventsOf = async (world: World) => (await listEvents(world.deps, world.ws, { page: 1, limit: 50 })).items;

const aWorld = async (options?: WorldOptions) => {
  const world = await useWorld(options);
  await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
  return world;
};
const beat = v.parse(HeartbeatInput, { name: "Backup", everySeconds: 60, graceSeconds: 0 });

describe("a sweep over overdue markers", () => {
  const putMarker = (world: World, list: string, due: number, fields: object) =>
    put(world, { pk: `${list}#00`, sk: `${textOf(due)}#ws_x#evt_1`, ws: "ws_x", eventId: "evt_1", due, ...fields });

  it.each([
    ["sends the marker of a new event early if the marker is due before the next sweep", { tries: 0 }, -MINUTE, 1],
    ["does not send a postponed marker before it is due", { tries: 1 }, -MINUTE, 0],
    ["does not send the marker of a held event before it is due", { tries: 0 }, 0, 0],
  ])("%s", async (_, fields, since, messages) => {
    const world = await useWorld();
    const due = world.now() + MINUTE / 2;
    await putMarker(world, "PENDING", due, { since: due + since, ...fields });

    await runSweep(world.deps, Infinity);

    expect(world.queues.events.messages).toHaveLength(messages);
  });

  it.each([
    [13, 0],
    [14, 1],
  ])("counts a marker as stuck from the 14th attempt (attempts: %i, stuck markers: %i)", async (tries, stuck) => {
    const world = await useWorld();
    await putMarker(world, "PENDING", world.now() - SECOND, { since: world.now() - HOUR, tries });

    await runSweep(world.deps, Infinity);

    expect(metricOf(world, "StuckMarkers")).toEqual([stuck]);
  });

  it("reports the age of the oldest due escalation step, even beside a new marker for configuration changes", async () => {
    const world = await useWorld();
    await startWatch(world.deps, world.ws);
    const due = world.now() - 10 * MINUTE;
    await putMarker(world, "STEPS", due, { since: due, tries: 0, step: { rule: 0, cursor: 0 } });

    await runSweep(world.deps, Infinity);

    expect(metricOf(world, "OldestMarkerAgeSeconds")).toEqual([600]);
  });

  it.each([
    ["a cover", dueCoverKey, 30],
    ["a reachability check", dueCheckKey, 30],
    ["the end of a silence", silenceEndKey, 60],
  ] as const)("postpones %s whose processing failed, so that other markers go first", async (_, keyOf, seconds) => {
    const world = await useWorld({
      beforeCall: async ({ input }) => {
        if (/"WS#ws_x["#]/.test(JSON.stringify(input.Key ?? {}))) throw new Error("no answer");
      },
    });
    const keyAt = (due: number) => keyOf(due, "ws_x", "x", "time");
    const [due, later] = [keyAt(world.now()), keyAt(world.now() + seconds * SECOND)];
    await put(world, { ...due, ws: "ws_x", id: "x", silence: "x", because: "time", since: 0, due: world.now() });

    await runSweep(world.deps, Infinity);

    expect((await world.listItems()).filter(({ pk }) => pk === due.pk)).toMatchObject([{ sk: later.sk }]);
    expect(countFailures(world)).toBe(1);
  });
});

it("if two sweeps run at once after a gap without sweeps, only one of them counts as the first after the gap", async () => {
  const world = await useWorld();
  await storeSweepStart(world.deps);
  const after = { ...world.deps, now: () => world.now() + HOUR };
  const sweeps = await Promise.all([storeSweepStart(after), storeSweepStart(after)]);

  expect(sweeps.filter(({ isBack }) => isBack)).toEqual([{ back: after.now(), isBack: true }]);
});

describe("an item that the sweeper cannot read", () => {
  it("delays no other marker, is postponed, counted and named in the log", async () => {
    const world = await aWorld();
    world.queues.events.setUp(false);
    await world.post();
    world.queues.events.setUp(true);
    await addUnreadable(world, "PENDING", (shard) => `ws_x#evt_${shard}`, { eventId: 7, kept: "yes" });

    world.skip(MINUTE);
    await runSweep(world.deps, Infinity);
    await world.work();

    expect(world.pushed).toHaveLength(1);
    expect(countFailures(world)).toBe(16);
    expect(world.deps.log.error).toHaveBeenCalledWith("sweeper.item_failed", expect.any(Error), {
      list: "PENDING#00",
      item: `${textOf(world.start)}#ws_x#evt_00`,
    });
    // The failed item is due again a minute after the sweep, rounded down to ten seconds.
    expect(keysOf(world, "PENDING").sort()[0]).toBe(
      `PENDING#00 ${textOf(Math.floor((world.start + 2 * MINUTE) / 10_000) * 10_000)}#ws_x#evt_00`,
    );
  });

  it("delays no other escalation step", async () => {
    const world = await useWorld();
    const ops = await world.group("Ops", ["usr_ann"]);
    const escalationPolicyId = await world.policy([stepTo(ops, 20)]);
    await world.rule([ops], { requiresAck: true, escalationPolicyId });
    await addUnreadable(world, "STEPS", (shard) => `ws_x#evt_${shard}#0#1`);
    await world.post();

    await world.runFor(21 * MINUTE);

    expect(world.pushed.map(({ at }) => Math.round((at - world.start) / MINUTE))).toEqual([0, 20]);
    expect(countFailures(world)).toBeGreaterThan(16);
    expect(keysOf(world, "STEPS")).toHaveLength(16);
  });

  it("is not deleted if its postponed due time equals its current due time", async () => {
    const world = await useWorld({ start: Date.UTC(2026, 10, 21, 12) });
    const key = { pk: "STEPS#00", sk: `${textOf(world.start + MINUTE)}#ws_x#evt_1#0#1` };
    await put(world, key);

    await runSweep(world.deps, Infinity);

    expect(await world.listItems()).toContainEqual(expect.objectContaining(key));
  });

  it("delays no other heartbeat, whether a heartbeat or its marker is unreadable", async () => {
    const world = await aWorld();
    const broken = await createHeartbeat(world.deps, world.ws, beat);
    const { id } = broken.heartbeat;
    await put(world, { pk: `WS#${world.ws}#HEARTBEATS`, sk: id, checkAt: broken.heartbeat.checkAt, name: 7 });
    await addUnreadable(world, "HEARTBEATS", () => "nobody");
    world.skip(SECOND);
    const others = [];
    for (let count = 0; count < 8; count += 1) others.push(await createHeartbeat(world.deps, world.ws, beat));

    world.skip(MINUTE);
    await runSweep(world.deps, Infinity);
    const missed = (await eventsOf(world)).length;
    const [check] = keysOf(world, "HEARTBEATS").filter((name) => name.includes(id));

    expect(missed).toBe(8);
    expect(countFailures(world)).toBe(1 + 4);
    // The heartbeat is checked in each sweep, and postponed normally once it can be read.
    expect(check?.split(" ")[1]).toBe(`${textOf(world.now() + 30 * SECOND)}#${world.ws}#${id}`);
    await put(world, {
      ...broken.heartbeat,
      pk: `WS#${world.ws}#HEARTBEATS`,
      sk: id,
      checkAt: world.now() + 30 * SECOND,
      hash: new Uint8Array(1),
    });
    world.skip(MINUTE);
    await runSweep(world.deps, Infinity);
    expect((await readHeartbeat(world.deps, world.ws, id))?.missed?.eventId).toBeDefined();
  });

  it("delays no other audit, and is postponed by a whole number of hours", async () => {
    const world = await aWorld();
    const due = world.start + HOUR;
    const { pk } = dueAuditKey(due, world.ws);
    await put(world, { pk, sk: `${textOf(due - 1)}#ws_x` });
    const brokenWs = await createNeighbour(world);

    world.skip(25 * HOUR);
    await runSweep(world.deps, Infinity);

    const audits = keysOf(world, "AUDIT").map((name) => name.slice("AUDIT#00 ".length));
    expect(audits.filter((name) => name.endsWith("#ws_x"))).toEqual([`${textOf(due - 1 + 25 * HOUR)}#ws_x`]);
    expect(audits.filter((name) => name.endsWith(`#${brokenWs}`))).toEqual([`${textOf(due + 25 * HOUR)}#${brokenWs}`]);
    expect(audits.filter((name) => name.endsWith(`#${world.ws}`))).toEqual([`${textOf(due + 48 * HOUR)}#${world.ws}`]);
    expect(countFailures(world)).toBe(2);
    expect(await listDueAudits(world.deps, pk.slice(-2), world.now(), 10)).toEqual([]);
  });

  it("does not keep the other old events of its workspace from expiring", async () => {
    const world = await aWorld();
    const [broken, other] = [await world.post(), await world.post()];
    // The first audit stores the event numbers, by which later audits find the events.
    await world.runFor(2 * HOUR);
    const event = (await world.listItems()).find(
      ({ pk, sk }) => String(pk).includes("#EVENTS") && Number(sk) === parseEventId(broken.eventId)?.seq,
    );
    await put(world, { ...event, at: "long ago" });

    world.skip(31 * 24 * HOUR);
    for (let hours = 0; hours < 3; hours += 1) {
      await runSweep(world.deps, Infinity);
      world.skip(HOUR);
    }

    expect((await readEvent(world.deps, world.ws, other.eventId))?.life.expired).toBeDefined();
    const [notice] = await readEventsNumbered(world.deps, world.ws, [3]);
    expect(notice?.content.eventKey).toBe("service.event_expired");
    expect(countFailures(world)).toBe(3);
    const [[, error]] = world.deps.log.error.mock.calls.filter(([code]) => code === "sweeper.item_failed") as [
      [string, Error],
    ];
    expect(error.message).toContain("is not readable at at");
  });

  /** Creates a workspace whose audit is in the same shard and fails, because its control item cannot be read. */
  const createNeighbour = async (world: World): Promise<WorkspaceId> => {
    const { pk } = dueAuditKey(0, world.ws);
    const names = Array.from({ length: 1000 }, (_, index) => `ws_broken${index}` as const);
    const ws = names.find((name) => dueAuditKey(0, name).pk === pk)!;
    await createWorkspace(world.deps, {
      id: ws,
      name: "Broken",
      creator: { userId: "usr_b", name: "B", email: "b@b.example" },
    });
    await put(world, { pk: `WS#${ws}`, sk: "CONTROL", seq: "many" });
    return ws;
  };
});

describe("an item that the sweeper can neither read nor postpone", () => {
  it("is skipped in every sweep", async () => {
    const world = await aWorld({
      beforeCall: async ({ input: { Item, Key } }) => {
        if ((Item ?? Key)?.sk?.includes("ws_x#evt_stays") === true) throw new Error("refused for ever");
      },
    });
    world.queues.events.setUp(false);
    await world.post();
    world.queues.events.setUp(true);
    const items = shards.map((shard) => ({
      pk: `PENDING#${shard}`,
      sk: `${textOf(world.start)}#ws_x#evt_stays`,
      ...(Number(shard) % 2 === 0 ? { ws: "ws_x", eventId: "evt_stays", since: 0, tries: 0 } : {}),
    }));
    await world.fill(items);
    for (const { pk, sk } of items) world.markers.set(`${pk} ${sk}`, world.start);

    world.skip(MINUTE);
    for (let rounds = 0; rounds < 2; rounds += 1) await runSweep(world.deps, Infinity);
    await world.work();

    expect(world.pushed).toHaveLength(1);
    expect(countFailures(world)).toBe(32);
    const logged = world.deps.log.error.mock.calls.filter(([code]) => code === "sweeper.item_failed");
    expect(logged).toHaveLength(2 * 20);
  });
});

describe("a message that the queue refuses while it accepts others", () => {
  it("is counted, and the markers after it are sent", async () => {
    const world = await aWorld();
    const { client } = world.deps.queues.events;
    const send = client.send.bind(client) as (command: unknown) => Promise<unknown>;
    world.queues.events.setUp(false);
    for (let count = 0; count < 40; count += 1) await world.post();
    world.queues.events.setUp(true);
    let refuses = 3;
    type Batch = { input: { Entries: { Id: string }[] } };
    client.send = (async (command: Batch) => {
      if ((refuses -= 1) < 0) return send(command);
      const first = command.input.Entries.shift();
      if (command.input.Entries.length > 0) await send(command);
      return { Failed: [{ Id: first?.Id, Code: "InvalidMessageContents", SenderFault: true }] };
    }) as never;

    world.skip(MINUTE);
    await runSweep(world.deps, Infinity);
    await world.work();

    expect(countFailures(world)).toBe(3);
    expect(world.pushed).toHaveLength(37);
    await world.runFor(2 * MINUTE);
    expect(world.pushed).toHaveLength(40);
  });
});
