import { DAY_MS } from "../../core/domain/basics/units.ts";
import { language, locale, wanted } from "../app/language.ts";
import { isNumber, objectShape } from "../app/shape.ts";

/** Days have the API's names. */
export const weekDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type WeekDay = (typeof weekDays)[number];

/** Times are wall-clock times; `until` may be after midnight. */
export type WeekHours = { days: readonly WeekDay[]; from: string; to: string };

export const officeHours: WeekHours = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" };

const isWeekInfo = objectShape({ firstDay: isNumber });

/** Returns 1 (Monday) to 7, by the reader's region; Monday if the browser does not know. */
export const readFirstDayOfWeek = (tag: string = wanted[0] ?? language): number => {
  const place = new Intl.Locale(tag);
  const info: unknown =
    "getWeekInfo" in place && typeof place.getWeekInfo === "function"
      ? place.getWeekInfo()
      : "weekInfo" in place
        ? place.weekInfo
        : undefined;
  return isWeekInfo(info) ? info.firstDay : 1;
};

const begin = readFirstDayOfWeek() - 1;
export const calendarDays: readonly WeekDay[] = [...weekDays.slice(begin), ...weekDays.slice(0, begin)];

/** Any Monday, because only the names of days are used. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const short = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });

/** Returns for example "Mon", in the reader's language. */
export const dayName = (day: WeekDay): string => short.format(MONDAY_MS + weekDays.indexOf(day) * DAY_MS);
