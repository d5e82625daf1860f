import { expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { testSnapshots, listVariants } from "./golden.ts";

const DAY = 86_400;

const users = ["A", "B", "C"].map((id) => ({
  id: `P${id}`,
  name: id,
  email: `${id}@x.example`,
  teams: id === "C" ? [] : [{ id: "T1" }],
}));
const importAnswers = (answers: Readonly<Record<string, unknown>>) =>
  importExport(
    "pagerduty",
    [{ users }, answers].map((answer, index) => ({ path: `answer-${index}.json`, text: JSON.stringify(answer) })),
    Date.parse("2026-03-16T00:00:00Z"),
  );

const reference = (id: string, more: object = {}) => ({ id, type: "user_reference", ...more });
const layer = (fields: object = {}) => ({
  name: "Main",
  start: "2026-01-05T09:00:00Z",
  end: null,
  rotation_virtual_start: "2026-01-05T09:00:00Z",
  rotation_turn_length_seconds: 7 * DAY,
  users: [{ user: reference("PA") }, { user: reference("PB") }],
  restrictions: [],
  ...fields,
});
const schedule = (layers: object[], fields: object = {}) => ({
  id: "S1",
  name: "Web",
  time_zone: "UTC",
  schedule_layers: layers,
  ...fields,
});
const importSchedule = (layers: object[], fields: object = {}) => importAnswers({ schedule: schedule(layers, fields) });

const daily = (start_time_of_day: string, duration_seconds: number) => ({
  type: "daily_restriction",
  start_time_of_day,
  duration_seconds,
});
const weekly = (fields: object, start_time_of_day: string, duration_seconds: number) => ({
  ...daily(start_time_of_day, duration_seconds),
  type: "weekly_restriction",
  ...fields,
});
const hours = (...restrictions: object[]): [object] => [{ restrictions }];
const turns = (...users: object[]) => users.map((user) => ({ user }));
const layers = listVariants((more: object) => importSchedule([layer(more)]), {
  weekly: [{}],
  "with turns of twelve hours": [{ rotation_turn_length_seconds: DAY / 2 }],
  "without restrictions": [{ restrictions: null }],
  "during some hours of a day": hours(daily("09:00", 8 * 3_600)),
  "with a restriction of more than a day each day": hours(daily("09:00:00", 2 * DAY)),
  "during some hours of a week": hours(
    weekly({ start_day_of_week: 7 }, "22:30:00", 8 * 3_600),
    weekly({}, "20:00:00", 3_600),
  ),
  "with hours that begin within a minute": hours(daily("09:00:31", 3_600)),
  "with hours that end within a minute": hours(daily("09:00:00", 3_629)),
  "that ends": [{ end: "2026-04-01T09:00:00Z" }],
  "that began after its first turn": [{ start: "2026-01-14T00:00:00Z" }],
  "that begins within a future turn": [{ start: "2026-03-25T09:00:00Z" }],
  "that is over": [{ end: "2026-03-16T00:00:00Z" }],
  "that is over, without a name": [{ end: "2026-03-16T00:00:00Z", name: undefined }],
  "without people": [{ users: [] }],
  "in turns of half hours": [{ rotation_turn_length_seconds: 1_800 }],
  "of 101 turns": [{ users: turns(...Array.from({ length: 101 }, () => reference("PA"))) }],
  "with unknown people": [
    {
      users: turns(reference("PA"), reference("PZ", { summary: "Zoe" }), reference("PY")),
      rotation_turn_length_seconds: DAY,
    },
  ],
  "from a day without a time": [{ start: "2026-01-05" }],
  "with turns of the length 0": [{ rotation_turn_length_seconds: 0 }],
  "with a restriction of an unknown type": hours({ type: "x", start_time_of_day: "09:00", duration_seconds: 1 }),
  "from 24:00": hours(daily("24:00", 1)),
  "with hours of the length 0": hours(daily("09:00", 0)),
});

const layerOf = (id: string, more: object = {}) => layer({ users: turns(reference(id)), ...more });
const entry = (start: string, end: string, id: string | null) => ({
  start: `2026-${start}:00Z`,
  end: `2026-${end}:00Z`,
  user: id === null ? null : reference(id),
});
const withOverrides = (...rendered_schedule_entries: object[]) =>
  [[layerOf("PA"), layerOf("PB")], { overrides_subschedule: { rendered_schedule_entries } }] as const;
const withFinalSchedule = (...rendered_schedule_entries: object[]) =>
  [[layerOf("PA")], { final_schedule: { rendered_schedule_entries } }] as const;
const schedules = listVariants((some: readonly object[], more: object = {}) => importSchedule([...some], more), {
  "whose earlier layers take precedence": [
    [layerOf("PA", hours(daily("09:00:00", 3_600))[0]), layerOf("PB"), layerOf("PC", { end: "2026-03-01T00:00:00Z" })],
  ],
  "whose layers give way to overrides": withOverrides(
    entry("03-15T00:00", "03-16T00:00", "PC"),
    entry("03-17T00:00", "03-18T00:00", "PC"),
    entry("03-17T12:00", "03-18T12:00", "PB"),
  ),
  // These overrides are not whole hours apart, so each needs its own rotation.
  "with more overrides than rotations are possible": withOverrides(
    ...Array.from({ length: 12 }, (_, index) =>
      entry(`03-${17 + index}T08:0${index % 9}`, `03-${17 + index}T09:30`, "PB"),
    ),
  ),
  "with an override without a person": withOverrides(entry("03-17T00:00", "03-18T00:00", null)),
  "rendered from before the first day to after the last": withFinalSchedule(entry("03-16T00:00", "04-13T00:00", "PA")),
  "rendered with other people than its layers": withFinalSchedule(
    entry("03-16T00:00", "03-20T00:00", "PB"),
    entry("03-20T00:00", "04-13T00:00", "PA"),
  ),
  "rendered with nobody on call for a time": withFinalSchedule(
    entry("03-16T00:00", "03-20T00:00", "PA"),
    entry("03-20T00:00", "03-21T00:00", null),
    entry("03-21T00:00", "04-13T00:00", "PA"),
  ),
  "rendered from too late a time": withFinalSchedule(entry("03-16T01:00", "04-14T00:00", "PB")),
  "rendered for too short a time": withFinalSchedule(entry("03-15T01:00", "04-12T00:00", "PB")),
  "rendered without an entry": withFinalSchedule(),
  "with an unknown time zone": [[], { time_zone: "Berlin" }],
  "whose layers are not a list": [[], { schedule_layers: 5 }],
});

const policy = (rules: object[], more: object = {}) => ({ id: "E1", name: "First", escalation_rules: rules, ...more });
const rule = (delay: number, targets: object[], fields: object = {}) => ({
  escalation_delay_in_minutes: delay,
  targets,
  ...fields,
});
const service = (more: object = {}) => ({ id: "V1", name: "Shop", escalation_policy: { id: "E1" }, ...more });
const WEB = { id: "S1", type: "schedule_reference" };
const strategy = (type: string) => ({ escalation_rule_assignment_strategy: { type } });
const policies = listVariants(
  (rules: object[], more: object = {}) =>
    importAnswers({
      schedules: [schedule([layer()])],
      escalation_policies: [policy(rules, more)],
      services: [service()],
    }),
  {
    "that waits after each level, and repeats": [
      [rule(5, [WEB]), rule(10, [reference("PA")]), rule(20, [reference("PB"), reference("PC")])],
      { num_loops: 2 },
    ],
    "with levels that change, and with unknown people": [
      [
        rule(5, [WEB], strategy("round_robin")),
        rule(5, [reference("PA")], strategy("assign_to_everyone")),
        rule(5, [
          { id: "S9", type: "schedule" },
          { id: "S8", type: "schedule_reference", summary: "Night" },
          reference("P9"),
          reference("P8", { summary: "Zoe" }),
          { id: "P7" },
        ]),
      ],
    ],
    "without people": [[]],
    "with a negative delay": [[rule(-1, [])]],
  },
);

const first = { escalation_policies: [policy([rule(5, [reference("PA")])])] };
const integration = (id: string, type: string, name: string, more: object = {}) => ({ id, type, name, ...more });
const urgency = (type: string, urgency: string) => ({ incident_urgency_rule: { type, urgency } });
const grouping = (type: string | null, config: object): [object] => [{ alert_grouping_parameters: { type, config } }];
const content = (fields: string[], config: object = {}): [object] =>
  grouping("content_based", { aggregate: "all", fields, time_window: 300, ...config });
const services = listVariants((...some: object[]) => importAnswers({ ...first, services: some.map(service) }), {
  plain: [{}],
  "with integrations": [
    { integrations: [{ id: "I1", summary: "API" }, { id: "I2", name: "Mail", summary: "x" }, { id: "I3" }] },
  ],
  "with integrations of tools": [
    {
      integrations: [
        integration("I1", "events_api_v2_inbound_integration", "Own"),
        integration("I2", "aws_cloudwatch_inbound_integration_reference", "AWS"),
        integration("I3", "event_transformer_api_inbound_integration", "Alerts", { vendor: { summary: "Sentry" } }),
        integration("I4", "generic_email_inbound_integration", "Mail"),
        integration("I5", "generic_events_api_inbound_integration", "Old"),
      ],
    },
  ],
  "of low urgency": [urgency("constant", "low")],
  "of high urgency": [urgency("constant", "high")],
  "with support hours": [urgency("use_support_hours", "low")],
  "that is disabled": [{ status: "disabled" }],
  "in maintenance": [{ status: "maintenance" }],
  "with the status warning": [{ status: "warning" }],
  "whose acknowledgements end": [{ acknowledgement_timeout: 1_800 }],
  "whose alerts end by themselves": [{ auto_resolve_timeout: 14_400 }],
  "with the name of another service": [{}, { id: "V2" }],
  "with an unknown policy": [{ escalation_policy: { id: "E9" } }],
  "grouped by time": grouping("time", { timeout: 90 }),
  "grouped until it is resolved": grouping("time", { timeout: 0 }),
  "grouped by time, longer than a day": grouping("time", { timeout: 2_000 }),
  "grouped by fields": content(["summary", "component"]),
  "grouped by a detail": content(["custom_details.host"]),
  "grouped by any of one field, for the recommended time window": content(["class"], {
    aggregate: "any",
    time_window: 0,
    recommended_time_window: 901,
  }),
  "grouped by any of two fields": content(["class", "group"], { aggregate: "any" }),
  "grouped by four fields": content(["class", "group", "source", "summary"]),
  "grouped by fields that events do not keep": content(["odd", "class", "even"]),
  "grouped by no field": content([]),
  "grouped without a time": content(["class"], { time_window: null }),
  "grouped by machine learning": grouping("intelligent", { time_window: 300 }),
  "with an empty grouping": grouping(null, {}),
});

const route = (route_to: string | null, expression?: string, fields: object = {}) => ({
  label: "L",
  conditions: expression === undefined ? [] : [{ expression }],
  actions: { route_to },
  ...fields,
});
const conditions = (...expressions: string[]) => ({ conditions: expressions.map((expression) => ({ expression })) });
const A = "event.summary matches 'a'";
const catchAll = (route_to: string) => ({ catch_all: { actions: { route_to } } });
const orchestrations = listVariants(
  (rules: object[], more: object = {}) =>
    importAnswers({
      ...first,
      services: [
        service({ ...urgency("constant", "low"), ...grouping("time", { timeout: 5 })[0] }),
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
    }),
  {
    "with rules in their order, and a catch-all": [
      [
        route("V1", A),
        route("V1", undefined, { label: null, ...conditions("event.source matches 'b'", "event.source matches 'c'") }),
      ],
      catchAll("V1"),
    ],
    "with a rule that is disabled": [[route("V1", A, { disabled: true })]],
    "to an unknown service": [[route("V9", A)]],
    "with a catch-all to an unknown service": [[], catchAll("V9")],
    "to a service that is disabled": [[route("V2", A)]],
    "to no service": [[route("unrouted", A)]],
    "without a destination": [[route(null, A)], catchAll("unrouted")],
    "by a field of the event": [[route("V1", A, { actions: { dynamic_route_to: { source: "x" }, route_to: "V1" } })]],
    "by conditions that a rule cannot have": [[route("V1", undefined, conditions("x", A, "y"))]],
    "with a rule that notifies nobody": [[route("unrouted", A), route("V1")]],
    "with a rule after one that cannot be read": [[route("V1", "x"), route("V1")]],
    "with a rule after one that always matches": [[route("V1"), route("V1", A)]],
    "without a name": [[route("V1")], { parent: { id: "O2" } }],
    "that the answer lacks": [[route("V1")], { parent: { id: "O3" } }],
    "without an id": [[route("V1")], { parent: undefined }],
    "with an unknown type": [[], { type: "x" }],
  },
);

const bare = { id: "S3", type: "schedule_v3", name: "Shifts", time_zone: "UTC" };
const renderedEntry = (id: string, start: string, end: string) => ({
  schedule: { id: "S3" },
  user: { id },
  start: `2026-03-${start}T09:00:00Z`,
  end: `2026-03-${end}T09:00:00Z`,
});
const answers = listVariants(importAnswers, {
  "without content": [{}],
  "with teams": [{ teams: [{ id: "T1", name: "Ops", summary: "x" }, { id: "T2", summary: "Ghosts" }, { id: "T3" }] }],
  "with paths and rulesets that are not read": [
    {
      orchestration_path: { type: "service", parent: { id: "O1" } },
      rulesets: [{ id: "R" }],
      orchestrations: [{ id: "O1", name: "Platform" }],
    },
  ],
  "with a schedule of shifts": [
    {
      schedules: [bare, { id: "S1", name: "Web", time_zone: "UTC" }, schedule([layer()])],
      oncalls: [renderedEntry("PA", "15", "17"), renderedEntry("PB", "17", "18")],
    },
  ],
  "with a schedule of shifts that are missing": [{ schedules: [bare, schedule([layer()])] }],
  "with a user without an id": [{ users: [{ id: "", email: "a@x.example" }] }],
  "with a user whose address is invalid": [{ users: [{ id: "P", email: "a" }] }],
  "with a user whose address is a number": [{ users: [{ id: "P", email: 5 }] }],
});

testSnapshots("pagerduty", {
  "a schedule layer": layers,
  "a schedule": schedules,
  "an escalation policy": policies,
  "a service": services,
  "an event orchestration": orchestrations,
  "an API answer": answers,
});

it("an imported PagerDuty service becomes no rule if no API key is left for it", () => {
  const services = Array.from({ length: 102 }, (_, index) => service({ id: `V${index}`, name: `Shop ${index}` }));
  const { draft } = importAnswers({ ...first, services });

  expect(draft.setUp.rules).toHaveLength(100);
  expect(draft.remarks.flatMap(({ kind, what }) => (kind === "left" ? [what] : []))).toEqual([
    "Service Shop 100",
    "Service Shop 101",
  ]);
});
