import type { Shift } from "./shifts.ts";

const DAYS_OF_WEEK = 7;

/** Returns the number of days from Monday to the first day of a month. */
export const countBlankDays = (first: number): number => (new Date(first).getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;

/** Returns the index of the day that contains a time; 0 if all days are later. */
export const indexOfDay = (days: readonly number[], at: number): number =>
  Math.max(
    0,
    days.findLastIndex((day) => day <= at),
  );

/** Returns the shifts between two midnights, cut at these midnights. */
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

/** Returns the index of the day to which an arrow key, Home or End moves; undefined for other keys. */
export const dayForArrowKey = (index: number, key: string, days: number): number | undefined => {
  const step = STEPS[key];
  return step === undefined ? undefined : Math.max(0, Math.min(days - 1, index + step));
};

/** The chosen days: the index at which the choice began (`anchor`), and the index at which it ends. */
export type Chosen = { anchor: number; at: number };

export const isInChosenDays = ({ anchor, at }: Chosen, index: number): boolean =>
  index >= Math.min(anchor, at) && index <= Math.max(anchor, at);

/** Returns the span from the start of the first day to the end of the last. `days`: midnights, including the next month's. */
export const spanOfChosenDays = ({ anchor, at }: Chosen, days: readonly number[]): { start: number; end: number } => ({
  start: days[Math.min(anchor, at)] ?? 0,
  end: days[Math.max(anchor, at) + 1] ?? 0,
});
