import * as v from "valibot";
import { UserId } from "../../basics/user-id.ts";
import { readClock } from "./clock-text.ts";
import { EVERY_MAX, LAYERS_MAX, PARTICIPANTS_MAX, RESTRICTIONS_MAX, YEAR_MAX, YEAR_MIN } from "./limits.ts";
import { isTimeZone } from "./zone.ts";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];

const DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/** 0 for Monday to 6 for Sunday. */
export const dayIndex = (day: Day): number => DAYS.indexOf(day);

const DAY_MESSAGE = `A day must be one of ${DAYS.join(", ")}, its English name, or its number from 1 (Monday) to 7.`;

const indexOfDay = (written: string | number): number =>
  typeof written === "number"
    ? written - 1
    : Math.max(
        DAYS.findIndex((day) => day === written),
        DAY_NAMES.indexOf(written),
      );

const Day = v.pipe(
  v.union([v.string(), v.number()], DAY_MESSAGE),
  v.transform((written) => DAYS[indexOfDay(typeof written === "string" ? written.toLowerCase() : written)]),
  v.picklist(DAYS, DAY_MESSAGE),
);

const timeOfDay = (field: string, shape: RegExp, extra: string) => {
  const message = `${field} must be a time of day as "HH:MM", from "00:00" to ${extra}.`;
  return v.pipe(v.string(message), v.regex(shape, message));
};

/**
 * When a layer is on duty, in local time. It begins at `from` on each of the days and ends at the next `to`: on the day
 * after where `to` is no later than `from`; the same time twice is a whole day. `to` may be "24:00".
 */
export const Restriction = v.strictObject(
  {
    days: v.pipe(
      v.array(Day, 'days must be an array of days, such as ["mon", "tue"].'),
      v.minLength(1, "days must name at least one day."),
      v.maxLength(DAYS.length, `days must name at most ${DAYS.length} days.`),
      v.transform((days) => DAYS.filter((day) => days.includes(day))),
    ),
    from: timeOfDay("from", /^(?:[01]\d|2[0-3]):[0-5]\d$/, '"23:59"'),
    to: timeOfDay("to", /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, '"24:00"'),
  },
  "A restriction must be an object: {days, from, to}.",
);
export type Restriction = v.InferOutput<typeof Restriction>;

const START_MESSAGE =
  "start must be a local date and time such as 2026-03-02T09:00 (in the schedule's time zone) " +
  `or an ISO 8601 timestamp such as 2026-03-02T08:00:00Z, of a year from ${YEAR_MIN} to ${YEAR_MAX}.`;
const EVERY_MESSAGE = `every must be a whole number from 1 to ${EVERY_MAX}.`;
const FIRST_MESSAGE = "first must be the place of a participant in the list, counted from 0.";

/**
 * A rotation: its participants take turns, each for `every` units, from `start` on. `person`: how a participant is named,
 * by the id in the interface, by the e-mail address in a file.
 */
const layerOf = (person: v.GenericSchema<unknown, string>) =>
  v.pipe(
    v.strictObject(
      {
        start: v.pipe(
          v.string(START_MESSAGE),
          v.check((text) => readClock(text) !== undefined, START_MESSAGE),
        ),
        every: v.pipe(
          v.number(EVERY_MESSAGE),
          v.integer(EVERY_MESSAGE),
          v.minValue(1, EVERY_MESSAGE),
          v.maxValue(EVERY_MAX, EVERY_MESSAGE),
        ),
        unit: v.picklist(["hour", "day", "week"], "unit must be one of hour, day, week."),
        participants: v.pipe(
          v.array(person, "participants must be an array of people."),
          v.maxLength(PARTICIPANTS_MAX, `participants must have at most ${PARTICIPANTS_MAX} users.`),
        ),
        /** Which participant has the shift that begins at `start`; the first of the list where it is missing. */
        first: v.exactOptional(v.pipe(v.number(FIRST_MESSAGE), v.integer(FIRST_MESSAGE), v.minValue(0, FIRST_MESSAGE))),
        /** Without any, the layer is always on duty. */
        restrictions: v.exactOptional(
          v.pipe(
            v.array(Restriction, "restrictions must be an array."),
            v.maxLength(RESTRICTIONS_MAX, `restrictions must have at most ${RESTRICTIONS_MAX} entries.`),
          ),
        ),
      },
      "A layer must be an object: {start, every, unit, participants, restrictions?}.",
    ),
    v.forward(
      v.partialCheck(
        [["first"], ["participants"]],
        ({ first = 0, participants }) => first === 0 || first < participants.length,
        FIRST_MESSAGE,
      ),
      ["first"],
    ),
  );
export type Layer = v.InferOutput<ReturnType<typeof layerOf>>;

const ZONE_MESSAGE = "timeZone must be a name of the IANA time zone database, such as Europe/Berlin.";

/** A name of the IANA time zone database. */
export const TimeZone = v.pipe(v.string(ZONE_MESSAGE), v.check(isTimeZone, ZONE_MESSAGE));

/** The fields of a schedule whose participants are named by `person`. */
export const scheduleEntries = (person: v.GenericSchema<unknown, string>) => ({
  timeZone: TimeZone,
  layers: v.pipe(
    v.array(layerOf(person), "layers must be an array."),
    v.maxLength(LAYERS_MAX, `layers must have at most ${LAYERS_MAX} entries.`),
  ),
});

/** Who is on call in a group. Of the layers that have somebody on duty, the last of the list decides. */
export const OnCallSchedule = v.object(scheduleEntries(UserId), "A schedule must be an object: {timeZone, layers}.");
export type OnCallSchedule = v.InferOutput<typeof OnCallSchedule>;
