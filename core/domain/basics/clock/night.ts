import { DAY_MS, HOUR_MS } from "../units.ts";
import { zoneOf } from "./zone.ts";

/** The local hours of the night, in which a notification wakes somebody. */
const NIGHT_FROM_HOUR = 22;
const NIGHT_TO_HOUR = 7;

/** The hours that divide a local day into night and day: the end of the night, its beginning, and midnight. */
export const NIGHT_BOUNDS = [NIGHT_TO_HOUR, NIGHT_FROM_HOUR, DAY_MS / HOUR_MS] as const;

/** Returns whether a wall clock's reading (milliseconds) is in the night. */
export const isNightAt = (local: number): boolean => {
  const hour = Math.floor((local % DAY_MS) / HOUR_MS);
  return hour >= NIGHT_FROM_HOUR || hour < NIGHT_TO_HOUR;
};

/** Returns whether an instant (milliseconds) is in the night of a time zone. */
export const isNightIn = (zone: string, at: number): boolean => isNightAt(at + zoneOf(zone).offsetAt(at));
