import { describe, expect, test } from "vitest";
import * as v from "valibot";
import { OnCallOverrideInput, OnCallSchedule } from "../../../../core/domain/on-call/index.ts";
import { endsAfter } from "../../../../core/domain/on-call/override.ts";
import { aLayer, ann, at, bob, cyd, dan } from "./support.ts";

const faultsOf = (schema: v.GenericSchema, input: unknown): [string | null, string][] =>
  (v.safeParse(schema, input).issues ?? []).map((issue) => [v.getDotPath(issue), issue.message]);

const withLayer = (changes: object) => ({ timeZone: "Europe/Berlin", layers: [aLayer(changes)] });
const withRestriction = (changes: object) =>
  withLayer({ restrictions: [{ days: ["mon"], from: "09:00", to: "17:00", ...changes }] });

const START_MESSAGE =
  "start must be a local date and time such as 2026-03-02T09:00 (in the schedule's time zone) " +
  "or an ISO 8601 timestamp such as 2026-03-02T08:00:00Z, in the years 1970 to 2099.";
const ZONE_MESSAGE = "timeZone must be an IANA time zone, such as Europe/Berlin.";
const DAY_MESSAGE =
  "A day must be one of mon, tue, wed, thu, fri, sat, sun, an English name, or a number from 1 (Monday) to 7.";

describe("the request body for an on-call schedule", () => {
  test("is stored unchanged", () => {
    const written = withRestriction({});

    expect(v.parse(OnCallSchedule, written)).toEqual(written);
  });

  test("may have no rotations, and a rotation may have no participants", () => {
    expect(faultsOf(OnCallSchedule, { timeZone: "UTC", layers: [] })).toEqual([]);
    expect(faultsOf(OnCallSchedule, withLayer({ participants: [] }))).toEqual([]);
  });

  test("may not have unknown fields", () => {
    expect(faultsOf(OnCallSchedule, { timeZone: "UTC", layers: [], overrides: [] })).toHaveLength(1);
  });

  test.each(["Europe/Berlin", "europe/berlin", "US/Eastern", "UTC", "Etc/GMT+2", "Asia/Kolkata"])(
    "may have the time zone %s",
    (timeZone) => {
      expect(faultsOf(OnCallSchedule, { timeZone, layers: [] })).toEqual([]);
    },
  );

  test.each(["2026-02-30", "2026-13-01", "25.12.2026", 20_261_225])("refuses the holiday %j", (holiday) => {
    const holidays = ["2028-02-29", holiday];

    expect(faultsOf(OnCallSchedule, { timeZone: "UTC", layers: [], holidays })).toEqual([
      ["holidays.1", "A holiday must be a date such as 2026-12-25."],
    ]);
  });

  test.each(["", "+02:00", "GMT+2", "CEST+1", "Europe/Bärlin", " UTC", "Mars/Olympus", `A${"a".repeat(64)}`, 2, null])(
    "may not have the time zone %j",
    (timeZone) => {
      expect(faultsOf(OnCallSchedule, { timeZone, layers: [] })).toEqual([["timeZone", ZONE_MESSAGE]]);
    },
  );

  test("may have at most 10 rotations", () => {
    const input = { timeZone: "UTC", layers: Array.from({ length: 11 }, () => aLayer()) };

    expect(faultsOf(OnCallSchedule, input)).toEqual([["layers", "layers must have at most 10 entries."]]);
  });

  test("with several faults gets each fault with its place", () => {
    const input = {
      timeZone: "Nowhere",
      layers: [
        aLayer({ every: 0, first: 3 }),
        aLayer({ unit: "year", participants: [ann, "bob", [ann, "cyd"]], turns: "all" }),
      ],
    };

    expect(faultsOf(OnCallSchedule, input)).toEqual([
      ["timeZone", ZONE_MESSAGE],
      ["layers.0.every", "every must be a whole number from 1 to 1000."],
      ["layers.0.first", "first must be the index of a turn in participants, from 0."],
      ["layers.1.unit", "unit must be one of hour, day, week, month."],
      ["layers.1.participants.1", "userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef."],
      ["layers.1.participants.2.1", "userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef."],
      ["layers.1.turns", "turns must be calendar or duty."],
    ]);
  });
});

