import * as v from "valibot";
import { DAY_MS, MINUTE_MS } from "../basics/units.ts";

/*
 * Whoever is on call and acknowledges an event has it in hand until the end of that shift. Then the next ones are told.
 */

/** Who has an event in hand, since when (milliseconds), and the groups in which that person was on call then. */
export const Handoff = v.object({
  userId: v.string(),
  name: v.string(),
  at: v.number(),
  groupIds: v.array(v.string()),
});
export type Handoff = v.InferOutput<typeof Handoff>;

/** The shortest and the longest pause between two looks. */
const SHORTEST_PAUSE_MS = 15 * MINUTE_MS;
const LONGEST_PAUSE_MS = DAY_MS;

/** What somebody has in hand for so long is handed over no more: a shift of two weeks and a day have passed. */
const IN_HAND_MS = 15 * DAY_MS;

export const isInHand = ({ at }: Pick<Handoff, "at">, nowMs: number): boolean => nowMs - at < IN_HAND_MS;

/**
 * When it is looked next whether a shift is over that ends at `until` (milliseconds) as planned: somebody may take it
 * over before. The longer ago it was acknowledged, the seldomer: most events that are acknowledged are never resolved.
 * On a grid, so that acknowledging again leads to no second look.
 */
export const nextCheck = (nowMs: number, until: number, { at }: Pick<Handoff, "at">): number => {
  const doublings = Math.floor(Math.log2(Math.max(1, (nowMs - at) / SHORTEST_PAUSE_MS)));
  const pause = Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** doublings);
  return Math.min(until, (Math.floor(nowMs / pause) + 1) * pause);
};
