import * as v from "valibot";
import { toIssuePath } from "../basics/refusal.ts";
import { wholeNumberSchema } from "../basics/number.ts";
import { readClock, YEAR_MAX, YEAR_MIN } from "../basics/clock/clock-text.ts";
import { Restriction, TimeZone } from "../basics/clock/week.ts";
import { getZone, type Zone } from "../basics/clock/zone.ts";
import { UserId } from "../basics/user-id.ts";
import {
  EVERY_MAX,
  HOLIDAYS_MAX,
  LAYERS_MAX,
  REMIND_HOURS_MAX,
  REST_HOURS_MAX,
  RESTRICTIONS_MAX,
  SCHEDULE_PEOPLE_MAX,
  TURN_PEOPLE_MAX,
  TURNS_MAX,
} from "./limits.ts";

const clockTimeSchema = (field: string) => {
  const message =
    `${field} must be a local date and time such as 2026-03-02T09:00 (in the schedule's time zone) ` +
    `or an ISO 8601 timestamp such as 2026-03-02T08:00:00Z, in the years ${YEAR_MIN} to ${YEAR_MAX}.`;
  return v.pipe(
    v.string(message),
    v.check((text) => readClock(text) !== undefined, message),
  );
};

const TURN_MESSAGE = "A turn must be a user or an array of users; an empty array puts nobody on call.";

/** Returns the schema of a turn: one user, several users together, or nobody. */
const turnSchema = (person: v.GenericSchema<unknown, string>) =>
  v.union(
    [
      person,
      v.pipe(
        v.array(person),
        v.maxLength(TURN_PEOPLE_MAX, `A turn must have at most ${TURN_PEOPLE_MAX} users.`),
        v.check((users) => new Set(users).size === users.length, "A turn must name each user once."),
      ),
    ],
    TURN_MESSAGE,
  );
export type Turn = v.InferOutput<ReturnType<typeof turnSchema>>;

/** Returns the users of a turn; none for undefined. */
export const toUserIds = (turn: Turn | undefined): readonly string[] =>
  typeof turn === "string" ? [turn] : (turn ?? []);

const FIRST_MESSAGE = "first must be the index of a turn in participants, from 0.";

