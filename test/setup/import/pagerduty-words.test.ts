import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { differencesOf, remarksOf } from "./proof.ts";

/* PagerDuty's words, ours for each, and what is left out and said so. */

const FROM = Date.parse("2026-03-16T00:00:00Z");
const DAY = 86_400;

const users = ["A", "B", "C"].map((id) => ({
  id: `P${id}`,
  name: id,
  email: `${id}@x.example`,
  teams: id === "C" ? [] : [{ id: "T1" }],
}));
const imported = (answers: Readonly<Record<string, unknown>>) =>
  importExport(
    "pagerduty",
    [{ users }, answers].map((answer, index) => ({ path: `answer-${index}.json`, text: JSON.stringify(answer) })),
    FROM,
  );
type Imported = ReturnType<typeof imported>;

const reference = (id: string, more: object = {}) => ({ id, type: "user_reference", ...more });
const layer = (more: object = {}) => ({
  name: "Main",
  start: "2026-01-05T09:00:00Z",
  end: null,
  rotation_virtual_start: "2026-01-05T09:00:00Z",
  rotation_turn_length_seconds: 7 * DAY,
  users: [{ user: reference("PA") }, { user: reference("PB") }],
  restrictions: [],
  ...more,
});
const schedule = (layers: object[], more: object = {}) => ({
  id: "S1",
  name: "Web",
  time_zone: "UTC",
  schedule_layers: layers,
  ...more,
});
const scheduled = (layers: object[], more: object = {}) => imported({ schedule: schedule(layers, more) });
const layersOf = ({ draft }: Imported) => draft.setUp.schedules[0]?.layers;

