import { importExport } from "../../../setup/import/import-export.ts";
import { testSnapshots, listVariants } from "./golden.ts";

const users = ["a@x", "B@x", "c@x"].map((username) => ({ id: `u-${username[0]}`, username }));
const nobody = { id: "u-n", username: "no address" };
type Files = Readonly<Record<string, unknown>>;
const importFiles = (files: Files) =>
  importExport(
    "opsgenie",
    Object.entries({ users: [...users, nobody], ...files }).map(([path, value]) => ({
      path: `backup/${path}.json`,
      text: JSON.stringify(value),
    })),
    Date.parse("2026-03-16T00:00:00Z"),
  );

const user = (username: string) => ({ type: "user", username });
const team = (name: string) => ({ type: "team", name });
const web = { type: "schedule", id: "s-1" };
const rotation = (fields: object = {}) => ({
  name: "Main",
  startDate: "2026-01-05T09:00:00Z",
  type: "weekly",
  length: 1,
  participants: [user("a@x"), user("b@X")],
  ...fields,
});
const schedule = (rotations: object[], fields: object = {}) => ({
  id: "s-1",
  name: "Web",
  timezone: "UTC",
  rotations,
  ...fields,
});
const importSchedule = (rotations: object[], fields: object = {}, files: Files = {}) =>
  importFiles({ "schedules/Web": schedule(rotations, fields), ...files });
const ops = (fields: object = {}) => ({
  id: "t-1",
  name: "Ops",
  members: [{ user: { id: "u-c" }, role: "Admin" }, { user: { username: "a@x" } }],
  ...fields,
});
const api = { name: "API", type: "API", ownerTeam: { name: "Ops" } };

const hours = (startHour: number, startMin: number, endHour: number, endMin: number) => ({
  startHour,
  startMin,
  endHour,
  endMin,
});
const daily = (...of: Parameters<typeof hours>) => ({
  timeRestriction: { type: "time-of-day", restriction: hours(...of) },
});
const weekly = (...restrictions: object[]) => ({
  timeRestriction: { type: "WEEKDAY_AND_TIME_OF_DAY", restrictions },
});
const members = [{ user: { username: "a@x" } }, { user: { id: "u-B" } }];
const rotations = listVariants(
  (more: object) =>
    importSchedule(
      [rotation(more)],
      {},
      { "teams/Ops": { name: "Ops", members }, "teamRoutingRules/Ops/x": { isDefault: true } },
    ),
  {
    weekly: [{}],
    "with turns of two days": [{ type: "DAILY", length: 2 }],
    "with turns in hours, without a length": [{ type: "hourly", length: null }],
    "during some hours of a day": [daily(9, 0, 17, 30)],
    "during a night": [daily(22, 15, 6, 0)],
    "during a whole day, from one hour to the same hour": [daily(9, 0, 9, 0)],
    "during some hours of a week": [
      weekly(
        { startDay: "Monday", endDay: "TUESDAY", ...hours(9, 5, 17, 0) },
        { startDay: "sunday", endDay: "monday", ...hours(22, 0, 6, 0) },
      ),
    ],
    "during hours without a start and an end": [
      {
        timeRestriction: {
          type: "weekday-and-time-of-day",
          restrictionList: [{ startDay: "monday", endDay: "tuesday" }],
        },
      },
    ],
    "with an end": [{ endDate: "2026-04-01T09:00:00Z" }],
    "with times in milliseconds": [{ startDate: Date.parse("2026-01-05T09:00:00Z") }],
    "with a turn of a team and an empty turn": [
      { participants: [team("Ops"), { type: "none" }, { type: "User", id: "U-C" }] },
    ],
    "that begins soon": [{ startDate: "2026-03-20T09:00:00Z" }],
    "that is over": [{ endDate: "2026-03-16T00:00:00Z" }],
    "without people": [{ participants: [] }],
    "without people and without a name": [{ name: null, participants: [] }],
    "of 101 turns": [{ participants: Array.from({ length: 101 }, () => user("a@x")) }],
    "with unknown people": [
      {
        type: "daily",
        participants: [
          user("z@x"),
          { type: "user", name: "Zoe" },
          { type: "user", id: "u-n" },
          { type: "user" },
          team("Gone"),
        ],
      },
    ],
    "with an escalation in place of a person": [{ participants: [{ type: "escalation", id: "e-1" }] }],
    "with an unknown type": [{ type: "monthly" }],
    "whose type is not a text": [{ type: 5 }],
    "with the length 0": [{ length: 0 }],
    "from a day without a time": [{ startDate: "2026-01-05" }],
    "with a restriction of an unknown type": [{ timeRestriction: { type: "x" } }],
    "from hour 24": [{ timeRestriction: { type: "time-of-day", restriction: { startHour: 24 } } }],
    "to minute 60": [{ timeRestriction: { type: "time-of-day", restriction: { endMin: 60 } } }],
    "from an unknown weekday": [
      { timeRestriction: { type: "weekday-and-time-of-day", restrictions: [{ startDay: "x", endDay: "monday" }] } },
    ],
  },
);

