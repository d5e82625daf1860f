import * as v from "valibot";
import { wholeNumber } from "../basics/number.ts";
import { MINUTE_MS } from "../basics/units.ts";

/*
 * How often a person is rung for. The events of a workspace are numbered; its control notes at which numbers the last two
 * spans of ten minutes began, so that it is known of each event, without a read, whether there were enough before it for
 * anybody to have been rung for too often.
 */

export const PAGE_LIMIT_SPAN_MS = 10 * MINUTE_MS;
/** How often a person is rung for within ten minutes, where a workspace says nothing else. */
export const PAGE_LIMIT = 10; // ours
export const PAGE_LIMIT_MAX = 100; // ours

export const PageLimitSetting = v.nullable(
  wholeNumber(
    "loudPerTenMinutes",
    1,
    PAGE_LIMIT_MAX,
    `loudPerTenMinutes must be a whole number from 1 to ${PAGE_LIMIT_MAX}, or null for no limit.`,
  ),
);

/**
 * What a workspace's control says of this. `slot`: which ten minutes of the clock its newest event fell into; `began` and
 * `before`: the last number before those ten minutes, and before the ten that preceded them.
 */
export type PageLimitState = { limit: number | null; slot: number; began: number; before: number };

/** `limit`: rings within ten minutes; the events that came in them have numbers above `from`. */
export const PageLimit = v.object({ limit: v.number(), from: v.number() });
export type PageLimit = v.InferOutput<typeof PageLimit>;

export const slotOf = (now: number): number => Math.floor(now / PAGE_LIMIT_SPAN_MS);

/** The state with the newest event so far, which has the number `seq`, when the next one comes at a moment. */
export const rolled = (state: PageLimitState, seq: number, now: number): PageLimitState => {
  const slot = slotOf(now);
  if (slot <= state.slot) return state;
  return { limit: state.limit, slot, began: seq, before: slot === state.slot + 1 ? state.began : seq };
};

/** The first events of ten to twenty minutes ring uncounted: half as many as may ring cannot be too many. */
const uncounted = (limit: number): number => Math.floor(limit / 2);

/** The numbers of events that ring uncounted, below a number. */
export const uncountedBelow = ({ limit, from }: PageLimit, seq: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(uncounted(limit), seq - from - 1)) }, (_, index) => from + 1 + index);

/** By what those are counted whom something rings for now; undefined where nothing is. */
export const pageLimitAt = (state: PageLimitState, seq: number, now: number): PageLimit | undefined => {
  const { limit, before } = rolled(state, seq, now);
  return limit === null ? undefined : { limit, from: before };
};

/** The same for an event that comes now with a number: undefined also where too few came for it to be counted. */
export const pageLimitOfEvent = (state: PageLimitState, seq: number, now: number): PageLimit | undefined => {
  const pageLimit = pageLimitAt(state, seq - 1, now);
  if (pageLimit === undefined) return undefined;
  const index = seq - pageLimit.from;
  return index > 0 && index <= uncounted(pageLimit.limit) ? undefined : pageLimit;
};