describe("a layer", () => {
  const base = { start: "2026-01-05T09:00", every: 1, unit: "week", participants: ["a@x.example", "b@x.example"] };
  const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const daily = (start_time_of_day: string, duration_seconds: number) => ({
    type: "daily_restriction",
    start_time_of_day,
    duration_seconds,
  });
  const weekly = (start_day_of_week: number | undefined, start_time_of_day: string, duration_seconds: number) => ({
    ...daily(start_time_of_day, duration_seconds),
    type: "weekly_restriction",
    ...(start_day_of_week === undefined ? {} : { start_day_of_week }),
  });

  it.each<[string, object, object[]]>([
    ["weekly", {}, [base]],
    ["of twelve hours", { rotation_turn_length_seconds: DAY / 2 }, [{ ...base, every: 12, unit: "hour" }]],
    ["without restrictions", { restrictions: null }, [base]],
    [
      "of some hours a day",
      { restrictions: [daily("09:00", 8 * 3_600)] },
      [{ ...base, restrictions: [{ days: week, from: "09:00", to: "17:00" }] }],
    ],
    ["of more than a day a day", { restrictions: [daily("09:00:00", 2 * DAY)] }, [base]],
    [
      "of some hours a week",
      { restrictions: [weekly(7, "22:30:00", 8 * 3_600), weekly(undefined, "20:00:00", 3_600)] },
      [
        {
          ...base,
          restrictions: [
            { days: ["mon"], from: "20:00", to: "21:00" },
            { days: ["sun"], from: "22:30", to: "06:30" },
          ],
        },
      ],
    ],
    ["that ends", { end: "2026-04-01T09:00:00Z" }, [{ ...base, until: "2026-04-01T09:00" }]],
    [
      "that began after its first turn",
      { start: "2026-01-14T00:00:00Z" },
      [{ ...base, start: "2026-01-12T09:00", first: 1 }],
    ],
    [
      "that begins within a turn to come",
      { start: "2026-03-25T09:00:00Z" },
      [
        { ...base, start: "2026-03-25T09:00", until: "2026-03-30T09:00", participants: ["b@x.example"] },
        { ...base, start: "2026-03-30T09:00" },
      ],
    ],
  ])("%s is one of ours, with the same people at the same times", (_, more, layers) => {
    const moved = scheduled([layer(more)]);

    expect(layersOf(moved)).toEqual(layers);
    expect([remarksOf(moved, "left", "different"), differencesOf(moved)]).toEqual([[], 0]);
    expect(remarksOf(moved, "taken")).toEqual([`Schedule Web: group Web with ${layers.length} layers`]);
    expect(moved.compared[0]).toMatchObject({
      schedule: "Web",
      groups: ["Web"],
      source: "its layers, read by PagerDuty's rules",
    });
  });

  it.each([
    ["over", { end: "2026-03-16T00:00:00Z" }, "Main: It is over."],
    ["of nobody", { users: [] }, "Main: It has nobody."],
    ["of half hours", { rotation_turn_length_seconds: 1_800 }, "Main: Its turns of 1800 seconds are no whole hours."],
    [
      "of 101 turns",
      { users: Array.from({ length: 101 }, () => ({ user: reference("PA") })) },
      "Main: It cannot be written: it has 101 turns, and a layer has at most 100.",
    ],
    ["over, without a name", { end: "2026-03-16T00:00:00Z", name: undefined }, "1: It is over."],
  ])("%s is left out, and it is said why", (_, more, why) => {
    const moved = scheduled([layer(more)]);

    expect(layersOf(moved)).toEqual([]);
    expect(remarksOf(moved, "left")).toEqual([`Schedule Web, layer ${why}`]);
  });

  it("of hours with seconds keeps them to the minute", () => {
    for (const [restriction, from, to] of [
      [daily("09:00:31", 3_600), "09:01", "10:01"],
      [daily("09:00:00", 3_629), "09:00", "10:00"],
    ] as const) {
      const moved = scheduled([layer({ restrictions: [restriction] })]);
      expect(layersOf(moved)?.[0]?.restrictions).toMatchObject([{ from, to }]);
      expect(remarksOf(moved, "different")).toEqual(["Schedule Web, layer Main: Hours are kept to the minute."]);
    }
  });

  it("of strangers names each, and shows their hours", () => {
    const moved = scheduled([
      layer({
        users: [{ user: reference("PA") }, { user: reference("PZ", { summary: "Zoe" }) }, { user: reference("PY") }],
        rotation_turn_length_seconds: DAY,
      }),
    ]);

    expect(layersOf(moved)?.[0]?.participants).toEqual(["a@x.example", [], []]);
    expect(remarksOf(moved, "left").map((line) => line.split(":")[0])).toEqual(["Person Zoe (PZ)", "Person PY"]);
    expect(new Set(moved.compared[0]?.differences.flatMap(({ theirs }) => theirs))).toEqual(
      new Set(["Zoe (not in the export)", "PY (not in the export)"]),
    );
  });
});

