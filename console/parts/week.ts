import { DAY_MS } from "../../core/domain/basics/units.ts";
import { language, locale, wanted } from "../app/language.ts";
import { isNumber, objectShape } from "../app/shape.ts";

export const weekDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type WeekDay = (typeof weekDays)[number];

/** Hours in local time; `to` may be after midnight. */
export type WeekHours = { days: readonly WeekDay[]; from: string; to: string };

export const officeHours: WeekHours = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" };

const isWeekInfo = objectShape({ firstDay: isNumber });

/** Returns the first day of the week in the reader's region, from 1 (Monday, also if unknown) to 7. */
export const readFirstDayOfWeek = (languageTag: string = wanted[0] ?? language): number => {
  const place = new Intl.Locale(languageTag);
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

/** An arbitrary Monday, because only names of days are formatted. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const short = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });

/** Returns the short name of a day, such as "Mon" in English. */
export const formatDayName = (day: WeekDay): string => short.format(MONDAY_MS + weekDays.indexOf(day) * DAY_MS);
