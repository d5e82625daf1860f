import { locale } from "../../app/language.ts";
import type { Shift } from "./shifts.ts";

const monthName = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric" });
export const formatMonth = (timeMs: number): string => monthName.format(timeMs);

/** Lists the midnights of a month in the reader's time zone, in milliseconds. The last midnight starts the next month. */
export const listMonthMidnights = (timeMs: number): number[] => {
  const date = new Date(timeMs);
  const [year, month] = [date.getFullYear(), date.getMonth()];
  const days = new Date(year, month + 1, 0).getDate();
  return Array.from({ length: days + 1 }, (_, index) => new Date(year, month, index + 1).getTime());
};

const isWeekend = (timeMs: number): boolean => [0, 6].includes(new Date(timeMs).getDay());

export type PersonLoad = { userId: string; ms: number; weekendMs: number };

/** Adds up each person's time on call, longest first. `days`: the midnight before each day, and after the last day. */
export const sumTimeOnCall = (
  shifts: readonly Pick<Shift, "start" | "end" | "userIds">[],
  days: readonly number[],
): PersonLoad[] => {
  const loads = new Map<string, PersonLoad>();
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
