import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { readAlertsFile } from "../../../setup/read.ts";
import { replayAlerts } from "../../../setup/replay/replay.ts";
import { createJsonFile } from "../import/accounts/move.ts";

const NOW = Date.UTC(2026, 10, 26, 12);
const [ann, bea, cem, dan, eva] = [
  "ann@acme.example",
  "bea@acme.example",
  "cem@acme.example",
  "dan@acme.example",
  "eva@acme.example",
] as const;
const user = (username: string) => ({ type: "user", username });
const condition = (field: string, operation: string, expectedValue: string) => ({ field, operation, expectedValue });
const whenAll = (...conditions: object[]) => ({ type: "match-all-conditions", conditions });

const account = [
  createJsonFile("users", {
    users: [ann, bea, cem, dan, eva].map((username) => ({ username, role: { name: "User" } })),
  }),
  createJsonFile("integrations", {
    integrations: [{ id: "int-1", name: "Web", type: "API", ownerTeam: { name: "Web" } }],
  }),
  createJsonFile("backup/teams/web", {
    name: "Web",
    members: [ann, eva].map((username) => ({ user: { username } })),
    routingRules: [
      {
        name: "Urgent",
        order: 0,
        criteria: whenAll(condition("priority", "equals", "P1")),
        notify: { type: "escalation", name: "Twice" },
      },
      {
        name: "By hand",
        order: 1,
        criteria: whenAll(condition("actions", "contains", "restart")),
        notify: { type: "escalation", name: "Dan alone" },
      },
      {
        name: "Whole team",
        order: 2,
        criteria: whenAll(condition("tags", "contains", "all")),
        notify: { type: "escalation", name: "All" },
      },
      {
        name: "Rest",
        order: 3,
        isDefault: true,
        criteria: { type: "match-all" },
        notify: { type: "schedule", name: "Days" },
      },
    ],
  }),
  createJsonFile("backup/schedules/days", {
    schedule: {
      name: "Days",
      timezone: "Europe/Berlin",
      rotations: [
        {
          name: "Main",
          startDate: "2026-01-05T08:00:00Z",
          type: "weekly",
          length: 1,
          participants: [user(ann), user(bea)],
        },
      ],
    },
    scheduleOverrides: [{ user: user(cem), startDate: "2026-11-10T00:00:00Z", endDate: "2026-11-12T00:00:00Z" }],
  }),
  ...[
    { name: "Twice", to: [{ type: "schedule", name: "Days" }, user(dan)] },
    { name: "Dan alone", to: [user(dan)] },
    { name: "All", to: [{ type: "team", name: "Web" }] },
  ].map(({ name, to }) =>
    createJsonFile(`backup/escalations/${name}`, {
      name,
      rules: to.map((recipient, index) => ({
        delay: { timeAmount: index * 10, timeUnit: "minutes" },
        notifyType: recipient.type === "team" ? "all" : "default",
        recipient,
      })),
    }),
  ),
];

/** `notified`: the people whom the old service notified, and how many seconds after the alert. */
type RecordedAlert = { at: string; notified: readonly [string, number][]; alert?: object; ackTime?: number };

const createRecords = (records: readonly RecordedAlert[]) =>
  records.flatMap(({ at, notified, alert = {}, ackTime }, index) => [
    createJsonFile(`alerts/a-${index}`, {
      data: {
        id: `a-${index}`,
        message: "Disk full",
        alias: `disk-${index}`,
        priority: "P3",
        createdAt: at,
        integration: { id: "int-1", name: "Web" },
        ...(ackTime === undefined ? {} : { report: { ackTime } }),
        ...alert,
      },
    }),
    createJsonFile(`logs/a-${index}`, {
      data: notified.map(([person, seconds]) => ({
        log: `Notification sent to ${person} via Voice`,
        createdAt: new Date(Date.parse(at) + seconds * 1_000).toISOString(),
      })),
    }),
  ]);

const importFiles = (files = account) => importExport("opsgenie", files, NOW).yaml;

const runReplay = (
  records: readonly RecordedAlert[],
  { files = account, change = (yaml: string) => yaml, contacts = "[]" } = {},
) => {
  const { file, faults } = readAlertsFile(change(importFiles(files)));
  expect(faults).toEqual([]);
  return replayAlerts({
    source: "opsgenie",
    files: [...files, ...createRecords(records)],
    setUp: file!,
    contacts,
    days: 90,
    now: NOW,
  });
};

