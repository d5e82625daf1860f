import { testSnapshots, listVariants } from "./golden.ts";
import { DAY, HOUR, importAnswers, importSchedule, shift } from "./oncall-export.ts";

const hourly = (interval: number, duration: number) => ({ frequency: "hourly", interval, duration });
const daily = { frequency: "daily", duration: 8 * HOUR };
const onDays = (...by_day: string[]) => ({ duration: 8 * HOUR, by_day });
const once = { type: "single_event", frequency: null, start: "2026-03-20T09:00:00" };
const shifts = listVariants((more: object) => importSchedule([more]), {
  weekly: [{}],
  "with turns of two weeks": [{ interval: 2, duration: 14 * DAY }],
  "in every second week": [{ interval: 2 }],
  "during some hours of a week": [{ duration: 8 * HOUR }],
  daily: [{ frequency: "daily", duration: DAY }],
  "during some hours of a day": [daily],
  "during some hours of every third day": [{ ...daily, interval: 3, duration: 12 * HOUR }],
  "with turns of twelve hours": [hourly(12, 12 * HOUR)],
  "with a gap": [hourly(12, 8 * HOUR)],
  "that overlaps its next occurrence": [hourly(8, 12 * HOUR)],
  "that always overlaps its next occurrence": [{ frequency: "daily", duration: 2 * DAY }],
  "on some days of the week": [onDays("FR", "MO")],
  "on weekdays that do not include its first day": [{ start: "2026-01-06T09:00:00", ...onDays("MO", "FR") }],
  "that begins on the second of its weekdays": [{ start: "2026-01-07T09:00:00", ...onDays("MO", "WE") }],
  "in weeks that begin on Sunday": [{ ...onDays("SU", "MO"), week_start: "SU" }],
  "in weeks without a first day": [{ ...onDays("SU", "MO"), week_start: null }],
  "in weeks that begin on Wednesday, on days of two calendar weeks": [
    { start: "2026-01-09T09:00:00", ...onDays("FR", "MO"), week_start: "WE", interval: 2 },
  ],
  "whose turns change with each day on call": [{ ...daily, by_day: ["MO", "TU"] }],
  "whose turns change with every second day on call": [{ ...daily, by_day: ["MO", "TU", "WE"], interval: 2 }],
  "of all people, on every second of some weekdays": [
    { type: "recurrent_event", ...daily, by_day: ["MO", "TU", "WE"], interval: 2, users: ["UA", "UB"] },
  ],
  "of all people, on some weekdays": [{ type: "recurrent_event", ...onDays("MO"), users: ["UC"] }],
  "whose type is recurrent, but which names no users": [{ type: "recurrent_event" }],
  "that begins with its second turn, which has two people": [
    { start_rotation_from_user_index: 1, rolling_users: [["UA"], ["UB", "UC"]] },
  ],
  "with a person twice in a turn": [{ rolling_users: [["UA", "UA"]] }],
  "that ends": [{ until: "2026-04-01T09:00:00" }],
  "whose turns begin later than the shift": [{ rotation_start: "2026-03-19T09:00:00" }],
  once: [{ ...once, duration: 2 * DAY, users: ["UC", "UA"] }],
  "once, with an end before its duration is over": [{ ...once, until: "2026-03-21T09:00:00", duration: 2 * DAY }],
  "once, with turns": [{ ...once, type: "rolling_users", duration: DAY }],
  "with an offset, which is ignored": [{ start: "2026-01-05T09:00:00+02:00" }],
  "with an offset without a colon": [{ start: "2026-01-05T09:00:00-0500" }],
  "that is over": [{ until: "2026-03-16T00:00:00" }],
  "that came once and is over": [{ ...once, start: "2026-03-15T00:00:00", duration: DAY }],
  "without people": [{ rolling_users: [] }],
  "in turns of half hours": [{ frequency: "hourly", duration: 5_400 }],
  "in turns of half hours, with one person": [{ frequency: "hourly", duration: 5_400, rolling_users: [["UA"]] }],
  monthly: [{ frequency: "monthly" }],
  "monthly, without a name": [{ frequency: "monthly", name: null }],
  "in some months": [{ by_month: [1] }],
  "on some days of a month": [{ by_monthday: [1] }],
  "hourly on some weekdays": [{ frequency: "hourly", by_day: ["MO"] }],
  "of 101 turns": [{ rolling_users: Array.from({ length: 101 }, () => ["UA"]) }],
  "whose last day is the day before the next turn": [{ by_day: ["MO", "SU"], duration: DAY }],
  "whose turns overlap": [{ by_day: ["MO", "SU"], duration: DAY + HOUR }],
  "whose week ends before its turns overlap": [
    { by_day: ["SU", "MO"], duration: DAY + HOUR, week_start: "SU", start: "2026-01-04T09:00:00" },
  ],
  "of one person, whose own turns overlap": [{ by_day: ["MO", "SU"], duration: DAY + HOUR, rolling_users: [["UA"]] }],
  "of whole days, whose turns change with each day on call": [
    { by_day: ["MO", "WE"], duration: DAY, frequency: "daily" },
  ],
  "of more than a day, whose turns change with each day on call": [
    { by_day: ["MO", "WE"], duration: DAY + HOUR, frequency: "daily" },
  ],
  "with a blank id": [{ id: "" }],
  "with an unknown type": [{ type: "x" }],
  "whose start is only a year": [{ start: "2026" }],
  "with the length 0": [{ duration: 0 }],
  "with half an interval": [{ interval: 0.5 }],
  "with a level below zero": [{ level: -1 }],
  yearly: [{ frequency: "yearly" }],
  "on an unknown weekday": [{ by_day: ["XX"] }],
  "whose turns are not lists": [{ rolling_users: ["UA"] }],
  "that begins with a turn before the first": [{ start_rotation_from_user_index: -1 }],
});

