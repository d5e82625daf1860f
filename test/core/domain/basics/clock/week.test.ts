import * as v from "valibot";
import { expect, it } from "vitest";
import { getDayIndex, Restriction, TimeZone } from "../../../../../core/domain/basics/clock/week.ts";

const hours = (fields: object) => ({ days: ["mon"], from: "09:00", to: "17:00", ...fields });

it.each([
  ["short names", ["mon", "sun"], ["mon", "sun"]],
  ["names in any order and case", ["Sunday", "TUE", "wednesday"], ["tue", "wed", "sun"]],
  ["numbers in any order", [7, 1], ["mon", "sun"]],
  ["the short name, the long name and the number of the same day", ["fri", "friday", 5], ["fri"]],
  ["all seven numbers", [1, 2, 3, 4, 5, 6, 7], ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]],
])("weekdays that are written as %s are read as short names, each once, in the order of the week", (_, days, read) => {
  expect(v.parse(Restriction, hours({ days }))).toEqual(hours({ days: read }));
});

it("weekdays are numbered from Monday", () => {
  expect([getDayIndex("mon"), getDayIndex("thu"), getDayIndex("sun")]).toEqual([0, 3, 6]);
});

it.each([0, 8, 1.5, "0", "1", "m", "mo", "", "monday ", null])("the value %j is refused as a weekday", (day) => {
  expect(v.safeParse(Restriction, hours({ days: [day] })).issues?.[0].message).toBe(
    "A day must be one of mon, tue, wed, thu, fri, sat, sun, an English name, or a number from 1 (Monday) to 7.",
  );
});

it.each([
  ["no day", "days must name at least one day.", { days: [] }],
  ["eight days", "days must name at most 7 days.", { days: ["mon", "mon", "mon", "mon", "mon", "mon", "mon", "mon"] }],
  ["a day that is not in an array", 'days must be an array of days, such as ["mon", "tue"].', { days: "mon" }],
  ...["24:00", "9:00", "09:60", "29:00", "09:00:00", " 09:00", 9].map((from): [string, string, object] => [
    `the start ${JSON.stringify(from)}`,
    'from must be a time of day as "HH:MM", from "00:00" to "23:59".',
    { from },
  ]),
  ...["24:01", "25:00", "124:00", "17:00 "].map((to): [string, string, object] => [
    `the end ${JSON.stringify(to)}`,
    'to must be a time of day as "HH:MM", from "00:00" to "24:00".',
    { to },
  ]),
])("weekly hours with %s are refused with the message: %s", (_, message, fields) => {
  expect(v.safeParse(Restriction, hours(fields)).issues?.[0].message).toBe(message);
});

it("weekly hours may begin at 00:00, and end at 24:00", () => {
  expect(v.is(Restriction, hours({ from: "00:00", to: "24:00" }))).toBe(true);
  expect(v.is(Restriction, hours({ from: "23:59", to: "00:00" }))).toBe(true);
});

it("a time zone must be a name of the IANA database", () => {
  const messageFor = (zone: unknown) => v.safeParse(TimeZone, zone).issues?.[0].message;

  expect(messageFor("Europe/Berlin")).toBeUndefined();
  expect([messageFor("+01:00"), messageFor(1)]).toEqual([
    "timeZone must be an IANA time zone, such as Europe/Berlin.",
    "timeZone must be an IANA time zone, such as Europe/Berlin.",
  ]);
});
