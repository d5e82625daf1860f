import * as v from "valibot";
import { DAY_MS, MINUTE_MS } from "../basics/units.ts";

/* An acknowledger who is on call keeps an event until the end of that shift. Then the next people are notified. */

/** Who keeps an event, since when (milliseconds), and the groups in which that person was on call then. */
export const Handoff = v.object({
  userId: v.string(),
  name: v.string(),
  at: v.number(),
  groupIds: v.array(v.string()),
});
export type Handoff = v.InferOutput<typeof Handoff>;

/** The shortest and the longest interval between two checks. */
const SHORTEST_PAUSE_MS = 15 * MINUTE_MS;
const LONGEST_PAUSE_MS = DAY_MS;

/** An event acknowledged for longer than this is not handed off any more: a shift of two weeks and a day have passed. */
const IN_HAND_MS = 15 * DAY_MS;

export const isInHand = ({ at }: Pick<Handoff, "at">, nowMs: number): boolean => nowMs - at < IN_HAND_MS;

/**
 * When to check next whether a shift is over that ends at `until` (milliseconds) as planned: somebody may take it
 * over before. Older acknowledgements are checked less often: most acknowledged events are never resolved. Times are
 * on a grid, so that acknowledging again adds no second check.
 */
export const nextCheck = (nowMs: number, until: number, { at }: Pick<Handoff, "at">): number => {
  const doublings = Math.floor(Math.log2(Math.max(1, (nowMs - at) / SHORTEST_PAUSE_MS)));
  const pause = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** doublings);
  return Math.min(until, (Math.floor(nowMs / pause) + 1) * pause);
};