describe("the layers of a schedule", () => {
  const only = (id: string, more: object = {}) => layer({ users: [{ user: reference(id) }], ...more });
  const entry = (start: string, end: string, id: string | null) => ({
    start: `2026-${start}:00Z`,
    end: `2026-${end}:00Z`,
    user: id === null ? null : reference(id),
  });
  const overridden = (...entries: object[]) =>
    scheduled([only("PA"), only("PB")], { overrides_subschedule: { rendered_schedule_entries: entries } });

  it("decide from the first to the last, which are ours from the last to the first", () => {
    const hours = {
      restrictions: [{ type: "daily_restriction", start_time_of_day: "09:00:00", duration_seconds: 3_600 }],
    };
    const moved = scheduled([only("PA", hours), only("PB"), only("PC", { end: "2026-03-01T00:00:00Z" })]);

    expect(layersOf(moved)?.map(({ participants }) => participants)).toEqual([["b@x.example"], ["a@x.example"]]);
    expect(differencesOf(moved)).toBe(0);
  });

  it("give way to overrides, and those that are over are gone", () => {
    const moved = overridden(
      entry("03-15T00:00", "03-16T00:00", "PC"),
      entry("03-17T00:00", "03-18T00:00", "PC"),
      entry("03-17T12:00", "03-18T12:00", "PB"),
    );

    expect(remarksOf(moved, "taken")).toEqual(["Schedule Web: group Web with 2 layers, and 1 more for 2 overrides"]);
    expect(layersOf(moved)?.[2]).toEqual({
      start: "2026-03-17T00:00",
      until: "2026-03-18T12:00",
      every: 12,
      unit: "hour",
      participants: ["c@x.example", ["b@x.example", "c@x.example"], "b@x.example"],
    });
    expect(differencesOf(moved)).toBe(0);
  });

  it("give way to as many of the next overrides as there is room for", () => {
    // No grid of hours fits them, so each takes a layer.
    const entries = Array.from({ length: 12 }, (_, index) =>
      entry(`03-${17 + index}T08:0${index % 9}`, `03-${17 + index}T09:30`, "PB"),
    );
    const moved = overridden(...entries);

    expect(layersOf(moved)?.map(({ until = "" }) => until)).toEqual([
      "",
      "",
      ...entries.slice(0, 8).map(({ end }) => end.replace(":00Z", "")),
    ]);
    expect(remarksOf(moved, "left")).toEqual([
      "Schedule Web: 4 layers of overrides, the latest of them: A schedule has at most 10 layers.",
    ]);
  });

  it("stay on call during an override of nobody, which the report shows", () => {
    const { compared } = overridden(entry("03-17T00:00", "03-18T00:00", null));

    expect(compared[0]?.differences).toMatchObject([{ theirs: [], ours: ["a@x.example"] }]);
  });

  it.each([
    [
      "from before the first day to after the last",
      [entry("03-16T00:00", "04-13T00:00", "PA")],
      "PagerDuty's own final schedule",
      0,
    ],
    [
      "with others than the layers",
      [entry("03-16T00:00", "03-20T00:00", "PB"), entry("03-20T00:00", "04-13T00:00", "PA")],
      "PagerDuty's own final schedule",
      1,
    ],
    [
      "with nobody for a time",
      [
        entry("03-16T00:00", "03-20T00:00", "PA"),
        entry("03-20T00:00", "03-21T00:00", null),
        entry("03-21T00:00", "04-13T00:00", "PA"),
      ],
      "PagerDuty's own final schedule",
      1,
    ],
    ["that begins too late", [entry("03-16T01:00", "04-14T00:00", "PB")], "its layers, read by PagerDuty's rules", 0],
    ["that ends too early", [entry("03-15T01:00", "04-12T00:00", "PB")], "its layers, read by PagerDuty's rules", 0],
    ["without an entry", [], "its layers, read by PagerDuty's rules", 0],
  ])("are held against what PagerDuty has rendered %s", (_, rendered_schedule_entries, source, differences) => {
    const moved = scheduled([only("PA")], { final_schedule: { rendered_schedule_entries } });

    expect([moved.compared[0]?.source, differencesOf(moved)]).toEqual([source, differences]);
  });
});

const policy = (rules: object[], more: object = {}) => ({ id: "E1", name: "First", escalation_rules: rules, ...more });
const rule = (delay: number, targets: object[], more: object = {}) => ({
  escalation_delay_in_minutes: delay,
  targets,
  ...more,
});
const service = (more: object = {}) => ({ id: "V1", name: "Shop", escalation_policy: { id: "E1" }, ...more });
const WEB = { id: "S1", type: "schedule_reference" };

