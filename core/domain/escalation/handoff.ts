import * as v from "valibot";
import { computeStartOfNextInterval } from "../basics/time.ts";
import { DAY_MS, MINUTE_MS } from "../basics/units.ts";

/* An acknowledger who is on call keeps an event until the end of the shift, when the people on call next are notified. */

/** When the event was acknowledged (milliseconds), and for which groups the acknowledger was on call. */
export const Handoff = v.object({
  userId: v.string(),
  name: v.string(),
  at: v.number(),
  groupIds: v.array(v.string()),
});
export type Handoff = v.InferOutput<typeof Handoff>;

/** The limits of the time between two checks of who is on call. */
const SHORTEST_PAUSE_MS = 15 * MINUTE_MS;
const LONGEST_PAUSE_MS = DAY_MS;

/** How long after its acknowledgement an event may be handed off: a day more than a long shift of two weeks. */
const IN_HAND_MS = 15 * DAY_MS;

/** Returns whether the acknowledgement is recent enough to hand the event off. */
export const mayBeHandedOff = ({ at: acknowledgedAt }: Pick<Handoff, "at">, nowMs: number): boolean =>
  nowMs - acknowledgedAt < IN_HAND_MS;

/** Returns when to check again who is on call: by `until`, after a pause that grows with the time since the acknowledgement. */
export const computeNextHandoffCheck = (until: number, nowMs: number, { at }: Pick<Handoff, "at">): number => {
  const doublings = Math.floor(Math.log2(Math.max(1, (nowMs - at) / SHORTEST_PAUSE_MS)));
  const pause = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** doublings);
  return Math.min(until, computeStartOfNextInterval(nowMs, pause));
};
