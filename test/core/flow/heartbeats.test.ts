import { describe, expect, it } from "vitest";
import { explainEvent } from "../../../core/flow/read/explain-event.ts";
import { listEvents } from "../../../core/flow/read/list-events.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { setUsagePlan } from "../../../core/store/events/control.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import {
  createHeartbeat,
  deleteHeartbeat,
  acceptCall,
  putHeartbeatCheck,
} from "../../../core/store/rules/heartbeats.ts";
import { controlKey } from "../../../core/store/keys.ts";
import { deleteItem } from "../../../core/store/table.ts";
import { useWorld } from "../../world/use-world.ts";
import { SECOND, MINUTE, backup, createHeartbeatWorld, listEventKeys } from "./heartbeat-world.ts";

describe("a heartbeat", () => {
  it("creates no event while its calls come in time", async () => {
    const world = await createHeartbeatWorld();

    for (let calls = 0; calls < 10; calls += 1) {
      await world.runFor(5 * MINUTE + 50 * SECOND);
      await world.call();
    }

    expect(await world.events()).toEqual([]);
    expect(await world.view()).toMatchObject({ status: "up", missedSince: null });
    expect(world.checks()).toHaveLength(1);
  });

  it("notifies people once, within a minute after a call is missed", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(MINUTE);
    await world.call();

    await world.runFor(60 * MINUTE);

    expect(await world.events()).toMatchObject([
      { eventKey: "heartbeat.missed", title: "Heartbeat missed: Backup", priority: "URGENT", state: "open" },
    ]);
    const [push] = world.pushed;
    expect(world.pushed).toHaveLength(1);
    // The call came after one minute, so the heartbeat is missed after five more minutes and one of grace.
    expect(push!.at - world.start).toBeGreaterThanOrEqual(7 * MINUTE);
    expect(push!.at - world.start).toBeLessThanOrEqual(8 * MINUTE);
    expect(await world.view()).toMatchObject({
      status: "missed",
      lastCallAt: "2026-11-21T12:08:23.456Z",
      missedSince: "2026-11-21T12:14:23.456Z",
      missedAfter: null,
    });
    expect(world.checks()).toEqual([]);
  });

  it("counts as missed if it has never been called", async () => {
    const world = await createHeartbeatWorld();

    await world.runFor(8 * MINUTE);

    const [event] = await world.events();
    const stored = await readEvent(world.deps, world.ws, event!.id);
    expect(stored?.content).toMatchObject({
      body:
        "No call arrived by 2026-11-21T12:13:23.456Z. No call has ever arrived. " +
        "A call is due every 5 min, with a grace period of 1 min.",
      data: { heartbeat: "Backup", heartbeat_id: world.id, every_seconds: 300, grace_seconds: 60 },
    });
  });

  it("resolves its event when calls return, even if its interval changes just then, and can be missed again", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(20 * MINUTE);

    await world.call();
    await world.change({ everySeconds: 310 });
    expect(await world.view()).toMatchObject({ status: "up", missedSince: null });
    await world.runFor(MINUTE);

    expect(await world.events()).toMatchObject([
      { eventKey: "heartbeat.missed", state: "resolved" },
      { eventKey: "heartbeat.resolved", priority: "LOW", title: "Heartbeat is back: Backup" },
    ]);

    await world.runFor(8 * MINUTE);

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed", "heartbeat.resolved", "heartbeat.missed"]);
  });

  it("that was paused while it was missed waits for the next call after it is resumed", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(8 * MINUTE);

    await world.change({ paused: true });
    await world.runFor(8 * MINUTE);
    await world.change({ paused: false });
    await world.runFor(7 * MINUTE);

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed", "heartbeat.missed"]);
  });

  it("resolves its event if it is paused or deleted right after its call", async () => {
    for (const end of ["pause", "delete"]) {
      const world = await createHeartbeatWorld();
      await world.runFor(8 * MINUTE);

      await world.call();
      await (end === "pause" ? world.change({ paused: true }) : deleteHeartbeat(world.deps, world.ws, world.id));
      await world.runFor(20 * MINUTE);

      expect(await world.events()).toMatchObject([
        { eventKey: "heartbeat.missed", state: "resolved" },
        { eventKey: "heartbeat.resolved" },
      ]);
      expect(world.checks()).toEqual([]);
    }
  });

  it("leaves no marker if it is deleted right after its call, together with its workspace", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(8 * MINUTE);
    await world.call();
    await deleteHeartbeat(world.deps, world.ws, world.id);
    await deleteItem(world.deps, controlKey(world.ws));

    await runSweep(world.deps, Infinity);

    expect(world.checks()).toEqual([]);
  });

  it("resolves its event by a call during a pause, and is not missed again during that pause", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(8 * MINUTE);
    await world.change({ paused: true });
    await world.runFor(20 * MINUTE);
    expect(await world.events()).toMatchObject([{ state: "open" }]);

    await world.call();
    await world.runFor(20 * MINUTE);

    expect(await world.events()).toMatchObject([{ state: "resolved" }, { eventKey: "heartbeat.resolved" }]);
    expect(world.checks()).toEqual([]);
    await world.change({ paused: false });
    await world.runFor(8 * MINUTE);
    expect(await listEventKeys(world)).toEqual(["heartbeat.missed", "heartbeat.resolved", "heartbeat.missed"]);
  });

  it("resolves its event by the first call after a pause", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(8 * MINUTE);
    await world.change({ paused: true });
    await world.runFor(MINUTE);
    await world.change({ paused: false });
    expect(await world.view()).toMatchObject({ status: "new", missedSince: null });
    await world.runFor(2 * MINUTE);

    await world.call();
    await world.runFor(4 * MINUTE);

    expect(await world.events()).toMatchObject([{ state: "resolved" }, { eventKey: "heartbeat.resolved" }]);
    expect(await world.view()).toMatchObject({ status: "up", missedSince: null });
  });

  it("resolves all of its events by one call if it was missed several times, with pauses and changes in between", async () => {
    const world = await createHeartbeatWorld();
    for (let pauses = 0; pauses < 2; pauses += 1) {
      await world.runFor(8 * MINUTE);
      await world.change({ paused: true });
      await world.change({ paused: false });
      await world.change({ everySeconds: 310 + pauses });
    }
    await world.runFor(8 * MINUTE);
    expect(await world.view()).toMatchObject({ status: "missed" });

    await world.call();
    await world.runFor(2 * MINUTE);

    const events = await world.events();
    const missed = events.filter(({ eventKey }) => eventKey === "heartbeat.missed");
    expect(missed.map(({ state }) => state)).toEqual(["resolved", "resolved", "resolved"]);
    expect(events).toHaveLength(6);
    expect(await world.view()).toMatchObject({ status: "up" });
    await world.runFor(8 * MINUTE);
    expect(await world.events()).toHaveLength(7);
  });

  it("resolves its event if it is paused and resumed between its call and the next sweep", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(8 * MINUTE);
    await world.call();
    await world.change({ paused: true });
    world.skip(SECOND);
    await world.change({ paused: false });
    await world.runFor(MINUTE);

    expect(await world.events()).toMatchObject([{ state: "resolved" }, { eventKey: "heartbeat.resolved" }]);
    await world.runFor(3 * MINUTE);
    expect(await world.view()).toMatchObject({ status: "up" });
  });

  it("accepts a second call after a miss, whether or not the sweeper has seen the first call", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(8 * MINUTE);
    await world.call();
    world.skip(SECOND);

    expect(await world.call()).toMatchObject({ lastCallAt: world.now(), missed: { calledAt: world.now() - SECOND } });
    await world.runFor(MINUTE);
    expect(await world.call()).toMatchObject({ lastCallAt: world.now() });

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed", "heartbeat.resolved"]);
    expect(await world.view()).toMatchObject({ status: "up" });
  });

  it("is checked in the sweep in which it is due, however many heartbeats are due together", async () => {
    const world = await useWorld();
    const { deps, ws } = world;
    for (let count = 0; count < 160; count += 1) await createHeartbeat(deps, ws, { ...backup, name: `Job ${count}` });
    world.skip(6 * MINUTE);

    await runSweep(deps, Infinity);

    const { total } = await listEvents(deps, ws, { page: 1, limit: 1 });
    expect(total).toBe(160);
  });

  it("that is being stored keeps its marker; a marker whose heartbeat is never stored is removed after 15 minutes", async () => {
    const world = await createHeartbeatWorld();
    const check = { ws: world.ws, id: world.id, due: world.now() + SECOND };
    await putHeartbeatCheck(world.deps, check);
    const isKept = () => world.checks().some((name) => name.includes(String(check.due)));

    await world.runFor(14 * MINUTE);
    expect(isKept()).toBe(true);
    await world.runFor(3 * MINUTE);
    expect(isKept()).toBe(false);
  });

  it("does not count as missed while it is paused, and can be missed again when it is resumed", async () => {
    const world = await createHeartbeatWorld();
    await world.change({ paused: true });
    await world.runFor(60 * MINUTE);
    expect(await world.events()).toEqual([]);
    expect(await world.call()).toMatchObject({ paused: true });
    expect(await world.view()).toMatchObject({ status: "paused", missedAfter: null });
    expect(world.checks()).toEqual([]);

    await world.change({ paused: false });
    await world.runFor(5 * MINUTE + 30 * SECOND);
    expect(await world.events()).toEqual([]);
    expect(await world.view()).toMatchObject({ status: "late" });
    await world.runFor(2 * MINUTE);

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed"]);
  });

  it.each([
    ["interval", { everySeconds: 3600 }, { everySeconds: 60 }],
    ["grace period", { everySeconds: 60, graceSeconds: 7200 }, { graceSeconds: 60 }],
  ])("uses a changed %s from the time of the change", async (_, longer, shorter) => {
    const world = await createHeartbeatWorld();
    await world.runFor(4 * MINUTE);

    await world.change(longer);
    await world.runFor(59 * MINUTE);
    expect(await world.events()).toEqual([]);
    await world.change(shorter);
    await world.runFor(MINUTE);
    expect(await world.events()).toEqual([]);
    await world.runFor(2 * MINUTE);

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed"]);
    // Markers of earlier intervals are removed when they are long overdue.
    await world.runFor(2 * 60 * MINUTE);
    expect(world.checks()).toEqual([]);
  });

  it("can be called only by its current URL, not by an old URL and not after its deletion", async () => {
    const world = await createHeartbeatWorld();
    expect(await acceptCall(world.deps, `${world.secret.slice(0, -1)}_`)).toBeUndefined();

    const renewed = await world.change({ newUrl: true });
    expect(await world.call()).toBeUndefined();
    expect(await acceptCall(world.deps, renewed!.secret!)).toMatchObject({ id: world.id });

    await deleteHeartbeat(world.deps, world.ws, world.id);
    expect(await acceptCall(world.deps, renewed!.secret!)).toBeUndefined();
    await world.runFor(60 * MINUTE);
    expect(await world.events()).toEqual([]);
    expect(world.checks()).toEqual([]);
  });

  it("creates its event when it is missed, even if the workspace's quota is used up", async () => {
    const world = await createHeartbeatWorld();
    await setUsagePlan(world.deps, world.ws, { monthlyEvents: 1, eventsPerMinute: 1, burst: 1, retentionDays: 400 });
    await world.post();
    await expect(world.post()).rejects.toMatchObject({ kind: "quota_exceeded" });

    await world.runFor(8 * MINUTE);

    expect(await listEventKeys(world)).toEqual(["disk.full", "service.quota", "heartbeat.missed"]);
  });

  it("has its own entry in the explanation of its event", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(8 * MINUTE);
    await world.call();
    await world.runFor(MINUTE);
    const [missed, resolved] = await world.events();

    const explain = async (eventId: string) =>
      (await explainEvent(world.deps, world.ws, eventId, "usr_ann"))?.heartbeat;

    const miss = { id: world.id, name: "Backup", missedAt: "2026-11-21T12:13:23.456Z" };
    expect(await explain(missed!.id)).toEqual({
      ...miss,
      calledAt: null,
      message: 'No call of the heartbeat "Backup" arrived by 2026-11-21T12:13:23.456Z.',
    });
    expect(await explain(resolved!.id)).toMatchObject({ ...miss, calledAt: "2026-11-21T12:15:23.456Z" });
    const { eventId } = (await world.post()) as { eventId: string };
    await world.work();
    expect(await explain(eventId)).toBeNull();
  });
});
