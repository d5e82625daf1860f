import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as v from "valibot";
import {
  findGaps,
  findNextOnCallChange,
  findDutyAt,
  OnCallSchedule,
  type OverridePeriod,
  listStretches,
} from "../../../../core/domain/on-call/index.ts";
import { listClockChanges, DAY, MINUTE, computeOnCall, walkTime, type Walk } from "./slow.ts";

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Casablanca",
  "Antarctica/Troll", // changes by two hours
];
const RUNS_PER_ZONE = Number(process.env["CLOCK_CHANGE_RUNS"] ?? 15);
const MINUTES_PER_RUN = 120;

const iso = (ms: number): string => new Date(ms).toISOString();
const users = fc.constantFrom("usr_a", "usr_b", "usr_c", "usr_d");
const quarter = fc.integer({ min: 0, max: 95 }).map((n) => n * 15);
const formatClock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

/** Half of the random times of day are in the hours in which clocks usually change. */
const timeOfDay = fc
  .oneof(
    fc.integer({ min: 0, max: 16 }).map((n) => n * 15),
    quarter,
  )
  .map(formatClock);

const restriction = fc.record({
  days: fc.uniqueArray(fc.constantFrom("mon", "tue", "wed", "thu", "fri", "sat", "sun"), { minLength: 1 }),
  from: timeOfDay,
  to: fc.oneof(timeOfDay, fc.constant("24:00")),
});

const layerAround = (change: number) =>
  fc
    .record({
      start: fc.record({ minutesBefore: fc.integer({ min: -2_880, max: 40 * 1_440 }), local: fc.boolean() }),
      cadence: fc.oneof(
        fc.record({ unit: fc.constant("hour"), every: fc.integer({ min: 1, max: 30 }) }),
        fc.record({ unit: fc.constant("day"), every: fc.integer({ min: 1, max: 3 }) }),
        fc.record({ unit: fc.constant("week"), every: fc.constant(1) }),
        fc.record({ unit: fc.constant("month"), every: fc.integer({ min: 1, max: 2 }) }),
      ),
      participants: fc.array(fc.oneof({ weight: 3, arbitrary: users }, fc.uniqueArray(users, { maxLength: 3 })), {
        maxLength: 4,
      }),
      turns: fc.constantFrom("calendar", "duty"),
      ends: fc.option(fc.record({ minutes: fc.integer({ min: 1, max: 4 * 1_440 }), local: fc.boolean() })),
      first: fc.nat(),
      restrictions: fc.array(restriction, { maxLength: 2 }),
    })
    .map(({ start, cadence, participants, first, turns, ends, restrictions }) => {
      const text = iso(change - start.minutesBefore * MINUTE);
      // The end is at least an hour after the start by every clock, and mostly near the clock change.
      const end =
        Math.max(change - 2 * DAY, change - start.minutesBefore * MINUTE + DAY) + (ends?.minutes ?? 0) * MINUTE;
      const until = ends === null ? {} : { until: ends.local ? iso(end).slice(0, 16) : iso(end) };
      return {
        start: start.local ? text.slice(0, 16) : text,
        ...until,
        ...cadence,
        participants,
        turns,
        first: first % Math.max(1, participants.length),
        restrictions,
      };
    });

const overrideAround = (change: number) =>
  fc
    .record({ userId: users, start: fc.integer({ min: -4_000, max: 4_000 }), length: fc.integer({ min: 1, max: 900 }) })
    .map(({ userId, start, length }) => ({
      userId,
      start: iso(change + start * MINUTE),
      end: iso(change + (start + length) * MINUTE),
    }));

const arbitraryCase = (timeZone: string, changes: readonly number[]) =>
  fc.constantFrom(...changes).chain((change) =>
    fc.record({
      change: fc.constant(change),
      schedule: fc.array(layerAround(change), { minLength: 1, maxLength: 3 }).map((layers) => ({ timeZone, layers })),
      overrides: fc
        .array(overrideAround(change), { maxLength: 3 })
        .map((list) => list.map((override, index) => ({ ...override, id: `ovr_${index}` }))),
      minutes: fc.array(
        fc.oneof(fc.integer({ min: -180, max: 180 }), fc.integer({ min: -2 * 1_440, max: 2 * 1_440 })),
        { minLength: MINUTES_PER_RUN, maxLength: MINUTES_PER_RUN },
      ),
    }),
  );

