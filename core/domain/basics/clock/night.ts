import { DAY_MS, HOUR_MS } from "../units.ts";
import { zoneOf } from "./zone.ts";

/** The local hours of the night, in which a notification wakes somebody. */
const NIGHT_FROM_HOUR = 22;
const NIGHT_TO_HOUR = 7;

/** Whether an instant (milliseconds) is in the night of a time zone. */
export const isNightIn = (zone: string, at: number): boolean => {
  const hour = Math.floor(((at + zoneOf(zone).offsetAt(at)) % DAY_MS) / HOUR_MS);
  return hour >= NIGHT_FROM_HOUR || hour < NIGHT_TO_HOUR;
};
