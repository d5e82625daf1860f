import { testSnapshots, listVariants } from "./golden.ts";
import { DAY, HOUR, importAnswers, importSchedule, shift } from "./oncall-export.ts";

const hourly = (interval: number, duration: number) => ({ frequency: "hourly", interval, duration });
const daily = { frequency: "daily", duration: 8 * HOUR };
const onDays = (...by_day: string[]) => ({ duration: 8 * HOUR, by_day });
const once = { type: "single_event", frequency: null, start: "2026-03-20T09:00:00" };
const shifts = listVariants((more: object) => importSchedule([more]), {
  weekly: [{}],
  "of two weeks": [{ interval: 2, duration: 14 * DAY }],
  "of one week in two": [{ interval: 2 }],
  "of some hours a week": [{ duration: 8 * HOUR }],
  daily: [{ frequency: "daily", duration: DAY }],
  "of some hours a day": [daily],
  "of some hours every third day": [{ ...daily, interval: 3, duration: 12 * HOUR }],
  "of twelve hours": [hourly(12, 12 * HOUR)],
  "with a gap": [hourly(12, 8 * HOUR)],
  "that runs into the next": [hourly(8, 12 * HOUR)],
  "that is never over before it comes again": [{ frequency: "daily", duration: 2 * DAY }],
  "on some days of the week": [onDays("FR", "MO")],
  "on days of which none is its first": [{ start: "2026-01-06T09:00:00", ...onDays("MO", "FR") }],
  "that begins in the middle of a week's days": [{ start: "2026-01-07T09:00:00", ...onDays("MO", "WE") }],
  "in weeks from Sunday on": [{ ...onDays("SU", "MO"), week_start: "SU" }],
  "in weeks from Sunday on, where none is said": [{ ...onDays("SU", "MO"), week_start: null }],
  "in weeks from Wednesday on, with the days of two calendar weeks": [
    { start: "2026-01-09T09:00:00", ...onDays("FR", "MO"), week_start: "WE", interval: 2 },
  ],
  "by duty, from day to day": [{ ...daily, by_day: ["MO", "TU"] }],
  "by duty, two days each": [{ ...daily, by_day: ["MO", "TU", "WE"], interval: 2 }],
  "of everybody every other day of some": [
    { type: "recurrent_event", ...daily, by_day: ["MO", "TU", "WE"], interval: 2, users: ["UA", "UB"] },
  ],
  "of everybody on some days": [{ type: "recurrent_event", ...onDays("MO"), users: ["UC"] }],
  "of the first turn, where it names no users": [{ type: "recurrent_event" }],
  "from its second turn on, which is one of two people": [
    { start_rotation_from_user_index: 1, rolling_users: [["UA"], ["UB", "UC"]] },
  ],
  "with a person twice in a turn": [{ rolling_users: [["UA", "UA"]] }],
  "that ends": [{ until: "2026-04-01T09:00:00" }],
  "that begins to turn later than it begins": [{ rotation_start: "2026-03-19T09:00:00" }],
  once: [{ ...once, duration: 2 * DAY, users: ["UC", "UA"] }],
  "once, with a time before which it ends": [{ ...once, until: "2026-03-21T09:00:00", duration: 2 * DAY }],
  "once, of turns": [{ ...once, type: "rolling_users", duration: DAY }],
  "with an offset, which means nothing": [{ start: "2026-01-05T09:00:00+02:00" }],
  "with an offset without a colon": [{ start: "2026-01-05T09:00:00-0500" }],
  over: [{ until: "2026-03-16T00:00:00" }],
  "over once": [{ ...once, start: "2026-03-15T00:00:00", duration: DAY }],
  "of nobody": [{ rolling_users: [] }],
  "of half hours": [{ frequency: "hourly", duration: 5_400 }],
  "of half hours, of one": [{ frequency: "hourly", duration: 5_400, rolling_users: [["UA"]] }],
  monthly: [{ frequency: "monthly" }],
  "monthly, without a name": [{ frequency: "monthly", name: null }],
  "of months": [{ by_month: [1] }],
  "of days of months": [{ by_monthday: [1] }],
  "of hours on days": [{ frequency: "hourly", by_day: ["MO"] }],
  "of 101 turns": [{ rolling_users: Array.from({ length: 101 }, () => ["UA"]) }],
  "whose last day is that before the next turn": [{ by_day: ["MO", "SU"], duration: DAY }],
  "whose turns run into each other": [{ by_day: ["MO", "SU"], duration: DAY + HOUR }],
  "whose week ends before its turns run into each other": [
    { by_day: ["SU", "MO"], duration: DAY + HOUR, week_start: "SU", start: "2026-01-04T09:00:00" },
  ],
  "of one person, who runs into herself": [{ by_day: ["MO", "SU"], duration: DAY + HOUR, rolling_users: [["UA"]] }],
  "of whole days by duty": [{ by_day: ["MO", "WE"], duration: DAY, frequency: "daily" }],
  "of more than a day by duty": [{ by_day: ["MO", "WE"], duration: DAY + HOUR, frequency: "daily" }],
  "with a blank id": [{ id: "" }],
  "of another type": [{ type: "x" }],
  "from a year": [{ start: "2026" }],
  "of no length": [{ duration: 0 }],
  "of half an interval": [{ interval: 0.5 }],
  "of a level below zero": [{ level: -1 }],
  yearly: [{ frequency: "yearly" }],
  "on a day of no week": [{ by_day: ["XX"] }],
  "whose turns are no lists": [{ rolling_users: ["UA"] }],
  "from a turn before the first on": [{ start_rotation_from_user_index: -1 }],
});

