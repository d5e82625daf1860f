import { getDayIndex, type Restriction } from "./week.ts";
import type { Zone } from "./zone.ts";
import { DAY_MS, MINUTE_MS, WEEK_MS } from "../units.ts";

/** The first Monday after 1970-01-01, in milliseconds. */
const FIRST_MONDAY = 4 * DAY_MS;

/** A time on duty, in milliseconds since Monday 00:00 local time. `to` may be in the next week. */
type Span = { from: number; to: number };

const parseMinutesOfDay = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns a span for each day of the restriction, past midnight if `to` is not after `from`. */
const toWeekSpans = ({ days, from, to }: Restriction): Span[] => {
  const begin = parseMinutesOfDay(from) * MINUTE_MS;
  const end = parseMinutesOfDay(to) * MINUTE_MS;
  return days.map((day) => ({
    from: getDayIndex(day) * DAY_MS + begin,
    to: getDayIndex(day) * DAY_MS + (end > begin ? end : end + DAY_MS),
  }));
};

/** Joins touching and overlapping spans, so that each span ends when duty ends. */
const joinSpans = (spans: readonly Span[]): Span[] => {
  const result: Span[] = [];
  for (const span of [...spans].sort((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push({ ...span });
  }
  return result;
};

/** Lists the spans of the previous, this and the next week, because spans from Sunday into Monday must be joined. */
const listSpansOfThreeWeeks = (restrictions: readonly Restriction[]): Span[] => {
  const spans = restrictions.flatMap(toWeekSpans);
  return joinSpans(
    [-WEEK_MS, 0, WEEK_MS].flatMap((offset) => spans.map(({ from, to }) => ({ from: from + offset, to: to + offset }))),
  );
};

/** Two local times, in milliseconds. */
type LocalSpan = readonly [from: number, to: number];

/** Returns a function that tells whether a span overlaps the restrictions. Ignores changes to and from daylight saving time. */
export const compileWeekOverlap = (restrictions: readonly Restriction[]): ((span: LocalSpan) => boolean) => {
  const spans = listSpansOfThreeWeeks(restrictions);
  return ([begin, end]) => {
    if (end - begin >= WEEK_MS) return spans.length > 0;
    const from = (((begin - FIRST_MONDAY) % WEEK_MS) + WEEK_MS) % WEEK_MS;
    const to = from + end - begin;
    return begin < end && spans.some((span) => span.from < to && from < span.to);
  };
};

/** Returns whether the restrictions together cover every hour of the week. */
export const isWholeWeek = (restrictions: readonly Restriction[]): boolean =>
  listSpansOfThreeWeeks(restrictions).some(({ from, to }) => from <= 0 && to >= WEEK_MS);

/** Returns a function that tells whether a time is within the restrictions, and when the answer can change next. */
export const compileWeekHours = (
  zone: Zone,
  restrictions: readonly Restriction[],
): ((ms: number) => { within: boolean; until: number }) => {
  const spans = listSpansOfThreeWeeks(restrictions);
  return (ms) => {
    const local = ms + zone.offsetAt(ms);
    const monday = Math.floor((local - FIRST_MONDAY) / WEEK_MS) * WEEK_MS + FIRST_MONDAY;
    for (const { from, to } of spans) {
      // The span is already over, so its exact end is not needed.
      if (monday + to <= local) continue;
      const end = zone.instantOf(monday + to);
      if (end <= ms) continue;
      const start = zone.instantOf(monday + from);
      return start <= ms ? { within: true, until: end } : { within: false, until: start };
    }
    return { within: false, until: Infinity };
  };
};
