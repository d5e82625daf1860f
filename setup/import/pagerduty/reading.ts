import type { Layer, Reference, Schedule } from "./shape.ts";
import { DAY_MS } from "../../../core/domain/basics/units.ts";

/* This file shares no code with the conversion, so that a comparison of both finds errors. */

/** Monday, 1970-01-05, in ms since 1970. */
const MONDAY = 4 * DAY_MS;

type LocalClock = (ms: number) => number;

/** Returns whether a layer's restrictions include a local time. Without restrictions, all times are included. */
const isWithinRestrictions = ({ restrictions }: Layer, localMs: number): boolean => {
  if (restrictions === null || restrictions.length === 0) return true;
  return restrictions.some(({ type, start_time_of_day, duration_seconds, start_day_of_week }) => {
    const daily = type === "daily_restriction";
    const cycle = daily ? DAY_MS : 7 * DAY_MS;
    const begin = start_time_of_day * 1_000 + (daily ? 0 : (start_day_of_week - 1) * DAY_MS);
    const since = (((localMs - MONDAY - begin) % cycle) + cycle) % cycle;
    return since < duration_seconds * 1_000;
  });
};

/** Returns who is on call in a layer at `instant`, when the local time is `localMs`; undefined if nobody is on call. */
const findUserOnCall = (layer: Layer, instant: number, localMs: number, clock: LocalClock): Reference | undefined => {
  const { start, end, rotation_virtual_start, rotation_turn_length_seconds, users } = layer;
  if (instant < start || (typeof end === "number" && instant >= end) || users.length === 0) return undefined;
  if (!isWithinRestrictions(layer, localMs)) return undefined;
  const turn = Math.floor((localMs - clock(rotation_virtual_start)) / (rotation_turn_length_seconds * 1_000));
  return users[((turn % users.length) + users.length) % users.length]?.user;
};

/** Returns a function that lists who is on call. `clock`: returns the schedule's local time; `nameOf`: a user's name. */
export const createOnCallReader =
  (schedule: Schedule, clock: LocalClock, nameOf: (user: Reference) => string | undefined) =>
  (ms: number, localMs: number): string[] => {
    const overriding = (schedule.overrides_subschedule?.rendered_schedule_entries ?? []).filter(
      ({ start, end }) => start <= ms && ms < end,
    );
    const users =
      overriding.length > 0
        ? overriding.map(({ user }) => user)
        : [
            (schedule.schedule_layers ?? [])
              .map((layer) => findUserOnCall(layer, ms, localMs, clock))
              .find((user) => user !== undefined),
          ];
    return users.flatMap((user) => (user === undefined || user === null ? [] : (nameOf(user) ?? [])));
  };

/** Returns a function that lists the people on call by the schedule that PagerDuty rendered; undefined without this schedule. */
export const readRenderedSchedule = (
  { final_schedule }: Schedule,
  nameOf: (user: Reference) => string | undefined,
): ((ms: number) => string[]) | undefined => {
  const entries = final_schedule?.rendered_schedule_entries ?? [];
  if (entries.length === 0) return undefined;
  return (ms) =>
    entries
      .filter(({ start, end }) => start <= ms && ms < end)
      .flatMap(({ user }) => (user === undefined || user === null ? [] : (nameOf(user) ?? [])));
};
