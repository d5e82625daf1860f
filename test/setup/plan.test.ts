import { describe, expect, it } from "vitest";
import {
  simulatePlan,
  listDifferences,
  listObstacles,
  renderPlan,
  createPlan,
  addDeletions,
  type Entry,
} from "../../setup/plan.ts";
import { readAlertsFile } from "../../setup/read.ts";

const parseFile = (text: string) => {
  const { file, faults } = readAlertsFile(text);
  expect(faults).toEqual([]);
  return file!;
};

const layers = (fields = "") => `[{ start: 2026-03-02T09:00, every: 1, unit: week, participants: [a@x]${fields} }]`;
const schedule = (fields = "") => `groups: [{ name: A, members: [a@x, b@x] }]
schedules: [{ group: A, timeZone: UTC, layers: ${layers(fields)} }]\n`;

describe("the difference between two entries in a plan", () => {
  const listDifferentFields = (before: string, after: string) => {
    const [one, other] = [parseFile(before).schedules[0]!, parseFile(after).schedules[0]!];
    return listDifferences(one, other).map(({ field }) => field);
  };

  it.each([
    ["the default first turn", ", first: 0", ""],
    ["the default turns by the calendar", ", turns: calendar", ""],
    ["an empty list of restrictions", ", restrictions: []", ""],
    ["whether a turn of one person is written as a name or as a list", "", ""],
  ])("does not include %s", (_, before, after) => {
    expect([
      listDifferentFields(schedule(before), schedule(after)),
      listDifferentFields(schedule(after), schedule(before)),
    ]).toEqual([[], []]);
    expect(listDifferentFields(schedule().replace("[a@x] }]", "[[a@x]] }]"), schedule())).toEqual([]);
  });

  it("includes any field of a rotation whose change affects who is on call", () => {
    for (const more of [
      ", turns: duty",
      ", until: 2030-01-01T00:00",
      ", restrictions: [{ days: [mon], from: 01:00, to: 02:00 }]",
    ])
      expect(listDifferentFields(schedule(), schedule(more))).toEqual(["layers"]);
    expect(listDifferentFields(schedule(), schedule().replace("[a@x] }]", "[[a@x, b@x]] }]"))).toEqual(["layers"]);
    const scheduleOfTwo = (fields: string) => schedule().replace("[a@x] }]", `[a@x, b@x]${fields} }]`);
    expect(listDifferentFields(scheduleOfTwo(""), scheduleOfTwo(", first: 1"))).toEqual(["layers"]);
  });

  const group = (...members: string[]): Entry => ({ name: "A", members });
  it("does not include the order of members or of subfields, nor a field that the file leaves out", () => {
    expect(listDifferences(group("b", "a", "a"), group("a", "b"))).toEqual([]);
    expect(listDifferences(group("a"), group("b"))).toEqual([{ field: "members", before: ["a"], after: ["b"] }]);
    const [one, other] = [
      { b: 1, a: [{ d: null, c: 2 }] },
      { a: [{ c: 2, d: null, e: undefined }], b: 1 },
    ] as object[];
    expect(listDifferences({ name: "A", data: one } as never, { name: "A", data: other } as never)).toEqual([]);
    const webhook = (field: string, ...list: string[]): never =>
      ({ name: "A", url: "https://a.example", [field]: list }) as never;
    for (const field of ["types", "eventKeys", "rules", "groups"])
      expect(listDifferences(webhook(field, "b", "a"), webhook(field, "a", "b"))).toEqual([]);
    expect(listDifferences({ name: "A", data: 1 } as never, { name: "A", data: undefined } as never)).toEqual([]);
    expect(listDifferences({ name: "A", data: null } as never, { name: "A", data: {} } as never)).toHaveLength(1);
    expect(listDifferences({ name: "A", data: [1, 2] } as never, { name: "A", data: [2, 1] } as never)).toHaveLength(1);
    expect(listDifferences({ name: "A", data: [1] } as never, { name: "A", data: { 0: 1 } } as never)).toHaveLength(1);
  });
});

