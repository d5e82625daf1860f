import { describe, expect, it } from "vitest";
import { acknowledgeEvents } from "../../../core/flow/respond/lifecycle.ts";
import { listOpenEvents } from "../../../core/store/events/open-events.ts";
import { callTo, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import { closeWorlds, listMarkers, type World } from "../../world/world.ts";
import {
  MINUTE,
  HOUR,
  bob,
  setUp,
  postAndAcknowledge,
  listPushes,
  readView,
  listOpenIds,
} from "./ending-acknowledgements.ts";

describe("a temporary acknowledgement", () => {
  it("ends even if it began before the escalation started", async () => {
    const { beforeCall, arm, isArmed } = createInterruption(callTo("Put", "#ESCALATIONS"));
    const world = await setUp({ beforeCall });
    arm(async () => {
      const [event] = await listOpenEvents(world.deps, world.ws, { limit: "all" });
      await acknowledgeEvents(world.deps, world.ws, [event!.eventId], bob);
    });
    const { eventId } = await world.post();

    await world.runUntil(world.start + 3 * HOUR);

    expect(isArmed()).toBe(false);
    expect((await readView(world, eventId)).state).toBe("open");
    expect(listPushes(world).filter((line) => /(?:bob|cleo) Disk/.test(line))).toEqual([
      "30 usr_bob Disk full",
      "40 usr_cleo Disk full",
    ]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("ends even if the queue message that ends it was lost", async () => {
    const world = await setUp();
    const eventId = await postAndAcknowledge(world, 5);
    await world.runUntil(world.start + 30.5 * MINUTE);

    world.queues.escalations.drainBatch();
    await world.runUntil(world.start + 37 * MINUTE);

    expect(await readView(world, eventId)).toMatchObject({ state: "open" });
    expect(listPushes(world).slice(2)).toEqual([expect.stringMatching(/^3[56] usr_bob Disk full$/)]);
  });

  it("notifies the people on call when it ends, even if it began while an escalation step was being stored", async () => {
    const { beforeCall, arm, isArmed } = createInterruption(callTo("Update", "#ESCALATIONS"));
    const world = await useWorld({ beforeCall });
    const duty = await world.group("Duty", ["usr_bob", "usr_cleo"]);
    await world.schedule(duty, {
      timeZone: "UTC",
      layers: [{ start: "2026-11-21T11:30", every: 1, unit: "hour", participants: ["usr_bob", "usr_cleo"] }],
    });
    const escalationPolicyId = await world.policy(
      [{ delayMinutes: 10, targets: [{ type: "group", groupId: duty, onCallOnly: true }] }],
      { ackMinutes: 30 },
    );
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true, escalationPolicyId });
    await world.post();
    await world.runUntil(world.start + 5 * MINUTE);
    arm(() => world.acknowledgeNewest());

    await world.runUntil(world.start + 2 * HOUR);

    expect(isArmed()).toBe(false);
    // Cleo has come on call after Bob.
    expect(listPushes(world).slice(2)).toEqual(["40 usr_cleo Disk full"]);
  });
});

/** Every third call is tested here; the fault explorer's scenario `temporary-acknowledgement` tests every call. */
const STRIDE = Number(process.env["CALL_STRIDE"] ?? 3);

describe("when an acknowledgement is about to end,", () => {
  /**
   * Lets Ann's acknowledgement end, runs `before` ahead of the nth call to the table, and returns whether that call happened.
   */
  const endAcknowledgementWith = async (
    nth: number,
    runBefore: (world: World, eventId: string) => Promise<unknown>,
  ) => {
    let calls = -Infinity;
    let happened = false;
    const world: World = await setUp({
      sweepAtSecond: 30,
      beforeCall: async ({ input }) => {
        if (input.ExpressionAttributeValues?.[":lease"] !== undefined) calls = -Infinity;
        calls += 1;
        if (calls !== nth) return;
        happened = true;
        await runBefore(world, eventId);
      },
    });
    const eventId = await postAndAcknowledge(world, 5);
    await world.runUntil(world.start + 34.9 * MINUTE);
    calls = 0;
    await world.runUntil(world.start + 35.1 * MINUTE);
    calls = -Infinity;
    await world.runUntil(world.start + 44 * MINUTE);
    return { world, eventId, happened };
  };

  it("a new acknowledgement prevents the end and all further steps, whichever request of the worker it precedes", async () => {
    let nth = 1;
    for (; ; nth += STRIDE) {
      const { world, eventId, happened } = await endAcknowledgementWith(nth, ({ deps, ws }, id) =>
        acknowledgeEvents(deps, ws, [id], bob),
      );
      if (!happened) break;
      await world.runUntil(world.start + 50 * MINUTE);

      const { state } = await readView(world, eventId);
      const cleo = listPushes(world).filter((line) => line.includes("usr_cleo"));
      expect({ nth, state, open: await listOpenIds(world), cleo }).toEqual({
        nth,
        state: "acknowledged",
        open: [],
        cleo: [],
      });
      await closeWorlds();
    }
    expect(nth).toBeGreaterThan(12);
  }, 60_000);

  it("a failure of any one of the worker's requests delays the end, and each person is still notified once", async () => {
    let nth = 1;
    for (; ; nth += STRIDE) {
      const { world, eventId, happened } = await endAcknowledgementWith(nth, () =>
        Promise.reject(new Error("no table")),
      );
      if (!happened) break;

      const { state } = await readView(world, eventId);
      const told = listPushes(world).map((line) => line.split(" ").slice(1).join(" "));
      expect({ nth, state, open: await listOpenIds(world), told }).toEqual({
        nth,
        state: "open",
        open: [eventId],
        told: ["usr_ann Disk full", "usr_ann Still on it? Disk full", "usr_bob Disk full"],
      });
      await closeWorlds();
    }
    expect(nth).toBeGreaterThan(12);
  }, 60_000);
});
