import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import * as v from "valibot";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { EscalationPolicyInput } from "../../core/domain/escalation/escalation-policy.ts";
import { OnCallSchedule } from "../../core/domain/on-call/index.ts";
import { RuleInput } from "../../core/domain/rules/rule-input.ts";
import { renderJsonSchema, schemaFile } from "../../setup/json-schema.ts";
import * as names from "../../setup/names.ts";
import { formatFault, readAlertsFile, readAlertsFiles } from "../../setup/read.ts";
import { writeAlertsFile } from "../../setup/write.ts";

const whole = `# yaml-language-server: $schema=../docs/alerts.schema.json
groups:
  - name: Operations
    members: [Alice@acme.example, bob@acme.example]
schedules:
  - group: Operations
    timeZone: Europe/Berlin
    layers:
      - start: 2026-03-02T09:00
        every: 1
        unit: week
        participants: [alice@acme.example, bob@acme.example]
        restrictions: [{ days: [Monday, 2], from: 09:00, to: 17:00 }]
policies:
  - name: Page the lead
    steps:
      - delayMinutes: 5
        targets: [{ group: Operations, onCallOnly: true }, { user: carol@acme.example }]
rules:
  - name: Orders
    eventKey: order.*
    groups: [Operations]
    conditions:
      - { field: data.total, operator: between, value: [5, 10] }
    requiresAck: true
    policy: Page the lead
silences:
  - name: Nights
    eventKey: "*"
    everything: true
    weekly: { days: [sat], from: "22:00", to: "06:00", timeZone: Europe/Berlin }
contracts:
  - name: A failed order wakes somebody
    at: 2026-11-23T03:00:00+01:00
    event: { event: order.failed, title: A, body: B, data: { total: 7 } }
    told: [Operations]
    notTold: [carol@acme.example]
    within: 4
`;

const listFaults = (text: string) => readAlertsFile(text, "f.yaml").faults.map(formatFault);
const parseFile = (text: string) => {
  const { file, faults } = readAlertsFile(text);
  expect(faults).toEqual([]);
  return file!;
};

describe("the setup file", () => {
  it("is read with the same defaults and spellings as a request to the API", () => {
    const { groups, schedules, rules, policies, silences, contracts } = parseFile(whole);

    expect(groups).toEqual([{ name: "Operations", members: ["alice@acme.example", "bob@acme.example"] }]);
    expect(schedules[0]?.layers[0]?.restrictions).toEqual([{ days: ["mon", "tue"], from: "09:00", to: "17:00" }]);
    expect(policies[0]).toMatchObject({ repeat: 0, confirmWithinSeconds: null });
    expect(rules[0]).toMatchObject({
      enabled: true,
      conditionMatch: "all",
      onCallOnly: false,
      policy: "Page the lead",
    });
    expect(silences[0]).toMatchObject({ endsAt: null, includeUrgent: false });
    expect(contracts[0]).toMatchObject({ at: "2026-11-23T02:00:00.000Z", event: { eventKey: "order.failed" } });
  });

  it("has its JSON Schema in docs, with which editors accept what the service accepts", () => {
    const stale = readFileSync(schemaFile, "utf8") !== renderJsonSchema();
    const ajv = new Ajv({ strict: false });
    const judge = ajv.compile(JSON.parse(renderJsonSchema()) as object);

    expect(stale, "Run: npm run alerts -- schema docs/alerts.schema.json").toBe(false);
    expect(judge(parse(whole)), ajv.errorsText(judge.errors)).toBe(true);
    expect(judge({ rules: [{ name: "x", eventKey: "a.b", grups: [] }] })).toBe(false);
  });

  it("may be empty, and may have empty sections", () => {
    expect(parseFile("")).toMatchObject({ rules: [], contracts: [] });
    expect(parseFile("rules:\nsilences:\n")).toMatchObject({ rules: [], silences: [] });
  });
});

