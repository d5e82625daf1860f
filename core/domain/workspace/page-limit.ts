import * as v from "valibot";
import { wholeNumber } from "../basics/number.ts";
import { MINUTE_MS } from "../basics/units.ts";

/*
 * How often a person is paged. The events of a workspace are numbered; its control item stores at which numbers the last
 * two periods of ten minutes began. So for each event it is known, without a read, whether enough events came before it
 * for the page limit to matter.
 */

export const PAGE_LIMIT_SPAN_MS = 10 * MINUTE_MS;
/** How often a person is paged within ten minutes, if a workspace does not set it. */
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
 * The part of a workspace's control item for this. `slot`: the ten minutes of its newest event; `began` and `before`:
 * the last number before those ten minutes, and before the ten that preceded them.
 */
export type PageLimitState = { limit: number | null; slot: number; began: number; before: number };

/** `limit`: pages within ten minutes; the events that came in them have numbers above `from`. */
export const PageLimit = v.object({ limit: v.number(), from: v.number() });
export type PageLimit = v.InferOutput<typeof PageLimit>;

export const slotOf = (now: number): number => Math.floor(now / PAGE_LIMIT_SPAN_MS);

/** The state with the newest event so far, which has the number `seq`, when the next one comes at a moment. */
export const rolled = (state: PageLimitState, seq: number, now: number): PageLimitState => {
  const slot = slotOf(now);
  if (slot <= state.slot) return state;
  return { limit: state.limit, slot, began: seq, before: slot === state.slot + 1 ? state.began : seq };
};

/** An event that counts pages reads the plans of at most this many uncounted events. */
const UNCOUNTED_MAX = 50;

/** How many first events of ten to twenty minutes page uncounted: as many as are allowed in ten cannot be too many. */
const uncounted = (limit: number): number => Math.min(limit, UNCOUNTED_MAX);

/** Events with numbers below this page uncounted. */
export const uncountedBelow = ({ limit, from }: PageLimit, seq: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(uncounted(limit), seq - from - 1)) }, (_, index) => from + 1 + index);

/** The counters of the people whom something pages now; undefined if none are needed. */
export const pageLimitAt = (state: PageLimitState, seq: number, now: number): PageLimit | undefined => {
  const { limit, before } = rolled(state, seq, now);
  return limit === null ? undefined : { limit, from: before };
};

/** The same for an event that comes now with a number: undefined also if too few came for it to be counted. */
export const pageLimitOfEvent = (state: PageLimitState, seq: number, now: number): PageLimit | undefined => {
  const pageLimit = pageLimitAt(state, seq - 1, now);
  if (pageLimit === undefined) return undefined;
  const index = seq - pageLimit.from;
  return index > 0 && index <= uncounted(pageLimit.limit) ? undefined : pageLimit;
};
