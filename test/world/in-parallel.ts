import * as v from "valibot";
import { createEventMatcher } from "../../core/flow/match/match-event.ts";
import { EventMessage } from "../../core/queue/messages.ts";
import { useWorld } from "./use-world.ts";
import type { World } from "./world.ts";

/** After this number of failures, no call fails any more, so that each run ends. */
const FAILURES_MAX = 20;

const Message = v.pipe(v.string(), v.parseJson(), EventMessage);

/**
 * Matches events by three matchers at the same time. Messages come twice and in any order, and calls to the table fail now and
 * then. `lucky`: 30 or more random numbers, which decide both. Returns the events' ids in the order of the posts.
 */
export const matchInParallel = async (
  setUp: (world: World) => Promise<unknown>,
  events: readonly { event: object; times: number }[],
  randomNumbers: readonly number[],
): Promise<{ world: World; ids: string[] }> => {
  let failing = false;
  let calls = 0;
  let failures = 0;
  const world = await useWorld({
    beforeCall: async () => {
      if (!failing) return;
      calls += 1;
      if (failures >= FAILURES_MAX || randomNumbers[calls % randomNumbers.length]! % 7 > 0) return;
      failures += 1;
      throw new Error("the table is unavailable");
    },
  });
  await setUp(world);
  const ids: string[] = [];
  for (const { event } of events) ids.push((await world.post(event)).eventId);
  const messages: EventMessage[] = [];
  for (let batch = world.queues.events.batch(); batch !== undefined; batch = world.queues.events.batch())
    messages.push(...batch.Records.map(({ body }) => v.parse(Message, body)));
  const shuffled = messages
    .flatMap((message, index) => Array.from({ length: events[index]!.times }, () => message))
    .map((message, index) => ({ message, order: randomNumbers[(index * 7) % randomNumbers.length]! }))
    .toSorted((one, other) => one.order - other.order);
  const matchers = [createEventMatcher(world.deps), createEventMatcher(world.deps), createEventMatcher(world.deps)];
  failing = true;
  await Promise.all(
    shuffled.map(async ({ message }, index) => {
      for (let receives = 1; receives < 50; receives += 1)
        try {
          await matchers[(index + receives) % 3]!(message, receives);
          return;
        } catch {}
      throw new Error("a message was delivered 50 times");
    }),
  );
  failing = false;
  return { world, ids };
};