describe("the faults of a setup file", () => {
  it("are reported all at once, each with its line, its column and a suggestion", () => {
    const text = `groups:
  - name: Operations
    members: [alice@acme.example]
  - name: Operations
    member: []
schedules:
  - group: Operatoins
    timeZone: Europe/Berlin
    layers: [{ start: 2026-03-02T09:00, every: 1, unit: weeks, participants: [] }]
rules:
  - name: Orders
    eventKey: order.*
    groups: [Operations, Support]
    policy: Page
    conditions: [{ field: data.total, operator: greater_then, value: 5 }]
silences:
  - name: For ever
    eventKey: x.*
contracts:
  - name: Promises nothing
    at: 2026-11-23T03:00:00Z
    event: { event: order.failed, title: A, body: B, date: { total: 1 } }
  - name: Somebody else
    at: tomorrow
    event: { event: order.failed, title: A, body: B }
    told: [alise@acme.example]
`;

    expect(listFaults(text)).toEqual([
      "f.yaml:4:5: groups[1].members is required. member is unknown: did you mean members?",
      'f.yaml:4:11: groups[1].name: "Operations" is already the name of groups[0].',
      "f.yaml:5:5: groups[1].member is not a field that can be set here. Did you mean members?",
      'f.yaml:7:12: schedules[0].group: the file has no group "Operatoins": did you mean Operations?',
      "f.yaml:9:57: schedules[0].layers[0].unit: unit must be one of hour, day, week, month. Did you mean week?",
      'f.yaml:13:26: rules[0].groups[1]: the file has no group "Support": it has Operations.',
      'f.yaml:14:13: rules[0].policy: the file has no policy "Page": it has none.',
      expect.stringMatching(/^f\.yaml:15:49: rules\[0\]\.conditions\[0\]\.operator: .* Did you mean greater_than\?$/),
      "f.yaml:17:5: silences[0].endsAt: endsAt is required for a silence that is not weekly.",
      "f.yaml:20:5: contracts[0]: a contract needs told (who must be notified) or notTold (who must not be notified).",
      "f.yaml:22:54: contracts[0].event.date: date is not a field of an event and was dropped: did you mean data?",
      expect.stringMatching(/^f\.yaml:24:9: contracts\[1\]\.at: at must be an ISO 8601 timestamp/),
      'f.yaml:26:12: contracts[1].told[0]: the file has no person or group "alise@acme.example": did you mean alice@acme.example?',
    ]);
  });

  it.each([
    [
      "an event key * without quotes",
      "rules:\n  - eventKey: *\n",
      'f.yaml:2:15: Alias cannot be an empty string: write "*" in quotes, if every event key is meant.',
    ],
    ["a repeated key of an entry", "groups:\n  - name: a\n    name: b\n", "f.yaml:3:5: Map keys must be unique"],
    [
      "a list instead of an object",
      "- name: a\n",
      "f.yaml:1:1: The file is a list; it must be an object of sections: people, groups, schedules, policies, floors, pay, rules, keys, silences, webhooks, connections, contracts.",
    ],
    [
      "a text instead of an object",
      "hello",
      "f.yaml:1:1: The file must be an object: {people, groups, schedules, policies, floors, pay, rules, keys, silences, webhooks, connections, contracts}.",
    ],
    ["a misspelled section", "rule:\n", "f.yaml:1:1: rule is not a field that can be set here. Did you mean rules?"],
    [
      "the key __proto__",
      "groups: [{ name: a, members: [], __proto__: 1 }]\n",
      "f.yaml:1:45: groups[0].__proto__: __proto__ is not allowed as a key.",
    ],
  ])("include the line and column of %s", (_, text, fault) => {
    expect(listFaults(text)).toContain(fault);
  });
});

