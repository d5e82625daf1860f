import { describe, expect, it } from "vitest";
import { useWorld } from "../../world/use-world.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Posts an event for one person, while all of the workers' calls to the table are refused for `durationMs` ms. */
const postWhileRefusedFor = async (durationMs: number) => {
  let refusedUntil = 0;
  const world: Awaited<ReturnType<typeof useWorld>> = await useWorld({
    // No sweep runs near the time of the event.
    sweepAtSecond: 22,
    beforeCall: async () => {
      if (refusedUntil > 0 && world.now() < refusedUntil)
        throw Object.assign(new Error("slow down"), { name: "ThrottlingException" });
    },
  });
  await world.rule([await world.group("Ops", ["usr_ann"])]);
  await world.post({ priority: "URGENT" });
  refusedUntil = world.start + durationMs;
  await world.runFor(10 * MINUTE);
  return world;
};

describe("an event whose worker's table requests are refused", () => {
  it("is retried within seconds, before the visibility timeout of its queue message ends", async () => {
    const world = await postWhileRefusedFor(4 * SECOND);

    // With half of the maximum jitter, the first retry comes after 2 s, and the second 3 s later.
    expect(world.pushed.map(({ at }) => at - world.start)).toEqual([5 * SECOND]);
  });

  it("does not become a dead letter while it is retried, and notifies once", async () => {
    const world = await postWhileRefusedFor(50 * SECOND);

    expect(world.pushed).toHaveLength(1);
    expect(world.pushed[0]!.at - world.start).toBeLessThanOrEqual(4 * MINUTE);
    expect(world.queues.events.dead.size).toBe(0);
  });
});