const single = { rolling_users: [["UC"]] };
const day = { ...single, ...daily };
const override = { ...single, type: "override", frequency: null, duration: DAY, users: ["UC"] };
const inZone = (time_zone: string, level = 1) => ({ ...day, time_zone, level });
const schedules = listVariants(importSchedule, {
  "without shifts": [[], { time_zone: "Europe/Berlin" }],
  "without a time zone": [[], { time_zone: null }],
  "whose name is a number": [[], { name: 5 }],
  "with levels, and with overrides above them": [
    [
      {},
      { ...day, level: 2 },
      { ...override, start: "2026-03-17T09:00:00" },
      { ...override, start: "2026-03-01T09:00:00" },
    ],
  ],
  "with shifts of one level": [[{}, { ...single, level: 1 }, { ...single, level: 0 }]],
  "with shifts of one level whose hours never overlap": [
    [day, { ...day, start: "2026-01-05T17:00:00", duration: 16 * HOUR }, { level: 3, ...day, rolling_users: [["UA"]] }],
  ],
  "with several time zones": [
    [inZone("America/New_York", 2), inZone("Europe/Berlin"), inZone("Europe/Berlin", 3)],
    { time_zone: "Asia/Kolkata" },
  ],
  "with unknown people": [[{ rolling_users: [["UA", "UX"], ["UZ"]] }], { shifts: ["H0", "H9"] }],
  "with two shifts, of which one cannot be a rotation": [
    [{ frequency: "monthly" }, { duration: 8 * HOUR, frequency: "daily" }],
  ],
});