const override = (fields: object = {}) => ({
  user: user("c@x"),
  startDate: "2026-03-17T09:00:00Z",
  endDate: "2026-03-18T09:00:00Z",
  ...fields,
});
const secondRotation = (fields: object = {}) =>
  rotation({ id: "r-2", name: "Second", participants: [user("b@x")], ...fields });
const both = [rotation(), secondRotation()];
const apart = [rotation(daily(8, 0, 16, 0)), secondRotation(daily(16, 0, 8, 0))];
const withOverride = (fields: object = {}) => [both, {}, { "scheduleOverrides/Web/one": override(fields) }] as const;
const ended = rotation({ endDate: "2026-02-01T00:00:00Z" });
const overrides = listVariants(importSchedule, {
  "that add up, each in a group": [
    both,
    {},
    { "escalations/First": { name: "First", rules: [{ recipient: { type: "schedule", id: "s-1" } }] } },
  ],
  "that are replaced by an override of all rotations": [...withOverride()],
  "that are replaced by an override in the schedule": [both, { scheduleOverrideList: [override()] }],
  "that are replaced by an override of one rotation, by its name": [...withOverride({ rotations: [{ name: "Main" }] })],
  "that are replaced by an override of one rotation, by its id": [...withOverride({ rotations: [{ id: "r-2" }] })],
  "that are not replaced by an override that is over": [
    ...withOverride({ endDate: "2026-03-16T00:00:00Z", startDate: "2026-03-15T00:00:00Z" }),
  ],
  "that are not replaced by an override of an unknown rotation": [...withOverride({ rotations: [{ name: "Gone" }] })],
  "that share a group if their hours do not overlap": [apart],
  "that share a group and an override": [apart, { overrides: [override()] }],
  "that have a group each if an override is of one rotation": [
    apart,
    { overrides: [override({ rotations: [{ id: "r-2" }] })] },
  ],
  "that can be overridden although they are over": [
    [ended, secondRotation()],
    {},
    { "scheduleOverrides/Web/one": override({ rotations: [{ name: "Main" }] }) },
  ],
  "that are left out if all of them are over": [[ended]],
  "of a schedule that is disabled": [[rotation()], { enabled: false }, { integrations: [{ name: "API" }] }],
  "of a schedule without people": [[], {}, { integrations: [{ name: "API" }] }],
  "of a schedule with a blank name": [[rotation()], { name: "" }],
  "of a schedule whose name is a number": [[rotation()], { name: 5 }],
  "that are not a list": [[], { rotations: {} }],
});

const shapes = listVariants((value: unknown) => importFiles({ "schedules/Web": value }), {
  "as the whole content of a file": [schedule([rotation()])],
  "in a field with the name of its kind": [{ schedule: schedule([rotation()]) }],
  "in the field data": [{ data: schedule([rotation()]) }],
  "in a list": [[schedule([rotation()])]],
});