describe("an escalation policy", () => {
  const escalated = (rules: object[], more: object = {}) =>
    imported({ schedules: [schedule([layer()])], escalation_policies: [policy(rules, more)], services: [service()] });

  it("waits after each level as long as that says, and repeats after the last", () => {
    const { draft } = escalated(
      [rule(5, [WEB]), rule(10, [reference("PA")]), rule(20, [reference("PB"), reference("PC")])],
      { num_loops: 2 },
    );

    expect(draft.setUp.rules[0]).toMatchObject({ groups: ["Web"], onCallOnly: true, policy: "First" });
    expect(draft.setUp.policies[0]).toMatchObject({
      repeat: 2,
      steps: [
        { delayMinutes: 5, targets: [{ user: "a@x.example" }] },
        { delayMinutes: 10, targets: [{ user: "b@x.example" }, { user: "c@x.example" }] },
        { delayMinutes: 20, targets: [{ group: "Web" }] },
      ],
    });
  });

  it("says what differs, and whom it cannot tell", () => {
    const moved = escalated([
      rule(5, [WEB], { escalation_rule_assignment_strategy: { type: "round_robin" } }),
      rule(5, [reference("PA")], { escalation_rule_assignment_strategy: { type: "assign_to_everyone" } }),
      rule(5, [
        { id: "S9", type: "schedule" },
        { id: "S8", type: "schedule_reference", summary: "Night" },
        reference("P9"),
        reference("P8", { summary: "Zoe" }),
        { id: "P7" },
      ]),
    ]);

    expect(remarksOf(moved, "warning")).toEqual([
      "Escalation First: A level takes turns by round robin there; here all of its targets are notified at once.",
    ]);
    expect(remarksOf(moved, "left")).toEqual([
      "Escalation First: schedule S9: The export has no such schedule.",
      "Escalation First: schedule Night: The export has no such schedule.",
      "Escalation First: P9: The export has no user with that id.",
      "Escalation First: Zoe: The export has no user with that id.",
      "Escalation First: P7: The export has no user with that id.",
    ]);
    expect(remarksOf(escalated([]), "left")).toEqual([
      "Escalation First: It tells nobody whom this service can tell.",
      "Service Shop: The export has no escalation policy E1 that notifies anybody.",
    ]);
  });
});

