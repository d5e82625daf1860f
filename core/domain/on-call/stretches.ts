import { GAP_HORIZON_DAYS } from "./limits.ts";
import type { OverridePeriod } from "./override.ts";
import type { OnCallSchedule } from "./schedule.ts";
import { compileOnCall, type OnCallPerson } from "./who.ts";
import { DAY_MS } from "../basics/units.ts";

/** How far ahead the next change of the people on call is searched for. */
const NEXT_CHANGE_HORIZON_DAYS = 366;
/** At most this many gaps are listed; one a day fills the horizon. */
const GAPS_MAX = 28;

/** A time without a handover, in milliseconds; `people` and their shifts are those at its beginning. */
type Stretch = { start: number; end: number; people: OnCallPerson[] };

const usersOf = (people: readonly OnCallPerson[]): string =>
  people
    .map(({ userId }) => userId)
    .sort()
    .join(" ");

/** Splits the time between two moments into stretches in which the same users are on call. */
export function* stretches(
  schedule: OnCallSchedule,
  overrides: readonly OverridePeriod[],
  fromMs: number,
  toMs: number,
): Generator<Stretch, void> {
  const stateAt = compileOnCall(schedule, overrides);
  let start = fromMs;
  let { people, until } = stateAt(start);
  while (until < toMs) {
    const next = stateAt(until);
    if (usersOf(next.people) !== usersOf(people)) {
      yield { start, end: until, people };
      ({ people } = next);
      start = until;
    }
    ({ until } = next);
  }
  if (start < toMs) yield { start, end: toMs, people };
}

/**
 * When, after `atMs`, the people on call change for the first time, and who they are then. Undefined when that is
 * beyond the horizon, or never.
 */
export const nextChange = (
  schedule: OnCallSchedule,
  overrides: readonly OverridePeriod[],
  atMs: number,
  horizonDays = NEXT_CHANGE_HORIZON_DAYS,
): { at: number; people: OnCallPerson[] } | undefined => {
  const ahead = stretches(schedule, overrides, atMs, atMs + horizonDays * DAY_MS);
  ahead.next();
  const { value } = ahead.next();
  return value === undefined ? undefined : { at: value.start, people: value.people };
};

/** The first `GAPS_MAX` times when nobody is on call. The last one may go on beyond the horizon. */
export const gaps = (
  schedule: OnCallSchedule,
  overrides: readonly OverridePeriod[],
  fromMs: number,
  horizonDays = GAP_HORIZON_DAYS,
): { start: number; end: number }[] => {
  const found: { start: number; end: number }[] = [];
  for (const { start, end, people } of stretches(schedule, overrides, fromMs, fromMs + horizonDays * DAY_MS)) {
    if (people.length === 0) found.push({ start, end });
    if (found.length === GAPS_MAX) break;
  }
  return found;
};
