import type { Shift } from "./shifts.ts";

const DAYS_OF_WEEK = 7;

/** Returns how many weekdays, from Monday, precede the first day of a month. */
export const countBlankDays = (first: number): number => (new Date(first).getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;

/** Returns the index of a moment's day among midnights; 0 if all are later. */
export const indexOfToday = (days: readonly number[], ms: number): number =>
  Math.max(
    0,
    days.findLastIndex((day) => day <= ms),
  );

/** Returns the shifts of one or several consecutive days, cut at the midnights around them. */
export const shiftsWithin = (shifts: readonly Shift[], day: number, next: number): Shift[] =>
  shifts
    .filter(({ start, end }) => start < next && end > day)
    .map((shift) => ({ ...shift, start: Math.max(shift.start, day), end: Math.min(shift.end, next) }));

const STEPS: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -DAYS_OF_WEEK,
  ArrowDown: DAYS_OF_WEEK,
  Home: -Infinity,
  End: Infinity,
};

/** Returns the index of the day that an arrow key leads to; undefined for other keys. */
export const dayForArrowKey = (index: number, key: string, days: number): number | undefined => {
  const step = STEPS[key];
  return step === undefined ? undefined : Math.max(0, Math.min(days - 1, index + step));
};

/** The chosen days, by the indexes of the first and the last. */
export type Chosen = { anchor: number; at: number };

export const isInChosenDays = ({ anchor, at }: Chosen, index: number): boolean =>
  index >= Math.min(anchor, at) && index <= Math.max(anchor, at);

/** Returns the span from the start of the first day to the end of the last. `days`: the midnights of the month and of the next one. */
export const spanOfChosenDays = ({ anchor, at }: Chosen, days: readonly number[]): { start: number; end: number } => ({
  start: days[Math.min(anchor, at)] ?? 0,
  end: days[Math.max(anchor, at) + 1] ?? 0,
});