describe("a service", () => {
  const served = (more: object = {}) =>
    imported({ escalation_policies: [policy([rule(5, [reference("PA")])])], services: [service(more)] });

  it("has a key, which takes the place of those of its integrations, and a rule on its name", () => {
    const moved = served({
      integrations: [{ id: "I1", summary: "API" }, { id: "I2", name: "Mail", summary: "x" }, { id: "I3" }],
    });

    expect(moved.draft.setUp.keys).toEqual([{ name: "Shop", source: "pagerduty" }]);
    expect(moved.draft.setUp.rules).toMatchObject([
      {
        name: "Shop",
        eventKey: "pagerduty.firing",
        enabled: true,
        priorityOverride: null,
        requiresAck: true,
        conditions: [{ field: "sender", operator: "equals", value: "Shop" }],
        groups: ["First: first"],
      },
    ]);
    expect(remarksOf(moved, "taken")).toEqual([
      "Escalation First: told at first: First: first; it has no later levels",
      "Integration API of service Shop: key Shop takes its place",
      "Integration Mail of service Shop: key Shop takes its place",
      "Integration I3 of service Shop: key Shop takes its place",
      "Service Shop: rule Shop",
    ]);
  });

  it("has a key of its own for each tool that has a source, and names integrations that no key takes", () => {
    const of = (id: string, type: string, name: string, more: object = {}) => ({ id, type, name, ...more });
    const moved = served({
      integrations: [
        of("I1", "events_api_v2_inbound_integration", "Own"),
        of("I2", "aws_cloudwatch_inbound_integration_reference", "AWS"),
        of("I3", "event_transformer_api_inbound_integration", "Alerts", { vendor: { summary: "Sentry" } }),
        of("I4", "generic_email_inbound_integration", "Mail"),
        of("I5", "generic_events_api_inbound_integration", "Old"),
      ],
    });

    expect(moved.draft.setUp.keys).toEqual([
      { name: "Shop", source: "pagerduty" },
      { name: "Shop: AWS", source: "cloudwatch" },
      { name: "Shop: Alerts", source: "sentry" },
    ]);
    expect(
      moved.draft.setUp.rules.map(({ eventKey, conditions, groups, chain }) => [
        eventKey,
        conditions[0]?.value,
        groups,
        chain,
      ]),
    ).toEqual([
      ["pagerduty.firing", "Shop", ["First: first"], null],
      ["cloudwatch.firing", "Shop: AWS", ["First: first"], null],
      ["sentry.firing", "Shop: Alerts", ["First: first"], null],
    ]);
    expect(remarksOf(moved, "left")).toEqual([
      "Integration Mail of service Shop: It takes e-mail. Let its senders call the service's key, or one of their tool's source.",
      "Integration Old of service Shop: Its senders do not speak Events API v2, which the service's key takes. Let them send that, or give them a key with a mapping (docs/sources.md).",
    ]);
  });

  it.each<[string, object, object, string[]]>([
    [
      "of low urgency",
      { incident_urgency_rule: { type: "constant", urgency: "low" } },
      { priorityOverride: "LOW", enabled: true },
      [],
    ],
    [
      "of high urgency",
      { incident_urgency_rule: { type: "constant", urgency: "high" } },
      { priorityOverride: null },
      [],
    ],
    [
      "with support hours",
      { incident_urgency_rule: { type: "use_support_hours", urgency: "low" } },
      { priorityOverride: null },
      ["Service Shop: Support hours do not change the priority."],
    ],
    [
      "that is disabled",
      { status: "disabled" },
      { enabled: false },
      ["Service Shop: It is disabled, and so is its rule."],
    ],
    [
      "in maintenance",
      { status: "maintenance" },
      { enabled: true },
      ["Service Shop: It is in maintenance now; its rule tells people at once."],
    ],
    ["that warns", { status: "warning" }, { enabled: true }, []],
    [
      "in which an acknowledgement ends",
      { acknowledgement_timeout: 1_800 },
      {},
      ["Service Shop: There an acknowledgement ends after 30 minutes, here where its policy has ackMinutes."],
    ],
    [
      "in which an alert ends by itself",
      { auto_resolve_timeout: 14_400 },
      {},
      [
        "Service Shop: There an alert is resolved after 240 minutes; here it is open until its sender or a person resolves it.",
      ],
    ],
  ])("%s", (_, more, ours, different) => {
    const moved = served(more);

    expect(moved.draft.setUp.rules[0]).toMatchObject(ours);
    expect(remarksOf(moved, "different")).toEqual(different);
  });

  it("of a name that is taken has its own key, and no rule where no key is left", () => {
    const services = Array.from({ length: 102 }, (_, index) =>
      service({ id: `V${index}`, name: index < 2 ? "Shop" : `Shop ${index}` }),
    );
    const moved = imported({ escalation_policies: [policy([rule(5, [reference("PA")])])], services });

    expect(moved.draft.setUp.rules.slice(0, 2).map(({ name, conditions }) => [name, conditions[0]?.value])).toEqual([
      ["Shop", "Shop"],
      ["Shop (2)", "Shop (2)"],
    ]);
    expect(remarksOf(moved, "left").map((line) => line.split(":")[0])).toEqual([
      "Service Shop 100",
      "Service Shop 101",
    ]);
    expect(moved.draft.setUp.rules).toHaveLength(100);
  });

  it("of a policy that is not there has neither key nor rule", () => {
    const moved = served({ escalation_policy: { id: "E9" } });

    expect([moved.draft.setUp.keys, moved.draft.setUp.rules]).toEqual([[], []]);
    expect(remarksOf(moved, "left")).toEqual([
      "Service Shop: The export has no escalation policy E9 that notifies anybody.",
    ]);
  });
});

describe("the alert grouping of a service", () => {
  const grouped = (type: string | null, config: object) => {
    const { draft } = imported({
      escalation_policies: [policy([rule(5, [reference("PA")])])],
      services: [service({ alert_grouping_parameters: { type, config } })],
    });
    const { groupBy, groupMinutes } = draft.setUp.rules[0]!;
    const of = draft.remarks.filter(({ what }) => what === "Service Shop: its alert grouping");
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
  ])("groups by the same: %s", (_, type, config, groups, kinds) => {
    expect(grouped(type, config)).toMatchObject({ groups, kinds });
  });

  it.each<[string | null, object, string]>([
    ["time", { timeout: 90 }, "groupBy: [] and groupMinutes 90 on its rules"],
    ["content_based", content(["summary", "class"]), "groupBy title, data.class and groupMinutes 5 on its rules"],
    ["content_based", content(["odd", "class", "even"]), "Events from PagerDuty's clients do not keep odd, even."],
    ["content_based", content([]), "It names no field."],
    ["content_based", content(["class"], { time_window: null }), "It does not say for how long."],
    [
      "content_based",
      content(["class", "group"], { aggregate: "any" }),
      "It groups alerts that have any of several fields in common; a rule groups by all of its fields.",
    ],
    ["intelligent", {}, "What it groups by (intelligent) is not said: a rule groups by fields of the event."],
  ])("is said as it is taken, or why it is not: %s %j", (type, config, why) => {
    expect(grouped(type, config).why).toContain(why);
  });
});

