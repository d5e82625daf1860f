import { describe, expect, it } from "vitest";
import {
  countBlankDays,
  findDayForKey,
  findDayIndex,
  isInChosenDays,
  cutShiftsToDay,
  computeSpanOfChosenDays,
} from "../../console/pages/on-call/month-days.ts";

const HOUR = 3_600_000;
const days = [0, 24, 48, 72].map((hour) => hour * HOUR);

describe("the month of the on-call calendar", () => {
  it.each([
    ["a Monday", 23, 0],
    ["a Saturday", 28, 5],
    ["a Sunday", 29, 6],
  ])("that begins on %s has $2 blank days before it", (_, day, blank) => {
    expect(countBlankDays(new Date(2026, 10, day).getTime())).toBe(blank);
  });

  it.each([
    ["before the month begins, the first day", -1, 0],
    ["at midnight, the new day", 24 * HOUR, 1],
    ["until just before midnight, the old day", 48 * HOUR - 1, 1],
    ["after the month has ended, the last day", 100 * HOUR, 3],
  ])("marks exactly one day as today: %s", (_, now, index) => {
    expect(findDayIndex(days, now)).toBe(index);
  });

  it("shows the parts of shifts within a day, and no shift that only touches the day", () => {
    const shift = (start: number, end: number) => ({
      start: start * HOUR,
      end: end * HOUR,
      userIds: [],
      isOverride: false,
    });

    const shown = cutShiftsToDay([shift(0, 24), shift(20, 30), shift(30, 60), shift(48, 50)], 24 * HOUR, 48 * HOUR);

    expect(shown.map(({ start, end }) => [start / HOUR, end / HOUR])).toEqual([
      [24, 30],
      [30, 48],
    ]);
  });

  it.each([
    ["ArrowLeft", 0, 0],
    ["ArrowRight", 29, 29],
    ["ArrowUp", 10, 3],
    ["ArrowDown", 10, 17],
    ["Home", 10, 0],
    ["End", 10, 29],
  ])("moves the focus within the month if the key is %s: from day index %i to day index %i", (key, from, to) => {
    expect(findDayForKey(from, key, 30)).toBe(to);
  });

  it("does not move the focus if the key is Enter", () => {
    expect(findDayForKey(10, "Enter", 30)).toBeUndefined();
  });

  it.each([
    ["forwards", { anchor: 0, at: 1 }],
    ["backwards", { anchor: 1, at: 0 }],
  ])("has a selection from the first to the last chosen day, if the days are chosen %s", (_, chosen) => {
    expect(computeSpanOfChosenDays(chosen, days)).toEqual({ start: 0, end: 48 * HOUR });
    expect([0, 1, 2].map((index) => isInChosenDays(chosen, index))).toEqual([true, true, false]);
  });
});