/** Bea is on call for a week, until a Monday at 9:00 in Berlin, and then Ann for a week. */
const bySchedule: RecordedAlert = { at: "2026-11-18T10:00:00Z", notified: [[bea, 2]] };
const atHandoff: RecordedAlert = { at: "2026-11-23T08:30:00Z", notified: [[ann, 2]] };
const urgent: RecordedAlert = {
  at: "2026-11-24T10:00:00Z",
  alert: { priority: "P1" },
  notified: [
    [ann, 2],
    [dan, 602],
  ],
};
const wholeTeam: RecordedAlert = {
  at: "2026-11-24T10:00:00Z",
  alert: { tags: ["all"] },
  notified: [
    [ann, 2],
    [eva, 2],
  ],
};

const ownRules = createJsonFile("backup/users/ann", {
  user: { username: ann },
  notificationRuleList: [
    { actionType: "create-alert", steps: [{ contact: { method: "voice" }, sendAfter: { timeAmount: 5 } }] },
  ],
});

it("a replay finds no difference if none is planted", () => {
  const { rows, left } = runReplay([bySchedule, atHandoff, urgent, wholeTeam]);

  expect(left).toEqual([]);
  expect(rows.map(({ verdict }) => verdict)).toEqual(["same", "same", "same", "same", "same", "same"]);
});

const createRulePattern = (name: string) => new RegExp(`  - name: "?${name}"?\\n(?:    .*\\n)+`);

