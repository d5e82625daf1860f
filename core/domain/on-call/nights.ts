import { NIGHT_MS, countNightMsBetween } from "../basics/clock/night.ts";
import { getZone } from "../basics/clock/zone.ts";
import { DAY_MS } from "../basics/units.ts";
import type { DutyGroup } from "./duty.ts";
import { listStretches } from "./stretches.ts";

export const NIGHTS_WEEKS = 12;

export type NightChange = { userId: string; before: number; after: number };

/** Counts each person's nights on call in local time, on all days of the week. Skips people whom events would not notify. */
const countNights = (group: DutyGroup, from: number, to: number): Map<string, number> => {
  const zone = getZone(group.schedule.timeZone);
  const sums = new Map<string, number>();
  for (const { start, end, people } of listStretches(group, from, to)) {
    const ms = countNightMsBetween(start + zone.offsetAt(start), end + zone.offsetAt(end));
    for (const { userId, blocked } of people) if (blocked === undefined) sums.set(userId, (sums.get(userId) ?? 0) + ms);
  }
  return new Map([...sums].map(([userId, ms]) => [userId, Math.round(ms / NIGHT_MS)]));
};

/** Returns whose number of nights changes in the 12 weeks after `from` (milliseconds). */
export const compareNights = (before: DutyGroup, after: DutyGroup, from: number): NightChange[] => {
  const to = from + NIGHTS_WEEKS * 7 * DAY_MS;
  const [was, is] = [countNights(before, from, to), countNights(after, from, to)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((userId) => ({ userId, before: was.get(userId) ?? 0, after: is.get(userId) ?? 0 }))
    .filter((change) => change.before !== change.after);
};