describe("an event orchestration", () => {
  const route = (route_to: string | null, expression?: string, more: object = {}) => ({
    label: "L",
    conditions: expression === undefined ? [] : [{ expression }],
    actions: { route_to },
    ...more,
  });
  const A = "event.summary matches 'a'";
  const router = (rules: object[], more: object = {}, answers: object = {}) =>
    imported({
      escalation_policies: [policy([rule(5, [reference("PA")])])],
      services: [
        service({
          incident_urgency_rule: { type: "constant", urgency: "low" },
          alert_grouping_parameters: { type: "time", config: { timeout: 5 } },
        }),
        service({ id: "V2", name: "Off", status: "disabled" }),
      ],
      orchestrations: [{ id: "O1", name: "Platform" }, { id: "O2" }],
      orchestration_path: {
        type: "router",
        parent: { id: "O1" },
        sets: [
          { id: "start", rules },
          { id: "more", rules: [] },
        ],
        ...more,
      },
      ...answers,
    });
  const rulesOf = ({ draft }: Imported) =>
    draft.setUp.rules
      .slice(2)
      .map(({ name, conditions }) => [
        name,
        ...conditions.map(
          ({ field, operator, value, not }) =>
            `${field}${not === true ? " not" : ""} ${operator} ${JSON.stringify(value)}`,
        ),
      ]);
  const sender = 'sender equals "Platform"';

  it("has a key, and rules on its name: those of its router in their order, and the rest", () => {
    const moved = router(
      [
        route("V1", A),
        route("V1", undefined, {
          label: null,
          conditions: [{ expression: "event.source matches 'b'" }, { expression: "event.source matches 'c'" }],
        }),
      ],
      { catch_all: { actions: { route_to: "V1" } } },
    );

    expect(rulesOf(moved)).toEqual([
      ["Platform: L", sender, 'title equals "a"'],
      ["Platform: rule 2", sender, 'data.source one_of ["b","c"]'],
      ["Platform: the rest", sender],
    ]);
    expect(
      moved.draft.setUp.rules
        .slice(2)
        .map(({ priorityOverride, eventKey, groupMinutes, chain, position }) => [
          priorityOverride,
          eventKey,
          groupMinutes,
          chain,
          position,
        ]),
    ).toEqual([10, 20, 30].map((position) => ["LOW", "pagerduty.firing", 5, "Platform", position]));
    expect(remarksOf(moved, "taken").slice(-4)).toEqual([
      "Event orchestration Platform: key Platform: it takes the place of its integration keys",
      "Event orchestration Platform, rule L: rule Platform: L",
      "Event orchestration Platform, rule 2: rule Platform: rule 2",
      "Event orchestration Platform, what no rule matches: rule Platform: the rest",
    ]);
    expect(moved.draft.setUp.keys.at(-1)).toEqual({ name: "Platform", source: "pagerduty" });
  });

  it.each<[string, object[], object, string[], string[]]>([
    ["of a rule that is disabled", [route("V1", A, { disabled: true })], {}, ["rule L: It is disabled."], []],
    [
      "of a service that is not there",
      [route("V9", A)],
      {},
      [],
      ["rule L: It routes to the service V9, which the export does not have: it notifies nobody."],
    ],
    [
      "of what no rule matches, where that service is not there",
      [],
      { catch_all: { actions: { route_to: "V9" } } },
      [],
      ["what no rule matches: It goes to the service V9, which the export does not have: it notifies nobody."],
    ],
    [
      "of a service that is disabled",
      [route("V2", A)],
      {},
      [],
      ["rule L: What it routes notifies nobody there, and nobody here."],
    ],
    [
      "of no service",
      [route("unrouted", A)],
      {},
      [],
      ["rule L: What it routes notifies nobody there, and nobody here."],
    ],
    [
      "of nothing that is said",
      [route(null, A)],
      { catch_all: { actions: { route_to: "unrouted" } } },
      [],
      ["rule L: What it routes notifies nobody there, and nobody here."],
    ],
    [
      "of a rule by a field of the event",
      [route("V1", A, { actions: { dynamic_route_to: { source: "x" }, route_to: "V1" } })],
      {},
      ["rule L: Its condition cannot be written as one of ours: it routes by a field of the event."],
      [],
    ],
    [
      "of conditions that no rule can say",
      [route("V1", undefined, { conditions: [{ expression: "x" }, { expression: A }, { expression: "y" }] })],
      {},
      ["rule L: Its condition cannot be written as one of ours: x or y"],
      [],
    ],
  ])("says %s", (_, rules, more, left, different) => {
    const moved = router(rules, more);
    const about = (lines: string[]) => lines.map((line) => `Event orchestration Platform, ${line}`);

    expect(moved.draft.setUp.rules.slice(2).flatMap(({ groups }) => groups)).toEqual(
      moved.draft.setUp.rules.slice(2).map(() => "Nobody"),
    );
    expect(remarksOf(moved, "left")).toEqual(about(left));
    expect(remarksOf(moved, "different").slice(2)).toEqual(about(different));
  });

  it("decides by a rule that tells nobody, and not by one that cannot be read", () => {
    const silent = router([route("unrouted", A), route("V1")]);
    expect(rulesOf(silent)).toEqual([
      ["Platform: L", sender, 'title equals "a"'],
      ["Platform: L (2)", sender],
    ]);
    expect(silent.draft.setUp.rules.slice(2).map(({ groups, requiresAck }) => [groups, requiresAck])).toEqual([
      [["Nobody"], false],
      [["First: first"], true],
    ]);
    expect(rulesOf(router([route("V1", "x"), route("V1")]))).toEqual([["Platform: L", sender]]);
    expect(remarksOf(router([route("V1"), route("V1", A)]), "left")).toEqual([
      "Event orchestration Platform, rule L (2): An earlier one always decides before it.",
      "Event orchestration Platform, what no rule matches: An earlier one always decides before it.",
    ]);
  });

  it("is called by its name, or else by its id", () => {
    expect(rulesOf(router([route("V1")], { parent: { id: "O2" } }))).toEqual([["O2: L", 'sender equals "O2"']]);
    expect(rulesOf(router([route("V1")], { parent: { id: "O3" } }))).toEqual([["O3: L", 'sender equals "O3"']]);
    expect(rulesOf(router([route("V1")], { parent: undefined }))).toEqual([
      ["without an id: L", 'sender equals "without an id"'],
    ]);
  });

  it("has paths and rulesets that are not read", () => {
    const moved = imported({
      orchestration_path: { type: "service", parent: { id: "O1" } },
      rulesets: [{ id: "R" }],
      orchestrations: [{ id: "O1", name: "Platform" }],
    });

    expect(remarksOf(moved, "left")).toEqual([
      "Event orchestration Platform: its service rules: They change events, or hold them back. Silences, priorityOverride and conditions of rules do some of that: write those that matter.",
      "answer-1.json: rulesets[0]: Rulesets are not read: PagerDuty turns them into event orchestrations, which are.",
    ]);
  });
});

