import { DAY_MS } from "../../core/domain/basics/units.ts";
import { language, locale, wanted } from "../app/language.ts";
import { isNumber, shaped } from "../app/shape.ts";

/** As the API writes them. */
export const weekDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type WeekDay = (typeof weekDays)[number];

/** Hours of the week by a wall clock: from a time of day on these days until `to`, past midnight if need be. */
export type WeekHours = { days: readonly WeekDay[]; from: string; to: string };

/** The working hours that a list of hours begins with. */
export const officeHours: WeekHours = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" };

const isWeekInfo = shaped({ firstDay: isNumber });

/** The day on which a week begins where the reader is: 1 is Monday, 7 is Sunday. Monday where the browser does not say. */
export const firstDayOfWeek = (tag: string = wanted[0] ?? language): number => {
  const place = new Intl.Locale(tag);
  const info: unknown =
    "getWeekInfo" in place && typeof place.getWeekInfo === "function"
      ? place.getWeekInfo()
      : "weekInfo" in place
        ? place.weekInfo
        : undefined;
  return isWeekInfo(info) ? info.firstDay : 1;
};

const begin = firstDayOfWeek() - 1;
/** The days in the order of the reader's calendar. */
export const calendarDays: readonly WeekDay[] = [...weekDays.slice(begin), ...weekDays.slice(0, begin)];

/** Any Monday: only the name of its day is read. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const short = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });

/** "Mon", in the reader's language. */
export const dayName = (day: WeekDay): string => short.format(MONDAY_MS + weekDays.indexOf(day) * DAY_MS);
