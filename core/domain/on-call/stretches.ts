import { GAP_HORIZON_DAYS } from "./limits.ts";
import { compileDuty, type Duty, type DutyGroup, type OnCallPerson } from "./duty.ts";
import { readLayerTimes } from "./schedule.ts";
import { getZone } from "../basics/clock/zone.ts";
import { fromIso } from "../basics/time.ts";
import { DAY_MS } from "../basics/units.ts";

const NEXT_CHANGE_HORIZON_DAYS = 366;
/** The maximum number of gaps in the answer: one per searched day. */
const GAPS_MAX = 28;

/** A time in which the same users are on call, in milliseconds, and the people on call at its start. */
type Stretch = { start: number; end: number; people: OnCallPerson[]; isGap: boolean };

const joinUserIds = (people: readonly OnCallPerson[]): string =>
  people
    .map(({ userId }) => userId)
    .sort()
    .join();

/** Yields the times in which the same users are on call, in order, without a break. */
export function* listStretches(group: DutyGroup, fromMs: number, toMs: number): Generator<Stretch, void> {
  const stateAt = compileDuty(group);
  let start = fromMs;
  let now: Duty = stateAt(start);
  let { until } = now;
  while (until < toMs) {
    const next = stateAt(until);
    if (joinUserIds(next.people) !== joinUserIds(now.people)) {
      yield { start, end: until, people: now.people, isGap: now.isGap };
      now = next;
      start = until;
    }
    ({ until } = next);
  }
  if (start < toMs) yield { start, end: toMs, people: now.people, isGap: now.isGap };
}

/** Returns when other people are on call, and who; undefined if nothing changes in the next `horizonDays` days. */
export const findNextOnCallChange = (
  group: DutyGroup,
  atMs: number,
  horizonDays = NEXT_CHANGE_HORIZON_DAYS,
): { at: number; people: OnCallPerson[] } | undefined => {
  const ahead = listStretches(group, atMs, atMs + horizonDays * DAY_MS);
  ahead.next();
  const { value } = ahead.next();
  return value === undefined ? undefined : { at: value.start, people: value.people };
};

/** How far back the start of a person's time on call is first searched. Each further search goes four times as far back. */
const SPAN_DAYS = 56;
/** How far ahead the end of a person's time on call is searched. A longer time on call has an unknown end. */
const SPAN_AHEAD_DAYS = 16 * SPAN_DAYS;

/** Returns the earliest start of a layer or an override, in milliseconds; Infinity if there is none. */
const findScheduleStart = ({ schedule, overrides }: DutyGroup): number => {
  const zone = getZone(schedule.timeZone);
  return Math.min(
    ...schedule.layers.map((layer) => readLayerTimes(layer, zone).startMs),
    ...overrides.map(({ start }) => fromIso(start) ?? Infinity),
  );
};

/** Returns since when the person, who must be on call at `atMs`, has been on call. */
export const findOnCallStart = (group: DutyGroup, userId: string, atMs: number): number => {
  const earliest = findScheduleStart(group);
  for (let days = SPAN_DAYS; ; days *= 4) {
    const from = Math.max(earliest, atMs - days * DAY_MS);
    let since = atMs;
    for (const { start, people } of listStretches(group, from, atMs + 1))
      since = people.some((person) => person.userId === userId) ? Math.min(since, start) : atMs;
    if (since > from || from === earliest) return since;
  }
};

/** Returns until when the person, who must be on call at `atMs`, stays on call; undefined if the end is unknown. */
export const findOnCallEnd = (group: DutyGroup, userId: string, atMs: number): number | undefined => {
  for (const { start, people } of listStretches(group, atMs, atMs + SPAN_AHEAD_DAYS * DAY_MS))
    if (!people.some((person) => person.userId === userId)) return start;
  return undefined;
};

/** Lists the times in the next `horizonDays` days in which events would notify nobody on call. */
export const findGaps = (
  group: DutyGroup,
  fromMs: number,
  horizonDays = GAP_HORIZON_DAYS,
): { start: number; end: number }[] => {
  const found: { start: number; end: number }[] = [];
  let last: { start: number; end: number } | undefined;
  for (const { start, end, isGap } of listStretches(group, fromMs, fromMs + horizonDays * DAY_MS)) {
    if (!isGap) continue;
    if (last?.end === start) last.end = end;
    else if (found.length === GAPS_MAX) break;
    else found.push((last = { start, end }));
  }
  return found;
};