describe("a team", () => {
  it("is a group of those who name it", () => {
    const moved = imported({
      teams: [{ id: "T1", name: "Ops", summary: "x" }, { id: "T2", summary: "Ghosts" }, { id: "T3" }],
    });

    expect(moved.draft.setUp.groups).toEqual([{ name: "Ops", members: ["a@x.example", "b@x.example"] }]);
    expect(remarksOf(moved, "taken")).toEqual(["Team Ops: group Ops"]);
    expect(remarksOf(moved, "left")).toEqual(
      ["Ghosts", "T3"].map((name) => `Team ${name}: No user of the export names it among the teams.`),
    );
  });
});

describe("a schedule of shifts, without layers", () => {
  const bare = { id: "S3", type: "schedule_v3", name: "Shifts", time_zone: "UTC" };
  const on = (id: string, start: string, end: string | null) => ({
    schedule: { id: "S3" },
    user: { id },
    start: `2026-03-${start}T09:00:00Z`,
    end: end === null ? null : `2026-03-${end}T09:00:00Z`,
  });

  it("is taken by who is on call in the next days, says so first, and leaves the other schedules alone", () => {
    const moved = imported({
      schedules: [bare, { id: "S1", name: "Web", time_zone: "UTC" }, schedule([layer()])],
      oncalls: [on("PA", "15", "17"), on("PB", "17", "18")],
    });

    expect(moved.draft.setUp.schedules.map(({ group }) => group)).toEqual(["Shifts", "Web"]);
    expect(remarksOf(moved, "left")).toEqual([]);
    expect(moved.report).toMatch(
      /^# What was moved in from PagerDuty\n\n## Read this first\n\n\| What \| Warning \|\n.*\n\| Schedule Shifts \|/,
    );
  });

  it("is named where the export has no shifts of it", () => {
    expect(remarksOf(imported({ schedules: [bare, schedule([layer()])] }), "left")).toEqual([
      "Schedule Shifts: The export has neither its layers nor its shifts: fetch each schedule by its id, and oncalls.json for shift-based ones.",
    ]);
  });
});

