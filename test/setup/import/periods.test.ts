import { describe, expect, it } from "vitest";
import { splitIntoLanes } from "../../../setup/import/lanes.ts";
import { convertPeriods, splitOverlaps } from "../../../setup/import/periods.ts";
import { ALWAYS, createDailyHours } from "../../../setup/import/hours.ts";

const HOUR = 3_600_000;
const toMs = (text: string) => Date.parse(`2026-${text}Z`);
const period = (start: string, end: string, ...people: string[]) => ({ start: toMs(start), end: toMs(end), people });

describe("the imported override periods", () => {
  it.each([
    [
      "are sorted by time if they are apart",
      [period("03-02T10:00", "03-02T12:00", "a"), period("03-02T08:00", "03-02T09:00", "b")],
      ["08-09 b", "10-12 a"],
    ],
    [
      "put everybody on call where they overlap",
      [period("03-02T08:00", "03-02T11:00", "b"), period("03-02T09:00", "03-02T12:00", "a")],
      ["08-09 b", "09-11 a b", "11-12 a"],
    ],
    [
      "are joined if the same people follow without a gap",
      [period("03-02T08:00", "03-02T09:00", "a"), period("03-02T09:00", "03-02T10:00", "a")],
      ["08-10 a"],
    ],
    [
      "stay separate if other people follow",
      [period("03-02T08:00", "03-02T09:00", "a"), period("03-02T09:00", "03-02T10:00", "b")],
      ["08-09 a", "09-10 b"],
    ],
    [
      "stay separate if the same people follow after a gap",
      [period("03-02T08:00", "03-02T09:00", "a"), period("03-02T10:00", "03-02T11:00", "a")],
      ["08-09 a", "10-11 a"],
    ],
    [
      "are joined if one person has two equal periods",
      [period("03-02T08:00", "03-02T09:00", "a"), period("03-02T08:00", "03-02T09:00", "a")],
      ["08-09 a"],
    ],
    ["are left out if they have no length", [period("03-02T08:00", "03-02T08:00", "a")], []],
  ])("%s", (_, periods, expected) => {
    const toHour = (ms: number) => new Date(ms).toISOString().slice(11, 13);
    expect(
      splitOverlaps(periods).map(({ start, end, people }) => `${toHour(start)}-${toHour(end)} ${people.join(" ")}`),
    ).toEqual(expected);
  });

  const createLayers = (zone: string, ...periods: ReturnType<typeof period>[]) => convertPeriods(periods, zone);

  it("become a rotation in local time if there is only one period", () => {
    expect(createLayers("Europe/Berlin", period("03-02T08:00", "03-02T09:30", "a", "b"))).toEqual([
      { start: "2026-03-02T09:00", until: "2026-03-02T10:30", every: 1, unit: "week", participants: [["a", "b"]] },
    ]);
    expect(createLayers("UTC")).toEqual([]);
  });

  it("that begin and end at regular hours become turns of one rotation, with empty turns in between", () => {
    expect(
      createLayers("UTC", period("03-02T08:00", "03-02T10:00", "a"), period("03-02T14:00", "03-02T16:00", "b", "c")),
    ).toEqual([
      {
        start: "2026-03-02T08:00",
        until: "2026-03-02T16:00",
        every: 2,
        unit: "hour",
        participants: ["a", [], [], ["b", "c"]],
      },
    ]);
  });

  it("that begin and end every few days become turns of one rotation, counted in days", () => {
    expect(
      createLayers("UTC", period("03-02T08:00", "03-04T08:00", "a"), period("03-06T08:00", "03-08T08:00", "b")),
    ).toEqual([
      { start: "2026-03-02T08:00", until: "2026-03-08T08:00", every: 2, unit: "day", participants: ["a", [], "b"] },
    ]);
  });

  it.each([
    [
      "at irregular hours need two rotations",
      [period("03-02T08:00", "03-02T09:00", "a"), period("03-02T09:30", "03-02T10:30", "b")],
      2,
    ],
    [
      "of half an hour need two rotations",
      [period("03-02T08:00", "03-02T08:30", "a"), period("03-02T08:30", "03-02T09:30", "b")],
      2,
    ],
    [
      "over 100 turns need one rotation",
      [period("03-02T00:00", "03-02T01:00", "a"), period("03-06T03:00", "03-06T04:00", "b")],
      1,
    ],
    [
      "over 101 turns need two rotations",
      [period("03-02T00:00", "03-02T01:00", "a"), period("03-06T04:00", "03-06T05:00", "b")],
      2,
    ],
  ])("become as few rotations as possible: periods %s", (_, periods, count) => {
    expect(convertPeriods(periods, "UTC")).toHaveLength(count);
  });

  it("begin and end at the right minute in the hour that a clock change repeats, each in its own rotation", () => {
    const early = period("10-24T22:00", "10-25T00:00", "a");
    const twice = period("10-25T01:00", "10-25T02:00", "b");

    expect(createLayers("Europe/Berlin", early, twice)).toMatchObject([
      { start: "2026-10-25T00:00", until: "2026-10-25T02:00" },
      { start: "2026-10-25T01:00:00.000Z", until: "2026-10-25T03:00", participants: ["b"] },
    ]);
    // The clock is set back in between, so that the second period begins before the first has ended.
    expect(
      createLayers(
        "Europe/Berlin",
        period("10-24T22:00", "10-25T00:30", "a"),
        period("10-25T01:00", "10-25T03:00", "b"),
      ),
    ).toHaveLength(2);
    // A rotation ends with a period that ends in the repeated hour, so the next period needs another.
    expect(
      createLayers(
        "Europe/Berlin",
        period("10-25T00:00", "10-25T01:00", "a"),
        period("10-25T02:00", "10-25T03:00", "b"),
      ),
    ).toHaveLength(2);
  });
});

describe("the rotations of an import", () => {
  const item = (name: string, hours = ALWAYS, fromMs = -Infinity, untilMs = Infinity) => ({
    name,
    hours,
    fromMs,
    untilMs,
  });
  const listLanes = (...items: ReturnType<typeof item>[]) =>
    splitIntoLanes(items).map((lane) => lane.map(({ name }) => name).join(" "));
  const day = createDailyHours([0], 480, 480);
  const night = createDailyHours([0], 960, 480);

  it.each([
    ["two that apply all of the time", listLanes(item("a"), item("b")), ["a", "b"]],
    ["one by day and one by night", listLanes(item("a", day), item("b", night)), ["a b"]],
    [
      "each joins the first one that it does not overlap",
      listLanes(item("a", day), item("b", day), item("c", night), item("d", night)),
      ["a c", "b d"],
    ],
    ["one after the other", listLanes(item("a", ALWAYS, 0, HOUR), item("b", ALWAYS, HOUR, 2 * HOUR)), ["a b"]],
    ["one before the other", listLanes(item("b", ALWAYS, HOUR, 2 * HOUR), item("a", ALWAYS, 0, HOUR)), ["b a"]],
    [
      "two that overlap for a moment",
      listLanes(item("a", ALWAYS, 0, HOUR + 1), item("b", ALWAYS, HOUR, 2 * HOUR)),
      ["a", "b"],
    ],
  ])("are combined only if they never overlap: %s", (_, lanes, expected) => {
    expect(lanes).toEqual(expected);
  });
});
