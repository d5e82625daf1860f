import { describe, expect, test } from "vitest";
import type { Day, Restriction } from "../../../../../core/domain/basics/clock/week.ts";
import { isWholeWeek, compileWeekOverlap, compileWeekHours } from "../../../../../core/domain/basics/clock/weekly.ts";
import { getZone } from "../../../../../core/domain/basics/clock/zone.ts";
import { at } from "../../on-call/support.ts";
import { respell } from "./support.ts";

const every: Day[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
/** Reads weekly hours such as "mon-fri 09:00-17:00, sat 10:00-12:00"; the days are `daily`, `mon-fri` or one day. */
const parseHours = (text: string): Restriction[] =>
  text.split(", ").map((range) => {
    const [days = "", from = "", to = ""] = range.split(/ |-(?=\d)/);
    return { days: days === "daily" ? every : days === "mon-fri" ? every.slice(0, 5) : [days as Day], from, to };
  });
const OFFICE = "mon-fri 09:00-17:00";

describe("weekly hours", () => {
  test.each([
    [OFFICE, "UTC", "2026-03-04T08:59:59.999Z", false, "2026-03-04T09:00:00Z"],
    [OFFICE, "UTC", "2026-03-04T09:00:00Z", true, "2026-03-04T17:00:00Z"],
    [OFFICE, "UTC", "2026-03-04T17:00:00Z", false, "2026-03-05T09:00:00Z"],
    [OFFICE, "UTC", "2026-03-06T17:00:00Z", false, "2026-03-09T09:00:00Z"],
    [OFFICE, "Asia/Tokyo", "2026-03-04T00:00:00Z", true, "2026-03-04T08:00:00Z"],
    [OFFICE, "America/New_York", "2026-03-04T15:00:00Z", true, "2026-03-04T22:00:00Z"],
    // Adjacent ranges are merged in any order, including over midnight and from Sunday into Monday.
    ["tue 12:00-18:00, tue 08:00-12:00", "UTC", "2026-03-03T09:00:00Z", true, "2026-03-03T18:00:00Z"],
    ["tue 08:00-20:00, tue 09:00-10:00, wed 00:00-01:00", "UTC", "2026-03-03T11:00:00Z", true, "2026-03-03T20:00:00Z"],
    ["sun 22:00-24:00, mon 00:00-06:00", "UTC", "2026-03-08T23:00:00Z", true, "2026-03-09T06:00:00Z"],
    ["sun 22:00-06:00", "UTC", "2026-03-09T05:00:00Z", true, "2026-03-09T06:00:00Z"],
    // The hour between 02:00 and 03:00 is skipped, or occurs twice.
    ["sun 01:00-02:30", "Europe/Berlin", "2026-03-29T00:30:00Z", true, "2026-03-29T01:00:00Z"],
    ["sun 01:00-02:30", "Europe/Berlin", "2026-03-29T01:00:00Z", false, "2026-04-04T23:00:00Z"],
    ["sun 01:00-02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", false, "2026-11-01T00:00:00Z"],
    ["sun 01:00-02:30", "Europe/Berlin", "2026-10-25T01:15:00Z", false, "2026-11-01T00:00:00Z"],
  ])("of %s in the time zone %s include the instant %s: %s; this changes at %s", (hours, zone, time, within, until) => {
    expect(compileWeekHours(getZone(respell(zone)), parseHours(hours))(at(time))).toEqual({
      within,
      until: at(until),
    });
  });

  test("include no instant if the list of hours is empty", () => {
    expect(compileWeekHours(getZone("UTC"), [])(0)).toEqual({ within: false, until: Infinity });
  });
});

test.each([
  ["daily 00:00-24:00", true, "cover"],
  ["daily 08:00-08:00", true, "cover"],
  ["daily 08:00-20:00, daily 20:00-08:00", true, "cover"],
  ["daily 08:00-20:00, daily 20:01-08:00", false, "do not cover"],
  ["daily 00:01-24:00", false, "do not cover"],
  [OFFICE, false, "do not cover"],
])("the weekly hours %s $2 the whole week", (hours, whole) => {
  expect(isWholeWeek(parseHours(hours))).toBe(whole);
});

describe("a period of local time", () => {
  test.each<[string, string, boolean, string]>([
    ["2026-03-04T16:59:59Z", "2026-03-04T20:00:00Z", true, "overlaps"],
    ["2026-03-04T17:00:00Z", "2026-03-05T09:00:00Z", false, "does not overlap"],
    ["2026-03-04T17:00:00Z", "2026-03-05T09:00:01Z", true, "overlaps"],
    ["2026-03-06T17:00:00Z", "2026-03-09T09:00:00Z", false, "does not overlap"],
    ["2026-03-06T17:00:00Z", "2026-03-09T09:00:01Z", true, "overlaps"],
    ["2026-03-04T10:00:00Z", "2026-03-04T10:00:00Z", false, "does not overlap"],
    ["2026-03-07T00:00:00Z", "2026-03-14T00:00:00Z", true, "overlaps"],
    ["1969-12-31T10:00:00Z", "1969-12-31T11:00:00Z", true, "overlaps"],
    ["1969-12-27T10:00:00Z", "1969-12-27T11:00:00Z", false, "does not overlap"],
  ])("from %s to %s $3 office hours", (from, to, meets) => {
    expect(compileWeekOverlap(parseHours(OFFICE))([at(from), at(to)])).toBe(meets);
    expect(compileWeekOverlap([])([at(from), at(to)])).toBe(false);
  });
});
