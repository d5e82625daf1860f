import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  compileDuty,
  keepTurns,
  findDutyAt,
  type OnCallSchedule,
  listScheduleUsers,
  findEverOnCall,
  listStretches,
  toUserIds,
  removeFromSchedule,
} from "../../../../core/domain/on-call/index.ts";
import { aLayer, ann, aSchedule, at, bob, cyd, dan } from "./support.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const weekdays = { days: ["mon", "tue", "wed", "thu", "fri"], from: "00:00", to: "24:00" };
const berlinSchedule = (changes: object) => aSchedule("Europe/Berlin", aLayer(changes));
const iso = (ms: number) => new Date(ms).toISOString();

/** Lists the periods in which the same people are on call, each as "start users". */
const listPeriods = (schedule: OnCallSchedule, from: string, to: string) =>
  [...listStretches({ schedule, overrides: [] }, at(from), at(to))].map(({ start, people }) =>
    `${iso(start).slice(0, 16)} ${people.map(({ userId }) => userId).join(" ")}`.trim(),
  );

describe("a monthly rotation", () => {
  test("hands off on the same day and hour, or on the last day of a shorter month, through clock changes", () => {
    const monthly = berlinSchedule({ start: "2027-12-31T09:00", unit: "month", participants: [ann, bob] });

    expect(listPeriods(monthly, "2027-12-31T08:00:00Z", "2028-06-01T00:00:00Z")).toEqual([
      "2027-12-31T08:00 usr_ann",
      "2028-01-31T08:00 usr_bob",
      "2028-02-29T08:00 usr_ann",
      "2028-03-31T07:00 usr_bob",
      "2028-04-30T07:00 usr_ann",
      "2028-05-31T07:00 usr_bob",
    ]);
  });

  test("puts on call, at any moment, the person whose turn began last", () => {
    const monthly = berlinSchedule({ start: "2027-12-31T09:00", unit: "month", participants: [ann, bob] });

    const usersOn = ["2028-01-30T12:00Z", "2028-02-15T12:00Z", "2028-03-01T12:00Z", "2028-03-31T06:59Z"].map((time) =>
      findDutyAt({ schedule: monthly, overrides: [] }, new Date(time).getTime()).people.map(({ userId }) => userId),
    );
    expect(usersOn).toEqual([["usr_ann"], ["usr_bob"], ["usr_ann"], ["usr_ann"]]);
  });

  test("of several months counts from the month in which it started", () => {
    const quarterly = berlinSchedule({ start: "2026-11-30T00:00", unit: "month", every: 3, participants: [ann, bob] });

    expect(listPeriods(quarterly, "2026-11-29T23:00:00Z", "2027-09-01T00:00:00Z")).toEqual([
      "2026-11-29T23:00 usr_ann",
      "2027-02-27T23:00 usr_bob",
      "2027-05-29T22:00 usr_ann",
      "2027-08-29T22:00 usr_bob",
    ]);
  });
});

describe("the end of a rotation", () => {
  test.each(["2026-03-05T09:00", "2026-03-05T08:00:00Z"])(
    "at %s leaves the time after it to other rotations",
    (until) => {
      const schedule = aSchedule("Europe/Berlin", aLayer({ participants: [dan] }), aLayer({ until }));

      expect(listPeriods(schedule, "2026-03-04T08:00:00Z", "2026-03-08T00:00:00Z")).toEqual([
        "2026-03-04T08:00 usr_cyd",
        "2026-03-05T08:00 usr_dan",
      ]);
    },
  );

  test("within a turn also ends that turn", () => {
    const schedule = berlinSchedule({ until: "2026-03-03T12:00" });

    expect(findDutyAt({ schedule, overrides: [] }, at("2026-03-03T09:00:00Z")).people).toEqual([
      {
        userId: "usr_bob",
        source: {
          kind: "layer",
          layer: 0,
          shiftStart: at("2026-03-03T08:00:00Z"),
          shiftEnd: at("2026-03-03T11:00:00Z"),
        },
      },
    ]);
    expect(findDutyAt({ schedule, overrides: [] }, at("2026-03-03T11:00:00Z")).people).toEqual([]);
  });
});