const step = (type: string | null, more: object = {}) => ({ type, ...more });
const notifyPersons = (...ids: string[]) => step("notify_persons", { persons_to_notify: ids });
const waitStep = (duration?: number) => step("wait", duration === undefined ? {} : { duration });
const notifyOnCall = (id?: string) => step("notify_on_call_from_schedule", { notify_on_call_from_schedule: id });
const notifyTeam = (id?: string) => step("notify_team_members", { notify_to_team_members: id });
const notifyNextPerson = (...ids: string[]) =>
  step("notify_person_next_each_time", { persons_to_notify_next_each_time: ids });
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
        { id: "PX", escalation_chain_id: "C2", position: 0, ...notifyPersons("UC") },
      ].toReversed(),
      integrations: [{ id: "I1", name: "In" }],
      routes: [{ id: "R1", integration_id: "I1", escalation_chain_id: "C1", is_the_last_route: true }],
    }),
  {
    "with steps and waits": [
      notifyOnCall("S1"),
      waitStep(300),
      notifyPersons("UA"),
      notifyPersons("UB"),
      waitStep(60),
      waitStep(60),
      notifyPersons("UC"),
    ],
    "with a wait without a length": [notifyOnCall("S1"), waitStep(), notifyTeam("T1")],
    "with a team": [notifyOnCall("S1"), waitStep(60), notifyTeam("T1")],
    "with people who take turns": [notifyOnCall("S1"), waitStep(60), notifyNextPerson("UA", "UB")],
    "that repeats": [notifyOnCall("S1"), waitStep(600), again],
    "that repeats before its first step": [again, notifyOnCall("S1")],
    "that repeats after several steps": [notifyOnCall("S1"), waitStep(120), notifyPersons("UA"), waitStep(300), again],
    "with steps that change or are left out": [
      notifyOnCall("S1"),
      waitStep(60),
      notifyNextPerson("UA"),
      notifyOnCall("S9"),
      notifyOnCall(),
      notifyPersons("UX", "UZ"),
      notifyTeam("T2"),
      notifyTeam(),
      step("trigger_webhook"),
      step(null),
      again,
    ],
    "without people": [],
  },
);

const last = { is_the_last_route: true };
const jinjaRoute = (routing_regex: string, more: object = {}) => ({ routing_type: "jinja2", routing_regex, ...more });
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
      escalation_policies: [{ id: "P", escalation_chain_id: "C1", ...notifyPersons("UA") }],
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
    "without a type": [{ type: null }, last],
    ...Object.fromEntries(types.map((type) => [`of type ${type}`, [{ type }, last] as const])),
    "without a name": [{ type: "manual", name: null }, last],
    "with routes": [
      { type: "alertmanager" },
      { ...last, position: 0 },
      jinjaRoute(" {{ payload.commonLabels.a == 'x' }} ", { position: 3 }),
      { routing_type: "regex", routing_regex: " .+ ", position: 5 },
      jinjaRoute("{{ payload.commonLabels.b == 'y' }}", { position: 1 }),
    ],
    "with an expression that a rule cannot have": [{ type: "alertmanager" }, { routing_regex: "a|b" }],
    "with a template that a rule cannot have": [{ type: "alertmanager" }, jinjaRoute("{{ x }}")],
    "with a route by labels": [{ type: "alertmanager" }, { routing_type: "labels" }],
    "with a route to no chain": [{ type: "alertmanager" }, { ...last, escalation_chain_id: null }],
    "with a route to an unknown chain": [{ type: "alertmanager" }, { routing_regex: ".*", escalation_chain_id: "C9" }],
    "with a route by a blank expression": [{ type: "grafana" }, { routing_regex: "" }],
    "with a route for everything": [{ type: "grafana" }, { routing_regex: ".+" }],
    "with a route without an expression": [{ type: "grafana" }, { routing_regex: null }],
    "without routes": [{ type: "grafana" }],
    "grouped by one field": grouped("webhook", "{{ payload.host }}"),
    "grouped by several fields, with text between them": grouped("webhook", "{{payload['site']}}-{{- payload.a.b -}}"),
    "grouped by a label that events keep": grouped("grafana_alerting", "{{ payload.commonLabels.team }}"),
    "grouped by a field that events do not keep": grouped("grafana_alerting", "{{ payload.groupKey }}"),
    "grouped by an expression": grouped("webhook", "{{ payload.host | lower }}"),
    "grouped by a field and a condition": grouped("webhook", "{{ payload.host }}{% if payload.a %}x{% endif %}"),
    "grouped by four fields": grouped("webhook", "{{payload.a}}{{payload.b}}{{payload.c}}{{payload.d}}"),
    "grouped by a constant text": grouped("webhook", "everything"),
  },
);

const others = listVariants(importAnswers, {
  "without content": [{}],
  "with a chain whose id is a number": [{ escalation_chains: [{ id: 5, name: "x" }] }],
});

testSnapshots("oncall", {
  "a shift": shifts,
  "a schedule": schedules,
  "an escalation chain": chains,
  "an integration": integrations,
  "an API answer": others,
});
