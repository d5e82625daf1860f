import { DAY_MS } from "../../core/domain/basics/units.ts";
import { language, locale, wanted } from "../app/language.ts";
import { isNumber, objectShape } from "../app/shape.ts";

/** The API's names of days. */
export const weekDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type WeekDay = (typeof weekDays)[number];

/** Local times; `to` may be after midnight. */
export type WeekHours = { days: readonly WeekDay[]; from: string; to: string };

export const officeHours: WeekHours = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" };

const isWeekInfo = objectShape({ firstDay: isNumber });

/** From 1 (Monday) to 7, by the reader's region; Monday if it is unknown. */
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

/** Any Monday, because only names of days are used. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const short = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });

/** For example "Mon" in English. */
export const dayName = (day: WeekDay): string => short.format(MONDAY_MS + weekDays.indexOf(day) * DAY_MS);