describe("an entry in a setup file", () => {
  const A = "groups: [{ name: A, members: [a@x.example] }]\n";
  it.each([
    [
      "an unknown group, in a file of nine groups",
      `groups: [${Array.from({ length: 9 }, (_, index) => `{ name: Group ${index}, members: [] }`).join(", ")}]\nschedules: [{ group: Elsewhere, timeZone: UTC, layers: [] }]\n`,
      'schedules[0].group: the file has no group "Elsewhere": it has Group 0, Group 1, Group 2, Group 3, Group 4, Group 5, Group 6, Group 7, ....',
    ],
    [
      "an unknown group, in a file of eight groups",
      `groups: [${Array.from({ length: 8 }, (_, index) => `{ name: Group ${index}, members: [] }`).join(", ")}]\nschedules: [{ group: Elsewhere, timeZone: UTC, layers: [] }]\n`,
      'schedules[0].group: the file has no group "Elsewhere": it has Group 0, Group 1, Group 2, Group 3, Group 4, Group 5, Group 6, Group 7.',
    ],
    [
      "an unknown group in an escalation step",
      `${A}policies: [{ name: P, steps: [{ delayMinutes: 1, targets: [{ user: a@x.example }, { group: Zzz }] }] }]\n`,
      'policies[0].steps[0].targets[1].group: the file has no group "Zzz": it has A.',
    ],
    [
      "active hours without a time zone",
      `${A}rules: [{ name: R, eventKey: a.b, groups: [A], activeHours: [{ days: [mon], from: "01:00", to: "02:00" }] }]\n`,
      "rules[0].timeZone: timeZone ",
    ],
    [
      "a chain without a position",
      `${A}rules: [{ name: R, eventKey: a.b, groups: [A], chain: desk }]\n`,
      'rules[0].position: "position" is required',
    ],
    [
      "a grouping without minutes",
      `${A}rules: [{ name: R, eventKey: a.b, groups: [A], groupBy: [title] }]\n`,
      "rules[0].groupMinutes: ",
    ],
    [
      "every event, for a silence that does not declare it",
      'silences: [{ name: S, eventKey: "*", endsAt: 2030-01-01T00:00:00Z }]\n',
      "silences[0].everything: This silence covers every event.",
    ],
    [
      "some events, for a silence of everything",
      "silences: [{ name: S, eventKey: a.b, everything: true, endsAt: 2030-01-01T00:00:00Z }]\n",
      "silences[0].everything: everything is true, but eventKey or conditions limit this silence",
    ],
    [
      "two groups with one name",
      `groups: [{ name: A, members: [] }, 5, { name: A, members: [] }]\n`,
      'groups[2].name: "A" is already the name of groups[0].',
    ],
    [
      "a person in notTold whom the file does not have",
      `${A}contracts: [{ name: C, at: 2026-11-23T12:00:00Z, event: { event: a.b, title: T, body: B }, notTold: [b@x.example] }]\n`,
      'contracts[0].notTold[0]: the file has no person or group "b@x.example": did you mean a@x.example?',
    ],
    [
      "a name in told that the file does not have",
      `${A}contracts: [{ name: C, at: 2026-11-23T12:00:00Z, event: { event: a.b, title: T, body: B }, told: [B] }]\n`,
      'contracts[0].told[0]: the file has no person or group "B": it has A, a@x.example.',
    ],
  ])("is refused if it does not fit the rest of the file: %s", (_, text, fault) => {
    expect(listFaults(text).map((line) => line.replace(/^f\.yaml:\d+:\d+: /, ""))).toContainEqual(
      expect.stringContaining(fault),
    );
  });

  it("may name any person to whom the file gives a role, a turn or an escalation step, whatever the case of the address", () => {
    const people = `people: [{ person: Role@x.example, role: viewer }]
${A}schedules: [{ group: A, timeZone: UTC, layers: [{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [turn@x.example] }] }]
policies: [{ name: P, steps: [{ delayMinutes: 1, targets: [{ user: step@x.example }] }] }]
contracts: [{ name: C, at: 2026-11-23T12:00:00Z, event: { event: a.b, title: T, body: B }, notTold: [ROLE@x.example, turn@x.example, step@x.example, A] }]
`;
    expect(listFaults(people)).toEqual([]);
  });
});

