import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { prove, SCHEDULES, type Export, type Reader } from "./proof.ts";
import { minuteOfWeek, wallAt, windows } from "./wall.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

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
const emailOf = (id: string) => everybody.find((user) => user.id === id)?.email ?? "?";

const exportOf = (zone: string, from: string, layers: Layer[], overrides: Entry[]): Export => ({
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

/** The first of the listed layers that has somebody decides. Walks through time with one pointer per layer. */
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
        handoff: wallAt(zone, Date.parse(layer.rotation_virtual_start)) + layer.rotation_turn_length_seconds * 1_000,
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

/** Instants around a window, on quarters of an hour. */
const around = (from: string, minDays: number, maxDays: number) =>
  fc
    .integer({ min: minDays * 96, max: maxDays * 96 })
    .map((quarters) => new Date(Date.parse(from) + quarters * 15 * MINUTE).toISOString());

const layer = (from: string): fc.Arbitrary<Layer> =>
  fc
    .record({
      name: fc.constantFrom("One", "Two"),
      start: fc.oneof({ weight: 3, arbitrary: around(from, -200, -1) }, { weight: 1, arbitrary: around(from, 1, 20) }),
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

const overrides = (from: string): fc.Arbitrary<Entry[]> =>
  fc.array(
    fc
      .record({
        start: around(from, -1, 27),
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
    layers: fc.array(layer(from), { minLength: 1, maxLength: 3 }),
    overrides: overrides(from),
  }),
);

describe("a schedule of PagerDuty", () => {
  it(`has the same people on call, hour by hour for 28 days (${SCHEDULES} schedules)`, () => {
    let equal = 0;
    fc.assert(
      fc.property(schedules, ({ zone, from, layers, overrides }) => {
        const { different, reported } = prove(
          "pagerduty",
          exportOf(zone, from, layers, overrides),
          reading(zone, layers, overrides),
        );
        expect(reported > 0).toBe(different > 0);
        equal += different === 0 ? 1 : 0;
      }),
      { numRuns: SCHEDULES, seed: 18 },
    );
    expect(equal).toBe(SCHEDULES);
  });
});

const FROM = Date.parse("2026-03-16T00:00:00Z");

const layerOf = (name: string, ids: string[], more: Partial<Layer> = {}): Layer => ({
  name,
  start: "2026-01-05T09:00:00+01:00",
  end: null,
  rotation_virtual_start: "2026-01-05T09:00:00+01:00",
  rotation_turn_length_seconds: 604_800,
  users: ids.map((id) => ({ user: { id, type: "user_reference", summary: id } })),
  restrictions: [],
  ...more,
});

const imported = (answers: Record<string, unknown>[], fromMs = FROM) =>
  importExport(
    "pagerduty",
    answers.map((answer, index) => ({ path: `answer-${index}.json`, text: JSON.stringify(answer) })),
    fromMs,
  );

const aSchedule = (layers: Layer[], more: Record<string, unknown> = {}) => ({
  schedules: [{ id: "PSCHED", name: "Web", time_zone: "Europe/Berlin", schedule_layers: layers, ...more }],
});

const users = { users: everybody.slice(0, 3) };

const aPolicy = (targets: { id: string; type: string }[][], num_loops = 0) => ({
  escalation_policies: [
    {
      id: "PPOL",
      name: "Web first",
      num_loops,
      escalation_rules: targets.map((level, index) => ({
        escalation_delay_in_minutes: 10 * (index + 1),
        targets: level,
      })),
    },
  ],
});

const aService = (more: Record<string, unknown> = {}) => ({
  services: [{ id: "PSVC", name: "Checkout API", escalation_policy: { id: "PPOL" }, ...more }],
});

const SCHEDULE = { id: "PSCHED", type: "schedule_reference" };
const user = (id: string) => ({ id, type: "user_reference" });

describe("what comes of an export of PagerDuty", () => {
  it("is a schedule whose last layer decides, where PagerDuty lists that one first", () => {
    const { draft } = imported([users, aSchedule([layerOf("Nights", ["PA"]), layerOf("Days", ["PB", "PC"])])]);

    expect(
      draft.setUp.schedules.map(({ group, layers }) => [group, layers.map(({ participants }) => participants)]),
    ).toEqual([["Web", [["b@acme.example", "c@acme.example"], ["a@acme.example"]]]]);
  });

  it("keeps hours that run past midnight and over a weekend in the schedule's zone", () => {
    const weekend = {
      type: "weekly_restriction" as const,
      start_day_of_week: 5,
      start_time_of_day: "17:00:00",
      duration_seconds: 64 * 3_600,
    };

    const { draft } = imported([users, aSchedule([layerOf("Weekend", ["PA"], { restrictions: [weekend] })])]);

    expect(draft.setUp.schedules[0]?.layers[0]).toEqual({
      start: "2026-01-05T09:00",
      every: 1,
      unit: "week",
      participants: ["a@acme.example"],
      restrictions: [
        { days: ["fri", "sat"], from: "17:00", to: "17:00" },
        { days: ["sun"], from: "17:00", to: "09:00" },
      ],
    });
  });

  it("names a person whom the export does not have, gives the turn to nobody, and shows the hours that differ", () => {
    const { draft, compared, report } = imported([users, aSchedule([layerOf("One", ["PA", "PGONE"])])]);

    expect(draft.setUp.schedules[0]?.layers[0]?.participants).toEqual(["a@acme.example", []]);
    expect(draft.remarks).toContainEqual({
      kind: "left",
      what: "Person PGONE",
      why: expect.stringContaining("turns of nobody"),
    });
    expect(compared[0]?.differences).toHaveLength(3);
    expect(report).toContain("| 2026-03-23T08:00Z | 2026-03-30T07:00Z | PGONE (not in the export) | nobody |");
  });

  it("holds the file against what PagerDuty rendered itself, where that is in the export", () => {
    const rendered = [
      { start: "2026-03-01T00:00:00Z", end: "2026-03-20T00:00:00Z", user: { id: "PA" } },
      { start: "2026-03-20T00:00:00Z", end: "2026-05-01T00:00:00Z", user: { id: "PB" } },
    ];

    const { compared } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])], { final_schedule: { rendered_schedule_entries: rendered } }),
    ]);

    expect(compared).toMatchObject([
      { source: "PagerDuty's own final schedule", differences: [{ from: Date.parse("2026-03-20T00:00:00Z") }] },
    ]);
  });

  it("keeps the rotations of a schedule and the next overrides, where not all of them fit", () => {
    // No grid of hours fits them, so each takes a layer.
    const overrides = Array.from({ length: 12 }, (_, index) => ({
      start: `2026-03-${17 + index}T08:0${index % 9}:00Z`,
      end: `2026-03-${17 + index}T09:30:00Z`,
      user: { id: "PB" },
    }));
    const { draft } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])], { overrides_subschedule: { rendered_schedule_entries: overrides } }),
    ]);

    const layers = draft.setUp.schedules[0]?.layers ?? [];
    expect(layers.map(({ until = "" }) => until)).toEqual([
      "",
      ...overrides.slice(0, 9).map(({ end }) => end.replace("T09:30:00Z", "T10:30")),
    ]);
    expect(draft.remarks).toContainEqual(
      expect.objectContaining({ kind: "left", what: "Schedule Web: 3 layers of overrides, the latest of them" }),
    );
  });

  it("tells the first level at once, and each later one by the delay that stands at the level before", () => {
    const { draft } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])]),
      aPolicy([[SCHEDULE], [user("PB")], [user("PC")]]),
      aService(),
    ]);

    expect(draft.setUp.rules).toMatchObject([
      {
        name: "Checkout API",
        eventKey: "pagerduty.firing",
        conditions: [{ field: "sender", operator: "equals", value: "Checkout API" }],
        groups: ["Web"],
        onCallOnly: true,
        requiresAck: true,
        policy: "Web first",
      },
    ]);
    expect(draft.setUp.policies).toEqual([
      {
        ackMinutes: null,
        name: "Web first",
        repeat: 0,
        confirmWithinSeconds: null,
        steps: [
          { delayMinutes: 10, targets: [{ user: "b@acme.example" }] },
          { delayMinutes: 20, targets: [{ user: "c@acme.example" }] },
        ],
      },
    ]);
  });

  it("repeats with the first level after the last one's delay", () => {
    const { draft } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])]),
      aPolicy([[SCHEDULE], [user("PB")]], 2),
      aService(),
    ]);

    expect(draft.setUp.policies[0]).toMatchObject({
      repeat: 2,
      steps: [
        { delayMinutes: 10, targets: [{ user: "b@acme.example" }] },
        { delayMinutes: 20, targets: [{ group: "Web", onCallOnly: true }] },
      ],
    });
    expect(draft.remarks).toContainEqual(expect.objectContaining({ kind: "different", what: "Escalation Web first" }));
  });

  it("tells a person along with whoever is on call, by a group in which that person always is", () => {
    const { draft } = imported([
      users,
      aSchedule([layerOf("One", ["PA"])]),
      aPolicy([[SCHEDULE, user("PC")]]),
      aService(),
    ]);

    expect(draft.setUp.rules[0]).toMatchObject({ groups: ["Web", "Web first: first"], onCallOnly: true, policy: null });
    expect(draft.setUp.schedules[1]).toMatchObject({
      group: "Web first: first",
      layers: [{ participants: [["c@acme.example"]] }],
    });
  });

  const grouped = (type: string | null, config: object) => {
    const { draft } = imported([
      users,
      aPolicy([[user("PA")]]),
      aService({ alert_grouping_parameters: { type, config } }),
    ]);
    const { groupBy, groupMinutes } = draft.setUp.rules[0]!;
    const of = draft.remarks.filter(({ what }) => what === "Service Checkout API: its alert grouping");
    return { groups: [groupBy, groupMinutes], kinds: of.map(({ kind }) => kind), why: of.map(({ why }) => why).join() };
  };
  const asSaid = ["taken", "different"];
  const withTime = ["taken", "different", "different"];
  const content = (fields: string[], more: object = {}) => ({ aggregate: "all", fields, time_window: 300, ...more });

  it.each<[string, string | null, object, [string[] | null, number | null], string[]]>([
    ["by time", "time", { timeout: 90 }, [[], 90], asSaid],
    ["until it is resolved", "time", { timeout: 0 }, [[], 1_440], withTime],
    ["by time, longer than a day", "time", { timeout: 2_000 }, [[], 1_440], withTime],
    ["by fields", "content_based", content(["summary", "component"]), [["title", "data.component"], 5], withTime],
    ["by a detail", "content_based", content(["custom_details.host"]), [["data.details.host"], 5], withTime],
    [
      "by any of one field, for the recommended time",
      "content_based",
      content(["class"], { aggregate: "any", time_window: 0, recommended_time_window: 901 }),
      [["data.class"], 16],
      withTime,
    ],
    [
      "by any of two fields",
      "content_based",
      content(["class", "group"], { aggregate: "any" }),
      [null, null],
      ["left"],
    ],
    ["by four fields", "content_based", content(["class", "group", "source", "summary"]), [null, null], ["left"]],
    ["by what events do not keep", "content_based", content(["class", "odd"]), [null, null], ["left"]],
    ["by no field", "content_based", content([]), [null, null], ["left"]],
    ["without a time", "content_based", content(["class"], { time_window: null }), [null, null], ["left"]],
    ["by what it has learned", "intelligent", { time_window: 300 }, [null, null], ["left"]],
    ["not at all", null, {}, [null, null], []],
  ])("groups alerts as the service did: %s", (_, type, config, groups, kinds) => {
    expect(grouped(type, config)).toMatchObject({ groups, kinds });
  });

  it("says which field of a group events do not keep, and that an acknowledgement ended", () => {
    expect(grouped("content_based", content(["class", "odd"])).why).toContain("do not keep odd. Each alert rings.");
    const { draft } = imported([users, aPolicy([[user("PA")]]), aService({ acknowledgement_timeout: 1_800 })]);
    expect(draft.remarks).toContainEqual({
      kind: "different",
      what: "Service Checkout API",
      why: "There an acknowledgement ends after 30 minutes, here where its policy has ackMinutes.",
    });
  });

  it("takes the rules of an event orchestration as far as ours can say the same", () => {
    const rule = (label: string, expressions: string[]) => ({
      label,
      conditions: expressions.map((expression) => ({ expression })),
      actions: { route_to: "PSVC" },
    });
    const { draft } = imported([
      users,
      aPolicy([[user("PA")]]),
      aService({ alert_grouping_parameters: { type: "time", config: { timeout: 5 } } }),
      {
        orchestration_path: {
          type: "router",
          parent: { id: "PORC" },
          sets: [
            {
              id: "start",
              rules: [
                rule("Database", [
                  "event.summary matches part 'db and more' and event.custom_details.region matches 'eu'",
                ]),
                rule("Odd", ["event.summary matches part 'a' and trigger_count over 5 in 1 hours"]),
                rule("Night", ["now in Mon,Tue 22:00:00 to 06:00:00 Europe/Berlin or event.source matches 'b'"]),
              ],
            },
          ],
          catch_all: { actions: { route_to: "unrouted" } },
        },
      },
    ]);

    const sender = { field: "sender", operator: "equals", value: "PORC" };
    expect(draft.setUp.rules.find(({ name }) => name === "PORC: Database")).toMatchObject({
      eventKey: "pagerduty.firing",
      groupBy: [],
      groupMinutes: 5,
      conditions: [
        sender,
        { field: "title", operator: "contains", value: "db and more" },
        { field: "data.details.region", operator: "equals", value: "eu" },
      ],
    });
    expect(
      draft.setUp.rules
        .filter(({ name }) => name.startsWith("PORC: Night"))
        .map(({ activeHours, timeZone, conditions }) => [activeHours === null, timeZone, conditions.length]),
    ).toEqual([
      [true, null, 3],
      [true, null, 4],
      // In those hours only from another source, so that one rule alone tells of an event.
      [false, "Europe/Berlin", 3],
      [false, "Europe/Berlin", 4],
    ]);
    expect(draft.remarks.filter(({ kind }) => kind === "left")).toEqual([
      {
        kind: "left",
        what: "Event orchestration PORC, rule Odd",
        why: "Its condition cannot be written as one of ours: event.summary matches part 'a' and trigger_count over 5 in 1 hours",
      },
    ]);
  });

  it("says of a broken export where it is broken, and what would be right", () => {
    const broken = () =>
      imported([
        users,
        aSchedule([{ ...layerOf("One", ["PA"]), rotation_virtual_start: "yesterday" }], { time_zone: "Berlin" }),
      ]);

    expect(broken).toThrow(
      /answer-1\.json: schedules\[0\]: time_zone: .*Europe\/Berlin[^]*schedule_layers\[0\]\.rotation_virtual_start: .*with Z or an offset/,
    );
  });
});
