import { describe, expect, it } from "vitest";
import { getZone } from "../../../core/domain/basics/clock/zone.ts";
import { ALWAYS, createDailyHours } from "../../../setup/import/hours.ts";
import {
  toCadence,
  formatInstant,
  rotationToLayers,
  findExceededLimit,
  formatLocal,
  toTurn,
  type Rotation,
} from "../../../setup/import/rotation.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const toMs = (text: string) => Date.parse(`2026-${text}Z`);
const NOW = toMs("03-16T00:00");

describe("an imported rotation of another service", () => {
  it.each([
    ["of 14 days changes every 2 weeks", 14 * DAY, { every: 2, unit: "week" }],
    ["of 3 days changes every 3 days", 3 * DAY, { every: 3, unit: "day" }],
    ["of 36 hours changes every 36 hours", 36 * HOUR, { every: 36, unit: "hour" }],
    ["of half an hour is not possible", HOUR / 2, undefined],
    ["of no length is not possible", 0, undefined],
  ])("with turns %s", (_, ms, cadence) => {
    expect(toCadence(ms)).toEqual(cadence);
  });

  it("has a name for a turn of one person, and a list of names for any other turn", () => {
    expect([toTurn(["a"]), toTurn(["a", "b"]), toTurn([])]).toEqual(["a", ["a", "b"], []]);
  });

  it("has its times in local time, or as instants in UTC if the local time is ambiguous", () => {
    const zone = getZone("Europe/Berlin");

    expect([formatLocal(toMs("03-02T09:00")), formatLocal(toMs("03-02T09:00") + 1_000)]).toEqual([
      "2026-03-02T09:00",
      "2026-03-02T09:00:01",
    ]);
    expect(["10-25T00:30", "10-25T01:30"].map((text) => formatInstant(toMs(text), zone))).toEqual([
      "2026-10-25T02:30",
      "2026-10-25T01:30:00.000Z",
    ]);
  });

  const createTurns = (count: number, people = 1) =>
    Array.from({ length: count }, () => Array.from({ length: people }, (_, index) => `p${index}`));
  const createSpans = (count: number) =>
    Array.from({ length: count }, (_, index) => createDailyHours([0], index * 120, 60 + index)).flat();
  it.each([
    [
      "has 100 turns of 10 people, and 10 restrictions",
      { turns: createTurns(100, 10), every: 1_000, hours: createSpans(10) },
      undefined,
    ],
    [
      "has 101 turns",
      { turns: createTurns(101), every: 1, hours: ALWAYS },
      "there are 101 turns, and a layer has at most 100 turns",
    ],
    [
      "has a turn of 11 people",
      { turns: createTurns(1, 11), every: 1, hours: ALWAYS },
      "a turn has more than 10 people",
    ],
    [
      "has turns of 1001 hours, days or weeks",
      { turns: createTurns(1), every: 1_001, hours: ALWAYS },
      "a turn has more than 1000 hours, days or weeks",
    ],
    [
      "needs 11 restrictions",
      { turns: createTurns(1), every: 1, hours: createSpans(11) },
      "the hours need more than 10 restrictions",
    ],
  ])(
    "is imported only if it fits into a rotation of this service, and the report says why not: it %s",
    (_, rotation, limit) => {
      expect(findExceededLimit(rotation)).toBe(limit);
    },
  );

  const createLayers = (fields: Partial<Rotation>) =>
    rotationToLayers(
      {
        anchor: toMs("01-05T09:00"),
        every: 1,
        unit: "week",
        turns: [["a"], ["b"], ["c"]],
        fromMs: -Infinity,
        untilMs: Infinity,
        hours: ALWAYS,
        ...fields,
      },
      "UTC",
      NOW,
    );
  const base = { every: 1, unit: "week", participants: ["a", "b", "c"] };

  it.each<[string, Partial<Rotation>, object[]]>([
    ["begins with its first turn", {}, [{ start: "2026-01-05T09:00", ...base }]],
    ["began before its first turn", { fromMs: toMs("01-01T00:00") }, [{ start: "2026-01-05T09:00", ...base }]],
    ["is over now", { untilMs: NOW }, []],
    ["is over before it begins", { fromMs: toMs("05-01T00:00"), untilMs: toMs("05-01T00:00") }, []],
    [
      "has an end",
      { untilMs: toMs("04-01T09:00") },
      [{ start: "2026-01-05T09:00", until: "2026-04-01T09:00", ...base }],
    ],
    [
      "counts turns by days on call",
      { duty: true, fromMs: toMs("01-20T00:00") },
      [{ start: "2026-01-05T09:00", ...base, turns: "duty" }],
    ],
    [
      "has turns of months",
      { unit: "month", fromMs: toMs("01-20T00:00") },
      [{ start: "2026-01-05T09:00", ...base, unit: "month" }],
    ],
    [
      "is restricted to hours",
      { hours: createDailyHours([0], 480, 60) },
      [{ start: "2026-01-05T09:00", ...base, restrictions: [{ days: ["mon"], from: "08:00", to: "09:00" }] }],
    ],
    [
      "began within a turn long ago",
      { fromMs: toMs("01-14T00:00") },
      [{ start: "2026-01-12T09:00", ...base, first: 1 }],
    ],
    ["begins now within a turn", { fromMs: NOW }, [{ start: "2026-03-09T09:00", ...base }]],
    ["begins with a future turn", { fromMs: toMs("03-30T09:00") }, [{ start: "2026-03-30T09:00", ...base }]],
    [
      "begins within a future turn",
      { fromMs: toMs("04-01T10:00") },
      [
        { start: "2026-04-01T10:00", until: "2026-04-06T09:00", ...base, participants: ["a"] },
        { start: "2026-04-06T09:00", ...base, first: 1 },
      ],
    ],
    [
      "begins within a later turn, the last one of the list, and ends after that turn",
      { fromMs: toMs("04-15T10:00"), untilMs: toMs("05-15T10:00") },
      [
        { start: "2026-04-15T10:00", until: "2026-04-20T09:00", ...base, participants: ["c"] },
        { start: "2026-04-20T09:00", until: "2026-05-15T10:00", ...base },
      ],
    ],
    [
      "begins and ends within a future turn",
      { fromMs: toMs("04-01T10:00"), untilMs: toMs("04-06T09:00") },
      [{ start: "2026-04-01T10:00", until: "2026-04-06T09:00", ...base, participants: ["a"] }],
    ],
    [
      "is counted back from its first turn",
      { anchor: toMs("01-05T09:00"), turns: [["a"]], fromMs: toMs("01-06T00:00") },
      [{ start: "2026-01-05T09:00", ...base, participants: ["a"] }],
    ],
  ])("becomes rotations of this service with the same times and people if it %s", (_, more, expected) => {
    expect(createLayers(more)).toEqual(expected);
  });
});
