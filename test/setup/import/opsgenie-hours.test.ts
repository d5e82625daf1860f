import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureEqualShare, type Reader } from "./import-results.ts";
import { minuteOfWeek, readWallClock, windows } from "./wall.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const WEEK = 10_080;

type Participant = { type: "user" | "none" | "team"; id?: string; username?: string };
type Hours = {
  startHour: number;
  startMin: number;
  endHour: number;
  endMin: number;
  startDay?: string;
  endDay?: string;
};
type Rotation = {
  id: string;
  name: string;
  startDate: string;
  endDate: string | null;
  type: "hourly" | "daily" | "weekly";
  length: number;
  participants: Participant[];
  timeRestriction?: { type: string; restriction?: Hours; restrictions?: Hours[] };
};
type Override = { user: Participant; startDate: string; endDate: string; rotations: { id: string }[] };

const everybody = ["a", "b", "c", "d", "e"].map((id) => ({ id: `u-${id}`, username: `${id}@acme.example` }));
const team = { id: "t-1", name: "Platform", members: everybody.slice(0, 2).map((user) => ({ user, role: "user" })) };
const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const createJsonFile = (path: string, value: unknown) => ({ path: `backup/${path}.json`, text: JSON.stringify(value) });

const createBackup = (zone: string, rotations: Rotation[], overrides: Override[]) => [
  ...everybody.map((user) => createJsonFile(`users/${user.username}`, { user })),
  createJsonFile("teams/Platform-t-1", team),
  createJsonFile("schedules/Web-s-1", {
    schedule: { id: "s-1", name: "Web", timezone: zone, enabled: true, rotations },
  }),
  ...overrides.map((override, index) => createJsonFile(`scheduleOverrides/Web/${index}`, override)),
];

const listPeople = ({ type, username }: Participant): string[] => {
  if (type === "team") return team.members.map(({ user }) => user.username);
  return type === "user" ? [username ?? ""] : [];
};

/** Reads every rotation separately, minute by minute of the week; together they decide who is on call. */
const reading =
  (zone: string, rotations: Rotation[], overrides: Override[]): Reader =>
  () => {
    const walking = rotations.map((rotation) => {
      const { timeRestriction, startDate, type, length } = rotation;
      const minutes = new Set<number>();
      const addMinutes = (from: number, to: number) => {
        // A period lasts until the clock next shows its end: with equal times, a whole cycle.
        for (let minute = from; minute === from || (minute - to) % WEEK !== 0; minute += 1) minutes.add(minute % WEEK);
      };
      const minuteOfDay = (hour: number, minute: number) => hour * 60 + minute;
      if (timeRestriction?.restriction !== undefined) {
        const { startHour, startMin, endHour, endMin } = timeRestriction.restriction;
        for (const day of DAYS.keys()) {
          const [from, to] = [minuteOfDay(startHour, startMin), minuteOfDay(endHour, endMin)];
          addMinutes(day * 1_440 + from, day * 1_440 + (to > from ? to : to + 1_440));
        }
      }
      for (const { startDay, endDay, startHour, startMin, endHour, endMin } of timeRestriction?.restrictions ?? [])
        addMinutes(
          DAYS.indexOf(startDay ?? "") * 1_440 + minuteOfDay(startHour, startMin),
          DAYS.indexOf(endDay ?? "") * 1_440 + minuteOfDay(endHour, endMin),
        );
      const period = { hourly: HOUR, daily: 24 * HOUR, weekly: 168 * HOUR }[type] * length;
      return { rotation, minutes, period, turn: 0, handoff: readWallClock(zone, Date.parse(startDate)) + period };
    });
    return ({ ms, wall }) =>
      walking.flatMap((one) => {
        while (wall >= one.handoff) {
          one.turn += 1;
          one.handoff += one.period;
        }
        const { id, startDate, endDate, participants, timeRestriction } = one.rotation;
        const instead = overrides.filter(
          ({ startDate, endDate, rotations }) =>
            Date.parse(startDate) <= ms &&
            ms < Date.parse(endDate) &&
            (rotations.length === 0 || rotations.some((named) => named.id === id)),
        );
        if (instead.length > 0) return instead.flatMap(({ user }) => listPeople(user));
        if (ms < Date.parse(startDate) || (endDate !== null && ms >= Date.parse(endDate))) return [];
        if (timeRestriction !== undefined && !one.minutes.has(minuteOfWeek(wall))) return [];
        return listPeople(participants[one.turn % participants.length] ?? { type: "none" });
      });
  };

