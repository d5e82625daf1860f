import type { Restriction } from "../../core/domain/basics/clock/week.ts";
import type { FileSchedule } from "../file.ts";

type WeekDays = NonNullable<FileSchedule["layers"][number]["restrictions"]>[number]["days"];

const DAYS: WeekDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
export const DAY_MINUTES = 24 * 60;
export const WEEK_MINUTES = 7 * DAY_MINUTES;

/** A part of the week, in minutes since Monday 00:00; `to` may be in the next week. */
export type WeekSpan = { from: number; to: number };

/** Merges spans that touch or overlap, even across a week's end. Returns merged spans for last week, this week and next week. */
const joinSpans = (spans: readonly WeekSpan[]): WeekSpan[] => {
  const thrice = [-WEEK_MINUTES, 0, WEEK_MINUTES].flatMap((shift) =>
    spans.map(({ from, to }) => ({ from: from + shift, to: to + shift })),
  );
  const result: WeekSpan[] = [];
  for (const span of thrice.sort((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else result.push(span);
  }
  return result;
};

const formatClock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** Splits a span at midnight, because a restriction is within one day. */
const splitByDay = ({ from, to }: WeekSpan): { day: number; hours: string }[] => {
  const pieces: { day: number; hours: string }[] = [];
  for (let begin = from; begin < to; begin += DAY_MINUTES) {
    const end = Math.min(to, begin + DAY_MINUTES);
    const endsDay = end % DAY_MINUTES === 0;
    const hours = `${formatClock(begin % DAY_MINUTES)} ${endsDay ? "24:00" : formatClock(end % DAY_MINUTES)}`;
    pieces.push({ day: Math.floor(begin / DAY_MINUTES) % 7, hours });
  }
  return pieces;
};

/** Converts spans to restrictions of a layer; returns an empty list if the spans cover the whole week. */
export const toRestrictions = (spans: readonly WeekSpan[]): Restriction[] => {
  const joint = joinSpans(spans);
  if (joint.some(({ from, to }) => to - from >= WEEK_MINUTES)) return [];
  const pieces = joint.filter(({ from }) => from >= 0 && from < WEEK_MINUTES).flatMap(splitByDay);
  return [...new Set(pieces.map(({ hours }) => hours))].map((hours) => {
    const [from = "", to = ""] = hours.split(" ");
    const days = new Set(pieces.filter((piece) => piece.hours === hours).map(({ day }) => day));
    return { days: DAYS.filter((_, day) => days.has(day)), from, to };
  });
};

export const doSpansOverlap = (first: readonly WeekSpan[], second: readonly WeekSpan[]): boolean =>
  joinSpans(first).some((one) => joinSpans(second).some((other) => one.from < other.to && other.from < one.to));

/** Returns for each minute of the week (0 is Monday 00:00) whether a span covers it. */
const markCoveredMinutes = (spans: readonly WeekSpan[]): boolean[] => {
  const covered = Array.from({ length: WEEK_MINUTES }, () => false);
  for (const { from, to } of spans)
    for (let minute = from; minute < to; minute += 1) covered[minute % WEEK_MINUTES] = true;
  return covered;
};

/** Returns the spans of a week's minutes (0 is Monday 00:00) that `isCovered` accepts. */
const toSpans = (isCovered: (minute: number) => boolean): WeekSpan[] => {
  const spans: WeekSpan[] = [];
  for (let minute = 0; minute < WEEK_MINUTES; minute += 1) {
    if (!isCovered(minute)) continue;
    const last = spans.at(-1);
    if (last?.to === minute) last.to = minute + 1;
    else spans.push({ from: minute, to: minute + 1 });
  }
  return spans;
};

export const listUncoveredHours = (spans: readonly WeekSpan[]): WeekSpan[] => {
  const covered = markCoveredMinutes(spans);
  return toSpans((minute) => covered[minute] !== true);
};

export const listCommonHours = (first: readonly WeekSpan[], second: readonly WeekSpan[]): WeekSpan[] => {
  const [one, other] = [markCoveredMinutes(first), markCoveredMinutes(second)];
  return toSpans((minute) => one[minute] === true && other[minute] === true);
};

export const ALWAYS: readonly WeekSpan[] = [{ from: 0, to: WEEK_MINUTES }];

/** Returns a span on each of the days. `days`: 0 is Monday; `minutes`: the duration of each span. */
export const createDailyHours = (days: readonly number[], fromMinutes: number, minutes: number): WeekSpan[] =>
  days.map((day) => ({ from: day * DAY_MINUTES + fromMinutes, to: day * DAY_MINUTES + fromMinutes + minutes }));

export const EVERY_DAY: readonly number[] = [0, 1, 2, 3, 4, 5, 6];