describe("a turn of a rotation", () => {
  test("of several people has all of them on call, and an empty turn leaves its time to rotations earlier in the list", () => {
    const turns = aLayer({ participants: [[bob, ann], cyd, []] });

    expect(listPeriods(aSchedule("UTC", turns), "2026-03-02T09:00:00Z", "2026-03-06T00:00:00Z")).toEqual([
      "2026-03-02T09:00 usr_bob usr_ann",
      "2026-03-03T09:00 usr_cyd",
      "2026-03-04T09:00",
      "2026-03-05T09:00 usr_bob usr_ann",
    ]);
    expect(
      listPeriods(
        aSchedule("UTC", aLayer({ participants: [dan] }), turns),
        "2026-03-04T09:00:00Z",
        "2026-03-05T00:00:00Z",
      ),
    ).toEqual(["2026-03-04T09:00 usr_dan"]);
  });
});

describe("turns that count only days on call", () => {
  const seven = [ann, bob, cyd, dan, "usr_eve", "usr_fay", "usr_gus"];
  const daily = { start: "2026-03-02T00:00", participants: seven, restrictions: [weekdays] };

  test("skip days without any time on call, so that everybody serves", () => {
    expect(
      listPeriods(berlinSchedule({ ...daily, turns: "duty" }), "2026-03-05T23:00:00Z", "2026-03-12T00:00:00Z"),
    ).toEqual([
      "2026-03-05T23:00 usr_eve",
      "2026-03-06T23:00",
      "2026-03-08T23:00 usr_fay",
      "2026-03-09T23:00 usr_gus",
      "2026-03-10T23:00 usr_ann",
      "2026-03-11T23:00 usr_bob",
    ]);
  });

  test("are suggested by a warning if, with calendar turns, two of seven people would never be on call", () => {
    const now = at("2026-03-02T12:00:00Z");

    expect(findEverOnCall(berlinSchedule(daily), now).never).toEqual(["usr_fay", "usr_gus"]);
    expect(findEverOnCall(berlinSchedule({ ...daily, turns: "duty" }), now).never).toEqual([]);
    expect(findEverOnCall(berlinSchedule({ ...daily, participants: seven.slice(1) }), now).never).toEqual([]);
  });

  test("are computed after 70 years as quickly as at the start", () => {
    const schedule = berlinSchedule({ ...daily, start: "1970-01-05T00:00", every: 5, unit: "hour", turns: "duty" });
    const stateAt = compileDuty({ schedule, overrides: [] });
    const began = performance.now();

    for (let hour = 0; hour < 1_000; hour += 1) stateAt(at("2040-01-02T00:00:00Z") + hour * HOUR);

    // Only a calculation that does not visit all 120,000 turns is fast enough.
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});

describe("the warning about a participant who is never on call", () => {
  const now = at("2026-03-10T12:00:00Z");

  test("is given if a later rotation always takes precedence", () => {
    const below = aLayer({ participants: [ann, bob] });

    expect(findEverOnCall(aSchedule("UTC", below, aLayer({ participants: [bob, cyd] })), now).never).toEqual([
      "usr_ann",
    ]);
    expect(findEverOnCall(aSchedule("UTC", below, aLayer({ participants: [cyd, []] })), now).never).toEqual([]);
    expect(
      findEverOnCall(aSchedule("UTC", below, aLayer({ participants: [cyd], until: "2026-05-01T00:00" })), now).never,
    ).toEqual([]);
    expect(
      findEverOnCall(aSchedule("UTC", below, aLayer({ participants: [cyd], restrictions: [weekdays] })), now).never,
    ).toEqual([]);
  });

  test("is given for a rotation that ends before the participant's turn, and not for a rotation that has ended", () => {
    expect(findEverOnCall(aSchedule("UTC", aLayer({ until: "2026-03-12T09:00" })), now).never).toEqual(["usr_bob"]);
    expect(findEverOnCall(aSchedule("UTC", aLayer({ until: "2026-03-09T10:00" })), now)).toEqual({
      ever: new Set(),
      never: [],
    });
  });

  test("is not given for a turn that continues after a later rotation took precedence", () => {
    const below = aLayer({ every: 2, unit: "week", participants: [ann, bob] });
    const above = aLayer({ start: "2026-03-09T00:00", participants: [cyd] });

    for (const time of [now, at("2026-03-09T00:00:00Z")])
      expect(findEverOnCall(aSchedule("UTC", below, above), time)).toEqual({
        ever: new Set(["usr_cyd"]),
        never: [ann, bob],
      });
  });

  test("is given for a person whose last monthly turn is over", () => {
    const monthly = aLayer({ unit: "month", until: "2026-05-01T00:00", participants: [ann, bob] });

    expect(findEverOnCall(aSchedule("UTC", monthly), at("2026-04-02T09:00:00Z")).never).toEqual([ann]);
  });

  test("uses the clock of the schedule's time zone", () => {
    const ends = aSchedule("Europe/Berlin", aLayer({ until: "2026-03-10T13:00", participants: [ann] }));

    expect(findEverOnCall(ends, at("2026-03-10T11:59:59Z")).ever).toEqual(new Set(["usr_ann"]));
    expect(findEverOnCall(ends, at("2026-03-10T12:00:00Z"))).toEqual({ ever: new Set(), never: [] });
  });

  test("is given if there is no time on call within three years", () => {
    const people = ["usr_a", "usr_b", "usr_c", "usr_d"];
    const turn = fc.oneof(fc.constantFrom(...people), fc.uniqueArray(fc.constantFrom(...people), { maxLength: 2 }));
    const layers = fc.array(
      fc.record({
        start: fc.constantFrom("2026-02-02T00:00", "2026-03-09T06:00", "2026-06-01T00:00"),
        unit: fc.constantFrom("hour", "day", "week"),
        every: fc.integer({ min: 1, max: 30 }),
        participants: fc.array(turn, { maxLength: 4 }),
        turns: fc.constantFrom("calendar", "duty"),
        restrictions: fc.array(
          fc.record({
            days: fc.uniqueArray(fc.constantFrom("mon", "wed", "sat", "sun"), { minLength: 1 }),
            from: fc.constantFrom("00:00", "08:00", "22:00"),
            to: fc.constantFrom("06:00", "12:00", "24:00"),
          }),
          { maxLength: 1 },
        ),
      }),
      { minLength: 1, maxLength: 2 },
    );
    fc.assert(
      fc.property(layers, (input) => {
        const schedule = aSchedule("UTC", ...input.map((layer) => aLayer(layer)));
        const days = 3 * 366;
        const seen = new Set(
          [...listStretches({ schedule, overrides: [] }, now, now + days * DAY)].flatMap((one) =>
            one.people.map(({ userId }) => userId),
          ),
        );
        const { ever, never } = findEverOnCall(schedule, now);
        const known = new Set(listScheduleUsers(schedule));
        // With two rotations, `ever` may also contain people whom the later rotation always replaces.
        expect([...seen].filter((userId) => !ever.has(userId))).toEqual([]);
        expect(never).toEqual([...known].filter((userId) => !ever.has(userId)));
        if (input.length === 1) expect([...ever].sort()).toEqual([...seen].sort());
      }),
      { numRuns: 60, seed: 11 },
    );
  });
});

describe("removing a person from a rotation with shared turns", () => {
  const participantsOf = (schedule: OnCallSchedule) => schedule.layers[0]?.participants;

  test("leaves a shared turn to its other people, and gives the person's own turn to the next person", () => {
    const schedule = berlinSchedule({ participants: [ann, [], [ann, bob], [ann], cyd, ann] });

    expect(participantsOf(removeFromSchedule(schedule, ann))).toEqual([
      ["usr_bob"],
      [],
      ["usr_bob"],
      "usr_cyd",
      "usr_cyd",
      ["usr_bob"],
    ]);
  });

  test("empties the list of turns if only empty turns would remain", () => {
    expect(participantsOf(removeFromSchedule(berlinSchedule({ participants: [ann, []] }), ann))).toEqual([]);
  });

  const turn = fc.oneof(
    fc.constantFrom(ann, bob, cyd, dan),
    fc.uniqueArray(fc.constantFrom(ann, bob, cyd, dan), { maxLength: 3 }),
  );
  const rotation = fc.record({
    participants: fc.array(turn, { minLength: 1, maxLength: 6 }),
    turns: fc.constantFrom("calendar", "duty"),
    restrictions: fc.constantFrom([], [weekdays]),
    first: fc.nat(5),
  });
  const scheduleOf = ({ participants, first, ...rest }: { participants: unknown[]; first: number }) =>
    berlinSchedule({ ...rest, participants, first: first % participants.length });
  const usersOn = (schedule: OnCallSchedule, day: number) =>
    findDutyAt({ schedule, overrides: [] }, at("2026-03-02T12:00:00Z") + day * DAY).people.map(({ userId }) => userId);

  test("changes nobody else's turn", () => {
    fc.assert(
      fc.property(rotation, fc.nat(1_000), (layer, day) => {
        const before = scheduleOf(layer);
        const after = removeFromSchedule(before, ann);
        const others = listScheduleUsers(before).some((userId) => userId !== ann);
        for (let ahead = day; ahead < day + 14; ahead += 1) {
          const [then, now] = [usersOn(before, ahead), usersOn(after, ahead)];
          const left = then.filter((userId) => userId !== ann);
          if (left.length > 0 || then.length === 0) expect(now).toEqual(left);
          else expect(now.length > 0).toBe(others);
        }
      }),
      { numRuns: 200, seed: 12 },
    );
  });

  test("keeps everybody's turns when the schedule is saved again unchanged afterwards", () => {
    fc.assert(
      fc.property(rotation, fc.nat(1_000), (layer, day) => {
        const before = scheduleOf(layer);
        const [one] = before.layers;
        if (one === undefined) throw new Error("there is one layer");
        const { first = 0, ...written } = one;
        const again = keepTurns(before, { ...before, layers: [written] }, at("2026-03-02T12:00:00Z") + day * DAY);

        const usersOfTwoWeeks = (schedule: OnCallSchedule) =>
          Array.from({ length: 14 }, (_, ahead) => usersOn(schedule, day + ahead));
        expect(usersOfTwoWeeks(again)).toEqual(usersOfTwoWeeks(before));
        expect(first).toBeLessThan(one.participants.length);
      }),
      { numRuns: 200, seed: 13 },
    );
  });
});

describe("a new version of a schedule that has shared or empty turns", () => {
  const now = at("2026-03-03T12:00:00Z");
  const replaceTurns = (participants: unknown[], changes: object = {}) =>
    keepTurns(berlinSchedule({ participants: [ann, bob, cyd] }), berlinSchedule({ participants, ...changes }), now);
  const usersOnDays = (schedule: OnCallSchedule, days: number) =>
    Array.from({ length: days }, (_, day) =>
      findDutyAt({ schedule, overrides: [] }, now + day * DAY)
        .people.map(({ userId }) => userId)
        .join(" "),
    );

  test("keeps the current turn on call if a person is added to that turn", () => {
    expect(usersOnDays(replaceTurns([ann, [bob, dan], cyd]), 3)).toEqual(["usr_bob usr_dan", "usr_cyd", "usr_ann"]);
  });

  test("keeps the same person on call if the schedule has empty turns", () => {
    expect(usersOnDays(replaceTurns([[], ann, bob, cyd]), 4)).toEqual(["usr_bob", "usr_cyd", "", "usr_ann"]);
  });

  test.each<[string, unknown[], unknown[], number, string[]]>([
    [
      "it is an empty turn and another empty turn was removed",
      [ann, [], [], bob],
      [ann, [], bob],
      1,
      ["", "usr_bob", "usr_ann"],
    ],
    [
      "it is the first of two empty turns that were moved",
      [ann, [], [], bob],
      [[], [], bob, ann],
      1,
      ["", "", "usr_bob"],
    ],
    ["it is the second of two empty turns that were moved", [bob, ann, [], []], [ann, [], [], bob], 3, ["", "usr_bob"]],
    [
      "it is an empty turn that was removed: the next turn follows",
      [ann, [], bob],
      [ann, bob],
      1,
      ["usr_bob", "usr_ann"],
    ],
    [
      "its person was removed: the next person with a turn follows",
      [ann, [], bob],
      [[], bob],
      0,
      ["usr_bob", "", "usr_bob"],
    ],
    [
      "a person's last turn is current and is removed: the person's last remaining turn follows",
      [bob, ann, cyd, ann],
      [bob, ann, cyd],
      3,
      ["usr_ann", "usr_cyd", "usr_bob"],
    ],
    [
      "it is one of a person's turns, all of which remain",
      [ann, bob, ann, cyd],
      [dan, ann, bob, ann, cyd],
      2,
      ["usr_ann", "usr_cyd", "usr_dan"],
    ],
  ])("continues from the current turn if %s", (_title, before, after, day, onDuty) => {
    const from = at("2026-03-02T12:00:00Z") + day * DAY;
    const schedule = keepTurns(berlinSchedule({ participants: before }), berlinSchedule({ participants: after }), from);

    const days = onDuty.map((_, ahead) => findDutyAt({ schedule, overrides: [] }, from + ahead * DAY).people);
    expect(days.map((people) => people.map(({ userId }) => userId).join(" "))).toEqual(onDuty);
  });

  test.each([
    ["the start of the rotation", { start: "2026-03-01T09:00" }],
    ["the length of turns", { every: 2 }],
    ["the unit of turns from days to weeks", { unit: "week" }],
    ["the position of the first turn", { first: 0 }],
  ])("starts as the input says if the input changes %s", (_what, changes) => {
    const before = berlinSchedule({ participants: [ann, bob, cyd] });
    const after = berlinSchedule({ participants: [ann, bob, cyd, dan], ...changes });

    expect(keepTurns(before, after, at("2026-03-05T12:00:00Z"))).toEqual(after);
  });

  test("continues the turns of the old rotation with the same turn length, even if its position has changed", () => {
    const weekly = aLayer({ unit: "week" });
    const after = keepTurns(
      aSchedule("UTC", weekly, aLayer()),
      aSchedule("UTC", aLayer({ participants: [ann, bob, cyd, dan] }), weekly),
      at("2026-03-05T12:00:00Z"),
    );

    expect(
      findDutyAt({ schedule: aSchedule("UTC", ...after.layers.slice(0, 1)), overrides: [] }, at("2026-03-05T12:00:00Z"))
        .people,
    ).toMatchObject([{ userId: "usr_ann" }]);
  });

  test("keeps the same person on call if turns count only days on call", () => {
    const after = replaceTurns([ann, bob, cyd], { turns: "duty", restrictions: [weekdays] });

    expect(toUserIds(after.layers[0]?.participants[after.layers[0].first ?? 0])).toEqual(["usr_ann"]);
    // The turn from Sunday to Monday, 09:00, includes Monday's night.
    expect(usersOnDays(after, 7)).toEqual(["usr_bob", "usr_cyd", "usr_ann", "usr_bob", "", "", "usr_ann"]);
  });
});
