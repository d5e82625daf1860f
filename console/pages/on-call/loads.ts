import { locale } from "../../app/language.ts";
import type { Shift } from "./shifts.ts";

const monthName = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" });
/** Returns a month with its year, in the reader's language. */
export const formatMonth = (ms: number): string => monthName.format(ms);

/** Returns the beginnings of the days in a moment's month, and of the next month, in the reader's time zone, in milliseconds. */
export const daysOfMonth = (ms: number): number[] => {
  const date = new Date(ms);
  const [year, month] = [date.getFullYear(), date.getMonth()];
  const days = new Date(year, month + 1, 0).getDate();
  return Array.from({ length: days + 1 }, (_, index) => new Date(year, month, index + 1).getTime());
};

const isWeekend = (ms: number): boolean => [0, 6].includes(new Date(ms).getDay());

export type Load = { userId: string; ms: number; weekendMs: number };

/** Returns how long each person is on call between two of these days, and how much of it is at weekends, sorted by time in descending order. */
export const sumLoads = (
  shifts: readonly Pick<Shift, "start" | "end" | "userIds">[],
  days: readonly number[],
): Load[] => {
  const loads = new Map<string, Load>();
  for (const { start, end, userIds } of shifts)
    for (const [index, day] of days.slice(0, -1).entries()) {
      const ms = Math.min(end, days[index + 1] ?? end) - Math.max(start, day);
      if (ms <= 0) continue;
      for (const userId of userIds) {
        const load = loads.get(userId) ?? { userId, ms: 0, weekendMs: 0 };
        load.ms += ms;
        load.weekendMs += isWeekend(day) ? ms : 0;
        loads.set(userId, load);
      }
    }
  return [...loads.values()].toSorted((one, other) => other.ms - one.ms);
};
