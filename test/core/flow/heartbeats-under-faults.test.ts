import { describe, expect, it } from "vitest";
import { toHeartbeatView } from "../../../core/domain/heartbeat/heartbeat.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { createHeartbeat, deleteHeartbeat, readHeartbeat, setMissed } from "../../../core/store/rules/heartbeats.ts";
import { storeSweepStart } from "../../../core/store/delivery/sweeps.ts";
import { createInterruption } from "../../world/interruption.ts";
import type { World } from "../../world/world.ts";
import { SECOND, MINUTE, backup, createHeartbeatWorld, listEventKeys } from "./heartbeat-world.ts";

describe("a gap between heartbeat sweeps", () => {
  const sweep = (world: World) => runSweep(world.deps, Infinity);

  it("of more than three minutes restarts every deadline, so that an outage of the service notifies nobody", async () => {
    const world = await createHeartbeatWorld();
    const other = await createHeartbeat(world.deps, world.ws, { ...backup, everySeconds: 3600 });
    await world.runFor(5 * MINUTE);

    world.skip(20 * MINUTE);
    await world.runFor(MINUTE);

    // The deadline of this heartbeat passed during the outage, at 12:13. The wait starts again with the first
    // sweep after the outage, at 12:33.
    expect(await world.events()).toEqual([]);
    expect(world.deps.log.warn).toHaveBeenCalledExactlyOnceWith("sweeper.resumed");
    expect(await world.view()).toMatchObject({ status: "new", missedAfter: "2026-11-21T12:39:00.000Z" });
    await world.runFor(7 * MINUTE);
    expect(await world.events()).toMatchObject([{ eventKey: "heartbeat.missed" }]);
    expect(await world.view()).toMatchObject({ status: "missed", missedSince: "2026-11-21T12:39:00.000Z" });
    // A heartbeat whose deadline is after the outage waits anew, because the outage may have lost its calls.
    await world.runFor(47 * MINUTE);
    expect((await world.events()).length).toBe(1);
    await world.runFor(8 * MINUTE);
    const view = toHeartbeatView((await readHeartbeat(world.deps, world.ws, other.heartbeat.id))!, world.now());
    expect(view).toMatchObject({ status: "missed", missedSince: "2026-11-21T13:34:00.000Z" });
  });

  it("of three minutes changes nothing, and neither does the very first sweep", async () => {
    const world = await createHeartbeatWorld();
    world.skip(4 * MINUTE);
    await sweep(world);
    world.skip(3 * MINUTE);

    await sweep(world);

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed"]);
  });

  it("is found even if two sweeps run at the same time, if they die, or if a sweeper's clock is behind", async () => {
    let dies = false;
    const world = await createHeartbeatWorld({
      beforeCall: async ({ input: { Key } }) => {
        if (dies && Key?.pk !== "SWEEPER") throw new Error("died");
      },
    });
    await world.runFor(5 * MINUTE);
    world.skip(20 * MINUTE);
    dies = true;
    await Promise.allSettled([sweep(world), sweep(world)]);
    dies = false;

    await world.runFor(2 * MINUTE);

    expect(await world.events()).toEqual([]);
    expect(await world.view()).toMatchObject({ missedAfter: "2026-11-21T12:38:23.456Z" });
    const behind = { ...world.deps, now: () => world.now() - 2 * MINUTE };
    expect(await storeSweepStart(behind)).toEqual({ back: world.now() - 2 * MINUTE, isBack: false });
  });

  it("is assumed after a restore of the table, or if the last sweep cannot be read", async () => {
    for (const at of [Date.UTC(2026, 10, 1), "yesterday"]) {
      const world = await createHeartbeatWorld();
      const { fill } = world;
      await fill([{ pk: "SWEEPER", sk: "ROUNDS", at }]);
      world.skip(20 * MINUTE);

      await sweep(world);
      world.skip(MINUTE);
      await sweep(world);

      expect(await world.events()).toEqual([]);
      expect(await world.view()).toMatchObject({ missedAfter: "2026-11-21T12:33:23.456Z" });
    }
  });

  it("does not affect earlier misses, and a call resolves their events", async () => {
    const world = await createHeartbeatWorld();
    await world.runFor(8 * MINUTE);
    world.skip(20 * MINUTE);
    await world.runFor(8 * MINUTE);
    expect(await listEventKeys(world)).toEqual(["heartbeat.missed"]);
    expect(await world.view()).toMatchObject({ status: "missed", missedSince: "2026-11-21T12:13:23.456Z" });

    await world.call();
    await world.runFor(MINUTE);

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed", "heartbeat.resolved"]);
  });

  it("restarts deadlines, but a heartbeat call during the restart still counts", async () => {
    const { beforeCall, arm } = createInterruption(
      ({ input }) => input.UpdateExpression?.startsWith("SET waitsFrom = :from, checkAt") === true,
    );
    const world = await createHeartbeatWorld({ beforeCall });
    await world.runFor(5 * MINUTE);
    world.skip(20 * MINUTE);
    arm(() => {
      world.skip(SECOND);
      return world.call();
    });

    await sweep(world);
    await world.runFor(MINUTE);

    expect(await world.view()).toMatchObject({ status: "up", missedAfter: "2026-11-21T12:38:24.456Z" });
    expect(world.checks()).toContainEqual(expect.stringContaining(String(Date.UTC(2026, 10, 21, 12, 38, 24, 456))));
  });
});

