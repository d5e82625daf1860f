import { describe, expect, it } from "vitest";
import {
  ALWAYS,
  listCommonHours,
  EVERY_DAY,
  createDailyHours,
  listUncoveredHours,
  doSpansOverlap,
  toRestrictions,
} from "../../../setup/import/hours.ts";

const HOUR = 60;
const [MON, TUE, FRI, SUN] = [0, 1, 4, 6].map((day) => day * 24 * HOUR) as [number, number, number, number];
const createSpan = (from: number, hours: number) => ({ from, to: from + hours * HOUR });
const all = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

describe("the weekly hours of an import", () => {
  it.each([
    ["the whole week", ALWAYS, []],
    ["every day", createDailyHours(EVERY_DAY, 9 * HOUR, 8 * HOUR), [{ days: all, from: "09:00", to: "17:00" }]],
    ["past midnight", createDailyHours(EVERY_DAY, 22 * HOUR, 8 * HOUR), [{ days: all, from: "22:00", to: "06:00" }]],
    ["until midnight", createDailyHours([1], 22 * HOUR + 5, 115), [{ days: ["tue"], from: "22:05", to: "24:00" }]],
    [
      "one after the other",
      [createSpan(MON + 9 * HOUR, 3), createSpan(MON + 12 * HOUR, 5)],
      [{ days: ["mon"], from: "09:00", to: "17:00" }],
    ],
    [
      "hours within other hours",
      [createSpan(MON + 9 * HOUR, 8), createSpan(MON + 10 * HOUR, 1)],
      [{ days: ["mon"], from: "09:00", to: "17:00" }],
    ],
    [
      "later hours first",
      [createSpan(TUE, 2), createSpan(MON, 2)],
      [{ days: ["mon", "tue"], from: "00:00", to: "02:00" }],
    ],
    [
      "over the end of the week",
      [createSpan(SUN + 20 * HOUR, 10), createSpan(MON, 8)],
      [{ days: ["sun"], from: "20:00", to: "08:00" }],
    ],
    [
      "longer than a day",
      [createSpan(FRI + 17 * HOUR, 64)],
      [
        { days: ["fri", "sat"], from: "17:00", to: "17:00" },
        { days: ["sun"], from: "17:00", to: "09:00" },
      ],
    ],
    ["all of the week in two parts", [createSpan(MON, 72), createSpan(MON + 72 * HOUR, 96)], []],
    [
      "all of the week but a minute",
      [{ from: MON, to: 7 * 24 * HOUR - 1 }],
      [
        { days: all.slice(0, 6), from: "00:00", to: "24:00" },
        { days: ["sun"], from: "00:00", to: "23:59" },
      ],
    ],
  ])("become hour restrictions of a rotation: %s", (_, spans, restrictions) => {
    expect(toRestrictions(spans)).toEqual(restrictions);
  });

  it.each([
    [
      "do not overlap other hours that begin when they end",
      [createSpan(MON, 2)],
      [createSpan(MON + 2 * HOUR, 2)],
      false,
      [],
    ],
    [
      "overlap other hours that begin during them",
      [createSpan(MON, 2)],
      [createSpan(MON + HOUR, 2)],
      true,
      [createSpan(MON + HOUR, 1)],
    ],
    [
      "overlap hours on Monday if they continue from Sunday to Monday",
      [createSpan(SUN + 20 * HOUR, 10)],
      [createSpan(MON, 2)],
      true,
      [createSpan(MON, 2)],
    ],
    [
      "do not overlap hours that end on Sunday when they begin",
      [createSpan(SUN + 20 * HOUR, 10)],
      [createSpan(SUN, 20)],
      false,
      [],
    ],
    ["do not overlap any hours if they are empty", [], [createSpan(MON, 2)], false, []],
  ])("%s", (_, some, others, meet, both) => {
    expect([doSpansOverlap(some, others), doSpansOverlap(others, some)]).toEqual([meet, meet]);
    expect([listCommonHours(some, others), listCommonHours(others, some)]).toEqual([both, both]);
  });

  it("and the hours outside of them make up the whole week", () => {
    expect(listUncoveredHours(ALWAYS)).toEqual([]);
    expect(listUncoveredHours([])).toEqual(ALWAYS);
    expect(listUncoveredHours([createSpan(SUN + 20 * HOUR, 10)])).toEqual([createSpan(MON + 6 * HOUR, 6 * 24 + 14)]);
  });
});