describe("a difference planted in a replay is found, and its cause is named:", () => {
  it.each<
    [
      string,
      readonly RecordedAlert[],
      Parameters<typeof runReplay>[1],
      { verdict: string; cause: string; draft: RegExp },
    ]
  >([
    [
      "a rule that is taken out of the file",
      [urgent],
      { change: (yaml) => yaml.replace(createRulePattern("Web: Urgent"), "") },
      { verdict: "nobody", cause: "rule not imported", draft: /^rules:\n {2}- name: "?Web: Urgent/ },
    ],
    [
      "a rule that the import could not take",
      [{ ...bySchedule, notified: [[dan, 2]], alert: { actions: ["restart"] } }],
      {},
      {
        verdict: "other person",
        cause: "rule not imported",
        draft: /^# Not imported: Routing rule .*By hand[^]*title/,
      },
    ],
    [
      "a rule that is disabled",
      [bySchedule],
      { change: (yaml) => yaml.replace(/(  - name: "?Web: default"?\n)/, "$1    enabled: false\n") },
      { verdict: "nobody", cause: "other rule", draft: /name: "?Web: default/ },
    ],
    [
      "a rule that notifies the whole group instead of who is on call",
      [bySchedule],
      {
        change: (yaml) =>
          yaml.replace(createRulePattern("Web: default"), (rule) => rule.replace("    onCallOnly: true\n", "")),
      },
      { verdict: "more people", cause: "other rule", draft: /onCallOnly: true/ },
    ],
    [
      "an override that has ended",
      [{ at: "2026-11-11T10:00:00Z", notified: [[cem, 2]] }],
      {},
      { verdict: "other person", cause: "override that has ended", draft: /^Nothing needs to change/ },
    ],
    [
      "another time zone",
      [atHandoff],
      { change: (yaml) => yaml.replace("timeZone: Europe/Berlin", "timeZone: UTC") },
      { verdict: "other person", cause: "time zone", draft: /timeZone: Europe\/Berlin/ },
    ],
    [
      "turns in another order",
      [bySchedule],
      { change: (yaml) => yaml.replace(/(participants:\n\s+)- ann@(.*)\n(\s+)- bea@/, "$1- bea@$2\n$3- ann@") },
      { verdict: "other person", cause: "schedule", draft: /^schedules:/ },
    ],
    [
      "a person who is deleted",
      [{ ...bySchedule, notified: [["gus@acme.example", 2]] }],
      {},
      { verdict: "other person", cause: "deleted person", draft: /gus@acme\.example/ },
    ],
    [
      "a notification rule of a person's own",
      [{ ...atHandoff, notified: [[ann, 302]] }],
      { files: [...account, ownRules] },
      { verdict: "earlier", cause: "personal rule not imported", draft: /person: ann[^]*afterMinutes: 5/ },
    ],
    [
      "a longer delay of a step",
      [urgent],
      { change: (yaml) => yaml.replace("delayMinutes: 10", "delayMinutes: 25") },
      { verdict: "later", cause: "escalation policy", draft: /^policies:[^]*delayMinutes: 10/ },
    ],
    [
      "a member who is not in the group",
      [wholeTeam],
      {
        change: (yaml) =>
          `${yaml.replace(/(  - name: Web\n    members:\n.*\n)\s+- eva@.*\n/, "$1")}people: [{ person: ${eva}, role: viewer }]\n`,
      },
      { verdict: "nobody", cause: "group members", draft: /^groups:[^]*eva@/ },
    ],
    [
      "a silence",
      [bySchedule],
      {
        change: (yaml) =>
          `${yaml}silences: [{ name: Quiet, eventKey: opsgenie.firing, endsAt: 2030-01-01T00:00:00Z }]\n`,
      },
      { verdict: "nobody", cause: "silence", draft: /"Quiet"/ },
    ],
    [
      "a rule that groups alerts",
      [bySchedule, { ...bySchedule, at: "2026-11-18T10:20:00Z" }],
      { change: (yaml) => yaml.replace(/(  - name: "?Web: default"?\n)/, "$1    groupBy: []\n    groupMinutes: 60\n") },
      { verdict: "nobody", cause: "grouping", draft: /Web: default/ },
    ],
  ])("%s", (_, records, planted, { verdict, cause, draft }) => {
    const { rows, report } = runReplay(records, planted);
    const found = rows.filter((row) => row.verdict !== "same");

    expect(found.map((row) => [row.verdict, row.found?.cause])).toEqual([[verdict, cause]]);
    expect(found[0]?.found?.draft).toMatch(draft);
    expect(report).toContain(`\n## ${cause}\n`);
  });
});

it("a difference that occurs on two days is reported with a cause for each day", () => {
  const notified: RecordedAlert["notified"] = [[cem, 2]];
  const { rows } = runReplay(["2026-11-11T10:00:00Z", "2026-11-12T10:00:00Z"].map((at) => ({ at, notified })));

  expect(rows.map(({ found }) => found?.cause)).toEqual(["override that has ended", "deleted person"]);
});

it("a difference that occurs for two senders is reported with a cause for each sender", () => {
  const alerts = ["Shop", "Depot"].map((name): RecordedAlert => {
    const alert = { actions: ["restart"], integration: { id: name, name } };
    return { ...bySchedule, notified: [[dan, 2]], alert };
  });
  const senders = runReplay(alerts).rows.map(
    ({ found }) => /field: sender\n.*\n +value: (.*)/.exec(found?.draft ?? "")?.[1],
  );

  expect(senders).toEqual(["Shop", "Depot"]);
});

describe("the contracts of a replay", () => {
  const listContracts = (records: readonly RecordedAlert[]) =>
    [...runReplay(records).contracts.matchAll(/name: "?Replay \d: ([^"\n]*)|within: (\d+)/g)].map(
      ([, title, within]) => title ?? Number(within),
    );
  const rare: RecordedAlert = { ...bySchedule, alert: { message: "Rare" } };

  it("begin with the alert that came most often, and allow a whole minute for each alert's last notification", () => {
    expect(listContracts([rare, urgent, { ...urgent, at: "2026-11-24T12:00:00Z" }])).toEqual([
      "Disk full",
      11,
      "Rare",
      1,
    ]);
  });

  it("name only people whom the setup file contains", () => {
    expect(listContracts([{ ...rare, notified: [...rare.notified, ["gus@acme.example", 2]] }])).toEqual([]);
  });
});

it("an alert that was recorded after the replay began is not replayed", () => {
  expect(runReplay([bySchedule, { ...bySchedule, at: "2026-11-27T10:00:00Z" }]).alerts).toHaveLength(1);
});

it("a personal notification rule belongs to its person, ignoring case in the email address", () => {
  const steps = "[{ afterMinutes: 5, ways: [voice] }]";
  const contacts = `[{ person: ANN@acme.example, notificationRules: { rungs: { NORMAL: ${steps} } } }]`;

  expect(runReplay([{ ...atHandoff, notified: [[ann, 302]] }], { contacts }).rows[0]?.verdict).toBe("same");
});

it("a drafted rule names the group with most of the notified people, and says whether it notifies only people on call", () => {
  const notified: RecordedAlert["notified"] = [ann, bea, dan].map((person) => [person, 2]);
  const { rows } = runReplay([{ ...bySchedule, notified, alert: { actions: ["restart"] } }]);

  expect(rows.find(({ theirs }) => theirs?.person === dan)?.found?.draft).toMatch(
    /groups:\n +- Days\n[^]*onCallOnly: true/,
  );
});