describe("an answer of PagerDuty that cannot be read", () => {
  it.each<[Readonly<Record<string, unknown>>, string]>([
    [{ users: [{ id: "", email: "a@x.example" }] }, "users[0]: id: an id must not be empty."],
    [{ users: [{ id: "P", email: "a" }] }, "users[0]: email: email must be an e-mail address."],
    [{ users: [{ id: "P", email: 5 }] }, "users[0]: email: email must be the e-mail address."],
    [
      { schedule: schedule([], { time_zone: "Berlin" }) },
      "schedule: time_zone: timeZone must be a name of the IANA time zone database, such as Europe/Berlin.",
    ],
    [{ schedule: schedule([], { schedule_layers: 5 }) }, "schedule: schedule_layers: schedule_layers must be a list."],
    [
      { schedule: schedule([layer({ start: "2026-01-05" })]) },
      "schedule: schedule_layers[0].start: must be a time with Z or an offset, such as 2026-03-02T09:00:00-05:00.",
    ],
    [
      { schedule: schedule([layer({ rotation_turn_length_seconds: 0 })]) },
      "schedule: schedule_layers[0].rotation_turn_length_seconds: rotation_turn_length_seconds must be above 0.",
    ],
    [
      {
        schedule: schedule([layer({ restrictions: [{ type: "x", start_time_of_day: "09:00", duration_seconds: 1 }] })]),
      },
      "schedule: schedule_layers[0].restrictions[0].type: type must be daily_restriction or weekly_restriction.",
    ],
    [
      {
        schedule: schedule([
          layer({ restrictions: [{ type: "daily_restriction", start_time_of_day: "24:00", duration_seconds: 1 }] }),
        ]),
      },
      'schedule: schedule_layers[0].restrictions[0].start_time_of_day: start_time_of_day must be a time such as "08:00:00".',
    ],
    [
      {
        schedule: schedule([
          layer({ restrictions: [{ type: "daily_restriction", start_time_of_day: "09:00", duration_seconds: 0 }] }),
        ]),
      },
      "schedule: schedule_layers[0].restrictions[0].duration_seconds: duration_seconds must be above 0.",
    ],
    [
      { escalation_policies: [policy([rule(-1, [])])] },
      "escalation_policies[0]: escalation_rules[0].escalation_delay_in_minutes: escalation_delay_in_minutes must be a number of minutes.",
    ],
    [
      { orchestration_path: { type: "x" } },
      "orchestration_path: type: type must be router, global, service or unrouted.",
    ],
  ])("is named and left out where it is wrong (%#)", (answer, fault) => {
    const [place = "", ...rest] = fault.split(": ");
    expect(remarksOf(imported(answer), "left")).toContainEqual(
      expect.stringContaining(`answer-1.json: ${place}: It cannot be read: ${rest.join(": ")}`),
    );
  });
});
