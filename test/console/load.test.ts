import { expect, it } from "vitest";
import { daysOfMonth, sumLoads } from "../../console/pages/on-call/loads.ts";

const at = (day: number, hour = 0): number => new Date(2026, 10, day, hour).getTime();

it("a month's on-call load counts each day of the month, also if the clock changes on that day", () => {
  const days = daysOfMonth(at(25, 17));
  expect(days).toHaveLength(31);
  expect([days[0], days.at(-1)]).toEqual([at(1), new Date(2026, 11, 1).getTime()]);
});

it("the on-call load counts each person's own and shared shifts and weekends within the month", () => {
  const days = daysOfMonth(at(1));
  const hours = (n: number): number => n * 3_600_000;

  expect(
    sumLoads(
      [
        // From the last day of October to Sunday, 1 November, at noon.
        { start: at(0), end: at(1, 12), userIds: ["ann"] },
        // Friday to Monday.
        { start: at(6, 18), end: at(9, 8), userIds: ["bob", "ann"] },
        { start: at(9, 8), end: at(9, 20), userIds: [] },
      ],
      days,
    ),
  ).toEqual([
    { userId: "ann", ms: hours(12 + 62), weekendMs: hours(12 + 48) },
    { userId: "bob", ms: hours(62), weekendMs: hours(48) },
  ]);
  expect(sumLoads([], days)).toEqual([]);
});
