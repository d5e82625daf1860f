import { expect, it } from "vitest";
import { listMonthMidnights, sumTimeOnCall } from "../../console/pages/on-call/loads.ts";

const toMs = (day: number, hour = 0): number => new Date(2026, 10, day, hour).getTime();

it("a month's on-call load counts each day of the month, also if the clock changes on that day", () => {
  const days = listMonthMidnights(toMs(25, 17));
  expect(days).toHaveLength(31);
  expect([days[0], days.at(-1)]).toEqual([toMs(1), new Date(2026, 11, 1).getTime()]);
});

it("the on-call load of a person is the time on call in the month, alone or with others, and the part of it on weekends", () => {
  const days = listMonthMidnights(toMs(1));
  const hoursToMs = (n: number): number => n * 3_600_000;

  expect(
    sumTimeOnCall(
      [
        // From the last day of October to Sunday, 1 November, at noon.
        { start: toMs(0), end: toMs(1, 12), userIds: ["ann"] },
        // Friday to Monday.
        { start: toMs(6, 18), end: toMs(9, 8), userIds: ["bob", "ann"] },
        { start: toMs(9, 8), end: toMs(9, 20), userIds: [] },
        { start: toMs(30, 23), end: toMs(32), userIds: ["ann"] },
      ],
      days,
    ),
  ).toEqual([
    { userId: "ann", ms: hoursToMs(12 + 62 + 1), weekendMs: hoursToMs(12 + 48) },
    { userId: "bob", ms: hoursToMs(62), weekendMs: hoursToMs(48) },
  ]);
  expect(sumTimeOnCall([], days)).toEqual([]);
});
