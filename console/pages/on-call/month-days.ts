import type { Shift } from "./shifts.ts";

const DAYS_OF_WEEK = 7;

/** How many days of the week, from Monday on, are before the first day of a month. */
export const blanksBefore = (first: number): number => (new Date(first).getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;

/** The index of the day of a moment among midnights; 0 where all are later. */
export const todayIn = (days: readonly number[], ms: number): number =>
  Math.max(
    0,
    days.findLastIndex((day) => day <= ms),
  );

/** The shifts of one day, or of several in a row, cut at the midnights around them. */
export const shiftsOfDay = (shifts: readonly Shift[], day: number, next: number): Shift[] =>
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

/** The day that a key leads to, by its index; undefined for keys that lead nowhere. */
export const dayAfterKey = (index: number, key: string, days: number): number | undefined => {
  const step = STEPS[key];
  return step === undefined ? undefined : Math.max(0, Math.min(days - 1, index + step));
};

/** The days that are chosen, by the indexes of the first and the last. */
export type Chosen = { anchor: number; at: number };

export const isChosen = ({ anchor, at }: Chosen, index: number): boolean =>
  index >= Math.min(anchor, at) && index <= Math.max(anchor, at);

/** From the start of the first day to the end of the last. `days`: the midnights of the month and of the next one. */
export const spanOfDays = ({ anchor, at }: Chosen, days: readonly number[]): { start: number; end: number } => ({
  start: days[Math.min(anchor, at)] ?? 0,
  end: days[Math.max(anchor, at) + 1] ?? 0,
});
