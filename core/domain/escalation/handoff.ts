import * as v from "valibot";
import { startOfNextInterval } from "../basics/time.ts";
import { DAY_MS, MINUTE_MS } from "../basics/units.ts";

/* An acknowledger who is on call keeps an event until that shift ends. The people on call next are then notified. */

/** When the event was acknowledged (milliseconds), and the acknowledger's groups on call. */
export const Handoff = v.object({
  userId: v.string(),
  name: v.string(),
  at: v.number(),
  groupIds: v.array(v.string()),
});
export type Handoff = v.InferOutput<typeof Handoff>;

/** The limits of the time between two checks. */
const SHORTEST_PAUSE_MS = 15 * MINUTE_MS;
const LONGEST_PAUSE_MS = DAY_MS;

/** Older acknowledgements are not handed off: the two weeks of a long shift, and a day. */
const IN_HAND_MS = 15 * DAY_MS;

export const mayBeHandedOff = ({ at }: Pick<Handoff, "at">, nowMs: number): boolean => nowMs - at < IN_HAND_MS;

/**
 * `until`: the planned end of the shift (milliseconds). Somebody may take the shift over earlier. Older acknowledgements are
 * checked less often, because most events are never resolved. Checks are at multiples of the interval, so a second
 * acknowledgement adds no second check.
 */
export const nextHandoffCheck = (until: number, nowMs: number, { at }: Pick<Handoff, "at">): number => {
  const doublings = Math.floor(Math.log2(Math.max(1, (nowMs - at) / SHORTEST_PAUSE_MS)));
  const pause = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** doublings);
  return Math.min(until, startOfNextInterval(nowMs, pause));
};
