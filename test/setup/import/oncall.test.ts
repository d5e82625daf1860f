import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { onCallIn, prove, SCHEDULES, type Export, type Reader } from "./proof.ts";
import { windows } from "./wall.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

type Shift = {
  id: string;
  name: string;
  type: "rolling_users" | "recurrent_event" | "single_event" | "override";
  level: number;
  start: string;
  duration: number;
  until?: string | null;
  frequency?: "hourly" | "daily" | "weekly" | "monthly" | null;
  interval?: number | null;
  week_start?: string;
  by_day?: string[] | null;
  users?: string[];
  rolling_users?: string[][];
  start_rotation_from_user_index?: number | null;
  time_zone?: string | null;
};

const everybody = ["A", "B", "C", "D", "E"].map((id) => ({
  id: `U${id}`,
  username: id.toLowerCase(),
  email: `${id.toLowerCase()}@acme.example`,
  teams: ["T1"],
}));
const emailOf = (id: string) => everybody.find((user) => user.id === id)?.email ?? "?";

const json = (kind: string, results: unknown[]) => ({ path: `${kind}.json`, text: JSON.stringify({ results }) });

const answersOf = (zone: string, shifts: Shift[], more: Record<string, unknown> = {}) => [
  json("users", everybody),
  json("schedules", [
    { id: "S1", name: "Web", type: "web", time_zone: zone, shifts: shifts.map(({ id }) => id), ...more },
  ]),
  json("on_call_shifts", shifts),
];

const dayOf = (wall: number) => (new Date(wall).getUTCDay() + 6) % 7;
const midnight = (wall: number) => Math.floor(wall / DAY) * DAY;

type Event = { from: number; to: number; users: string[] };

