import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createWallClock, zones } from "../../../support/wall-clock.ts";
import { AHEAD_DAYS, BACK_DAYS, DAY, firstDay, lastDay, shape, compareWithCalendar } from "./feeds.ts";

/** Each feed covers this number of days, so feeds at this interval leave no gap. */
const FEED_DAYS = BACK_DAYS + AHEAD_DAYS;
const starts = Array.from(
  { length: Math.ceil((lastDay - firstDay) / DAY / FEED_DAYS) + 1 },
  (_, index) => firstDay + index * FEED_DAYS * DAY,
);

test("everybody's on-call hours match an independent calendar in 20 time zones, in every period of ten years", () => {
  expect(new Set(zones).size).toBe(20);
  for (const [zone, timeZone] of zones.entries()) {
    const clock = createWallClock(timeZone, firstDay - 100 * DAY, lastDay + 400 * DAY);
    const shapes = fc.sample(shape, { numRuns: starts.length, seed: 20_261_122 + zone });
    const years = new Map<number, number>();
    const changes = new Set(clock.changes.filter((ms) => firstDay < ms && ms < lastDay));
    for (const [index, now] of starts.entries()) {
      const { wrong, moments } = compareWithCalendar(timeZone, clock, now, shapes[index]!);
      expect(wrong, `${timeZone} at ${new Date(now).toISOString()} ${JSON.stringify(shapes[index])}`).toEqual([]);
      for (const ms of moments) {
        const year = new Date(ms).getUTCFullYear();
        years.set(year, (years.get(year) ?? 0) + 1);
        changes.delete(ms);
      }
    }
    for (let year = 2020; year < 2030; year += 1)
      expect(years.get(year), `${timeZone} in ${year}`).toBeGreaterThan(100);
    expect([...changes], `changes of the clocks of ${timeZone}`).toEqual([]);
  }
});