describe("a plan as printed for people", () => {
  const printPlan = (file: string, workspace: string, prune = false) => {
    const plan = createPlan(parseFile(file), { setUp: parseFile(workspace) });
    return renderPlan(prune ? addDeletions(plan) : plan);
  };
  const members = (...people: string[]) => `groups: [{ name: A, members: [${people.join(", ")}] }]\n`;

  it("shows additions, changes with old and new values, and entries that only the workspace has", () => {
    const rule = (fields: string) => `${members("a@x")}rules: [{ name: R, eventKey: a.b, groups: [A]${fields} }]\n`;

    expect(printPlan(members("a@x"), "")).toEqual([
      '+ group "A"',
      "1 to create, 0 to change, 0 to delete, 0 unchanged.",
    ]);
    expect(printPlan(members("a@x", "c@x"), members("b@x", "a@x"))).toEqual([
      '~ group "A"',
      "    members: +c@x -b@x",
      "0 to create, 1 to change, 0 to delete, 0 unchanged.",
    ]);
    expect(printPlan(rule(", policy: null, priorityOverride: HIGH"), rule(""))).toContain(
      "    priorityOverride: null -> HIGH",
    );
    expect(printPlan(members("a@x"), rule(""))).toEqual([
      '? rule "R" is not in the file; --prune deletes it',
      "0 to create, 0 to change, 0 to delete, 1 unchanged, 1 only in the workspace.",
    ]);
    expect(printPlan("", rule(""), true)).toEqual([
      '- rule "R"',
      '- group "A"',
      "0 to create, 0 to change, 2 to delete, 0 unchanged.",
    ]);
  });

  it("leaves out a schedule without rotations, which a workspace does not store", () => {
    const file = `groups: [{ name: A, members: [] }]\n`;
    const empty = `${file}schedules: [{ group: A, timeZone: UTC, layers: [] }]\n`;

    expect(printPlan(empty, file)).toEqual(["0 to create, 0 to change, 0 to delete, 2 unchanged."]);
  });

  it('shows a changed order of names, long values in full, and a missing value as the word "nothing"', () => {
    const rule = (groups: string) => `groups: [{ name: A, members: [] }, { name: B, members: [] }]
rules: [{ name: R, eventKey: a.b, groups: ${groups} }]\n`;
    const readSecondLine = (file: string, workspace: string) => printPlan(file, workspace)[1];
    const ruleWithCondition = (length: number) =>
      rule(`[A], conditions: [{ field: title, operator: equals, value: ${"x".repeat(length)} }]`);
    const readNewValue = (text: string | undefined) => text?.split(" -> ")[1];
    const silence = (fields: string) =>
      `silences: [{ name: S, eventKey: a.b, endsAt: 2030-01-01T00:00:00Z${fields} }]\n`;

    expect(readSecondLine(rule("[B, A]"), rule("[A, B]"))).toBe('    groups: ["A","B"] -> ["B","A"]');
    const long = readNewValue(readSecondLine(ruleWithCondition(500), rule("[A]")));
    expect([long?.length, long?.endsWith("}]")]).toEqual([550, true]);
    expect(readSecondLine(silence(", startsAt: 2029-01-01T00:00:00Z"), silence(""))).toBe(
      "    startsAt: nothing -> 2029-01-01T00:00:00.000Z",
    );
  });

  it("deletes neither keys nor people, even with --prune", () => {
    expect(printPlan("", "keys: [{ name: K }]\npeople: [{ person: a@x, role: viewer }]\n", true)).toEqual([
      "0 to create, 0 to change, 0 to delete, 0 unchanged.",
    ]);
  });

  it("predicts the entries after the apply: those of the file, and those of the workspace that are not deleted", () => {
    const createFileOf = (name: string) => `people: [{ person: ${name}@x, role: viewer }]
groups: [{ name: ${name}, members: [] }]
schedules: [{ group: ${name}, timeZone: UTC, layers: ${layers()} }]
policies: [{ name: ${name}, steps: [{ delayMinutes: 1, targets: [{ group: ${name} }] }] }]
rules: [{ name: ${name}, eventKey: a.b, groups: [${name}] }]
keys: [{ name: ${name} }]
silences: [{ name: ${name}, eventKey: a.b, endsAt: 2030-01-01T00:00:00Z }]
webhooks: [{ name: ${name}, url: "https://x.example/hook" }]
connections: [{ name: ${name}, kind: teams, rules: [${name}] }]\n`;
    const [file, setUp] = [parseFile(createFileOf("new")), parseFile(createFileOf("old"))];
    const plan = createPlan(file, { setUp });
    const listNames = (result: object) =>
      Object.fromEntries(
        Object.entries(result).map(([section, entries]) => [
          section,
          (entries as Record<string, string>[]).map((entry) => entry["name"] ?? entry["group"] ?? entry["person"]),
        ]),
      );

    const both = ["new", "old"];
    const people = ["new@x", "old@x"];
    expect(listNames(simulatePlan(file, { setUp }, plan))).toEqual({
      people,
      groups: both,
      schedules: both,
      policies: both,
      floors: [],
      pay: [],
      rules: both,
      keys: both,
      silences: both,
      webhooks: both,
      connections: both,
    });
    const one = ["new"];
    expect(listNames(simulatePlan(file, { setUp }, addDeletions(plan)))).toEqual({
      people,
      groups: one,
      schedules: one,
      policies: one,
      floors: [],
      pay: [],
      rules: one,
      keys: both,
      silences: one,
      webhooks: one,
      connections: one,
    });
    // If file and workspace have an item with the same name, the item of the file counts.
    const changed = parseFile(members("b@x"));
    expect(
      simulatePlan(
        changed,
        { setUp: parseFile(members("a@x")) },
        createPlan(changed, { setUp: parseFile(members("a@x")) }),
      ).groups,
    ).toEqual([{ name: "A", members: ["b@x"] }]);
  });
});

describe("a fault that prevents a setup file from being applied", () => {
  const createIds = (people: string[], groups: Record<string, string[]> = {}) => ({
    people: new Map(people.map((one) => [one, `usr_${one}`])),
    groups: new Map(Object.entries(groups)),
    policies: new Map<string, string[]>(),
    rules: new Map<string, string[]>(),
    silences: new Map([["S", ["sil_1", "sil_2"]]]),
    webhooks: new Map<string, string[]>(),
    connections: new Map<string, string[]>(),
  });
  const listObstaclesOf = (file: string, workspace: string, known: ReturnType<typeof createIds>) =>
    listObstacles(parseFile(file), { ids: known, setUp: parseFile(workspace), names: undefined as never, readAt: 0 });

  it("is reported together with all others, such as duplicate names and API keys with another source", () => {
    const file = `groups: [{ name: A, members: [] }]
keys: [{ name: K, source: sentry }, { name: L }, { name: M }]\n`;

    expect(
      listObstaclesOf(
        file,
        "keys: [{ name: L }, { name: K, source: grafana }]\n",
        createIds(["alice@x.example", "usr_2"], { A: ["grp_1"] }),
      ),
    ).toEqual([
      'The workspace has 2 silences called "S" (sil_1, sil_2): rename or delete all but one.',
      'The key "K" cannot be changed (source: grafana -> sentry). Rename the key in the file, or delete the existing key.',
    ]);
  });
});