/** A shift's events written out one after another, as a calendar would show them. */
const calendarOf = (shift: Shift, end: number): Event[] => {
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
  // Day by day: weeks are counted as they begin, selected days as they come.
  let [week, chosen, days, started] = [0, 0, 0, false];
  const chooses = (day: number) => by_day.includes(DAYS[day] ?? "");
  const firstOfWeek = [...DAYS.keys()].map((day) => (day + DAYS.indexOf(week_start)) % 7).find(chooses);
  const waits = type === "rolling_users" && !chooses(dayOf(begin));
  for (let from = begin; from <= end; from += DAY) {
    if (started && dayOf(from) === DAYS.indexOf(week_start)) week += 1;
    if (!started && waits && dayOf(from) !== firstOfWeek) continue;
    started = true;
    if (chooses(dayOf(from))) {
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
    const calendars = shifts.map((shift) => ({ shift, events: calendarOf(shift, end) }));
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

const local = (ms: number) => new Date(ms).toISOString().slice(0, 19);
const around = (from: string, minDays: number, maxDays: number) =>
  fc
    .integer({ min: minDays * 48, max: maxDays * 48 })
    .map((halves) => local(midnight(Date.parse(from)) + halves * 30 * 60_000));

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

const rolling = (from: string) =>
  fc
    .record({
      level: fc.integer({ min: 0, max: 2 }),
      start: around(from, -120, -1),
      until: fc.option(around(from, 3, 25), { freq: 5 }),
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

const recurrent = (from: string) =>
  fc
    .record({ level: fc.integer({ min: 0, max: 2 }), start: around(from, -120, -1), turning, users: people })
    // An event of its own on the first day, which no rule produces, is left to the calendar.
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

const once = (from: string) =>
  fc
    .record({
      type: fc.constantFrom("single_event" as const, "override" as const),
      level: fc.integer({ min: 0, max: 2 }),
      start: around(from, 1, 25),
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
          { weight: 5, arbitrary: rolling(from) },
          { weight: 2, arbitrary: recurrent(from) },
          { weight: 2, arbitrary: once(from) },
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((shifts) => shifts.map((shift, index): Shift => ({ id: `SH${index}`, name: `shift ${index}`, ...shift }))),
  }),
);

describe("a schedule of Grafana OnCall", () => {
  it(`has the same people on call, hour by hour for 28 days (${SCHEDULES} schedules)`, () => {
    let equal = 0;
    fc.assert(
      fc.property(schedules, ({ zone, from, shifts }) => {
        const exported: Export = { zone, from, files: answersOf(zone, shifts) };
        const end = Date.parse(from) + 30 * DAY;
        const { different, reported } = prove("oncall", exported, reading(shifts, end));
        expect(reported > 0).toBe(different > 0);
        equal += different === 0 ? 1 : 0;
      }),
      { numRuns: SCHEDULES, seed: 18 },
    );
    expect(equal).toBe(SCHEDULES);
  });
});

const FROM = Date.parse("2026-03-16T00:00:00Z");

const aShift = (id: string, more: Partial<Shift> = {}): Shift => ({
  id,
  name: id,
  type: "rolling_users",
  level: 1,
  start: "2026-01-05T09:00:00",
  duration: 7 * 86_400,
  frequency: "weekly",
  interval: 1,
  week_start: "MO",
  rolling_users: [["UA"], ["UB", "UC"]],
  ...more,
});

const imported = (shifts: Shift[], more: Record<string, unknown> = {}, ...files: { path: string; text: string }[]) =>
  importExport("oncall", [...answersOf("Europe/Berlin", shifts, more), ...files], FROM);

describe("what comes of the answers of Grafana OnCall", () => {
  it("has turns of several people, and begins with the turn that the shift names", () => {
    const { draft } = imported([aShift("Main", { start_rotation_from_user_index: 1 })]);

    expect(draft.setUp.schedules).toEqual([
      {
        group: "Web",
        timeZone: "Europe/Berlin",
        layers: [
          {
            start: "2026-01-05T09:00",
            every: 1,
            unit: "week",
            participants: [["b@acme.example", "c@acme.example"], "a@acme.example"],
          },
        ],
      },
    ]);
  });

  it("counts the turns of a daily shift on selected days by duty", () => {
    const { draft } = imported([
      aShift("Days", { frequency: "daily", by_day: ["MO", "TU", "WE", "TH", "FR"], duration: 8 * 3_600 }),
    ]);

    expect(draft.setUp.schedules[0]?.layers[0]).toMatchObject({
      every: 1,
      unit: "day",
      turns: "duty",
      restrictions: [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "09:00", to: "17:00" }],
    });
  });

  it("lets shifts of one level add up in groups that are told together, and a higher level decide in all of them", () => {
    const { draft } = imported([
      aShift("One", { rolling_users: [["UA"]] }),
      aShift("Two", { rolling_users: [["UB"]] }),
      aShift("Top", { rolling_users: [["UC"]], level: 2, frequency: "daily", duration: 3_600 }),
    ]);

    expect(
      draft.setUp.schedules.map(({ group, layers }) => [
        group,
        ...layers.map(({ participants }) => participants.flat().join(" ")),
      ]),
    ).toEqual([
      ["Web: 1", "b@acme.example", "a@acme.example", "c@acme.example"],
      ["Web: 2", "a@acme.example", "b@acme.example", "c@acme.example"],
    ]);
  });

  it("keeps the hours of a shift in another zone, and names where the clocks part", () => {
    const { draft, compared } = imported([
      aShift("Berlin", { rolling_users: [["UA"]], duration: 12 * 3_600, frequency: "daily" }),
      aShift("Berlin too", { rolling_users: [["UC"]], level: 0 }),
      aShift("New York", {
        rolling_users: [["UB"]],
        level: 2,
        time_zone: "America/New_York",
        duration: 3_600,
        frequency: "daily",
      }),
    ]);

    expect(draft.setUp.schedules[0]?.layers.at(-1)).toMatchObject({
      participants: ["b@acme.example"],
      restrictions: [{ from: "14:00", to: "15:00" }],
    });
    expect(draft.remarks).toContainEqual(
      expect.objectContaining({ kind: "different", what: "Schedule Web, shift New York" }),
    );
    // From 29 March, Berlin is six hours ahead again.
    expect(compared[0]?.differences[0]).toMatchObject({ from: Date.parse("2026-03-29T12:00:00Z") });
  });

  it("reads the calendar of a schedule: what repeats, what was moved, what begins with a level", () => {
    const calendar = [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//test//EN",
      "BEGIN:VEVENT",
      "UID:1",
      "SUMMARY:[L1] a",
      "DTSTART;TZID=Europe/Berlin:20260316T090000",
      "DTEND;TZID=Europe/Berlin:20260323T090000",
      "RRULE:FREQ=WEEKLY;INTERVAL=2",
      "EXDATE;TZID=Europe/Berlin:20260413T090000",
      "END:VEVENT",
      "BEGIN:VEVENT",
      "UID:2",
      "SUMMARY:[L2] b@acme.example",
      "DTSTART;VALUE=DATE:20260330",
      "DTEND;VALUE=DATE:20260331",
      "END:VEVENT",
      "END:VCALENDAR",
    ].join("\r\n");
    const { yaml, draft, compared } = imported([], { type: "ical" }, { path: "Web.ics", text: calendar });

    const at = (time: string) => onCallIn(yaml, time);
    expect(at("2026-03-16T08:00:00Z")).toEqual(["a@acme.example"]);
    expect(at("2026-03-23T08:00:00Z")).toEqual([]);
    expect(at("2026-03-30T06:59:00Z")).toEqual(["b@acme.example"]);
    expect(at("2026-03-30T12:00:00Z")).toEqual(["b@acme.example"]);
    expect(at("2026-03-30T22:00:00Z")).toEqual(["a@acme.example"]);
    expect(at("2026-04-14T12:00:00Z")).toEqual([]);
    expect(at("2026-04-28T12:00:00Z")).toEqual(["a@acme.example"]);
    expect(compared[0]?.differences).toEqual([]);
    expect(draft.remarks).toContainEqual(
      expect.objectContaining({
        kind: "different",
        what: "Schedule Web: its calendar",
        why: expect.stringContaining("91 days"),
      }),
    );
  });

  it("adds up the waits of an escalation chain between the levels, and says which steps it leaves out", () => {
    const step = (position: number, type: string, more: Record<string, unknown> = {}) => ({
      id: `P${position}`,
      escalation_chain_id: "C1",
      position,
      type,
      ...more,
    });
    const { draft } = imported(
      [aShift("Main")],
      {},
      json("escalation_chains", [{ id: "C1", name: "First" }]),
      json("escalation_policies", [
        step(5, "repeat_escalation"),
        step(0, "notify_on_call_from_schedule", { notify_on_call_from_schedule: "S1" }),
        step(1, "wait", { duration: 300 }),
        step(2, "trigger_webhook"),
        step(3, "wait", { duration: 600 }),
        step(4, "notify_persons", { persons_to_notify: ["UD", "UE"] }),
      ]),
      json("integrations", [{ id: "I1", name: "Grafana Cloud", type: "grafana_alerting" }]),
      json("routes", [
        { id: "R1", integration_id: "I1", escalation_chain_id: "C1", position: 0, routing_regex: "severity.*critical" },
        { id: "R2", integration_id: "I1", escalation_chain_id: "C1", position: 1, is_the_last_route: true },
      ]),
    );

    expect(draft.setUp.policies).toMatchObject([
      {
        repeat: 5,
        steps: [
          { delayMinutes: 15, targets: [{ user: "d@acme.example" }, { user: "e@acme.example" }] },
          { delayMinutes: 1, targets: [{ group: "Web", onCallOnly: true }] },
        ],
      },
    ]);
    expect(draft.setUp.rules).toMatchObject([
      {
        eventKey: "grafana.firing",
        conditions: [{ field: "sender", operator: "equals", value: "Grafana Cloud" }],
        groups: ["Web"],
        onCallOnly: true,
        policy: "First",
      },
    ]);
    expect(draft.setUp.keys).toEqual([{ name: "Grafana Cloud", source: "grafana" }]);
    expect(draft.remarks.filter(({ kind }) => kind === "left").map(({ what }) => what)).toEqual([
      "Escalation First: a step trigger_webhook",
      "Route severity.*critical of Grafana Cloud",
    ]);
  });

  it.each<[string, string, string, string[] | null]>([
    ["one field", "webhook", "{{ payload.host }}", ["data.host"]],
    ["several, with text between", "webhook", "{{payload['site']}}-{{- payload.a.b -}}", ["data.site", "data.a.b"]],
    ["what events keep of a label", "grafana_alerting", "{{ payload.commonLabels.team }}", ["data.commonLabels.team"]],
    ["what events do not keep", "grafana_alerting", "{{ payload.groupKey }}", null],
    ["more than a field", "webhook", "{{ payload.host | lower }}", null],
    ["a field and a condition", "webhook", "{{ payload.host }}{% if payload.a %}x{% endif %}", null],
    ["four fields", "webhook", "{{payload.a}}{{payload.b}}{{payload.c}}{{payload.d}}", null],
    ["a text alone", "webhook", "everything", null],
  ])("groups by a template of %s, where a rule can", (_, type, template, groupBy) => {
    const json = (kind: string, results: object[]) => ({ path: `${kind}.json`, text: JSON.stringify({ results }) });
    const { draft } = importExport(
      "oncall",
      [
        json("users", [{ id: "UA", username: "a", email: "a@acme.example" }]),
        json("escalation_chains", [{ id: "C1", name: "First" }]),
        json("escalation_policies", [
          { id: "E1", escalation_chain_id: "C1", position: 0, type: "notify_persons", persons_to_notify: ["UA"] },
        ]),
        json("integrations", [{ id: "I1", name: "Shop", type, templates: { grouping_key: template } }]),
        json("routes", [{ id: "R1", integration_id: "I1", escalation_chain_id: "C1", is_the_last_route: true }]),
      ],
      Date.parse("2026-03-16T00:00:00Z"),
    );

    const kinds = draft.remarks.filter(({ what }) => what === "Integration Shop: its grouping").map(({ kind }) => kind);
    expect(draft.setUp.rules).toMatchObject([{ groupBy, groupMinutes: groupBy === null ? null : 1_440 }]);
    expect(kinds).toEqual(groupBy === null ? ["left"] : ["taken", "different"]);
  });

  it("says of a shift by days of the month that no layer can say it", () => {
    const { draft } = imported([aShift("Monthly", { frequency: "monthly" })]);

    expect(draft.remarks).toContainEqual(
      expect.objectContaining({ kind: "left", why: expect.stringMatching(/No layer can say its events \(monthly/) }),
    );
  });
});
