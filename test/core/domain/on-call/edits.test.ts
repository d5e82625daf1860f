import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileDuty, keepTurns, type OnCallSchedule, toUserIds } from "../../../../core/domain/on-call/index.ts";
import { listDutyMoves } from "../../../../core/domain/on-call/duty-moves.ts";
import { computeOnCall, walkTime } from "./slow.ts";
import { aSchedule, at } from "./support.ts";

/* Random edits of random schedules: only the edited turns may move, and everybody whose turn moves must be named. */

const RUNS = Number(process.env["SCHEDULE_EDITS"] ?? 40);
const DAYS = 28;
const HALF_HOUR = 1_800_000;
const DAY = 48 * HALF_HOUR;
const START = at("2026-03-02T09:00:00Z");

type Layer = OnCallSchedule["layers"][number];
const names = ["ann", "bob", "cyd", "dan", "eve", "fay"].map((name) => `usr_${name}`);
const newcomers = ["usr_gus", "usr_hal"];
const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata");
const turn = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...names) },
  { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 2 }) },
);
const hours = fc.constantFrom<Layer["restrictions"]>(
  undefined,
  [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }],
  [{ days: ["sat", "sun"], from: "00:00", to: "24:00" }],
);
const layer = fc
  .record({
    unit: fc.constantFrom("hour" as const, "day" as const, "week" as const, "month" as const),
    every: fc.integer({ min: 1, max: 3 }),
    participants: fc.array(turn, { minLength: 1, maxLength: 5 }),
    restrictions: hours,
    turns: fc.constantFrom(undefined, "calendar" as const, "duty" as const),
    first: fc.nat(4),
    start: fc.constantFrom("2026-02-27T09:00", "2026-03-01T00:00"),
  })
  .map(({ unit, every, first, restrictions, turns, ...rest }) => ({
    ...rest,
    unit,
    every: unit === "hour" ? every * 4 : every,
    first: first % rest.participants.length,
    ...(restrictions === undefined ? {} : { restrictions }),
    ...(turns === undefined ? {} : { turns }),
  }));