/** Returns the schema of a rotation. `person`: the schema of an id in the API, or of an email address in a setup file. */
const layerSchema = (person: v.GenericSchema<unknown, string>) =>
  v.pipe(
    v.strictObject(
      {
        start: clockTimeSchema("start"),
        /** The end, in the format of `start`; by default, the layer never ends. */
        until: v.exactOptional(clockTimeSchema("until")),
        every: wholeNumberSchema("every", 1, EVERY_MAX),
        unit: v.picklist(["hour", "day", "week", "month"], "unit must be one of hour, day, week, month."),
        participants: v.pipe(
          v.array(turnSchema(person), "participants must be an array of turns."),
          v.maxLength(TURNS_MAX, `participants must have at most ${TURNS_MAX} turns.`),
        ),
        /** `calendar` (default): the next participant follows after each turn; `duty`: only after turns within `restrictions`. */
        turns: v.exactOptional(v.picklist(["calendar", "duty"], "turns must be calendar or duty.")),
        /** The index of the turn that begins at `start`, by default 0. */
        first: v.exactOptional(v.pipe(v.number(FIRST_MESSAGE), v.integer(FIRST_MESSAGE), v.minValue(0, FIRST_MESSAGE))),
        /** Without restrictions, the layer always applies. */
        restrictions: v.exactOptional(
          v.pipe(
            v.array(Restriction, "restrictions must be an array."),
            v.maxLength(RESTRICTIONS_MAX, `restrictions must have at most ${RESTRICTIONS_MAX} entries.`),
          ),
        ),
      },
      "A layer must be an object: {start, every, unit, participants, until?, turns?, restrictions?}.",
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
export type Layer = v.InferOutput<ReturnType<typeof layerSchema>>;

export const listLayerUsers = ({ participants }: Pick<Layer, "participants">): string[] =>
  participants.flatMap(toUserIds);

/** A layer's start and end, each as an instant and as a local time, in milliseconds. */
type LayerTimes = { startMs: number; startLocal: number; endMs: number; endLocal: number };

/** Reads the layer's start and end; Infinity for a time that is absent or invalid. */
export const readLayerTimes = ({ start, until }: Pick<Layer, "start" | "until">, zone: Zone): LayerTimes => {
  const readTime = (text = "") => {
    const reading = readClock(text);
    if (reading === undefined) return { ms: Infinity, local: Infinity };
    return reading.kind === "local"
      ? { ms: zone.instantOf(reading.local), local: reading.local }
      : { ms: reading.ms, local: reading.ms + zone.offsetAt(reading.ms) };
  };
  const [begin, end] = [readTime(start), readTime(until)];
  return { startMs: begin.ms, startLocal: begin.local, endMs: end.ms, endLocal: end.local };
};

const DATE_MESSAGE = "A holiday must be a date such as 2026-12-25.";
const DATE_SHAPE = /^\d{4}-\d\d-\d\d$/;
const Holiday = v.pipe(v.string(DATE_MESSAGE), v.regex(DATE_SHAPE, DATE_MESSAGE));

/** Returns the schema of holidays: dates in the schedule's time zone. A stored date may be invalid, such as February 30. */
const holidaysSchema = (holiday: v.GenericSchema<string>) =>
  v.exactOptional(
    v.pipe(
      v.array(holiday, "holidays must be a list of dates."),
      v.maxLength(HOLIDAYS_MAX, `holidays must have at most ${HOLIDAYS_MAX} entries.`),
    ),
  );
export const StoredHolidays = holidaysSchema(Holiday);

/** Returns the schemas of a schedule's fields. `person`: the schema of an id (API) or an email address (setup file). */
export const scheduleFields = (person: v.GenericSchema<unknown, string>) => ({
  timeZone: TimeZone,
  layers: v.pipe(
    v.array(layerSchema(person), "layers must be an array."),
    v.maxLength(LAYERS_MAX, `layers must have at most ${LAYERS_MAX} entries.`),
    v.check(
      (layers) => layers.flatMap(listLayerUsers).length <= SCHEDULE_PEOPLE_MAX,
      `layers must have at most ${SCHEDULE_PEOPLE_MAX} users in all turns together.`,
    ),
  ),
  holidays: holidaysSchema(
    v.pipe(
      Holiday,
      v.check((date) => !DATE_SHAPE.test(date) || readClock(`${date}T00:00`) !== undefined, DATE_MESSAGE),
    ),
  ),
  /** The rest before and after a cover, by default 11 hours. */
  restHours: v.exactOptional(wholeNumberSchema("restHours", 0, REST_HOURS_MAX)),
  /** How long before a shift without a cover the managers are notified, by default 24 hours. */
  remindHours: v.exactOptional(wholeNumberSchema("remindHours", 0, REMIND_HOURS_MAX)),
});

type ScheduleFields = { timeZone: string; layers: Layer[] };

/** Returns a check that each layer ends after its start, in the schedule's time zone. */
export const checkEndAfterStart = <Schedule extends ScheduleFields>() =>
  v.rawCheck<Schedule>(({ dataset, addIssue }) => {
    if (!dataset.typed || dataset.issues !== undefined) return;
    const { value } = dataset;
    const zone = getZone(value.timeZone);
    for (const [index, layer] of value.layers.entries()) {
      const { startMs, endMs } = readLayerTimes(layer, zone);
      if (endMs > startMs) continue;
      addIssue({ message: "until must be later than start.", path: toIssuePath(value, "layers", index, "until") });
    }
  });

/** The last layer with somebody on duty decides who is on call. */
export const OnCallSchedule = v.pipe(
  v.strictObject(scheduleFields(UserId), "A schedule must be an object: {timeZone, layers}."),
  checkEndAfterStart(),
);
export type OnCallSchedule = v.InferOutput<typeof OnCallSchedule>;

/** Lists the users in the order of the turns, each user once per turn. */
export const listScheduleUsers = ({ layers }: Pick<OnCallSchedule, "layers">): string[] =>
  layers.flatMap(listLayerUsers);
