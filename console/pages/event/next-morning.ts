import { DAY_MS, MINUTE_MS } from "../../../core/domain/basics/units.ts";

const LEAST_MINUTES = 5;
const MORNING_HOUR = 9;

/** Undefined if 9:00 in the reader's time zone is too late for a snooze. */
export const nextMorning = (at: number): number | undefined => {
  const morning = new Date(at);
  morning.setHours(MORNING_HOUR, 0, 0, 0);
  if (morning.getTime() < at + LEAST_MINUTES * MINUTE_MS) morning.setDate(morning.getDate() + 1);
  return morning.getTime() - at > DAY_MS ? undefined : morning.getTime();
};