const hours = fc.record({
  startHour: fc.integer({ min: 0, max: 23 }),
  startMin: fc.constantFrom(0, 15, 30),
  endHour: fc.integer({ min: 0, max: 23 }),
  endMin: fc.constantFrom(0, 30),
});
const weekHours = fc
  .tuple(hours, fc.constantFrom(...DAYS), fc.constantFrom(...DAYS))
  .map(([hours, startDay, endDay]) => ({ ...hours, startDay, endDay }));

const timeRestriction = fc.oneof(
  hours.map((restriction) => ({ type: "time-of-day", restriction })),
  fc
    .array(weekHours, { minLength: 1, maxLength: 3 })
    .map((restrictions) => ({ type: "weekday-and-time-of-day", restrictions })),
);

const timesAround = (from: string, minDays: number, maxDays: number) =>
  fc
    .integer({ min: minDays * 48, max: maxDays * 48 })
    .map((halves) => new Date(Date.parse(from) + halves * 30 * MINUTE).toISOString());

const participant: fc.Arbitrary<Participant> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...everybody).map((user) => ({ type: "user" as const, ...user })) },
  { weight: 1, arbitrary: fc.constant({ type: "none" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "team" as const, id: "t-1" }) },
);

const arbitraryRotation = (from: string, index: number): fc.Arbitrary<Rotation> =>
  fc
    .record({
      startDate: fc.oneof(
        { weight: 4, arbitrary: timesAround(from, -300, -1) },
        { weight: 1, arbitrary: timesAround(from, 1, 20) },
      ),
      runs: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 4 }),
      type: fc.constantFrom("hourly" as const, "daily" as const, "weekly" as const),
      length: fc.integer({ min: 1, max: 14 }),
      participants: fc.array(participant, { minLength: 1, maxLength: 5 }),
      timeRestriction: fc.option(timeRestriction, { nil: undefined }),
    })
    .map(({ runs, timeRestriction, ...rest }) => ({
      ...rest,
      id: `r-${index}`,
      name: `Rotation ${index}`,
      endDate: runs === null ? null : new Date(Date.parse(rest.startDate) + runs * 24 * HOUR).toISOString(),
      ...(timeRestriction === undefined ? {} : { timeRestriction }),
    }));

const arbitraryOverride = (from: string): fc.Arbitrary<Override> =>
  fc
    .record({
      startDate: timesAround(from, -1, 27),
      lasts: fc.integer({ min: 1, max: 40 }),
      user: fc.constantFrom(...everybody),
      of: fc.constantFrom<{ id: string }[]>([], [], [{ id: "r-0" }]),
    })
    .map(({ startDate, lasts, user, of }) => ({
      user: { type: "user" as const, ...user },
      startDate,
      endDate: new Date(Date.parse(startDate) + lasts * HOUR).toISOString(),
      rotations: of,
    }));

const schedules = fc.constantFrom(...windows).chain(({ zone, from }) =>
  fc.record({
    zone: fc.constant(zone),
    from: fc.constant(from),
    rotations: fc
      .integer({ min: 1, max: 3 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => arbitraryRotation(from, index)))),
    overrides: fc.array(arbitraryOverride(from), { maxLength: 2 }),
  }),
);

describe("an imported schedule of Opsgenie", () => {
  it("has the same people on call as the exported one, hour by hour for 28 days", () => {
    const equal = measureEqualShare("opsgenie", schedules, ({ zone, from, rotations, overrides }) => [
      { zone, from, files: createBackup(zone, rotations, overrides) },
      reading(zone, rotations, overrides),
    ]);

    expect(equal).toBe(1);
  });
});
