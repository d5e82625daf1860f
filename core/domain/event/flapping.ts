import * as v from "valibot";
import { MINUTE_MS } from "../basics/units.ts";

/* A flapping alert starts and ends repeatedly. Events of a flapping alert are held, and page only if the alert stays open. */

/** The number of changes between open and resolved within `FLAPPING_SPAN_MS` after which an alert flaps. */
const FLAPPING_CHANGES = 4;
const FLAPPING_SPAN_MS = 20 * MINUTE_MS;
/** For how long the alert's events are held after its last change between open and resolved. */
const FLAPPING_HOLD_MS = 10 * MINUTE_MS;

/** When an alert started and ended, in milliseconds. `closed` is absent if the next start arrived before the end. */
export type Episode = { opened: number; closed?: number | undefined };

/** `until`: when the hold ends, in milliseconds. `first`: whether the event is the alert's first held event. */
export const Flapping = v.object({ until: v.number(), first: v.boolean() });
export type Flapping = v.InferOutput<typeof Flapping>;

/** Returns the times at which the alert opened or was resolved. Another opening of an open alert is not a change. */
const listStateChanges = (episodes: readonly Episode[]): number[] =>
  episodes.flatMap(({ opened, closed }, index) => {
    const isChange = index === 0 || episodes[index - 1]?.closed !== undefined;
    return [...(isChange ? [opened] : []), ...(closed === undefined ? [] : [closed])];
  });

/** Returns the hold of an alert that starts again, if the alert flaps. `episodes`: the alert's earlier episodes, oldest first. */
export const detectFlapping = (episodes: readonly Episode[], openedAt: number): Flapping | undefined => {
  const changes = listStateChanges([...episodes, { opened: openedAt }]);
  const lasts = changes.filter(
    (at, index) => at - (changes[index - FLAPPING_CHANGES + 1] ?? -Infinity) < FLAPPING_SPAN_MS,
  );
  const until = Math.max(...lasts) + FLAPPING_HOLD_MS;
  if (until <= openedAt) return undefined;
  const previous = episodes.at(-1);
  const first = previous === undefined || detectFlapping(episodes.slice(0, -1), previous.opened) === undefined;
  return { until, first };
};

/** The number of earlier episodes that decide whether an alert flaps. */
export const EPISODES_KEPT = 3;

/** The value of `heldBy` if an event is held because its alert flaps. No silence has the id `flapping`. */
export const FLAPPING = "flapping";
