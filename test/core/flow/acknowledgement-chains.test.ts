import { describe, expect, it } from "vitest";
import { acknowledgeEvents } from "../../../core/flow/respond/lifecycle.ts";
import { acknowledgeUntil } from "../../../core/flow/respond/temporary-ack.ts";
import { listMarkers } from "../../world/world.ts";
import { MINUTE, HOUR, bob, setUp, postAndAcknowledge, listPushes, readView } from "./ending-acknowledgements.ts";

describe("a series of temporary acknowledgements", () => {
  it("ends after a day: an acknowledgement that would end later becomes permanent", async () => {
    const world = await setUp({}, { ackMinutes: 600 });
    const eventId = await postAndAcknowledge(world, 0);
    await world.runUntil(world.start + 590 * MINUTE);
    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runUntil(world.start + 1_100 * MINUTE);

    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runUntil(world.start + 100 * 24 * HOUR);

    expect(await readView(world, eventId)).toMatchObject({ state: "acknowledged", acknowledgedUntil: null });
    expect(world.pushed.filter(({ at }) => at > world.start + 1_100 * MINUTE)).toEqual([]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("starts no escalation step after a day, even if its policy has more steps", async () => {
    const world = await setUp(
      {},
      {
        ackMinutes: 1_400,
        repeat: 5,
        steps: [{ delayMinutes: 30, targets: [{ type: "user", userId: "usr_bob" }] }],
      },
    );
    await postAndAcknowledge(world, 0);

    await world.runUntil(world.start + 30 * 24 * HOUR);

    expect(listPushes(world).slice(2)).toEqual(["1400 usr_bob Disk full", "1430 usr_bob Disk full"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("starts no step more than a day after its beginning, even if an outage delayed the step", async () => {
    const steps = [{ delayMinutes: 30, targets: [{ type: "user" as const, userId: "usr_bob" }] }];
    const world = await setUp({}, { ackMinutes: 1_400, repeat: 5, steps });
    await postAndAcknowledge(world, 0);
    await world.runUntil(world.start + 1_405 * MINUTE);

    world.skip(2 * HOUR);
    await world.runFor(24 * HOUR);

    expect(listPushes(world).slice(2)).toEqual(["1400 usr_bob Disk full"]);
    expect(listMarkers(world)).toEqual([]);
  });

  it("begins anew with a snooze: an acknowledgement after the snooze is temporary, and not permanent", async () => {
    const world = await setUp({}, { ackMinutes: 600 });
    const eventId = await postAndAcknowledge(world, 0);
    await world.runUntil(world.start + 9 * HOUR);
    await acknowledgeUntil(world.deps, world.ws, eventId, bob, world.start + 20 * HOUR);
    await world.runUntil(world.start + 19 * HOUR);

    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);

    expect((await readView(world, eventId)).acknowledgedUntil).toBe(new Date(world.start + 29 * HOUR).toISOString());
    await world.runUntil(world.start + 29.01 * HOUR);
    expect((await readView(world, eventId)).state).toBe("open");
  });

  it("leaves the event acknowledged if an outage begins during the second acknowledgement and ends after the series", async () => {
    const world = await setUp({}, { ackMinutes: 600 });
    const eventId = await postAndAcknowledge(world, 0);
    await world.runUntil(world.start + 590 * MINUTE);
    await acknowledgeEvents(world.deps, world.ws, [eventId], bob);
    await world.runUntil(world.start + 17 * HOUR);

    world.skip(12 * HOUR);
    await world.runFor(24 * HOUR);

    expect((await readView(world, eventId)).state).toBe("acknowledged");
    expect(listMarkers(world)).toEqual([]);
  });

  it("pages nobody after an outage that is longer than the series, and the event stays acknowledged", async () => {
    const world = await setUp();
    const eventId = await postAndAcknowledge(world, 5);

    world.skip(60 * 24 * HOUR);
    await world.runFor(24 * HOUR);

    expect(listPushes(world).filter((line) => line.includes("usr_bob"))).toEqual([]);
    expect((await readView(world, eventId)).state).toBe("acknowledged");
    expect(listMarkers(world)).toEqual([]);
  });
});
