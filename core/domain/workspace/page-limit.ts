import * as v from "valibot";
import { wholeNumberSchema } from "../basics/number.ts";
import { MINUTE_MS } from "../basics/units.ts";

/*
 * Limits how often a person is paged. The control item of a workspace stores the event numbers at which the last two
 * periods of ten minutes began. Admission writes this item anyway, so it needs no other read to find out whether there
 * were enough events for the page limit to apply.
 */

export const PAGE_LIMIT_SPAN_MS = 10 * MINUTE_MS;
/** How many pages a person gets within ten minutes, unless the workspace sets another number. */
export const PAGE_LIMIT = 10; // ours
export const PAGE_LIMIT_MAX = 100; // ours

export const PageLimitSetting = v.nullable(
  wholeNumberSchema(
    "loudPerTenMinutes",
    1,
    PAGE_LIMIT_MAX,
    `loudPerTenMinutes must be a whole number from 1 to ${PAGE_LIMIT_MAX}, or null for no limit.`,
  ),
);

/**
 * The page limit in a workspace's control item. `slot`: the number of the newest event's period of ten minutes.
 * `began`, `before`: the last event number before that period, and before the preceding one.
 */
export type PageLimitState = { limit: number | null; slot: number; began: number; before: number };

/** A page limit that applies to an event. `limit`: pages within ten minutes. `from`: the last event number before the period. */
export const PageLimit = v.object({ limit: v.number(), from: v.number() });
export type PageLimit = v.InferOutput<typeof PageLimit>;

export const pageLimitSlot = (now: number): number => Math.floor(now / PAGE_LIMIT_SPAN_MS);

/** Returns the state for an event that arrives at `now`. `seq`: the number of the event before it. */
export const advanceToSlot = (state: PageLimitState, seq: number, now: number): PageLimitState => {
  const slot = pageLimitSlot(now);
  if (slot <= state.slot) return state;
  return { limit: state.limit, slot, began: seq, before: slot === state.slot + 1 ? state.began : seq };
};

/** An event that counts pages reads the plans of at most this many uncounted events. */
const UNCOUNTED_EVENTS = 50;

/** Returns how many of the first events in ten to twenty minutes page uncounted, because they cannot exceed the limit. */
const countUncounted = (limit: number): number => Math.min(limit, UNCOUNTED_EVENTS);

/** Returns the numbers of the events before `seq` that page uncounted. */
export const listUncountedNumbers = ({ limit, from }: PageLimit, seq: number): number[] =>
  Array.from({ length: Math.max(0, Math.min(countUncounted(limit), seq - from - 1)) }, (_, index) => from + 1 + index);

/** Returns the page limit to apply at `now`; undefined if the workspace has no limit. */
export const currentPageLimit = (state: PageLimitState, seq: number, now: number): PageLimit | undefined => {
  const { limit, before } = advanceToSlot(state, seq, now);
  return limit === null ? undefined : { limit, from: before };
};

/** Returns the page limit for an event that arrives at `now`; undefined if too few events arrived before it. */
export const pageLimitForEvent = (state: PageLimitState, seq: number, now: number): PageLimit | undefined => {
  const pageLimit = currentPageLimit(state, seq - 1, now);
  if (pageLimit === undefined) return undefined;
  const index = seq - pageLimit.from;
  return index > 0 && index <= countUncounted(pageLimit.limit) ? undefined : pageLimit;
};
