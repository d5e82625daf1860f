import { describe, expect, test } from "vitest";
import { findDutyAt } from "../../../../core/domain/on-call/index.ts";
import { aLayer, ann, aSchedule, at, bob, cyd, dan, usersAt } from "./support.ts";

describe("a daily rotation from Monday 09:00", () => {
  const daily = aSchedule("Europe/Berlin", aLayer());

  test("has nobody on call before it starts", () => {
    expect(usersAt(daily, "2026-03-02T07:59:59.999Z")).toEqual([]);
  });

  test.each([
    ["2026-03-02T08:00:00Z", "usr_ann"],
    ["2026-03-03T07:59:59.999Z", "usr_ann"],
    ["2026-03-03T08:00:00Z", "usr_bob"],
    ["2026-03-04T08:00:00Z", "usr_cyd"],
    ["2026-03-05T08:00:00Z", "usr_ann"],
  ])("has on call at %s: %s", (time, user) => {
    expect(usersAt(daily, time)).toEqual([user]);
  });

  test("still hands off at 09:00 when the clocks have gone forward", () => {
    expect(usersAt(daily, "2026-03-29T06:59:59.999Z")).toEqual(["usr_cyd"]);
    expect(usersAt(daily, "2026-03-29T07:00:00Z")).toEqual(["usr_ann"]);
  });

  test("is named, with its shift, as the reason for who is on call", () => {
    const [person] = findDutyAt({ schedule: daily, overrides: [] }, at("2026-03-28T20:00:00Z")).people;

    expect(person?.source).toEqual({
      kind: "layer",
      layer: 0,
      shiftStart: at("2026-03-28T08:00:00.000Z"),
      shiftEnd: at("2026-03-29T07:00:00.000Z"),
    });
  });
});

