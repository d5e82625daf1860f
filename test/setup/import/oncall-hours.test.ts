import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measureEqualShare, type Reader } from "./import-results.ts";
import { windows } from "./wall.ts";

type Shift = {
  id: string;
  name: string;
  type: "rolling_users" | "recurrent_event" | "single_event" | "override";
  level: number;
  start: string;
  duration: number;
  until?: string | null;
  frequency?: "hourly" | "daily" | "weekly" | null;
  interval?: number;
  week_start?: string;
  by_day?: string[];
  users?: string[];
  rolling_users?: string[][];
  start_rotation_from_user_index?: number;
};

const everybody = ["A", "B", "C", "D", "E"].map((id) => ({
  id: `U${id}`,
  username: id.toLowerCase(),
  email: `${id.toLowerCase()}@acme.example`,
}));
const createJsonFile = (kind: string, results: unknown[]) => ({
  path: `${kind}.json`,
  text: JSON.stringify({ results }),
});
const createAnswers = (zone: string, shifts: Shift[]) => [
  createJsonFile("users", everybody),
  createJsonFile("schedules", [
    { id: "S1", name: "Web", type: "web", time_zone: zone, shifts: shifts.map(({ id }) => id) },
  ]),
  createJsonFile("on_call_shifts", shifts),
];

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

const emailOf = (id: string) => everybody.find((user) => user.id === id)?.email ?? "?";

const dayOf = (wall: number) => (new Date(wall).getUTCDay() + 6) % 7;
const startOfDay = (wall: number) => Math.floor(wall / DAY) * DAY;

type Event = { from: number; to: number; users: string[] };

/** Lists the events of a shift one after another, as in a calendar. */
const listEvents = (shift: Shift, end: number): Event[] => {
  const { type, duration, frequency = null, by_day = null, week_start = "SU" } = shift;
  const every = shift.interval ?? 1;
  const begin = Date.parse(`${shift.start}Z`);
  const users = shift.users ?? [];
  const first = shift.start_rotation_from_user_index ?? 0;
  const queue = type === "rolling_users" ? (shift.rolling_users ?? []) : [users];
  const event = (from: number, turn: number): Event => ({
    from,
    to: from + duration * 1_000,
    users: queue[(turn + first) % queue.length] ?? [],
  });
  if (frequency === null) return [event(begin, 0)];
  const events: Event[] = [];
  if (by_day === null) {
    const unit = frequency === "hourly" ? HOUR : frequency === "daily" ? DAY : 7 * DAY;
    for (let [from, turn] = [begin, 0]; from <= end; from += every * unit) events.push(event(from, turn++));
    return events;
  }
  let [week, chosen, days, started] = [0, 0, 0, false];
  const includesDay = (day: number) => by_day.includes(DAYS[day] ?? "");
  const firstOfWeek = [...DAYS.keys()].map((day) => (day + DAYS.indexOf(week_start)) % 7).find(includesDay);
  const waits = type === "rolling_users" && !includesDay(dayOf(begin));
  for (let from = begin; from <= end; from += DAY) {
    if (started && dayOf(from) === DAYS.indexOf(week_start)) week += 1;
    if (!started && waits && dayOf(from) !== firstOfWeek) continue;
    started = true;
    if (includesDay(dayOf(from))) {
      if (frequency === "weekly") {
        if (week % every === 0) events.push(event(from, week / every));
      } else if (type === "rolling_users") events.push(event(from, Math.floor(chosen / every)));
      else if (days % every === 0) events.push(event(from, 0));
      chosen += 1;
    }
    days += 1;
  }
  return events;
};

const reading =
  (shifts: Shift[], end: number): Reader =>
  () => {
    const calendars = shifts.map((shift) => ({ shift, events: listEvents(shift, end) }));
    return ({ ms, wall }) => {
      const active = calendars.flatMap(({ shift, events }) => {
        if (typeof shift.until === "string" && ms >= Date.parse(`${shift.until}Z`)) return [];
        const level = shift.type === "override" ? 99 : shift.level;
        return events
          .filter(({ from, to, users }) => from <= wall && wall < to && users.length > 0)
          .map(({ users }) => ({ level, users }));
      });
      const top = active.reduce((highest, { level }) => Math.max(highest, level), -1);
      return active.filter(({ level }) => level === top).flatMap(({ users }) => users.map(emailOf));
    };
  };

