import { DAY_MS, MINUTE_MS } from "../../../core/domain/basics/units.ts";

const LEAST_MINUTES = 5;
const MORNING_HOUR = 9;

/** Returns the next 9:00 in the reader's time zone, in milliseconds. Returns undefined if 9:00 is too late for a snooze. */
export const findNextMorning = (nowMs: number): number | undefined => {
  const morning = new Date(nowMs);
  morning.setHours(MORNING_HOUR, 0, 0, 0);
  if (morning.getTime() < nowMs + LEAST_MINUTES * MINUTE_MS) morning.setDate(morning.getDate() + 1);
  return morning.getTime() - nowMs > DAY_MS ? undefined : morning.getTime();
};