const rule = (delay: unknown, recipient: object, more: object = {}) => ({ delay, recipient, ...more });
const late = user("a@x");
const nextRule = (delay: number) => rule(delay, web, { notifyType: "next" });
const escalations = listVariants(
  (rules: object[], more: object = {}) =>
    importSchedule(
      [rotation()],
      {},
      {
        "escalations/First": { id: "e-1", name: "First", rules, ...more },
        "teams/Ops": ops(),
        "teamRoutingRules/Ops/x": { isDefault: true, notify: { type: "escalation", name: "First" } },
        integrations: [api],
      },
    ),
  {
    "with a schedule, then a person": [[rule(0, web), rule({ timeAmount: 5 }, late)]],
    "with a schedule by its name, then a person hours later": [
      [rule(0, { type: "schedule", name: "Web" }), rule({ timeAmount: 1, timeUnit: "HOURS" }, late)],
    ],
    "with a delay in seconds": [[rule(0, web), rule({ timeAmount: 120, timeUnit: "seconds" }, late)]],
    "with a delay in days": [[rule(0, web), rule({ timeAmount: 1, timeUnit: "days" }, late)]],
    "with delays that are not in order": [[rule(7, late), rule({}, web), rule(3, user("c@x"))]],
    "with all people in a schedule": [[rule(0, web, { notifyType: "all" })]],
    "with all people in a team": [[rule(0, web), rule(5, { type: "team", id: "t-1" }, { notifyType: "all" })]],
    "with a team's admins": [[rule(0, web), rule(5, team("Ops"), { notifyType: "ADMINS" })]],
    "with a team's users": [[rule(0, web), rule(5, team("Ops"), { notifyType: "users" })]],
    "with a person without a type": [[rule(0, web), rule(5, { username: "c@x" })]],
    "that repeats twice": [[rule(0, web), rule(5, late)], { repeat: { waitInterval: 10, count: 2 } }],
    "that repeats without a number of times": [[rule(0, web), rule(5, late)], { repeat: { waitInterval: 10 } }],
    "that repeats without a pause": [[rule(0, web), rule(5, late)], { repeat: { waitInterval: 0, count: 3 } }],
    "whose repeat is empty": [[rule(0, web), rule(5, late)], { repeat: null }],
    "that begins later, and repeats": [[rule(3, web), rule(5, late)], { repeat: { waitInterval: 10, count: 1 } }],
    "with the people who are on call next": [[nextRule(0), rule(5, user("c@x")), nextRule(9)]],
    "with levels that change or are left out": [
      [
        rule(0, web, { condition: "if-not-closed" }),
        nextRule(1),
        rule(2, web, { notifyType: "previous" }),
        rule(3, { type: "schedule", name: "Gone" }),
        rule(3, { type: "schedule", id: "s-9" }),
        rule(3, { type: "schedule" }),
        rule(4, team("Gone")),
        rule(4, { type: "team", id: "t-9" }),
        rule(5, team("Ops")),
        rule(6, user("z@x")),
      ],
    ],
  },
);

const teams = listVariants(importFiles, {
  "with routing rules": [
    {
      "teams/Ops": ops(),
      "teamRoutingRules/Ops/x": { isDefault: true },
      "teamRoutingRules/Gone/x": { isDefault: true },
    },
  ],
  "without routing rules": [{ "teams/Ops": ops(), integrations: [api] }],
  "without people": [{ "teams/Ops": ops({ members: [] }), integrations: [api] }],
  "with unknown people": [
    {
      "teams/Ops": ops({ members: [{ user: { id: "U-C" } }, { user: { username: "z@x" } }, { user: { id: "u-n" } }] }),
    },
  ],
});

const condition = (field: string, operation: string, expectedValue?: string, fields: object = {}) => ({
  field,
  operation,
  expectedValue,
  ...fields,
});
const matchAll = (...conditions: object[]) => ({ type: "match-all-conditions", conditions });
const importRouting = (...rules: object[]) =>
  importSchedule([rotation()], {}, { "teams/Ops": { team: ops(), teamRoutingRules: rules }, integrations: [api] });
const routingRule = (criteria: unknown, more: object = {}) => [{ name: "R", criteria, notify: web, ...more }];
const single = Object.fromEntries(
  [
    condition("alias", "contains", "x"),
    condition("DESCRIPTION", "starts_with", "x"),
    condition("entity", "ends-with", "x"),
    condition("source", "matches", "x+"),
    condition("message", "is-empty"),
    condition("message", "equals", "x", { not: true }),
    condition("extra-properties", "greater-than", "5", { key: "load" }),
    condition("details", "less-than", "5", { key: "load" }),
    condition("extra-properties", "contains-key", "region"),
    condition("details", "contains-key", "region", { not: true }),
    condition("priority", "equals", "P2"),
    condition("priority", "greater-than", "P3"),
    condition("priority", "less-than", "P3"),
    condition("tags", "contains", "a.b"),
    condition("tags", "equals", "a"),
    condition("tags", "is-empty"),
    condition("actions", "contains", "x"),
    condition("message", "sounds-like", "x", { not: true }),
    condition("priority", "equals", "P9"),
    condition("priority", "contains", "P1"),
    condition("tags", "matches", "x"),
    condition("details", "equals", "x"),
    condition("details", "sounds-like", "x", { key: "k" }),
  ].map((one) => {
    const { field, operation, expectedValue = "", key, not } = one as Record<string, string | undefined>;
    const says = `${not ? "not " : ""}${field}${key ? ` ${key}` : ""} ${operation} ${expectedValue}`;
    return [`with the condition "${says.trim()}"`, routingRule(matchAll(one))] as const;
  }),
);
const messageEquals = (message: string) => matchAll(condition("message", "equals", message));
const restricted = { name: "R", notify: web, ...daily(8, 0, 18, 0) };
const routes = listVariants(importRouting, {
  "with a condition": routingRule(messageEquals("x")),
  ...single,
  "with several conditions that a rule cannot have": routingRule(
    matchAll(
      condition("actions", "contains", "x"),
      condition("message", "equals", "y"),
      condition("teams", "equals", "z"),
    ),
  ),
  "for any of its conditions": routingRule({
    type: "MATCH_ANY_CONDITION",
    conditions: [condition("message", "equals", "x"), condition("message", "equals", "y")],
  }),
  "for all of its conditions": routingRule(
    matchAll(condition("message", "equals", "x"), condition("alias", "equals", "y")),
  ),
  "for all alerts, whatever conditions it has": routingRule({
    type: "match-all",
    conditions: [condition("message", "equals", "x")],
  }),
  "for all alerts, because it has no type": routingRule({ conditions: [condition("actions", "contains", "x")] }),
  "for all alerts, because it has no conditions": routingRule({ type: "match-any-condition", conditions: [] }),
  "for all alerts, without criteria": routingRule(null),
  "with hours in its own time zone": [{ ...restricted, timezone: "Europe/Berlin" }],
  "with hours without a time zone": [restricted],
  "in its order, with the default rule last": [
    { isDefault: true, order: 0, notify: web },
    { name: "Two", order: 2, criteria: messageEquals("Two"), notify: web },
    { name: "One", order: 1, criteria: messageEquals("One"), notify: web },
  ],
  "that notifies nobody": [
    { name: "Quiet", order: 1, criteria: messageEquals("q"), notify: { type: "none" } },
    { order: 2, criteria: messageEquals("r"), notify: null },
    { name: "Gone", order: 3, criteria: messageEquals("s"), notify: { type: "escalation", name: "Gone" } },
    { name: "Lost", order: 4, criteria: messageEquals("t"), notify: { type: "schedule", id: "s-9" } },
    { isDefault: true, notify: web },
  ],
});