const toLocalText = (ms: number) => new Date(ms).toISOString().slice(0, 19);
const timesAround = (from: string, minDays: number, maxDays: number) =>
  fc
    .integer({ min: minDays * 48, max: maxDays * 48 })
    .map((halves) => toLocalText(startOfDay(Date.parse(from)) + halves * 30 * 60_000));

const someDays = fc.subarray(DAYS, { minLength: 1 });
const id = fc.constantFrom(...everybody).map(({ id }) => id);
const people = fc.uniqueArray(id, { minLength: 1, maxLength: 2 });

const turning = fc.oneof(
  fc.record({
    frequency: fc.constant("hourly" as const),
    interval: fc.constantFrom(4, 6, 8, 12, 24),
    hours: fc.constantFrom(4, 6, 8, 12),
  }),
  fc.record({
    frequency: fc.constant("daily" as const),
    interval: fc.constantFrom(1, 1, 1, 2, 7),
    hours: fc.constantFrom(8, 9, 12, 24, 48),
  }),
  fc.record({
    frequency: fc.constant("weekly" as const),
    interval: fc.constantFrom(1, 1, 2),
    hours: fc.constantFrom(10, 24, 64, 168),
  }),
  fc.record({
    frequency: fc.constantFrom("daily" as const, "weekly" as const),
    interval: fc.constantFrom(1, 1, 2),
    hours: fc.constantFrom(8, 12, 16, 24),
    by_day: someDays,
    week_start: fc.constantFrom("MO", "SU"),
  }),
);

const rollingShifts = (from: string) =>
  fc
    .record({
      level: fc.integer({ min: 0, max: 2 }),
      start: timesAround(from, -120, -1),
      until: fc.option(timesAround(from, 3, 25), { freq: 5 }),
      turning,
      rolling_users: fc.array(people, { minLength: 1, maxLength: 4 }),
      first: fc.integer({ min: 0, max: 3 }),
    })
    .map(({ turning: { hours, ...rule }, first, ...rest }): Omit<Shift, "id" | "name"> => ({
      ...rest,
      ...rule,
      type: "rolling_users",
      duration: hours * 3_600,
      start_rotation_from_user_index: first % rest.rolling_users.length,
    }));

const recurrentShifts = (from: string) =>
  fc
    .record({ level: fc.integer({ min: 0, max: 2 }), start: timesAround(from, -120, -1), turning, users: people })
    // Leaves out shifts that begin on a weekday on which they do not recur: only a calendar can import that first day.
    .filter(
      ({ start, turning }) =>
        !("by_day" in turning) || turning.by_day.includes(DAYS[dayOf(Date.parse(`${start}Z`))] ?? ""),
    )
    .map(({ turning: { hours, ...rule }, ...rest }): Omit<Shift, "id" | "name"> => ({
      ...rest,
      ...rule,
      type: "recurrent_event",
      duration: hours * 3_600,
    }));

const singleShifts = (from: string) =>
  fc
    .record({
      type: fc.constantFrom("single_event" as const, "override" as const),
      level: fc.integer({ min: 0, max: 2 }),
      start: timesAround(from, 1, 25),
      hours: fc.integer({ min: 1, max: 50 }),
      users: people,
    })
    .map(({ hours, ...rest }): Omit<Shift, "id" | "name"> => ({ ...rest, duration: hours * 3_600, frequency: null }));

const schedules = fc.constantFrom(...windows).chain(({ zone, from }) =>
  fc.record({
    zone: fc.constant(zone),
    from: fc.constant(from),
    shifts: fc
      .array(
        fc.oneof(
          { weight: 5, arbitrary: rollingShifts(from) },
          { weight: 2, arbitrary: recurrentShifts(from) },
          { weight: 2, arbitrary: singleShifts(from) },
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((shifts) => shifts.map((shift, index): Shift => ({ id: `SH${index}`, name: `shift ${index}`, ...shift }))),
  }),
);

describe("an imported schedule of Grafana OnCall", () => {
  it("has the same people on call as the exported one, hour by hour for 28 days", () => {
    const equal = measureEqualShare("oncall", schedules, ({ zone, from, shifts }) => [
      { zone, from, files: createAnswers(zone, shifts) },
      reading(shifts, Date.parse(from) + 30 * DAY),
    ]);

    expect(equal).toBe(1);
  });
});
