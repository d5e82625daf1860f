import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { partOfEqual, type Reader } from "./proof.ts";
import { minuteOfWeek, wallAt, windows } from "./wall.ts";

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

const json = (path: string, value: unknown) => ({ path: `backup/${path}.json`, text: JSON.stringify(value) });

const backupOf = (zone: string, rotations: Rotation[], overrides: Override[]) => [
  ...everybody.map((user) => json(`users/${user.username}`, { user })),
  json("teams/Platform-t-1", team),
  json("schedules/Web-s-1", { schedule: { id: "s-1", name: "Web", timezone: zone, enabled: true, rotations } }),
  ...overrides.map((override, index) => json(`scheduleOverrides/Web/${index}`, override)),
];

const peopleOf = ({ type, username }: Participant): string[] => {
  if (type === "team") return team.members.map(({ user }) => user.username);
  return type === "user" ? [username ?? ""] : [];
};

/** Reads every rotation by itself, minute by minute of the week; together they say who is on call. */
const reading =
  (zone: string, rotations: Rotation[], overrides: Override[]): Reader =>
  () => {
    const walking = rotations.map((rotation) => {
      const { timeRestriction, startDate, type, length } = rotation;
      const minutes = new Set<number>();
      const cover = (from: number, to: number) => {
        // At least one minute, up to the next occurrence of the end: equal times make a whole cycle.
        for (let minute = from; minute === from || (minute - to) % WEEK !== 0; minute += 1) minutes.add(minute % WEEK);
      };
      const at = (hour: number, minute: number) => hour * 60 + minute;
      if (timeRestriction?.restriction !== undefined) {
        const { startHour, startMin, endHour, endMin } = timeRestriction.restriction;
        for (const day of DAYS.keys()) {
          const [from, to] = [at(startHour, startMin), at(endHour, endMin)];
          cover(day * 1_440 + from, day * 1_440 + (to > from ? to : to + 1_440));
        }
      }
      for (const { startDay, endDay, startHour, startMin, endHour, endMin } of timeRestriction?.restrictions ?? [])
        cover(
          DAYS.indexOf(startDay ?? "") * 1_440 + at(startHour, startMin),
          DAYS.indexOf(endDay ?? "") * 1_440 + at(endHour, endMin),
        );
      const period = { hourly: HOUR, daily: 24 * HOUR, weekly: 168 * HOUR }[type] * length;
      return { rotation, minutes, period, turn: 0, handoff: wallAt(zone, Date.parse(startDate)) + period };
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
        if (instead.length > 0) return instead.flatMap(({ user }) => peopleOf(user));
        if (ms < Date.parse(startDate) || (endDate !== null && ms >= Date.parse(endDate))) return [];
        if (timeRestriction !== undefined && !one.minutes.has(minuteOfWeek(wall))) return [];
        return peopleOf(participants[one.turn % participants.length] ?? { type: "none" });
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

const around = (from: string, minDays: number, maxDays: number) =>
  fc
    .integer({ min: minDays * 48, max: maxDays * 48 })
    .map((halves) => new Date(Date.parse(from) + halves * 30 * MINUTE).toISOString());

const participant: fc.Arbitrary<Participant> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...everybody).map((user) => ({ type: "user" as const, ...user })) },
  { weight: 1, arbitrary: fc.constant({ type: "none" as const }) },
  { weight: 1, arbitrary: fc.constant({ type: "team" as const, id: "t-1" }) },
);

const rotation = (from: string, index: number): fc.Arbitrary<Rotation> =>
  fc
    .record({
      startDate: fc.oneof(
        { weight: 4, arbitrary: around(from, -300, -1) },
        { weight: 1, arbitrary: around(from, 1, 20) },
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

const override = (from: string): fc.Arbitrary<Override> =>
  fc
    .record({
      startDate: around(from, -1, 27),
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
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => rotation(from, index)))),
    overrides: fc.array(override(from), { maxLength: 2 }),
  }),
);

