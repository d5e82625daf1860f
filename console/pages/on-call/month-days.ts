import type { Shift } from "./shifts.ts";

const DAYS_OF_WEEK = 7;

/** The days from Monday to the first day of the month. */
export const countBlankDays = (first: number): number => (new Date(first).getDay() + DAYS_OF_WEEK - 1) % DAYS_OF_WEEK;

/** Returns 0 if all days are later. */
export const indexOfDay = (days: readonly number[], at: number): number =>
  Math.max(
    0,
    days.findLastIndex((day) => day <= at),
  );

/** Cuts shifts at midnight. */
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

/** Undefined for keys other than arrows, Home and End. */
export const dayForArrowKey = (index: number, key: string, days: number): number | undefined => {
  const step = STEPS[key];
  return step === undefined ? undefined : Math.max(0, Math.min(days - 1, index + step));
};

/** The choice goes from `anchor` to `at`. */
export type Chosen = { anchor: number; at: number };

export const isInChosenDays = ({ anchor, at }: Chosen, index: number): boolean =>
  index >= Math.min(anchor, at) && index <= Math.max(anchor, at);

/** `days`: midnights, with the start of the next month. */
export const computeSpanOfChosenDays = (
  { anchor, at }: Chosen,
  days: readonly number[],
): { start: number; end: number } => ({
  start: days[Math.min(anchor, at)] ?? 0,
  end: days[Math.max(anchor, at) + 1] ?? 0,
});
