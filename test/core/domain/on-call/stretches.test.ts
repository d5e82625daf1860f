import { describe, expect, test } from "vitest";
import {
  findGaps,
  findNextOnCallChange,
  listStretches,
  findOnCallStart,
  findOnCallEnd,
} from "../../../../core/domain/on-call/index.ts";
import { toIso } from "../../../../core/domain/basics/time.ts";
import { aLayer, ann, aSchedule, at, bob, cyd } from "./support.ts";

const now = at("2026-03-04T12:00:00Z");
const office = { days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" };
const anOverride = (start: string, end: string) => ({ id: "ovr_1", userId: bob, start, end });

const isoOf = (periods: { start: number; end: number }[]) =>
  periods.map(({ start, end }) => [toIso(start), toIso(end)]);

describe("the next change of who is on call", () => {
  test("is the next handoff, with the person who comes on call", () => {
    const change = findNextOnCallChange({ schedule: aSchedule("Europe/Berlin", aLayer()), overrides: [] }, now);

    expect(change).toMatchObject({ at: at("2026-03-05T08:00:00Z"), people: [{ userId: "usr_ann" }] });
  });

  test("may be the end of the restricted hours of a rotation", () => {
    const change = findNextOnCallChange(
      { schedule: aSchedule("Europe/Berlin", aLayer({ restrictions: [office] })), overrides: [] },
      now,
    );

    expect(change).toEqual({ at: at("2026-03-04T16:00:00Z"), people: [] });
  });

  test("may be the start of an override that brings another person", () => {
    const overrides = [anOverride("2026-03-04T13:00:00.000Z", "2026-03-04T14:00:00.000Z")];

    expect(findNextOnCallChange({ schedule: aSchedule("Europe/Berlin", aLayer()), overrides }, now)?.at).toBe(
      at("2026-03-04T13:00:00Z"),
    );
  });

  test("is not a handoff from a person to the same person", () => {
    const schedule = aSchedule("Europe/Berlin", aLayer({ participants: [ann, bob, bob] }));

    expect(findNextOnCallChange({ schedule, overrides: [] }, at("2026-03-03T12:00:00Z"))?.at).toBe(
      at("2026-03-05T08:00:00Z"),
    );
  });

  test("is not a new order of the same people", () => {
    const schedule = aSchedule(
      "Europe/Berlin",
      aLayer({
        participants: [[ann, bob], [bob, ann], cyd],
      }),
    );

    expect(findNextOnCallChange({ schedule, overrides: [] }, at("2026-03-02T12:00:00Z"))?.at).toBe(
      at("2026-03-04T08:00:00Z"),
    );
  });

  test("does not exist if one person is always on call", () => {
    expect(
      findNextOnCallChange(
        { schedule: aSchedule("Europe/Berlin", aLayer({ participants: [ann] })), overrides: [] },
        now,
      ),
    ).toBeUndefined();
  });

  test("is not searched for beyond a given time", () => {
    expect(
      findNextOnCallChange({ schedule: aSchedule("Europe/Berlin", aLayer()), overrides: [] }, now, 0.5),
    ).toBeUndefined();
  });

  test("may be the start of a rotation in the future", () => {
    const schedule = aSchedule("Europe/Berlin", aLayer({ start: "2026-12-01T09:00" }));

    expect(findNextOnCallChange({ schedule, overrides: [] }, now)?.at).toBe(at("2026-12-01T08:00:00Z"));
  });
});

test("the shifts in a period are cut off at the end of the period, even at a handoff, and an empty period has no shifts", () => {
  const [from, to] = [at("2026-03-04T12:00:00Z"), at("2026-03-05T08:00:00Z")];
  const usersIn = (end: number) =>
    [...listStretches({ schedule: aSchedule("Europe/Berlin", aLayer()), overrides: [] }, from, end)].map(
      ({ start, end: until, people }) => [start, until, people.map(({ userId }) => userId).join(" ")],
    );

  expect(usersIn(to)).toEqual([[from, to, "usr_cyd"]]);
  expect(usersIn(to + 1)).toEqual([
    [from, to, "usr_cyd"],
    [to, to + 1, "usr_ann"],
  ]);
  expect(usersIn(from)).toEqual([]);
});

describe("the time without a break in which a person is on call", () => {
  const daily = aLayer({ participants: [ann, [ann, bob], cyd] });
  const override = anOverride("2026-02-28T09:00:00.000Z", "2026-03-02T09:00:00.000Z");

  test.each([
    [
      "includes the next turn with the same person",
      daily,
      ann,
      "2026-03-05T12:00:00Z",
      "2026-03-05T09",
      "2026-03-07T09",
    ],
    [
      "includes the previous turn with the same person",
      daily,
      ann,
      "2026-03-06T12:00:00Z",
      "2026-03-05T09",
      "2026-03-07T09",
    ],
    ["excludes the turns of other people", daily, bob, "2026-03-06T12:00:00Z", "2026-03-06T09", "2026-03-07T09"],
    [
      "may last hundreds of days",
      aLayer({ every: 300 }),
      bob,
      "2027-09-01T09:00:00Z",
      "2026-12-27T09",
      "2027-10-23T09",
    ],
    ["may have no known end", aLayer({ participants: [ann] }), ann, "2027-03-02T09:00:00Z", "2026-03-02T09", undefined],
    [
      "begins with an override",
      aLayer({ participants: [bob] }),
      bob,
      "2026-05-02T09:00:00Z",
      "2026-02-28T09",
      undefined,
    ],
    ["is empty for a person who is not on call", daily, cyd, "2026-03-05T09:00:00Z", "2026-03-05T09", "2026-03-05T09"],
  ])("%s", (_, layer, userId, moment, since, until) => {
    const group = { schedule: aSchedule("UTC", layer), overrides: [override] };
    const end = findOnCallEnd(group, userId, at(moment));

    expect(toIso(findOnCallStart(group, userId, at(moment))).slice(0, 13)).toBe(since);
    expect(end === undefined ? undefined : toIso(end).slice(0, 13)).toBe(until);
  });
});

describe("gaps in a schedule", () => {
  test("do not exist in a rotation without restrictions", () => {
    expect(findGaps({ schedule: aSchedule("Europe/Berlin", aLayer()), overrides: [] }, now)).toEqual([]);
  });

  test("are the times outside of all rotations, in local time through clock changes", () => {
    const schedule = aSchedule("Europe/Berlin", aLayer({ restrictions: [office] }));

    expect(isoOf(findGaps({ schedule, overrides: [] }, at("2026-03-27T12:00:00Z"), 4))).toEqual([
      ["2026-03-27T16:00:00.000Z", "2026-03-30T07:00:00.000Z"],
      ["2026-03-30T15:00:00.000Z", "2026-03-31T07:00:00.000Z"],
    ]);
  });

  test("are shortened by overrides", () => {
    const schedule = aSchedule("Europe/Berlin", aLayer({ restrictions: [office] }));
    const overrides = [anOverride("2026-03-04T16:00:00.000Z", "2026-03-05T06:00:00.000Z")];

    expect(isoOf(findGaps({ schedule, overrides }, now, 1))).toEqual([
      ["2026-03-05T06:00:00.000Z", "2026-03-05T08:00:00.000Z"],
    ]);
  });

  test("end where the search ends, at the latest", () => {
    expect(isoOf(findGaps({ schedule: aSchedule("UTC"), overrides: [] }, now))).toEqual([
      ["2026-03-04T12:00:00.000Z", "2026-04-01T12:00:00.000Z"],
    ]);
  });

  test("span successive shifts if events would notify none of the people who are on call in these shifts", () => {
    const schedule = aSchedule("UTC", aLayer());
    const blockOf = (userId: string) => (userId === ann ? undefined : ("unreachable" as const));

    expect(isoOf(findGaps({ schedule, overrides: [], blockOf }, at("2026-03-02T09:00:00Z"), 4))).toEqual([
      ["2026-03-03T09:00:00.000Z", "2026-03-05T09:00:00.000Z"],
    ]);
  });

  test("are listed up to a maximum number", () => {
    const minutely = { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "00:01" };

    expect(
      findGaps({ schedule: aSchedule("UTC", aLayer({ restrictions: [minutely] })), overrides: [] }, now, 60),
    ).toHaveLength(28);
  });
});

test("the shifts of a period cover the whole period without gaps or overlaps", () => {
  const schedule = aSchedule("Europe/Berlin", aLayer({ restrictions: [office] }));

  const found = [...listStretches({ schedule, overrides: [] }, now, now + 10 * 24 * 3_600_000)];

  expect(found[0]?.start).toBe(now);
  expect(found.at(-1)?.end).toBe(now + 10 * 24 * 3_600_000);
  expect(found.slice(1).map(({ start }) => start)).toEqual(found.slice(0, -1).map(({ end }) => end));
});