describe("the event of a missed heartbeat", () => {
  /** Lets a heartbeat be missed and then called again, while faults happen. */
  const missAndCallAgain = async (
    world: World & { call: () => Promise<unknown> },
    sweepOnce: () => Promise<unknown>,
  ) => {
    world.skip(6 * MINUTE);
    for (let rounds = 0; rounds < 2; rounds += 1) {
      await sweepOnce();
      world.skip(MINUTE);
    }
    await world.call();
    for (let rounds = 0; rounds < 2; rounds += 1) {
      await sweepOnce();
      world.skip(MINUTE);
    }
    await world.work();
  };
  const expected = ["heartbeat.missed", "heartbeat.resolved"];

  it("is created once if two sweepers run at the same time", async () => {
    const world = await createHeartbeatWorld();

    await missAndCallAgain(world, () =>
      Promise.allSettled([runSweep(world.deps, Infinity), runSweep(world.deps, Infinity)]),
    );

    expect(await listEventKeys(world)).toEqual(expected);
    expect(await world.events()).toMatchObject([{ state: "resolved" }, {}]);
  });

  it("is created once if the clock is set back during a sweep", async () => {
    const { beforeCall, arm } = createInterruption(
      ({ input }) => input.ExpressionAttributeValues?.[":pk"] === world.checks()[0]?.split(" ")[0],
    );
    const world = await createHeartbeatWorld({ beforeCall });
    world.skip(6 * MINUTE);
    arm(() => world.skip(-8 * SECOND));

    await runSweep(world.deps, Infinity);
    await world.runFor(2 * MINUTE);

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed"]);
  });

  it("is resolved even if a call of the heartbeat comes at the moment when the sweep ends its checks", async () => {
    const { beforeCall, arm } = createInterruption(({ input }) => input.UpdateExpression === "REMOVE checkAt");
    const world = await createHeartbeatWorld({ beforeCall });
    world.skip(6 * MINUTE);
    arm(world.call);

    await runSweep(world.deps, Infinity);
    await world.runFor(2 * MINUTE);

    expect(await listEventKeys(world)).toEqual(["heartbeat.missed", "heartbeat.resolved"]);
  });

  it("is resolved by a call that comes at the moment of a pause or a deletion", async () => {
    for (const end of ["pause", "delete"]) {
      const { beforeCall, arm } = createInterruption(({ constructor }) => constructor.name === "TransactWriteCommand");
      const world = await createHeartbeatWorld({ beforeCall });
      await world.runFor(8 * MINUTE);
      arm(world.call);

      await (end === "pause" ? world.change({ paused: true }) : deleteHeartbeat(world.deps, world.ws, world.id));
      await world.runFor(20 * MINUTE);

      expect(await world.events()).toMatchObject([{ state: "resolved" }, { eventKey: "heartbeat.resolved" }]);
      expect(world.checks()).toEqual([]);
    }
  });

  it("is created and resolved even if a sweep dies before creating it and the heartbeat is then paused or deleted", async () => {
    for (const end of ["pause", "resume", "delete"]) {
      const world = await createHeartbeatWorld();
      world.skip(6 * MINUTE);
      await setMissed(
        world.deps,
        (await readHeartbeat(world.deps, world.ws, world.id))!,
        { ws: world.ws, id: world.id, due: world.now() },
        world.now(),
      );
      if (end !== "delete") await world.change({ paused: true });
      if (end === "resume") await world.change({ paused: false });
      await world.call();
      if (end === "delete") await deleteHeartbeat(world.deps, world.ws, world.id);
      await world.runFor(3 * MINUTE);

      expect(await world.events()).toMatchObject([
        { eventKey: "heartbeat.missed", state: "resolved" },
        { eventKey: "heartbeat.resolved" },
      ]);
    }
  });

  it("is not created after a call that comes during the sweep", async () => {
    const { beforeCall, arm } = createInterruption(
      ({ input }) => input.UpdateExpression?.startsWith("SET missed = ") === true,
    );
    const world = await createHeartbeatWorld({ beforeCall });
    world.skip(6 * MINUTE);
    arm(world.call);

    await runSweep(world.deps, Infinity);
    world.skip(MINUTE);
    await runSweep(world.deps, Infinity);

    expect(await world.events()).toEqual([]);
    expect(await world.view()).toMatchObject({ status: "up" });
  });
});
