import * as v from "valibot";
import { isTimeZone } from "./zone.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

const DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

export const getDayIndex = (day: Day): number => DAYS.indexOf(day);

const DAY_MESSAGE = `A day must be one of ${DAYS.join(", ")}, an English name, or a number from 1 (Monday) to 7.`;

/** Returns the day's index, from 0 for Monday; a value outside 0 to 6 if the input names no day. */
const parseDayIndex = (input: string | number): number =>
  typeof input === "number"
    ? input - 1
    : Math.max(
        DAYS.findIndex((day) => day === input),
        DAY_NAMES.indexOf(input),
      );

const Day = v.pipe(
  v.union([v.string(), v.number()], DAY_MESSAGE),
  v.transform((written) => DAYS[parseDayIndex(typeof written === "string" ? written.toLowerCase() : written)]),
  v.picklist(DAYS, DAY_MESSAGE),
);

const timeOfDaySchema = (field: string, pattern: RegExp, latest: string) => {
  const message = `${field} must be a time of day as "HH:MM", from "00:00" to ${latest}.`;
  return v.pipe(v.string(message), v.regex(pattern, message));
};

/** Local hours. On each listed day, duty begins at `from` and ends at `to`, on the next day if `to` is not after `from`. */
export const Restriction = v.strictObject(
  {
    days: v.pipe(
      v.array(Day, 'days must be an array of days, such as ["mon", "tue"].'),
      v.minLength(1, "days must name at least one day."),
      v.maxLength(DAYS.length, `days must name at most ${DAYS.length} days.`),
      v.transform((days) => DAYS.filter((day) => days.includes(day))),
    ),
    from: timeOfDaySchema("from", /^(?:[01]\d|2[0-3]):[0-5]\d$/, '"23:59"'),
    to: timeOfDaySchema("to", /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, '"24:00"'),
  },
  "A restriction must be an object: {days, from, to}.",
);
export type Restriction = v.InferOutput<typeof Restriction>;

const ZONE_MESSAGE = "timeZone must be an IANA time zone, such as Europe/Berlin.";

export const TimeZone = v.pipe(v.string(ZONE_MESSAGE), v.check(isTimeZone, ZONE_MESSAGE));