describe("names and ids in a setup file", () => {
  const ids: names.NameLookup = {
    person: (email) => `usr_${email.split("@")[0]}`,
    group: (name) => `grp_${name}`,
    policy: (name) => `pol_${name.replaceAll(" ", "")}`,
    rule: (name) => `rule_${name}`,
  };
  const back: names.NameLookup = {
    person: (id) => `${id.slice(4)}@acme.example`,
    group: (id) => id.slice(4),
    policy: () => "Page the lead",
    rule: (id) => id.slice(5),
  };
  const { schedules, policies, rules } = parseFile(whole);

  it("are converted into each other in schedules, policies and rules", () => {
    const [schedule, policy, rule] = [schedules[0]!, policies[0]!, rules[0]!];
    const made = {
      schedule: names.toSchedule(schedule, ids),
      policy: names.toPolicy(policy, ids),
      rule: names.toRule(rule, ids),
    };

    expect(v.parse(OnCallSchedule, made.schedule)).toEqual(made.schedule);
    expect(v.parse(EscalationPolicyInput, made.policy)).toEqual(made.policy);
    expect(v.parse(RuleInput, made.rule)).toEqual(made.rule);
    expect(made.rule).toMatchObject({
      targets: [{ type: "group", groupId: "grp_Operations" }],
      escalationPolicyId: "pol_Pagethelead",
    });
    expect(names.toFileSchedule("Operations", made.schedule, back)).toEqual(schedule);
    expect(names.toFilePolicy(made.policy, back)).toEqual(policy);
    expect(names.toFileRule(made.rule, back)).toEqual(rule);
  });

  it("stay the same when the setup is written to a file, which omits defaults, and read again", () => {
    const { contracts: _contracts, ...setUp } = parseFile(whole);
    const text = writeAlertsFile(setUp, { schema: "../docs/alerts.schema.json", comments: ["Made of something."] });

    expect(parseFile(text)).toEqual({ ...setUp, contracts: [] });
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\.\/docs\/alerts\.schema\.json\n# Made of something\.\n/);
    expect(text).toContain("    groups: [Operations]\n");
    expect(text).toContain('to: "17:00"');
    expect(text).not.toMatch(/null|enabled|conditionMatch|onCallOnly: false/);
  });
});

it.each([
  ["in a list", "groups: &all\n  - *all\n", 2, 5],
  ["in an object", "groups:\n  - &one\n    name: One\n    members: [*one]\n", 4, 15],
  ["in a list, and in a list within that list", "rules: &a [{ name: n, conditions: &b [*a, *b] }]\n", 1, 39],
])("YAML that refers to itself by an alias %s is refused with the place of the alias", (_, text, line, column) => {
  const { file, faults } = readAlertsFile(text);

  expect(file).toBeUndefined();
  expect(faults[0]).toMatchObject({ line, column, message: expect.stringContaining("refers to itself") as string });
});

it.each([
  ["an unknown alias", "a: *CANARY", 'Unresolved alias: write "*" in quotes, if every event key is meant.'],
  ["an unknown tag", "a: !CANARY b", undefined],
  ["an invalid block header", "a: |CANARY\n  b", "Block scalar header includes extra characters"],
  ["an invalid escape sequence", 'a: "\\CANARY"', "Invalid escape sequence"],
])("the parser's message about %s quotes nothing of the file", (_, text, message) => {
  const { faults } = readAlertsFile(text);

  expect(faults.length).toBeGreaterThan(0);
  if (message !== undefined) expect(faults[0]).toMatchObject({ message });
  expect(JSON.stringify(faults)).not.toContain("CANARY");
});

it("YAML that repeats a value by an alias is accepted", () => {
  const { faults } = readAlertsFile(
    "groups:\n  - { name: A, members: &m [a@b.example] }\n  - { name: B, members: *m }\n",
  );

  expect(faults).toEqual([]);
});

describe("a setup of several files", () => {
  const readFiles = (...texts: string[]) =>
    readAlertsFiles(texts.map((text, index) => ({ path: `${index + 1}.yaml`, text })));
  const group = "groups: [{ name: A, members: [a@x] }]";
  const createRule = (name: string, group = "A") =>
    `rules:\n  - { name: ${name}, eventKey: a.b, groups: [${group}] }\n`;

  it("resolves names across the files, and has the entries of all files", () => {
    const { file, faults } = readFiles(createRule("One"), group, createRule("Two"));

    expect(faults).toEqual([]);
    expect(file?.rules.map(({ name }) => name)).toEqual(["One", "Two"]);
  });

  it("names the file of each fault, in the order of the files", () => {
    const { faults } = readFiles(createRule("One"), group, createRule("One", "B"), "rule: []");

    expect(faults.map(formatFault)).toEqual([
      '3.yaml:2:13: rules[0].name: "One" is already the name of rules[0] of 1.yaml.',
      '3.yaml:2:42: rules[0].groups[0]: the file has no group "B": it has A.',
      "4.yaml:1:1: rule is not a field that can be set here. Did you mean rules?",
    ]);
  });
});