describe("a schedule of Opsgenie", () => {
  it("has the same people on call, hour by hour for 28 days", () => {
    const equal = partOfEqual("opsgenie", schedules, ({ zone, from, rotations, overrides }) => [
      { zone, from, files: backupOf(zone, rotations, overrides) },
      reading(zone, rotations, overrides),
    ]);

    expect(equal).toBe(1);
  });
});

const FROM = Date.parse("2026-03-16T00:00:00Z");

const aRotation = (id: string, people: number[], more: Partial<Rotation> = {}): Rotation => ({
  id,
  name: id,
  startDate: "2026-01-05T08:00:00Z",
  endDate: null,
  type: "weekly",
  length: 1,
  participants: people.map((index) => ({ type: "user", ...everybody[index] })),
  ...more,
});

const imported = (rotations: Rotation[], ...more: { path: string; text: string }[]) =>
  importExport("opsgenie", [...backupOf("Europe/Berlin", rotations, []), ...more], FROM);

const user = (index: number) => ({ type: "user", ...everybody[index] });
const rule = (minutes: number, recipient: unknown, more: Record<string, unknown> = {}) => ({
  condition: "if-not-acked",
  notifyType: "default",
  delay: { timeAmount: minutes, timeUnit: "minutes" },
  recipient,
  ...more,
});
const schedule = { type: "schedule", id: "s-1", name: "Web" };

