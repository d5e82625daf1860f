import { DAY_MS, HOUR_MS } from "../units.ts";
import { getZone } from "./zone.ts";

/** The hours at which the night begins and ends on a local clock. At night, a notification wakes people. */
const NIGHT_FROM_HOUR = 22;
const NIGHT_TO_HOUR = 7;

/** The hours of the day at which the night ends, the night begins, and the day ends. */
export const NIGHT_BOUNDS = [NIGHT_TO_HOUR, NIGHT_FROM_HOUR, DAY_MS / HOUR_MS] as const;

/** Returns whether it is night. `local`: the time on a local clock, in milliseconds. */
export const isNightAt = (local: number): boolean => {
  const hour = Math.floor((local % DAY_MS) / HOUR_MS);
  return hour >= NIGHT_FROM_HOUR || hour < NIGHT_TO_HOUR;
};

export const NIGHT_MS = (24 - NIGHT_FROM_HOUR + NIGHT_TO_HOUR) * HOUR_MS;

/** Returns how many milliseconds between two local times (ms) are at night. */
export const countNightMsBetween = (localFrom: number, localTo: number): number => {
  let sum = 0;
  for (
    let evening = Math.floor(localFrom / DAY_MS) * DAY_MS - (24 - NIGHT_FROM_HOUR) * HOUR_MS;
    evening < localTo;
    evening += DAY_MS
  )
    sum += Math.max(0, Math.min(localTo, evening + NIGHT_MS) - Math.max(localFrom, evening));
  return sum;
};

export const isNightIn = (timeZone: string, ms: number): boolean => isNightAt(ms + getZone(timeZone).offsetAt(ms));