describe("the request body for a rotation", () => {
  test.each([
    "2026-03-02T09:00",
    "2026-03-02T09:00:00",
    "2026-03-02T09:00:00.5",
    "2026-03-02T08:00:00Z",
    "2026-03-02T08:00:00.000Z",
    "2026-03-02T08:00+05:30",
    "2028-02-29T09:00",
  ])("accepts the start %s", (start) => {
    expect(faultsOf(OnCallSchedule, withLayer({ start }))).toEqual([]);
  });

  test.each([
    "2026-03-02",
    "2026-03-02 09:00",
    "2026-02-29T09:00",
    "2026-13-01T09:00",
    "2026-03-02T24:00",
    "2026-03-02T09:60",
    "2026-03-02T09:00+15:00",
    "1969-12-31T23:59",
    "2100-01-01T00:00",
    "Monday",
    "",
    1_772_438_400_000,
  ])("may not start at %j", (start) => {
    expect(faultsOf(OnCallSchedule, withLayer({ start }))).toEqual([["layers.0.start", START_MESSAGE]]);
  });

  test.each([0, -1, 1.5, 1_001, "1", Number.NaN])("may not hand off every %j days", (every) => {
    expect(faultsOf(OnCallSchedule, withLayer({ every }))[0]).toEqual([
      "layers.0.every",
      "every must be a whole number from 1 to 1000.",
    ]);
  });

  test("may have at most 100 turns, in which a person may occur several times", () => {
    const participants = Array.from({ length: 101 }, () => ann);

    expect(faultsOf(OnCallSchedule, withLayer({ participants: participants.slice(1) }))).toEqual([]);
    expect(faultsOf(OnCallSchedule, withLayer({ participants }))).toEqual([
      ["layers.0.participants", "participants must have at most 100 turns."],
    ]);
  });

  test("may have turns of several people, each once, and empty turns", () => {
    expect(faultsOf(OnCallSchedule, withLayer({ participants: [[ann, bob], cyd, []] }))).toEqual([]);
    expect(faultsOf(OnCallSchedule, withLayer({ participants: [[ann, bob, ann]] }))).toEqual([
      ["layers.0.participants.0", "A turn must name each user once."],
    ]);
  });

  test("may have at most 10 people in a turn", () => {
    const people = Array.from({ length: 11 }, (_, index) => `usr_${index}`);

    expect(faultsOf(OnCallSchedule, withLayer({ participants: [people.slice(1)] }))).toEqual([]);
    expect(faultsOf(OnCallSchedule, withLayer({ participants: [people] }))).toEqual([
      ["layers.0.participants.0", "A turn must have at most 10 users."],
    ]);
  });

  test("may have at most 1,000 people together with the schedule's other rotations", () => {
    const participants = Array.from({ length: 51 }, () => [ann, bob, cyd, dan]);
    const layers = Array.from({ length: 5 }, () => aLayer({ participants: participants.slice(1) }));

    expect(faultsOf(OnCallSchedule, { timeZone: "UTC", layers })).toEqual([]);
    expect(faultsOf(OnCallSchedule, { timeZone: "UTC", layers: [...layers, aLayer()] })).toEqual([
      ["layers", "layers must have at most 1000 users in all turns together."],
    ]);
  });

  test.each(["2026-03-02T08:00", "2026-03-02T09:00", "2026-03-02T08:00:00Z"])(
    "that starts at 09:00 in Berlin may not end at %s",
    (until) => {
      expect(faultsOf(OnCallSchedule, withLayer({ until }))).toEqual([
        ["layers.0.until", "until must be later than start."],
      ]);
    },
  );

  test.each(["2026-03-02T09:01", "2026-03-02T08:01:00Z"])("that starts at 09:00 in Berlin may end at %s", (until) => {
    expect(faultsOf(OnCallSchedule, withLayer({ until }))).toEqual([]);
  });

  test.each([-1, 3, 0.5, "0"])("may not have %j as the position of its first turn", (first) => {
    expect(faultsOf(OnCallSchedule, withLayer({ first }))[0]).toEqual([
      "layers.0.first",
      "first must be the index of a turn in participants, from 0.",
    ]);
  });

  test("with a misspelled field name is refused at that field", () => {
    const [fault] = faultsOf(OnCallSchedule, withLayer({ restriction: [] }));

    expect(fault?.[0]).toBe("layers.0.restriction");
  });
});

