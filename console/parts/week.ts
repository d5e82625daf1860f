import { DAY_MS } from "../../core/domain/basics/units.ts";
import { language, locale, wanted } from "../app/language.ts";
import { isNumber, objectShape } from "../app/shape.ts";

/** The days as the API names them. */
export const weekDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type WeekDay = (typeof weekDays)[number];

/** Weekly hours in wall-clock time: on each of these days from `from` until `to`, which may be after midnight. */
export type WeekHours = { days: readonly WeekDay[]; from: string; to: string };

/** The first hours of a new list. */
export const officeHours: WeekHours = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" };

const isWeekInfo = objectShape({ firstDay: isNumber });

/** Returns the first day of the week in the reader's region, from 1 (Monday) to 7; Monday if the browser does not know it. */
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
/** The days in the order of the reader's calendar. */
export const calendarDays: readonly WeekDay[] = [...weekDays.slice(begin), ...weekDays.slice(0, begin)];

/** An arbitrary Monday, because only the names of days are used. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const short = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });

/** Returns the short name of a day, such as "Mon", in the reader's language. */
export const dayName = (day: WeekDay): string => short.format(MONDAY_MS + weekDays.indexOf(day) * DAY_MS);
