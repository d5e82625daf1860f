import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureEqualShare, type Export, type Reader } from "./import-results.ts";
import { minuteOfWeek, readWallClock, windows } from "./wall.ts";

type Restriction = {
  type: "daily_restriction" | "weekly_restriction";
  start_time_of_day: string;
  duration_seconds: number;
  start_day_of_week?: number;
};
type Layer = {
  name: string;
  start: string;
  end: string | null;
  rotation_virtual_start: string;
  rotation_turn_length_seconds: number;
  users: { user: { id: string; type: string; summary: string } }[];
  restrictions: Restriction[];
};
type Entry = { start: string; end: string; user: { id: string } };

const everybody = ["A", "B", "C", "D", "E"].map((id) => ({
  id: `P${id}`,
  name: id,
  email: `${id.toLowerCase()}@acme.example`,
}));

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

const emailOf = (id: string) => everybody.find((user) => user.id === id)?.email ?? "?";

const createExport = (zone: string, from: string, layers: Layer[], overrides: Entry[]): Export => ({
  zone,
  from,
  files: [
    { path: "users.json", text: JSON.stringify({ users: everybody, more: false }) },
    {
      path: "schedule.json",
      text: JSON.stringify({
        schedule: {
          id: "PSCHED",
          name: "Web",
          time_zone: zone,
          schedule_layers: layers,
          overrides_subschedule: { rendered_schedule_entries: overrides },
        },
      }),
    },
  ],
});

/** The first of the listed layers that has somebody on call decides. */
const reading =
  (zone: string, layers: Layer[], overrides: Entry[]): Reader =>
  () => {
    const walking = layers.map((layer) => {
      const covered = Array.from({ length: 10_080 }, () => layer.restrictions.length === 0);
      for (const { type, start_time_of_day, duration_seconds, start_day_of_week = 1 } of layer.restrictions) {
        const [hour = 0, minute = 0] = start_time_of_day.split(":").map(Number);
        const days = type === "daily_restriction" ? [0, 1, 2, 3, 4, 5, 6] : [start_day_of_week - 1];
        for (const day of days)
          for (let passed = 0; passed < duration_seconds / 60; passed += 1)
            covered[(day * 1_440 + hour * 60 + minute + passed) % 10_080] = true;
      }
      return {
        layer,
        covered,
        turn: 0,
        handoff:
          readWallClock(zone, Date.parse(layer.rotation_virtual_start)) + layer.rotation_turn_length_seconds * 1_000,
      };
    });
    return ({ ms, wall }) => {
      const instead = overrides.filter(({ start, end }) => Date.parse(start) <= ms && ms < Date.parse(end));
      for (const one of walking)
        while (wall >= one.handoff) {
          one.turn += 1;
          one.handoff += one.layer.rotation_turn_length_seconds * 1_000;
        }
      if (instead.length > 0) return instead.map(({ user }) => emailOf(user.id));
      const deciding = walking.find(
        ({ layer: { start, end }, covered }) =>
          ms >= Date.parse(start) && (end === null || ms < Date.parse(end)) && covered[minuteOfWeek(wall)] === true,
      );
      if (deciding === undefined) return [];
      return [emailOf(deciding.layer.users[deciding.turn % deciding.layer.users.length]?.user.id ?? "")];
    };
  };

const timeOfDay = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30))
  .map(([hour, minute]) => `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}:00`);

const restriction: fc.Arbitrary<Restriction> = fc.oneof(
  fc.record({
    type: fc.constant("daily_restriction" as const),
    start_time_of_day: timeOfDay,
    duration_seconds: fc.integer({ min: 1, max: 24 }).map((hours) => hours * 3_600),
  }),
  fc.record({
    type: fc.constant("weekly_restriction" as const),
    start_time_of_day: timeOfDay,
    duration_seconds: fc.integer({ min: 1, max: 130 }).map((halves) => halves * 1_800),
    start_day_of_week: fc.integer({ min: 1, max: 7 }),
  }),
);

/** Generates times at quarters of an hour. */
const timesAround = (from: string, minDays: number, maxDays: number) =>
  fc
    .integer({ min: minDays * 96, max: maxDays * 96 })
    .map((quarters) => new Date(Date.parse(from) + quarters * 15 * MINUTE).toISOString());

const arbitraryLayer = (from: string): fc.Arbitrary<Layer> =>
  fc
    .record({
      name: fc.constantFrom("One", "Two"),
      start: fc.oneof(
        { weight: 3, arbitrary: timesAround(from, -200, -1) },
        { weight: 1, arbitrary: timesAround(from, 1, 20) },
      ),
      runs: fc.option(fc.integer({ min: 1, max: 60 }), { freq: 4 }),
      before: fc.integer({ min: 0, max: 20 * 96 }),
      rotation_turn_length_seconds: fc.constantFrom(6, 8, 12, 24, 24, 48, 168, 168, 336).map((hours) => hours * 3_600),
      users: fc.array(fc.constantFrom(...everybody), { minLength: 1, maxLength: 5 }),
      restrictions: fc.array(restriction, { maxLength: 3 }),
    })
    .map(({ start, runs, before, users, ...rest }) => ({
      ...rest,
      start,
      end: runs === null ? null : new Date(Date.parse(start) + runs * DAY).toISOString(),
      rotation_virtual_start: new Date(Date.parse(start) - before * 15 * MINUTE).toISOString(),
      users: users.map(({ id, name }) => ({ user: { id, type: "user_reference", summary: name } })),
    }));

const arbitraryOverrides = (from: string): fc.Arbitrary<Entry[]> =>
  fc.array(
    fc
      .record({
        start: timesAround(from, -1, 27),
        hours: fc.integer({ min: 1, max: 40 }),
        user: fc.constantFrom(...everybody),
      })
      .map(({ start, hours, user }) => ({
        start,
        end: new Date(Date.parse(start) + hours * 60 * MINUTE).toISOString(),
        user: { id: user.id },
      })),
    { maxLength: 2 },
  );

const schedules = fc.constantFrom(...windows).chain(({ zone, from }) =>
  fc.record({
    zone: fc.constant(zone),
    from: fc.constant(from),
    layers: fc.array(arbitraryLayer(from), { minLength: 1, maxLength: 3 }),
    overrides: arbitraryOverrides(from),
  }),
);

describe("an imported schedule of PagerDuty", () => {
  it("has the same people on call as the exported one, hour by hour for 28 days", () => {
    const equal = measureEqualShare("pagerduty", schedules, ({ zone, from, layers, overrides }) => [
      createExport(zone, from, layers, overrides),
      reading(zone, layers, overrides),
    ]);

    expect(equal).toBe(1);
  });
});