describe("a handoff at a local time that the clocks skip", () => {
  const nightly = aSchedule("Europe/Berlin", aLayer({ start: "2026-03-28T02:30", participants: [ann, bob] }));

  test("takes place in the first instant after the gap", () => {
    expect(usersAt(nightly, "2026-03-29T00:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(nightly, "2026-03-29T01:00:00Z")).toEqual(["usr_bob"]);
  });

  test("is at its usual time again on the next day", () => {
    expect(usersAt(nightly, "2026-03-30T00:29:59.999Z")).toEqual(["usr_bob"]);
    expect(usersAt(nightly, "2026-03-30T00:30:00Z")).toEqual(["usr_ann"]);
  });

  test("is at its usual time on the next day, even if the skipped time was the start of the rotation", () => {
    const first = aSchedule("Europe/Berlin", aLayer({ start: "2026-03-29T02:30", participants: [ann, bob] }));

    expect(usersAt(first, "2026-03-29T00:59:59.999Z")).toEqual([]);
    expect(usersAt(first, "2026-03-29T01:00:00Z")).toEqual(["usr_ann"]);
    expect(usersAt(first, "2026-03-30T00:29:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(first, "2026-03-30T00:30:00Z")).toEqual(["usr_bob"]);
  });

  test("moves to the next day if the time zone skipped a whole day", () => {
    const samoa = aSchedule("Pacific/Apia", aLayer({ start: "2011-12-29T12:00", participants: [ann, bob, cyd] }));

    expect(usersAt(samoa, "2011-12-30T09:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(samoa, "2011-12-30T10:00:00Z")).toEqual(["usr_bob"]);
    expect(usersAt(samoa, "2011-12-30T22:00:00Z")).toEqual(["usr_cyd"]);
  });
});

describe("a handoff at a local time that occurs twice", () => {
  const nightly = aSchedule("Europe/Berlin", aLayer({ start: "2026-10-24T02:30", participants: [ann, bob] }));

  test("takes place once, at the first of the two instants", () => {
    expect(usersAt(nightly, "2026-10-25T00:29:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(nightly, "2026-10-25T00:30:00Z")).toEqual(["usr_bob"]);
    expect(usersAt(nightly, "2026-10-25T01:15:00Z")).toEqual(["usr_bob"]);
    expect(usersAt(nightly, "2026-10-25T01:30:00Z")).toEqual(["usr_bob"]);
  });
});

describe("shifts of a few hours", () => {
  const halves = aSchedule(
    "America/New_York",
    aLayer({ start: "2026-03-07T08:00", every: 12, unit: "hour", participants: [ann, bob] }),
  );

  test("hand off at the same times of day before and after the clocks change", () => {
    expect(usersAt(halves, "2026-03-08T00:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(halves, "2026-03-08T01:00:00Z")).toEqual(["usr_bob"]);
    expect(usersAt(halves, "2026-03-08T11:59:59.999Z")).toEqual(["usr_bob"]);
    expect(usersAt(halves, "2026-03-08T12:00:00Z")).toEqual(["usr_ann"]);
  });

  test("leave out the shift whose hour the clocks skip", () => {
    const hourly = aSchedule("Europe/Berlin", aLayer({ start: "2026-03-29T01:00", unit: "hour" }));

    expect(usersAt(hourly, "2026-03-29T00:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(hourly, "2026-03-29T01:00:00Z")).toEqual(["usr_cyd"]);
  });
});

describe("a rotation whose start is given as a timestamp", () => {
  test("starts at that instant, and hands off later at the same local time", () => {
    const daily = aSchedule("Europe/Berlin", aLayer({ start: "2026-03-28T08:00:00Z" }));

    expect(usersAt(daily, "2026-03-28T07:59:59.999Z")).toEqual([]);
    expect(usersAt(daily, "2026-03-28T08:00:00Z")).toEqual(["usr_ann"]);
    expect(usersAt(daily, "2026-03-29T06:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(daily, "2026-03-29T07:00:00Z")).toEqual(["usr_bob"]);
  });

  test("may start at the second of two equal local times", () => {
    const daily = aSchedule("Europe/Berlin", aLayer({ start: "2026-10-25T02:30:00+01:00" }));

    expect(usersAt(daily, "2026-10-25T01:29:59.999Z")).toEqual([]);
    expect(usersAt(daily, "2026-10-25T01:30:00Z")).toEqual(["usr_ann"]);
  });

  test("has no shift before its start, even if two local hours occur twice", () => {
    const troll = aSchedule("Antarctica/Troll", aLayer({ start: "2026-10-25T01:30:00Z", unit: "hour" }));

    const [person] = findDutyAt({ schedule: troll, overrides: [] }, at("2026-10-25T01:30:00Z")).people;

    expect(person?.source).toMatchObject({ shiftStart: at("2026-10-25T01:30:00Z") });
  });
});

describe("hour restrictions of a rotation", () => {
  const restrictedSchedule = (...restrictions: object[]) =>
    aSchedule("Europe/Berlin", aLayer({ unit: "week", participants: [ann, bob], restrictions }));

  test("keep the rotation within the given hours", () => {
    const office = restrictedSchedule({ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" });

    expect(usersAt(office, "2026-03-03T07:59:59.999Z")).toEqual([]);
    expect(usersAt(office, "2026-03-03T08:00:00Z")).toEqual(["usr_ann"]);
    expect(usersAt(office, "2026-03-03T15:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(office, "2026-03-03T16:00:00Z")).toEqual([]);
    expect(usersAt(office, "2026-03-07T11:00:00Z")).toEqual([]);
    expect(usersAt(office, "2026-03-10T11:00:00Z")).toEqual(["usr_bob"]);
  });

  test("continue into the next day if `to` is earlier than `from`", () => {
    const friday = restrictedSchedule({ days: ["fri"], from: "22:00", to: "06:00" });

    expect(usersAt(friday, "2026-03-06T05:30:00Z")).toEqual([]);
    expect(usersAt(friday, "2026-03-06T21:00:00Z")).toEqual(["usr_ann"]);
    expect(usersAt(friday, "2026-03-07T04:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(friday, "2026-03-07T05:00:00Z")).toEqual([]);
  });

  test("continue from Sunday into Monday", () => {
    const sunday = restrictedSchedule({ days: ["sun"], from: "20:00", to: "08:00" });

    expect(usersAt(sunday, "2026-03-09T06:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(sunday, "2026-03-09T07:00:00Z")).toEqual([]);
  });

  test("last a whole day if `from` and `to` are equal", () => {
    const saturday = restrictedSchedule({ days: ["sat"], from: "08:00", to: "08:00" });

    expect(usersAt(saturday, "2026-03-07T07:00:00Z")).toEqual(["usr_ann"]);
    expect(usersAt(saturday, "2026-03-08T06:59:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(saturday, "2026-03-08T07:00:00Z")).toEqual([]);
  });

  test("leave no gap between two restrictions that meet during an hour that the clocks repeat", () => {
    const everyDay = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    const meeting = aSchedule(
      "Europe/Berlin",
      aLayer({ participants: [ann], restrictions: [{ days: everyDay, from: "00:00", to: "02:30" }] }),
      aLayer({ participants: [bob], restrictions: [{ days: everyDay, from: "02:30", to: "24:00" }] }),
    );

    expect(usersAt(meeting, "2026-10-25T00:29:59.999Z")).toEqual(["usr_ann"]);
    expect(usersAt(meeting, "2026-10-25T00:30:00Z")).toEqual(["usr_bob"]);
    expect(usersAt(meeting, "2026-10-25T01:15:00Z")).toEqual(["usr_bob"]);
  });
});

describe("rotations", () => {
  const weekend = { days: ["sat", "sun"], from: "00:00", to: "24:00" };
  const two = aSchedule(
    "Europe/Berlin",
    aLayer({ participants: [ann] }),
    aLayer({ participants: [bob], restrictions: [weekend] }),
  );

  test("later in the list take precedence if they have somebody on call", () => {
    expect(usersAt(two, "2026-03-07T12:00:00Z")).toEqual(["usr_bob"]);
  });

  test("earlier in the list apply while no later rotation has somebody on call", () => {
    expect(usersAt(two, "2026-03-06T12:00:00Z")).toEqual(["usr_ann"]);
  });

  test("without participants put nobody on call", () => {
    const withEmpty = aSchedule("Europe/Berlin", aLayer({ participants: [ann] }), aLayer({ participants: [] }));

    expect(usersAt(withEmpty, "2026-03-06T12:00:00Z")).toEqual(["usr_ann"]);
    const empty = aSchedule("UTC", aLayer({ participants: [], restrictions: [weekend] }));
    expect(findDutyAt({ schedule: empty, overrides: [] }, at("2026-03-06T12:00:00Z")).until).toBe(Infinity);
  });
});

describe("overrides", () => {
  const daily = aSchedule("Europe/Berlin", aLayer());
  const override = (id: string, userId: string, start: string, end: string) => ({ id, userId, start, end });
  const evening = override("ovr_1", dan, "2026-03-02T18:00:00.000Z", "2026-03-02T22:00:00.000Z");

  test("take precedence over rotations from their start until their end", () => {
    expect(usersAt(daily, "2026-03-02T17:59:59.999Z", [evening])).toEqual(["usr_ann"]);
    expect(usersAt(daily, "2026-03-02T18:00:00.000Z", [evening])).toEqual(["usr_dan"]);
    expect(usersAt(daily, "2026-03-02T21:59:59.999Z", [evening])).toEqual(["usr_dan"]);
    expect(usersAt(daily, "2026-03-02T22:00:00.000Z", [evening])).toEqual(["usr_ann"]);
  });

  test("are named as the reason for who is on call", () => {
    const [person] = findDutyAt({ schedule: daily, overrides: [evening] }, at("2026-03-02T20:00:00Z")).people;

    expect(person?.source).toEqual({
      kind: "override",
      overrideId: "ovr_1",
      start: at("2026-03-02T18:00:00.000Z"),
      end: at("2026-03-02T22:00:00.000Z"),
    });
  });

  test("that overlap put all their people on call, each person once", () => {
    const others = [
      override("ovr_3", bob, "2026-03-02T19:00:00.000Z", "2026-03-02T21:00:00.000Z"),
      override("ovr_2", dan, "2026-03-02T17:00:00.000Z", "2026-03-02T23:00:00.000Z"),
    ];

    const people = findDutyAt({ schedule: daily, overrides: [evening, ...others] }, at("2026-03-02T20:00:00Z")).people;

    expect(people.map(({ userId, source }) => [userId, source.kind === "override" && source.overrideId])).toEqual([
      ["usr_dan", "ovr_2"],
      ["usr_bob", "ovr_3"],
    ]);
  });

  test("are listed in the order of their ids if they begin at the same time", () => {
    const [start, end] = ["2026-03-02T18:00:00.000Z", "2026-03-02T22:00:00.000Z"];
    const [first, second, third] = [1, 2, 3].map((nr) => override(`ovr_${nr}`, nr === 2 ? bob : dan, start, end));

    for (const order of [
      [third!, first!, second!],
      [second!, third!, first!],
    ])
      expect(findDutyAt({ schedule: daily, overrides: order }, at("2026-03-02T20:00:00Z")).people).toMatchObject([
        { userId: "usr_dan", source: { overrideId: "ovr_1" } },
        { userId: "usr_bob", source: { overrideId: "ovr_2" } },
      ]);
  });

  test("put somebody on call where no rotation does", () => {
    expect(usersAt(aSchedule("UTC"), "2026-03-02T20:00:00Z", [evening])).toEqual(["usr_dan"]);
  });
});

describe("covers of a shift", () => {
  const daily = aSchedule("UTC", aLayer({ participants: [[ann, bob]] }));
  const [start, end] = ["2026-03-02T18:00:00.000Z", "2026-03-02T22:00:00.000Z"];
  const override = { id: "ovr_0", userId: cyd, start, end };

  test.each<[string, [string, string][], object[], string[]]>([
    ["replace only the person who gave the shift away", [[dan, ann]], [], [dan, bob]],
    [
      "of a covered shift replace the person who covered it",
      [
        [dan, bob],
        [cyd, dan],
      ],
      [],
      [ann, cyd],
    ],
    [
      "of each other exchange two people",
      [
        [ann, bob],
        [bob, ann],
      ],
      [],
      [ann, bob],
    ],
    ["of a person who is not on call put nobody on call", [[dan, cyd]], [], [ann, bob]],
    ["of a person with an override replace that person", [[dan, cyd]], [override], [dan]],
    ["have no effect while somebody else has an override", [[dan, ann]], [override], [cyd]],
  ])("affect only the covered person: covers %s", (_, covers, others, expected) => {
    const overrides = covers.map(([userId, insteadOf], index) => ({
      id: `ovr_${index + 1}`,
      userId,
      insteadOf,
      start,
      end,
    }));

    expect(usersAt(daily, "2026-03-02T20:00:00Z", [...overrides, ...(others as typeof overrides)])).toEqual(expected);
  });
});

test("a newer cover may replace the person of an older cover, but an older cover never replaces the person of a newer one", () => {
  const [start, end] = ["2026-03-02T18:00:00.000Z", "2026-03-02T22:00:00.000Z"];
  const older = { id: "ovr_1", userId: ann, insteadOf: bob, start, end, createdAt: "2026-03-01T00:00:00.000Z" };
  const newer = { id: "ovr_2", userId: bob, insteadOf: ann, start, end, createdAt: "2026-03-01T00:00:00.001Z" };
  const usersOf = (participant: string) =>
    usersAt(aSchedule("UTC", aLayer({ participants: [participant] })), "2026-03-02T20:00:00Z", [older, newer]);

  expect(usersOf(ann)).toEqual([bob]);
  expect(usersOf(bob)).toEqual([bob]);
});

describe("people on call whom events would not notify", () => {
  const blockOf = (userId: string) =>
    userId === bob ? ("unreachable" as const) : userId === cyd ? ("left" as const) : undefined;
  const moment = at("2026-03-02T20:00:00Z");
  const duty = (
    participants: unknown[],
    overrides: { id: string; userId: string; start: string; end: string }[] = [],
  ) => findDutyAt({ schedule: aSchedule("UTC", aLayer({ participants })), overrides, blockOf }, moment);

  test("are marked, except former members, who are left out", () => {
    const { people, isGap } = duty([[ann, bob, cyd]]);
    const source = {
      kind: "layer",
      layer: 0,
      shiftStart: at("2026-03-02T09:00:00Z"),
      shiftEnd: at("2026-03-03T09:00:00Z"),
    };

    expect(people).toStrictEqual([
      { userId: ann, source },
      { userId: bob, source, blocked: "unreachable" },
    ]);
    expect(isGap).toBe(false);
  });

  test("leave a gap if nobody else is on call, and their overrides have no effect", () => {
    const overrides = [
      { id: "ovr_1", userId: bob, start: "2026-03-02T18:00:00.000Z", end: "2026-03-02T22:00:00.000Z" },
    ];

    expect(duty([bob]).isGap).toBe(true);
    expect(duty([ann], overrides).people).toMatchObject([{ userId: ann }]);
  });
});

test("a rotation that runs for years is as exact at its end as at its beginning", () => {
  const weekly = aSchedule(
    "America/Santiago",
    aLayer({ start: "2000-01-03T09:00", unit: "week", participants: [ann, bob, cyd] }),
  );

  expect(usersAt(weekly, "2029-12-31T11:59:59.999Z")).toEqual(["usr_bob"]);
  expect(usersAt(weekly, "2029-12-31T12:00:00Z")).toEqual(["usr_cyd"]);
});
