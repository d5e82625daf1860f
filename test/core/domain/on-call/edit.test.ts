import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  keepTurns,
  findDutyAt,
  type OnCallSchedule,
  type Turn,
  removeFromSchedule,
} from "../../../../core/domain/on-call/index.ts";
import { aLayer, ann, aSchedule, at, bob, cyd, dan, usersAt } from "./support.ts";

const DAY = 24 * 3_600_000;
const users = [ann, bob, cyd, dan];
const rotation = (...participants: Turn[]) => aSchedule("Europe/Berlin", aLayer({ participants }));
const participantsOf = (schedule: OnCallSchedule) => schedule.layers.map(({ participants }) => participants);

/** Returns the user on call at 12:00 UTC on each of `days` days, by default from 2 March 2026. */
const usersOnDays = (schedule: OnCallSchedule, days: number, from = at("2026-03-02T12:00:00Z")) =>
  Array.from({ length: days }, (_, day) => findDutyAt({ schedule, overrides: [] }, from + day * DAY).people[0]?.userId);

describe("removing a participant from a rotation", () => {
  test("gives their turns to the next participant, and changes nobody else's turns", () => {
    const before = rotation(ann, bob, cyd);

    const after = removeFromSchedule(before, bob);

    expect(usersOnDays(before, 6)).toEqual(["usr_ann", "usr_bob", "usr_cyd", "usr_ann", "usr_bob", "usr_cyd"]);
    expect(usersOnDays(after, 6)).toEqual(["usr_ann", "usr_cyd", "usr_cyd", "usr_ann", "usr_cyd", "usr_cyd"]);
  });

  test("gives the turns to the first participant if the removed participant was last in the list", () => {
    expect(participantsOf(removeFromSchedule(rotation(ann, bob, cyd), cyd))).toEqual([
      ["usr_ann", "usr_bob", "usr_ann"],
    ]);
  });

  test("gives turns that this participant had in a row to one person, the next participant", () => {
    expect(participantsOf(removeFromSchedule(rotation(ann, bob, bob, cyd), bob))).toEqual([
      ["usr_ann", "usr_cyd", "usr_cyd", "usr_cyd"],
    ]);
  });

  test("leaves the rotation empty if nobody else is in it, and leaves other rotations unchanged", () => {
    const schedule = aSchedule("UTC", aLayer({ participants: [ann, ann], first: 1 }), aLayer({ participants: [bob] }));

    const after = removeFromSchedule(schedule, ann);

    expect(after.layers[0]).toEqual({ start: "2026-03-02T09:00", every: 1, unit: "day", participants: [] });
    expect(participantsOf(after)).toEqual([[], ["usr_bob"]]);
  });

  test("leaves rotations without a turn of the participant unchanged", () => {
    const nobody = aLayer({ participants: [[], []], first: 1 });

    const after = removeFromSchedule(aSchedule("UTC", aLayer({ participants: [ann, bob] }), nobody), ann);

    expect(after.layers[1]).toEqual(nobody);
  });

  test("leaves schedules without a turn of the participant unchanged", () => {
    const schedule = rotation(ann, bob);

    expect(removeFromSchedule(schedule, cyd)).toBe(schedule);
  });

  test("changes nobody else's turn, now or later", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...users), { minLength: 1, maxLength: 6 }),
        fc.nat(5),
        fc.uniqueArray(fc.constantFrom(...users), { maxLength: 3 }),
        fc.integer({ min: 0, max: 5_000 }),
        (participants, first, leaving, day) => {
          const schedule = aSchedule("Europe/Berlin", aLayer({ participants, first: first % participants.length }));
          const from = at("2026-03-02T12:00:00Z") + day * DAY;

          const isStaying = (userId: string | undefined) => !leaving.some((gone) => gone === userId);

          const after = leaving.reduce<OnCallSchedule>(removeFromSchedule, schedule);

          const [before, now] = [usersOnDays(schedule, 12, from), usersOnDays(after, 12, from)];
          expect(now.filter((_, index) => isStaying(before[index]))).toEqual(before.filter(isStaying));
          expect(now.every((userId) => (participants.some(isStaying) ? isStaying(userId) : userId === undefined))).toBe(
            true,
          );
        },
      ),
      { numRuns: 300, seed: 7 },
    );
  });
});