const single = { rolling_users: [["UC"]] };
const day = { ...single, ...daily };
const override = { ...single, type: "override", frequency: null, duration: DAY, users: ["UC"] };
const inZone = (time_zone: string, level = 1) => ({ ...day, time_zone, level });
const schedules = listVariants(importSchedule, {
  "of no shift": [[], { time_zone: "Europe/Berlin" }],
  "of no zone": [[], { time_zone: null }],
  "whose name is a number": [[], { name: 5 }],
  "of levels, and overrides over all": [
    [
      {},
      { ...day, level: 2 },
      { ...override, start: "2026-03-17T09:00:00" },
      { ...override, start: "2026-03-01T09:00:00" },
    ],
  ],
  "of shifts of one level": [[{}, { ...single, level: 1 }, { ...single, level: 0 }]],
  "of shifts of one level whose hours never meet": [
    [day, { ...day, start: "2026-01-05T17:00:00", duration: 16 * HOUR }, { level: 3, ...day, rolling_users: [["UA"]] }],
  ],
  "of several zones": [
    [inZone("America/New_York", 2), inZone("Europe/Berlin"), inZone("Europe/Berlin", 3)],
    { time_zone: "Asia/Kolkata" },
  ],
  "of strangers": [[{ rolling_users: [["UA", "UX"], ["UZ"]] }], { shifts: ["H0", "H9"] }],
  "of two shifts, of which one cannot be a rotation": [
    [{ frequency: "monthly" }, { duration: 8 * HOUR, frequency: "daily" }],
  ],
});

const step = (type: string | null, more: object = {}) => ({ type, ...more });
const persons = (...ids: string[]) => step("notify_persons", { persons_to_notify: ids });
const wait = (duration?: number) => step("wait", duration === undefined ? {} : { duration });
const onCall = (id?: string) => step("notify_on_call_from_schedule", { notify_on_call_from_schedule: id });
const team = (id?: string) => step("notify_team_members", { notify_to_team_members: id });
const turn = (...ids: string[]) => step("notify_person_next_each_time", { persons_to_notify_next_each_time: ids });
const again = step("repeat_escalation");
const chains = listVariants(
  (...steps: object[]) =>
    importAnswers({
      schedules: [{ id: "S1", name: "Web", time_zone: "UTC", shifts: ["H"] }],
      shifts: [shift],
      teams: [
        { id: "T1", name: "Ops" },
        { id: "T2", name: "Ghosts" },
      ],
      escalation_chains: [
        { id: "C1", name: "First" },
        { id: "C2", name: "Other" },
      ],
      escalation_policies: [
        ...steps.map((one, position) => ({ id: `P${position}`, escalation_chain_id: "C1", position, ...one })),
        { id: "PX", escalation_chain_id: "C2", position: 0, ...persons("UC") },
      ].toReversed(),
      integrations: [{ id: "I1", name: "In" }],
      routes: [{ id: "R1", integration_id: "I1", escalation_chain_id: "C1", is_the_last_route: true }],
    }),
  {
    "of steps and waits": [onCall("S1"), wait(300), persons("UA"), persons("UB"), wait(60), wait(60), persons("UC")],
    "of a wait of no length": [onCall("S1"), wait(), team("T1")],
    "of a team": [onCall("S1"), wait(60), team("T1")],
    "of people by turns": [onCall("S1"), wait(60), turn("UA", "UB")],
    "that repeats": [onCall("S1"), wait(600), again],
    "that repeats at first": [again, onCall("S1")],
    "that repeats after several steps": [onCall("S1"), wait(120), persons("UA"), wait(300), again],
    "of steps that differ, or are left out": [
      onCall("S1"),
      wait(60),
      turn("UA"),
      onCall("S9"),
      onCall(),
      persons("UX", "UZ"),
      team("T2"),
      team(),
      step("trigger_webhook"),
      step(null),
      again,
    ],
    "of nobody": [],
  },
);

