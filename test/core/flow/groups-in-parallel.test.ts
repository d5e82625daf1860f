import * as fc from "fast-check";
import { expect, it } from "vitest";
import { PRIORITIES, type Priority } from "../../../core/domain/basics/priority.ts";
import { readEvent } from "../../../core/store/events/events.ts";
import { matchInParallel } from "../../world/in-parallel.ts";
import type { World } from "../../world/world.ts";

/** Random numbers that decide the order of messages, and which calls fail. */
const luck = fc.array(fc.nat({ max: 1_000 }), { minLength: 30, maxLength: 60 });

/** An event with its host, and the number of times that its message comes. */
const anEvent = fc.record({
  host: fc.constantFrom("db-1", "db-2"),
  times: fc.integer({ min: 1, max: 3 }),
  priority: fc.constant<Priority>("NORMAL"),
});
type AnEvent = { host: string; times: number; priority: Priority };

/** Matches all events in parallel, and returns the plan of each event. */
const playInParallel = async (
  rule: object,
  events: readonly AnEvent[],
  lucky: readonly number[],
): Promise<(AnEvent & { id: string; into: string | undefined; below: boolean })[]> => {
  const setUp = async (world: World) => world.rule([await world.group("Ops", ["usr_ann"])], rule);
  const sent = events.map(({ host, times, priority }) => ({ event: { data: { host }, priority }, times }));
  const { world, ids } = await matchInParallel(setUp, sent, lucky);
  return Promise.all(
    ids.map(async (id, index) => {
      const [group] = (await readEvent(world.deps, world.ws, id))!.plan!.groups!;
      return { ...events[index]!, id, into: group!.into, below: group!.below !== undefined };
    }),
  );
};

it("exactly one event of a group pages, even if messages come twice, at once or out of order, and calls fail", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anEvent, { minLength: 2, maxLength: 9 }), luck, async (events, seed) => {
      const ends = await playInParallel({ groupBy: ["data.host"], groupMinutes: 30 }, events, seed);
      for (const host of new Set(ends.map((end) => end.host))) {
        const own = ends.filter((end) => end.host === host);
        const paged = own.filter(({ into }) => into === undefined);
        expect(paged).toHaveLength(1);
        expect(own.filter(({ into }) => into !== undefined && into !== paged[0]!.id)).toEqual([]);
      }
    }),
    { numRuns: Number(process.env["GROUP_RUNS"] ?? 6), endOnFailure: true },
  );
});

it("when events of a group raise its priority at the same moment, the highest priority pages, and each event pages at most once", async () => {
  const events = fc.array(
    fc.record({ host: fc.constant("db-1"), times: fc.constant(1), priority: fc.constantFrom(...PRIORITIES) }),
    { minLength: 3, maxLength: 9 },
  );
  await fc.assert(
    fc.asyncProperty(events, luck, async (some, seed) => {
      const ends = await playInParallel({ groupBy: [], groupMinutes: 30 }, some, seed);
      const paged = ends.filter(({ into }) => into === undefined).map(({ priority }) => priority);
      expect(paged).toHaveLength(new Set(paged).size);
      expect(paged).toContain(PRIORITIES.findLast((one) => some.some(({ priority }) => priority === one)));
    }),
    { numRuns: Number(process.env["GROUP_RUNS"] ?? 6), endOnFailure: true },
  );
});

it("exactly one event reaches a threshold, even if messages come twice, at once or out of order, and calls fail", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anEvent, { minLength: 3, maxLength: 9 }), luck, async (events, seed) => {
      const ends = await playInParallel({ atLeast: { count: 3, withinMinutes: 5 } }, events, seed);
      const fired = ends.filter(({ into, below }) => into === undefined && !below);
      expect(fired).toHaveLength(1);
      expect(ends.filter(({ into }) => into !== undefined && into !== fired[0]!.id)).toEqual([]);
    }),
    { numRuns: Number(process.env["GROUP_RUNS"] ?? 6), endOnFailure: true },
  );
});