describe("replacing an on-call schedule", () => {
  /** A moment in the third turn, which is Cyd's. */
  const now = at("2026-03-04T12:00:00Z");

  test("keeps the same person on call and the old order if one participant is removed", () => {
    const after = keepTurns(rotation(ann, bob, cyd), rotation(bob, cyd), now);

    expect(after.layers[0]).toMatchObject({ participants: ["usr_bob", "usr_cyd"], first: 1 });
    expect(usersOnDays(after, 3, now)).toEqual(["usr_cyd", "usr_bob", "usr_cyd"]);
  });

  test("puts the next person on call if the person on call is removed", () => {
    expect(usersOnDays(keepTurns(rotation(ann, bob, cyd), rotation(ann, bob), now), 3, now)).toEqual([
      "usr_ann",
      "usr_bob",
      "usr_ann",
    ]);
  });

  test("keeps the same person on call if one participant is added", () => {
    expect(usersOnDays(keepTurns(rotation(ann, bob, cyd), rotation(ann, dan, bob, cyd), now), 4, now)).toEqual([
      "usr_cyd",
      "usr_ann",
      "usr_dan",
      "usr_bob",
    ]);
  });

  test("keeps the order of turns if a participant is added to a rotation with a first turn (`first`)", () => {
    const before = aSchedule("Europe/Berlin", aLayer({ first: 1 }));

    expect(usersOnDays(before, 3, now)).toEqual(["usr_ann", "usr_bob", "usr_cyd"]);
    expect(usersOnDays(keepTurns(before, rotation(ann, bob, cyd, dan), now), 5, now)).toEqual([
      "usr_ann",
      "usr_bob",
      "usr_cyd",
      "usr_dan",
      "usr_ann",
    ]);
  });

  test.each([
    ["first", now - 2 * DAY, ["usr_ann", "usr_bob", "usr_ann", "usr_cyd", "usr_dan"]],
    ["second", now, ["usr_ann", "usr_cyd", "usr_dan", "usr_ann", "usr_bob"]],
  ])("keeps the person on call in the %s of their turns if they have several turns", (_, time, expected) => {
    const next = rotation(ann, bob, ann, cyd, dan);

    expect(usersOnDays(keepTurns(rotation(ann, bob, ann, cyd), next, time), 5, time)).toEqual(expected);
  });

  test("keeps the person on call in the last of their turns if they have fewer turns than before", () => {
    const after = keepTurns(rotation(ann, bob, ann, cyd), rotation(ann, bob, cyd), now);

    expect(usersOnDays(after, 3, now)).toEqual(["usr_ann", "usr_bob", "usr_cyd"]);
  });

  test("changes nothing if the same input is saved again, even later", () => {
    const once = keepTurns(rotation(ann, bob, cyd), rotation(bob, cyd), now);

    expect(keepTurns(once, rotation(bob, cyd), now + 5 * DAY)).toEqual(once);
  });

  test.each<[string, Turn[], Turn[], string[]]>([
    ["all turns move", [ann, bob, cyd], [cyd, ann, bob], ["usr_cyd", "usr_ann", "usr_bob"]],
    ["one turn stays where it was", [ann, bob, cyd], [ann, cyd, bob], ["usr_cyd", "usr_bob", "usr_ann"]],
    [
      "shared turns move",
      [
        [bob, cyd],
        [ann, cyd],
      ],
      [
        [ann, cyd],
        [bob, cyd],
      ],
      ["usr_bob", "usr_ann", "usr_bob"],
    ],
  ])("keeps the same person on call if the participants are reordered so that %s", (_, before, next, days) => {
    expect(usersOnDays(keepTurns(rotation(...before), rotation(...next), now), 3, now)).toEqual(days);
  });

  test("keeps the position of the first turn (`first`) if all people are new", () => {
    const before = aSchedule("Europe/Berlin", aLayer({ first: 1 }));

    expect(keepTurns(before, rotation(dan, "usr_eve", "usr_fay"), now).layers[0]?.first).toBe(1);
  });

  test.each<[string, object[], object[], (number | undefined)[]]>([
    [
      "shares people with it",
      [{}, { participants: [dan, "usr_eve"] }],
      [{ participants: [dan, "usr_fay", "usr_eve"] }, { participants: [bob, cyd] }],
      [1, 1],
    ],
    [
      "is equal to it, even if another rotation shares its people",
      [{ first: 1 }],
      [{ participants: [ann, bob, cyd, dan] }, {}],
      [undefined, 1],
    ],
    [
      "is at the same position, if two are equal",
      [{}, { first: 1 }],
      [{ participants: [dan, "usr_eve", "usr_fay"] }, {}],
      [undefined, 1],
    ],
  ])(
    "gives the turns of each old rotation to the new rotation of the same cadence that %s",
    (_, before, next, firsts) => {
      const [was, is] = [before, next].map((some) => aSchedule("Europe/Berlin", ...some.map(aLayer)));

      expect(keepTurns(was!, is!, now).layers.map(({ first }) => first)).toEqual(firsts);
    },
  );

  test.each<[string, Turn[], Turn[], string[]]>([
    ["the last participant", [ann, bob, cyd], [ann, bob, dan], ["usr_dan", "usr_ann", "usr_bob"]],
    ["the first participant", [ann, bob, cyd], [dan, bob, cyd], ["usr_cyd", "usr_dan", "usr_bob"]],
    ["two participants", [ann, bob, cyd], [dan, bob, "usr_eve"], ["usr_eve", "usr_dan", "usr_bob"]],
    ["all participants", [ann, bob, cyd], ["usr_eve", "usr_fay", dan], ["usr_dan", "usr_eve", "usr_fay"]],
    ["a participant by another participant", [ann, bob, cyd], [ann, bob, ann], ["usr_ann", "usr_ann", "usr_bob"]],
    [
      "a participant of a shared turn",
      [ann, bob, [cyd, ann]],
      [dan, bob, [cyd, dan]],
      ["usr_cyd", "usr_dan", "usr_bob"],
    ],
  ])("moves no turn when it replaces %s", (_, before, next, days) => {
    expect(usersOnDays(keepTurns(rotation(...before), rotation(...next), now), 3, now)).toEqual(days);
  });

  test("keeps the turns of a rotation if an identical rotation is changed, moved or removed", () => {
    const twin = aLayer({ participants: [dan, "usr_eve"] });
    const written = aLayer({ participants: [ann, bob, cyd] });
    const kept = { ...written, first: 1 };
    const before = aSchedule("Europe/Berlin", twin, kept);

    for (const next of [[written], [written, twin], [aLayer({ participants: [dan] }), written]]) {
      const after = keepTurns(before, aSchedule("Europe/Berlin", ...next), now);
      expect(after.layers.at(next.length === 1 || next[0] === written ? 0 : 1)?.first).toBe(1);
    }
  });

  test("stores the input unchanged if the input sets the position of the first turn (`first`)", () => {
    const next = aSchedule("Europe/Berlin", aLayer({ participants: [bob, cyd], first: 0 }));

    expect(keepTurns(rotation(ann, bob, cyd), next, now)).toEqual(next);
  });

  test.each([
    ["the start of the rotation", { start: "2026-03-02T08:00" }],
    ["the length of turns", { every: 2 }],
    ["the unit of turns from days to weeks", { unit: "week" }],
  ])("starts with the first participant if the input changes %s", (_what, changes) => {
    const next = aSchedule("Europe/Berlin", aLayer({ participants: [bob, cyd], ...changes }));

    expect(keepTurns(rotation(ann, bob, cyd), next, now)).toEqual(next);
  });

  test("stores the input unchanged if it changes the time zone, or everybody in a rotation without a stored first turn", () => {
    const elsewhere = aSchedule("UTC", aLayer({ participants: [bob, cyd] }));

    expect(keepTurns(rotation(ann, bob, cyd), elsewhere, now)).toEqual(elsewhere);
    expect(keepTurns(rotation(ann, bob), rotation(cyd, dan), now)).toEqual(rotation(cyd, dan));
    expect(keepTurns(rotation(ann), rotation(cyd, dan), now)).toEqual(rotation(cyd, dan));
  });

  test("keeps the person who will begin if the rotation starts in the future", () => {
    const before = at("2026-03-01T12:00:00Z");

    expect(usersAt(keepTurns(rotation(ann, bob), rotation(dan, ann, bob), before), "2026-03-02T12:00:00Z")).toEqual([
      "usr_ann",
    ]);
  });

  test("recognises the existing rotations if another rotation is inserted before them", () => {
    const other = aLayer({ start: "2026-01-01T00:00", participants: [dan] });
    const next = aSchedule("Europe/Berlin", other, aLayer({ participants: [bob, cyd] }));

    expect(keepTurns(rotation(ann, bob, cyd), next, now).layers.map(({ first }) => first)).toEqual([undefined, 1]);
  });

  test("never moves a turn because people are added or removed elsewhere in the rotation", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(users, { minLength: 1 }),
        fc.subarray(users),
        fc.integer({ min: 0, max: 4_000 }),
        (participants, leaving, day) => {
          const ms = at("2026-03-02T12:00:00Z") + day * DAY;
          const before = rotation(...participants);
          const [onDuty] = usersOnDays(before, 1, ms);
          const staying = participants.filter((userId) => userId === onDuty || !leaving.includes(userId));

          expect(usersOnDays(keepTurns(before, rotation(...staying), ms), staying.length, ms)).toEqual([
            ...staying.slice(staying.findIndex((userId) => userId === onDuty)),
            ...staying.slice(
              0,
              staying.findIndex((userId) => userId === onDuty),
            ),
          ]);
        },
      ),
      { numRuns: 300, seed: 8 },
    );
  });
});