const last = { is_the_last_route: true };
const jinja = (routing_regex: string, more: object = {}) => ({ routing_type: "jinja2", routing_regex, ...more });
const grouped = (type: string, grouping_key: string) => [{ type, templates: { grouping_key } }, last] as const;
const types = [
  "alertmanager",
  "legacy_alertmanager",
  "grafana",
  "grafana_alerting",
  "legacy_grafana_alerting",
  "sentry",
  "sentry_platform",
  "amazon_sns",
  "pagerduty",
  "toString",
  "inbound_email",
  "direct_paging",
  "manual",
  "maintenance",
  "slack_channel",
];
const integrations = listVariants(
  (integration: object, ...routes: readonly object[]) =>
    importAnswers({
      escalation_chains: [{ id: "C1", name: "First" }],
      escalation_policies: [{ id: "P", escalation_chain_id: "C1", ...persons("UA") }],
      integrations: [
        { id: "I1", name: "In", ...integration },
        { id: "I2", name: "Not asked", type: "manual" },
      ],
      routes: [
        ...routes.map((route, position) => ({
          id: `R${position}`,
          integration_id: "I1",
          escalation_chain_id: "C1",
          position,
          ...route,
        })),
        { id: "RX", integration_id: "I2", escalation_chain_id: "C1", routing_regex: ".*" },
      ],
    }),
  {
    "of no type": [{ type: null }, last],
    ...Object.fromEntries(types.map((type) => [`of type ${type}`, [{ type }, last] as const])),
    "of no name": [{ type: "manual", name: null }, last],
    "with routes": [
      { type: "alertmanager" },
      { ...last, position: 0 },
      jinja(" {{ payload.commonLabels.a == 'x' }} ", { position: 3 }),
      { routing_type: "regex", routing_regex: " .+ ", position: 5 },
      jinja("{{ payload.commonLabels.b == 'y' }}", { position: 1 }),
    ],
    "with an expression that no rule can say": [{ type: "alertmanager" }, { routing_regex: "a|b" }],
    "with a template that no rule can say": [{ type: "alertmanager" }, jinja("{{ x }}")],
    "with a route by labels": [{ type: "alertmanager" }, { routing_type: "labels" }],
    "with a route to no chain": [{ type: "alertmanager" }, { ...last, escalation_chain_id: null }],
    "with a route to a chain that is not there": [
      { type: "alertmanager" },
      { routing_regex: ".*", escalation_chain_id: "C9" },
    ],
    "with a route by a blank expression": [{ type: "grafana" }, { routing_regex: "" }],
    "with a route by anything": [{ type: "grafana" }, { routing_regex: ".+" }],
    "with a route by no expression": [{ type: "grafana" }, { routing_regex: null }],
    "with no route": [{ type: "grafana" }],
    "grouped by one field": grouped("webhook", "{{ payload.host }}"),
    "grouped by several, with text between": grouped("webhook", "{{payload['site']}}-{{- payload.a.b -}}"),
    "grouped by what events keep of a label": grouped("grafana_alerting", "{{ payload.commonLabels.team }}"),
    "grouped by what events do not keep": grouped("grafana_alerting", "{{ payload.groupKey }}"),
    "grouped by more than a field": grouped("webhook", "{{ payload.host | lower }}"),
    "grouped by a field and a condition": grouped("webhook", "{{ payload.host }}{% if payload.a %}x{% endif %}"),
    "grouped by four fields": grouped("webhook", "{{payload.a}}{{payload.b}}{{payload.c}}{{payload.d}}"),
    "grouped by a text alone": grouped("webhook", "everything"),
  },
);

const others = listVariants(importAnswers, {
  "of nothing": [{}],
  "with a chain whose id is a number": [{ escalation_chains: [{ id: 5, name: "x" }] }],
});

testSnapshots("oncall", {
  "a shift": shifts,
  "a schedule": schedules,
  "a chain": chains,
  "an integration": integrations,
  "an answer": others,
});