describe("an hour restriction of a rotation", () => {
  const daysOf = (days: unknown) =>
    v.parse(OnCallSchedule, withRestriction({ days })).layers[0]?.restrictions?.[0]?.days;

  test("may have days as words or numbers, and stores them as short words in the order of the week", () => {
    expect(daysOf(["sunday", "Mon", "WEDNESDAY", 2, 7])).toEqual(["mon", "tue", "wed", "sun"]);
  });

  test.each(["mo", "lundi", "", 0, 8, 1.5])("may not have the day %j", (day) => {
    expect(faultsOf(OnCallSchedule, withRestriction({ days: ["tue", day] }))).toEqual([
      ["layers.0.restrictions.0.days.1", DAY_MESSAGE],
    ]);
  });

  test("must have at least one day", () => {
    expect(faultsOf(OnCallSchedule, withRestriction({ days: [] }))).toEqual([
      ["layers.0.restrictions.0.days", "days must name at least one day."],
    ]);
  });

  test.each(["9:00", "24:00", "12:60", "09:00:00", "nine", "", 9])("may not begin at %j", (from) => {
    expect(faultsOf(OnCallSchedule, withRestriction({ from }))).toEqual([
      ["layers.0.restrictions.0.from", 'from must be a time of day as "HH:MM", from "00:00" to "23:59".'],
    ]);
  });

  test.each(["00:00", "24:00"])("may end at %s", (to) => {
    expect(faultsOf(OnCallSchedule, withRestriction({ to }))).toEqual([]);
  });

  test.each(["24:01", "25:00", "", null])("may not end at %j", (to) => {
    expect(faultsOf(OnCallSchedule, withRestriction({ to }))).toEqual([
      ["layers.0.restrictions.0.to", 'to must be a time of day as "HH:MM", from "00:00" to "24:00".'],
    ]);
  });
});

describe("the request body for an override", () => {
  const anOverride = (start: unknown, end: unknown) => ({ userId: ann, start, end });
  const message = (field: string) =>
    `${field} must be an ISO 8601 timestamp with Z or an offset, such as 2026-03-02T08:00:00Z, ` +
    "in the years 1970 to 2099.";

  test("is stored with its times in UTC", () => {
    expect(v.parse(OnCallOverrideInput, anOverride("2026-03-02T09:00+01:00", "2026-03-02T10:00:00Z"))).toEqual({
      userId: "usr_ann",
      start: "2026-03-02T08:00:00.000Z",
      end: "2026-03-02T10:00:00.000Z",
    });
  });

  test("must have instants, and gets a fault for each local time", () => {
    expect(faultsOf(OnCallOverrideInput, anOverride("2026-03-02T09:00", "tomorrow"))).toEqual([
      ["start", message("start")],
      ["end", message("end")],
    ]);
  });

  test("must end after it starts, compared as instants and not as texts", () => {
    expect(faultsOf(OnCallOverrideInput, anOverride("2026-03-02T09:00:00Z", "2026-03-02T10:00:00+01:00"))).toEqual([
      ["end", "end must be later than start."],
    ]);
  });

  test("may last at most 366 days", () => {
    const start = "2026-03-02T09:00:00Z";

    expect(faultsOf(OnCallOverrideInput, anOverride(start, "2027-03-03T09:00:00Z"))).toEqual([]);
    expect(faultsOf(OnCallOverrideInput, anOverride(start, "2027-03-03T09:00:00.001Z"))).toEqual([
      ["end", "end must be at most 366 days after start."],
    ]);
  });

  test("must name a person, and reports a wrong person before a wrong length", () => {
    expect(
      faultsOf(OnCallOverrideInput, { userId: "ann", start: "2026-03-02T09:00Z", end: "2026-03-02T09:00Z" }),
    ).toEqual([["userId", "userId must be a user's id, such as usr_0123456789abcdef0123456789abcdef."]]);
  });
});

test("an override is over at its end", () => {
  const end = "2026-03-02T10:00:00.000Z";

  expect([-1, 0, 1].map((ms) => endsAfter({ end }, at(end) + ms))).toEqual([true, false, false]);
});