/** Includes rotations with the same start and length, which the code must not mistake for each other. */
const layers = fc
  .tuple(fc.array(layer, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([some, same]) =>
    same ? some.map((one) => ({ ...one, start: some[0]!.start, unit: some[0]!.unit, every: some[0]!.every })) : some,
  );
const edit = fc.record({
  kind: fc.constantFrom(
    "add",
    "remove",
    "replace",
    "replace two",
    "reorder",
    "hours",
    "move layer",
    "remove layer",
    "add layer",
  ),
  layer: fc.nat(2),
  place: fc.nat(4),
  restrictions: hours,
  other: layer,
});

/** Returns a rotation as a client sends it back, without the field `first` that the service has stored. */
const withoutFirst = ({ first: _first, ...rest }: Layer): Layer => rest;
const sortAndJoin = (userIds: readonly string[]): string => [...userIds].sort().join(" ");

/** Returns the edited rotations (`is`), each with its old version (`was`), which is undefined for a new rotation. */
const applyEdit = (
  old: readonly Layer[],
  { kind, layer: nr, place, restrictions, other }: typeof edit extends fc.Arbitrary<infer T> ? T : never,
) => {
  const index = nr % old.length;
  const one = old[index]!;
  const { participants } = one;
  const changeLayer = (changes: Partial<Layer>) =>
    old.map((same, at_) => ({
      was: same,
      is: at_ === index ? { ...withoutFirst(same), ...changes } : withoutFirst(same),
    }));
  const spot = place % participants.length;
  switch (kind) {
    case "add":
      return changeLayer({ participants: participants.toSpliced(spot, 0, newcomers[0]!) });
    case "remove":
      return changeLayer({ participants: participants.toSpliced(spot, 1) });
    case "replace":
    case "replace two":
      return changeLayer({
        participants: participants.map((was, at_) =>
          at_ === spot
            ? newcomers[0]!
            : kind === "replace two" && at_ === (spot + 1) % participants.length
              ? newcomers[1]!
              : was,
        ),
      });
    case "reorder":
      return changeLayer({ participants: [...participants.slice(spot), ...participants.slice(0, spot)].toReversed() });
    case "hours": {
      const { restrictions: _restrictions, ...rest } = withoutFirst(one);
      return old.map((same, at_) => ({
        was: same,
        is: at_ === index ? { ...rest, ...(restrictions === undefined ? {} : { restrictions }) } : withoutFirst(same),
      }));
    }
    case "move layer": {
      const all = old.map((same) => ({ was: same, is: withoutFirst(same) }));
      return [...all.filter((_, at_) => at_ !== index), all[index]!];
    }
    case "remove layer":
      return old.flatMap((same, at_) => (at_ === index ? [] : { was: same, is: withoutFirst(same) }));
    case "add layer":
      return [
        { was: undefined, is: withoutFirst(other) },
        ...old.map((same) => ({ was: same, is: withoutFirst(same) })),
      ];
  }
};

const usersAt = (schedule: OnCallSchedule) => {
  const ask = compileDuty({ schedule, overrides: [] });
  return (ms: number): string[] => ask(ms).people.map(({ userId }) => userId);
};

/** Returns a function that finds the users of the current turn of a rotation, regardless of its hours. */
const usersOfTurnAt = (timeZone: string, layer: Layer) => {
  const { restrictions: _restrictions, turns: _turns, ...always } = layer;
  return usersAt({ timeZone, layers: [layer.turns === "duty" ? layer : always] });
};

describe("random edits of an on-call schedule", () => {
  test("move turns only where the edit says so, and name everybody whose turn moves", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(zone, layers, edit, fc.integer({ min: 0, max: 30 * 48 }), (timeZone, some, change, later) => {
        const before = aSchedule(timeZone, ...some);
        const now = START + later * HALF_HOUR;
        const pairs = applyEdit(before.layers, change);
        const after = keepTurns(before, { timeZone, layers: pairs.map(({ is }) => is) }, now);
        const place = change.place % before.layers[change.layer % before.layers.length]!.participants.length;

        for (const [index, { was, is }] of pairs.entries()) {
          if (was === undefined) continue;
          const [then, since] = [usersOfTurnAt(timeZone, was), usersOfTurnAt(timeZone, after.layers[index]!)];
          const isEdited = was === before.layers[change.layer % before.layers.length];
          const isReplaced = change.kind.startsWith("replace") && isEdited;
          const isUntouched = JSON.stringify(is) === JSON.stringify(withoutFirst(was));
          for (let ms = now; ms < now + (isUntouched || isReplaced ? 14 * DAY : HALF_HOUR); ms += 7 * HALF_HOUR) {
            const [old, present] = [then(ms), since(ms)];
            if (isUntouched) expect(sortAndJoin(present)).toBe(sortAndJoin(old));
            // A person who was not replaced gains no turn and loses none.
            else if (isReplaced) {
              const gone = [place, change.kind === "replace" ? place : (place + 1) % was.participants.length];
              const known = was.participants.flatMap((one, at_) => (gone.includes(at_) ? [] : toUserIds(one)));
              const stays = known.filter((userId) =>
                was.participants.every((one, at_) => !gone.includes(at_) || !toUserIds(one).includes(userId)),
              );
              expect(sortAndJoin(present.filter((one) => stays.includes(one)))).toBe(
                sortAndJoin(old.filter((one) => stays.includes(one))),
              );
            }
            // In any other edit, the person on call stays on call unless they were removed.
            else if (
              was.turns !== "duty" &&
              old.length === 1 &&
              is.participants.flatMap(toUserIds).includes(old[0]!) &&
              change.kind !== "remove"
            )
              expect(present).toContain(old[0]);
          }
        }

        const moved = new Set<string>();
        const clock = walkTime(timeZone, now - 2 * DAY, now + DAYS * DAY);
        const expectedUsers = (schedule: OnCallSchedule, ms: number) => computeOnCall(schedule, [], clock, ms);
        const wasOnCall = new Set<string>();
        for (let ms = now; ms < now + DAYS * DAY; ms += HALF_HOUR) {
          const [old, present] = [expectedUsers(before, ms), expectedUsers(after, ms)];
          for (const userId of old) wasOnCall.add(userId);
          if (sortAndJoin(old) === sortAndJoin(present)) continue;
          for (const userId of [...old, ...present])
            if (old.includes(userId) !== present.includes(userId)) moved.add(userId);
        }
        const named = listDutyMoves({ schedule: before, overrides: [] }, { schedule: after, overrides: [] }, now);
        expect(sortAndJoin(named.map(({ userId }) => userId))).toBe(sortAndJoin([...moved]));
        for (const { userId, wasOnCall: was } of named) expect(was).toBe(wasOnCall.has(userId));
      }),
      { numRuns: RUNS, seed: 48 },
    );
  });
});
