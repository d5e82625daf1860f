import { describe, expect, it } from "vitest";
import { AUDIT_INTERVAL_MS } from "../../../core/domain/basics/limits.ts";
import { acknowledgeEvents, unlistEnded, resolveEvent } from "../../../core/flow/respond/lifecycle.ts";
import { listEvents } from "../../../core/flow/read/list-events.ts";
import { runSweep } from "../../../core/flow/sweep/sweep.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { listOpenEvents, putOpenEvent } from "../../../core/store/events/open-events.ts";
import { callTo, createInterruption } from "../../world/interruption.ts";
import { useWorld } from "../../world/use-world.ts";
import type { Sent } from "../../world/world.ts";

const MINUTE = 60_000;
const HOUR = AUDIT_INTERVAL_MS;

const countEvents = async (world: Awaited<ReturnType<typeof useWorld>>) =>
  (await listEvents(world.deps, world.ws, { page: 1, limit: 50 })).total;
const isEventWrite = ({ constructor, input: { Item: item } }: Sent) =>
  constructor.name === "PutCommand" && item?.pk?.includes("#EVENTS") === true;

describe("the audit of event numbers", () => {
  it("ignores an event that is being stored while two sweepers audit at the same time", async () => {
    const held = { event: false, audit: false };
    const release: (() => void)[] = [];
    const holdOnce = async (call: keyof typeof held) => {
      if (!held[call]) return;
      held[call] = false;
      await new Promise<void>((resolve) => release.push(resolve));
    };
    const waitUntilBegun = async (count: number) => {
      while (release.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const world = await useWorld({
      beforeCall: async (command) => {
        if (isEventWrite(command)) await holdOnce("event");
        if (command.input.Key?.sk === "AUDITED") await holdOnce("audit");
      },
    });
    await world.post();
    world.skip(25 * HOUR);
    await runSweep(world.deps, Infinity);
    world.skip(HOUR);
    held.event = true;
    const posted = world.post();
    await waitUntilBegun(1);
    // One sweeper waits before its audit. A second one stores all event numbers, even that of the event in progress.
    held.audit = true;
    const slow = runSweep(world.deps, Infinity);
    await waitUntilBegun(2);
    await runSweep(world.deps, Infinity);

    release[1]?.();
    await slow;
    release[0]?.();
    await posted;

    expect(await countEvents(world)).toBe(2);
  });

  it("finds the unused event number of a request that died, and schedules the next audit once", async () => {
    const { beforeCall, arm } = createInterruption(isEventWrite);
    const world = await useWorld({ beforeCall });
    arm();
    await expect(world.post()).rejects.toThrow("died");
    await world.post();
    expect(await countEvents(world)).toBe(2);

    for (let hours = 0; hours < 28; hours += 1) {
      world.skip(HOUR);
      await Promise.all([runSweep(world.deps, Infinity), runSweep(world.deps, Infinity)]);
    }

    expect(await countEvents(world)).toBe(1);
    expect([...world.markers.keys()].filter((name) => name.startsWith("AUDIT#"))).toHaveLength(1);
  });

  it("runs again if the clock is set back during the audit", async () => {
    const { beforeCall, arm } = createInterruption(({ input }) => input.Key?.sk === "CONTROL");
    const world = await useWorld({ beforeCall });
    world.skip(24 * HOUR);
    // The audit becomes due within two hours, and the clock is set back while a sweep processes it.
    for (let minutes = 0; minutes < 120; minutes += 1) {
      arm(() => world.skip(-2 * MINUTE));
      await runSweep(world.deps, Infinity);
      world.skip(MINUTE);
    }

    expect([...world.markers.keys()].filter((name) => name.startsWith("AUDIT#"))).toHaveLength(1);
  });
});

describe("the audit of the list of open events", () => {
  it("removes events whose end was stored by a request that died, and keeps the other events", async () => {
    const { beforeCall, arm } = createInterruption(callTo("Delete", "#OPEN"));
    const world = await useWorld({ beforeCall });
    const { deps, ws } = world;
    const ann = { id: "usr_ann", name: "Ann" };
    await world.rule([await world.group("Ops", ["usr_ann"])], { requiresAck: true });
    const [acknowledged, resolved, open] = [await world.post(), await world.post(), await world.post()];
    await world.runFor(5 * MINUTE);
    arm();
    await expect(acknowledgeEvents(deps, ws, [acknowledged.eventId], ann)).rejects.toThrow("died");
    arm();
    await expect(resolveEvent(deps, ws, resolved.eventId, ann, undefined)).rejects.toThrow("died");
    expect(await listOpenEvents(deps, ws, { limit: "all" })).toHaveLength(3);

    for (let hours = 0; hours < 28; hours += 1) {
      world.skip(HOUR);
      await runSweep(deps, Infinity);
    }

    expect((await listOpenEvents(deps, ws, { limit: "all" })).map(({ eventId }) => eventId)).toEqual([open.eventId]);
  });

  it("keeps events whose plan is not stored yet", async () => {
    const world = await useWorld();
    const { deps, ws } = world;
    const { eventId } = await world.post();
    const event = (await readEvent(deps, ws, eventId))!;
    await putOpenEvent(deps, ws, event);

    await unlistEnded(deps, ws, [event.seq]);

    expect(event.plan).toBeUndefined();
    expect(await listOpenEvents(deps, ws, { limit: "all" })).toHaveLength(1);
  });
});