const usersAt = (schedule: OnCallSchedule, overrides: readonly OverridePeriod[], at: number): string =>
  findDutyAt({ schedule, overrides }, at)
    .people.map(({ userId }) => userId)
    .sort()
    .join(" ");

const liesInShift = (schedule: OnCallSchedule, overrides: readonly OverridePeriod[], at: number): boolean =>
  findDutyAt({ schedule, overrides }, at).people.every(({ source }) =>
    source.kind === "layer" ? source.shiftStart <= at && at < source.shiftEnd : source.start <= at && at < source.end,
  );

const computeStretches = (
  schedule: OnCallSchedule,
  overrides: readonly OverridePeriod[],
  steps: Walk,
  from: number,
  to: number,
) => {
  const found: { start: number; end: number; users: string }[] = [];
  for (let ms = from; ms < to; ms += MINUTE) {
    const users = computeOnCall(schedule, overrides, steps, ms).join(" ");
    const last = found.at(-1);
    if (last?.users === users) last.end = ms + MINUTE;
    else found.push({ start: ms, end: ms + MINUTE, users });
  }
  return found;
};

describe.each(ZONES)("who is on call in %s from 2024 to 2030", (timeZone) => {
  const changes = listClockChanges(timeZone, Date.UTC(2024, 0, 1), Date.UTC(2031, 0, 1));
  const walks = new Map<number, Walk>();
  const walkAround = (change: number): Walk => {
    const known = walks.get(change) ?? walkTime(timeZone, change - 4 * DAY, change + 3 * DAY);
    walks.set(change, known);
    return known;
  };

  test("is tested across at least four clock changes", () => {
    // The exact number depends on the time zone database of the runtime, as Morocco may abolish its clock changes.
    expect(changes.length).toBeGreaterThanOrEqual(4);
  });

  test("equals a minute-by-minute computation at every clock change", () => {
    fc.assert(
      fc.property(arbitraryCase(timeZone, changes), ({ change, schedule: input, overrides, minutes }) => {
        const schedule = v.parse(OnCallSchedule, input);
        const wrong = minutes
          .map((minute) => change + minute * MINUTE)
          .map((ms) => ({
            at: iso(ms),
            users: usersAt(schedule, overrides, ms),
            slow: computeOnCall(schedule, overrides, walkAround(change), ms).join(" "),
          }))
          .filter(({ users, slow }) => users !== slow);

        expect(wrong).toEqual([]);
        expect(minutes.filter((minute) => !liesInShift(schedule, overrides, change + minute * MINUTE))).toEqual([]);
      }),
      { numRuns: RUNS_PER_ZONE, seed: 20_260_302 },
    );
  });

  test("has the same handoffs and gaps as a minute-by-minute computation", () => {
    fc.assert(
      fc.property(arbitraryCase(timeZone, changes), ({ change, schedule: input, overrides }) => {
        const schedule = v.parse(OnCallSchedule, input);
        const [from, to] = [change - DAY, change + DAY];
        const slow = computeStretches(schedule, overrides, walkAround(change), from, to);

        const fast = [...listStretches({ schedule, overrides }, from, to)].map(({ start, end, people }) => ({
          start,
          end,
          users: people
            .map(({ userId }) => userId)
            .sort()
            .join(" "),
        }));

        expect(fast).toEqual(slow);
        expect(findNextOnCallChange({ schedule, overrides }, from, 2)?.at).toBe(slow[1]?.start);
        expect(findGaps({ schedule, overrides }, from, 2)).toEqual(
          slow.filter(({ users }) => users === "").map(({ start, end }) => ({ start, end })),
        );
      }),
      { numRuns: Math.ceil(RUNS_PER_ZONE / 4), seed: 20_260_303 },
    );
  });
});