const integrations = listVariants(
  (...some: object[]) =>
    importSchedule(
      [rotation()],
      {},
      {
        "teams/Ops": ops(),
        "teamRoutingRules/Ops/x": { isDefault: true, notify: web },
        "escalations/First": { id: "e-1", name: "First", rules: [{ recipient: user("a@x") }] },
        integrations: some,
      },
    ),
  {
    "of a team": [api],
    "of a team by its id": [{ ...api, ownerTeam: { id: "t-1" } }],
    "of another team": [{ ...api, ownerTeam: { name: "Gone" } }],
    "of no team": [{ name: "API" }],
    "of no team, with responders": [{ name: "API", responders: [{ type: "escalation", id: "e-1" }, team("Ops")] }],
    "that ignores the responders of the alert": [
      { name: "API", ignoreRespondersFromPayload: true, responders: [{ type: "schedule", username: "Web" }] },
    ],
    "that ignores the teams of the alert": [
      {
        name: "API",
        ignoreTeamsFromPayload: true,
        responders: [
          { type: "schedule", name: "Web" },
          { type: "user", name: "Ops" },
        ],
      },
    ],
    "by its type, and one that is disabled": [
      { name: "Own" },
      { integration: { name: "Prom", type: "Prometheus" } },
      { name: "Std", type: "Default" },
      { name: "Ping", type: "Pingdom" },
      { name: "Off", enabled: false },
    ],
    "of an export without integrations": [],
  },
);

const policyOn = (name: string, field: string, operation: string, value: string) => ({
  name,
  criteria: matchAll(condition(field, operation, value)),
});
const tools = listVariants(
  (integration: object, ...rules: object[]) =>
    importFiles({
      "schedules/Web": schedule([rotation()]),
      "teams/Ops": ops(),
      "teamRoutingRules/Ops/rules": rules.map((one) => ({ ...one, notify: web })),
      integrations: [{ name: "Watch", type: "CloudWatch", ownerTeam: { name: "Ops" }, ...integration }],
    }),
  {
    "whose rules have conditions on fields of the message": [
      {},
      policyOn("Title", "message", "contains", "db"),
      policyOn("Urgent", "priority", "less-than", "P3"),
      policyOn("Tag", "tags", "contains", "x"),
      { isDefault: true },
    ],
    "that suppresses notifications": [{ suppressNotifications: true }, { isDefault: true }],
  },
);

const others = listVariants(importFiles, {
  "with a kind": [
    {
      "policiesV2/a": { name: "x" },
      "alertPolicies/b": { name: "x" },
      "integrationActions/c": { name: "x" },
      "heartbeats/d": { name: "x" },
      "maintenance/e": { name: "x" },
      "services/f": { name: "x" },
    },
  ],
  "without a kind": [{ "odd/x": 5 }],
});

testSnapshots("opsgenie", {
  "a rotation": rotations,
  "the rotations of a schedule": overrides,
  "a schedule in a backup": shapes,
  "an escalation": escalations,
  "a team": teams,
  "a routing rule": routes,
  "an integration": integrations,
  "an integration of a tool": tools,
  "items that this service does not have": others,
});
