import * as v from "valibot";
import { wholeNumberSchema } from "../basics/number.ts";
import { MINUTE_MS } from "../basics/units.ts";

/* The control item contains the event numbers at which the last two ten-minute periods began, so that admission needs no read. */

export const PAGE_LIMIT_SPAN_MS = 10 * MINUTE_MS;
/** How many pages a person gets in ten minutes, unless the workspace sets another limit. */
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

/** `slot`: the current ten-minute period. `began`, `before`: the last event number before it, and before the previous period. */
export type PageLimitState = { limit: number | null; slot: number; began: number; before: number };

/** The page limit for an event. `limit`: pages in ten minutes. `from`: the last event number before the period. */
export const PageLimit = v.object({ limit: v.number(), from: v.number() });
export type PageLimit = v.InferOutput<typeof PageLimit>;

/** Returns the slot, the number of the ten-minute period that contains `now` (in milliseconds). */
export const computePageLimitSlot = (now: number): number => Math.floor(now / PAGE_LIMIT_SPAN_MS);

/** Returns the state in the ten-minute period of `now`; the same state if the period is not new. `seq`: the last event number. */
export const updatePageLimitState = (state: PageLimitState, seq: number, now: number): PageLimitState => {
  const slot = computePageLimitSlot(now);
  if (slot <= state.slot) return state;
  return { limit: state.limit, slot, began: seq, before: slot === state.slot + 1 ? state.began : seq };
};

/** How many events at the start of a period have uncounted pages at most; the events' plans are read later instead. */
const UNCOUNTED_EVENTS = 50;

/** Returns for how many events at a period's start no pages are counted, because so few events cannot exceed the limit. */
const countUncountedEvents = (limit: number): number => Math.min(limit, UNCOUNTED_EVENTS);

/** Lists the period's first events, before event `seq`, whose pages were not counted because they cannot exceed the limit. */
export const listUncountedEventNumbers = ({ limit, from }: PageLimit, seq: number): number[] =>
  Array.from(
    { length: Math.max(0, Math.min(countUncountedEvents(limit), seq - from - 1)) },
    (_, index) => from + 1 + index,
  );

/** Returns the page limit for an event that follows event `seq`; undefined if the workspace has no limit. */
export const computePageLimitAfterEvent = (state: PageLimitState, seq: number, now: number): PageLimit | undefined => {
  const { limit, before } = updatePageLimitState(state, seq, now);
  return limit === null ? undefined : { limit, from: before };
};

/** Returns the limit for event `seq`; undefined if there is none, or if too few events precede it to reach the limit. */
export const computePageLimitForEvent = (state: PageLimitState, seq: number, now: number): PageLimit | undefined => {
  const pageLimit = computePageLimitAfterEvent(state, seq - 1, now);
  if (pageLimit === undefined) return undefined;
  const index = seq - pageLimit.from;
  return index > 0 && index <= countUncountedEvents(pageLimit.limit) ? undefined : pageLimit;
};