describe("what comes of a backup of Opsgenie", () => {
  it("is a group for each rotation that may be on call along with another, all named where the schedule is told", () => {
    const { draft } = imported(
      [aRotation("Main", [0, 1]), aRotation("Second", [2])],
      json("escalations/First", { id: "e-1", name: "First", rules: [rule(0, schedule), rule(5, user(3))] }),
      json("teamRoutingRules/Platform/default", { isDefault: true, notify: { type: "escalation", id: "e-1" } }),
    );

    expect(draft.setUp.groups.map(({ name }) => name)).toEqual(["Web: Main", "Web: Second", "Platform"]);
    expect(draft.setUp.rules).toMatchObject([
      {
        name: "Platform: default",
        eventKey: "opsgenie.firing",
        conditions: [
          { field: "sender", value: "Opsgenie" },
          { field: "data.responders", operator: "matches_regex" },
        ],
        groups: ["Web: Main", "Web: Second"],
        onCallOnly: true,
        policy: "First",
      },
      { name: "To the escalation First" },
      { name: "To the schedule Web", policy: null },
    ]);
  });

  it("is one group where the rotations' hours never meet", () => {
    const weekdays = DAYS.slice(0, 5).map((day) => ({
      startDay: day,
      endDay: day,
      startHour: 8,
      startMin: 0,
      endHour: 18,
      endMin: 0,
    }));
    const weekend = [{ startDay: "saturday", endDay: "monday", startHour: 0, startMin: 0, endHour: 0, endMin: 0 }];
    const { draft } = imported([
      aRotation("Days", [0], { timeRestriction: { type: "weekday-and-time-of-day", restrictions: weekdays } }),
      aRotation("Weekend", [1], { timeRestriction: { type: "weekday-and-time-of-day", restrictions: weekend } }),
    ]);

    expect(draft.setUp.schedules).toMatchObject([
      {
        group: "Web",
        layers: [
          { restrictions: [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" }] },
          { restrictions: [{ days: ["sat", "sun"], from: "00:00", to: "24:00" }] },
        ],
      },
    ]);
  });

  it("counts the delays of an escalation from the step before, which Opsgenie counts from the alert", () => {
    const { draft } = imported(
      [aRotation("Main", [0])],
      json("escalations/First", {
        id: "e-1",
        name: "First",
        rules: [rule(30, user(3)), rule(0, schedule), rule(10, user(1)), rule(10, user(2))],
        repeat: { waitInterval: 15, count: 1 },
      }),
    );

    expect(draft.setUp.policies).toMatchObject([
      {
        name: "First",
        repeat: 1,
        steps: [
          { delayMinutes: 10, targets: [{ user: "b@acme.example" }, { user: "c@acme.example" }] },
          { delayMinutes: 20, targets: [{ user: "d@acme.example" }] },
          { delayMinutes: 15, targets: [{ group: "Web", onCallOnly: true }] },
        ],
      },
    ]);
  });

  it("turns the conditions of routing rules into ours, first match first, and leaves out what we cannot say", () => {
    const routed = (name: string, field: string, operation: string, expectedValue: string, not = false) =>
      json(`teamRoutingRules/Platform/${name}`, {
        name,
        criteria: { type: "match-all-conditions", conditions: [{ field, operation, expectedValue, not }] },
        notify: { type: "schedule", id: "s-1" },
      });
    const { draft } = imported(
      [aRotation("Main", [0])],
      routed("Urgent", "priority", "equals", "P1"),
      routed("Not test", "message", "equals", "test", true),
      routed("No timeout", "message", "contains", "timeout", true),
      routed("Tagged", "tags", "contains", "db"),
      routed("Acted on", "actions", "contains", "restart"),
      json("integrations", [{ name: "API", type: "API", ownerTeam: { id: "t-1", name: "Platform" } }]),
    );

    const sender = { field: "sender", operator: "equals", value: "API" };
    const urgent = { field: "data.priority", operator: "equals", value: "P1" };
    const test = { field: "title", operator: "equals", value: "test" };
    const timeout = { field: "title", operator: "contains", value: "timeout" };
    const tagged = { field: "data.tags", operator: "matches_regex", value: "(?:^|, )(?:db)(?:, |$)" };
    const not = { not: true };
    expect(draft.setUp.rules.map(({ name, conditions }) => [name, conditions])).toEqual([
      ["Platform: Urgent", [sender, urgent]],
      ["Platform: Not test", [sender, { ...test, ...not }, { ...urgent, ...not }]],
      ["Platform: No timeout", [sender, { ...timeout, ...not }, { ...urgent, ...not }, test]],
      ["Platform: Tagged", [sender, tagged, { ...urgent, ...not }, test, timeout]],
    ]);
    expect(draft.remarks).toContainEqual({
      kind: "left",
      what: "Routing rule Platform: Acted on",
      why: "Its condition cannot be written as one of ours: actions contains restart",
    });
  });

  it("keeps an override that ends in an hour that comes twice to the very minute", () => {
    const override = {
      user: user(1),
      startDate: "2026-10-24T20:00:00Z",
      endDate: "2026-10-25T01:30:00Z",
      rotations: [],
    };
    const { draft } = importExport(
      "opsgenie",
      [...backupOf("Europe/Berlin", [aRotation("Main", [0])], []), json("scheduleOverrides/Web/one", override)],
      Date.parse("2026-10-20T00:00:00Z"),
    );

    expect(draft.setUp.schedules[0]?.layers[1]).toMatchObject({
      start: "2026-10-24T22:00",
      until: "2026-10-25T01:30:00.000Z",
      participants: ["b@acme.example"],
    });
  });

  it("says of what is not taken why, person by person and kind by kind", () => {
    const gone = { type: "user" as const, id: "u-9", username: "gone@acme.example" };
    const { draft, compared } = imported(
      [aRotation("Main", [0], { participants: [gone] })],
      json("integrations/Datadog", { name: "Datadog", type: "Datadog" }),
      json("policies/One", { name: "One" }),
      json("escalations/First", { name: "First", rules: [rule(0, schedule, { notifyType: "next" })] }),
    );

    expect(draft.remarks.filter(({ kind }) => kind === "left").map(({ what }) => what)).toEqual([
      "Person gone@acme.example",
      "Escalation First: the next of a schedule",
      "Escalation First",
      "Integration Datadog",
      "1 files of policies",
    ]);
    expect(compared[0]?.differences).toMatchObject([
      { theirs: ["user gone@acme.example (not in the export)"], ours: [] },
    ]);
  });
});
