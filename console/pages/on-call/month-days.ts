import type { Shift } from "./shifts.ts";

const DAYS_OF_WEEK = 7;

/** Returns the number of days from Monday to the first day of the month. */
export const countBlankDays = (firstDayMs: number): number =>
  (new Date(firstDayMs).getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;

/** Returns the index of the day that contains the time, or 0 if all days are later. `days`: midnights, ascending. */
export const findDayIndex = (days: readonly number[], timeMs: number): number =>
  Math.max(
    0,
    days.findLastIndex((day) => day <= timeMs),
  );

/** Returns the shifts of the day, cut off at midnight. */
export const cutShiftsToDay = (shifts: readonly Shift[], day: number, nextDay: number): Shift[] =>
  shifts
    .filter(({ start, end }) => start < nextDay && end > day)
    .map((shift) => ({ ...shift, start: Math.max(shift.start, day), end: Math.min(shift.end, nextDay) }));

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -DAYS_OF_WEEK,
  ArrowDown: DAYS_OF_WEEK,
  Home: -Infinity,
  End: Infinity,
};

/** Returns the index of the day that the key selects; undefined for keys other than arrows, Home and End. */
export const findDayForKey = (index: number, key: string, dayCount: number): number | undefined => {
  const step = STEPS[key];
  return step === undefined ? undefined : Math.max(0, Math.min(dayCount - 1, index + step));
};

/** `anchor`, `at`: the indexes of the outermost chosen days, in any order. */
export type ChosenDays = { anchor: number; at: number };

/** Returns whether the day at `index` lies between `anchor` and `at`, which are indexes of days in either order. */
export const isInChosenDays = ({ anchor, at }: ChosenDays, index: number): boolean =>
  index >= Math.min(anchor, at) && index <= Math.max(anchor, at);

/** Returns the period of the chosen days. `days`: the midnights of the month, and last the start of the next month. */
export const computeSpanOfChosenDays = (
  { anchor, at }: ChosenDays,
  days: readonly number[],
): { start: number; end: number } => ({
  start: days[Math.min(anchor, at)] ?? 0,
  end: days[Math.max(anchor, at) + 1] ?? 0,
});
