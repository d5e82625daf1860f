import { GAP_HORIZON_DAYS } from "./limits.ts";
import { compileDuty, type Duty, type DutyGroup, type OnCallPerson } from "./duty.ts";
import { DAY_MS } from "../basics/units.ts";

/** How far ahead the next change of the people on call is searched for. */
const NEXT_CHANGE_HORIZON_DAYS = 366;
/** At most this many gaps are listed; one a day fills the horizon. */
const GAPS_MAX = 28;

/** A time without a handover, in milliseconds; `people` and their shifts are those at its beginning. */
type Stretch = { start: number; end: number; people: OnCallPerson[]; isGap: boolean };

const usersOf = (people: readonly OnCallPerson[]): string =>
  people
    .map(({ userId }) => userId)
    .sort()
    .join(" ");

/** Splits the time between two moments into stretches in which the same users are on call. */
export function* stretches(group: DutyGroup, fromMs: number, toMs: number): Generator<Stretch, void> {
  const stateAt = compileDuty(group);
  let start = fromMs;
  let now: Duty = stateAt(start);
  let { until } = now;
  while (until < toMs) {
    const next = stateAt(until);
    if (usersOf(next.people) !== usersOf(now.people)) {
      yield { start, end: until, people: now.people, isGap: now.isGap };
      now = next;
      start = until;
    }
    ({ until } = next);
  }
  if (start < toMs) yield { start, end: toMs, people: now.people, isGap: now.isGap };
}

/**
 * When, after `atMs`, the people on call change for the first time, and who they are then. Undefined when that is
 * beyond the horizon, or never.
 */
export const nextChange = (
  group: DutyGroup,
  atMs: number,
  horizonDays = NEXT_CHANGE_HORIZON_DAYS,
): { at: number; people: OnCallPerson[] } | undefined => {
  const ahead = stretches(group, atMs, atMs + horizonDays * DAY_MS);
  ahead.next();
  const { value } = ahead.next();
  return value === undefined ? undefined : { at: value.start, people: value.people };
};

/**
 * The first `GAPS_MAX` times when nobody is on call who would be notified. The last one may go on beyond the horizon.
 */
export const gaps = (
  group: DutyGroup,
  fromMs: number,
  horizonDays = GAP_HORIZON_DAYS,
): { start: number; end: number }[] => {
  const found: { start: number; end: number }[] = [];
  let last: { start: number; end: number } | undefined;
  for (const { start, end, isGap } of stretches(group, fromMs, fromMs + horizonDays * DAY_MS)) {
    if (!isGap) continue;
    if (last?.end === start) last.end = end;
    else if (found.length === GAPS_MAX) break;
    else found.push((last = { start, end }));
  }
  return found;
};
