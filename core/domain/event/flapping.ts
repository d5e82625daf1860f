import * as v from "valibot";
import { MINUTE_MS } from "../basics/units.ts";

/*
 * An alert flaps if it opens and ends again and again. Then it is held when it opens next: nobody is paged unless it
 * stays open.
 */

/** An alert flaps that changes between open and resolved so often within this time. */
const FLAPPING_CHANGES = 4;
const FLAPPING_SPAN_MS = 20 * MINUTE_MS;
/** From the last of these changes on, nobody is paged for the alert for this time. */
const FLAPPING_HOLD_MS = 10 * MINUTE_MS;

/** When an alert opened, and when its sender said that it was over, if that was before it opened again; milliseconds. */
export type Episode = { opened: number; closed?: number | undefined };

/** Until when an event is held (milliseconds), and whether it is the first held one of its alert. */
export const Flapping = v.object({ until: v.number(), first: v.boolean() });
export type Flapping = v.InferOutput<typeof Flapping>;

/** When an alert changed. One that opens while it is open has not changed. */
const changesOf = (episodes: readonly Episode[]): number[] =>
  episodes.flatMap(({ opened, closed }, index) => {
    const isChange = index === 0 || episodes[index - 1]?.closed !== undefined;
    return [...(isChange ? [opened] : []), ...(closed === undefined ? [] : [closed])];
  });

/** How the alert of an event that opens at a time flaps, after these episodes, the oldest first; undefined if it does not. */
export const flappingOf = (before: readonly Episode[], opened: number): Flapping | undefined => {
  const changes = changesOf([...before, { opened }]);
  const lasts = changes.filter(
    (at, index) => at - (changes[index - FLAPPING_CHANGES + 1] ?? -Infinity) < FLAPPING_SPAN_MS,
  );
  const until = Math.max(...lasts) + FLAPPING_HOLD_MS;
  if (until <= opened) return undefined;
  const previous = before.at(-1);
  const first = previous === undefined || flappingOf(before.slice(0, -1), previous.opened) === undefined;
  return { until, first };
};

/** The episodes before the present one that are enough to know whether an alert flaps. */
export const EPISODES_KEPT = 3;

/** Used in an event's lifecycle in place of the silence that holds one back. No silence has this id. */
export const FLAPPING = "flapping";
