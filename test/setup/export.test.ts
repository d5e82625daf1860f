import { describe, expect, it } from "vitest";
import { aWorkspace } from "./fake-workspace.ts";

const [alice, bob] = ["alice@a.example", "bob@a.example"] as const;
const file = `groups:
  - name: A
    members:
      - ${alice}
  - name: B
    members: []
schedules:
  - group: A
    timeZone: UTC
    layers:
      - start: 2026-03-02T09:00
        every: 1
        unit: week
        participants:
          - ${alice}
        first: 0
        restrictions:
          - days: [mon, tue]
            from: "09:00"
            to: "17:00"
policies:
  - name: P
    steps:
      - delayMinutes: 5
        targets:
          - group: A
            onCallOnly: true
          - group: B
          - user: ${bob}
rules:
  - name: R
    eventKey: a.b
    groups: [A, B]
    conditions:
      - field: title
        operator: one_of
        value: [v, w]
    policy: P
silences:
  - name: S
    eventKey: c.d
    startsAt: "2026-01-01T00:00:00.000Z"
    endsAt: "2030-01-01T00:00:00.000Z"
`;
const runExport = async (...args: string[]) => {
  const workspace = aWorkspace(alice, bob);
  workspace.files.set("f.yaml", file);
  expect(await workspace.run("apply f.yaml")).toMatchObject({ code: 0 });
  return { ...workspace, after: async (path: string) => workspace.run(["export", path, ...args].join(" ")) };
};
const removeHead = (text: string | undefined) => text?.split("\n").slice(2).join("\n");

describe("the command `alerts export`", () => {
  it("writes what an apply has created, with short lists on one line, and without defaults", async () => {
    const { after, files } = await runExport();

    expect(await after("out/new.yaml")).toEqual({ code: 0, text: "out/new.yaml: 6 entries." });
    expect(files.get("out/new.yaml")?.split("\n")[0]).toBe(
      "# yaml-language-server: $schema=../docs/alerts.schema.json",
    );
    expect(removeHead(files.get("out/new.yaml"))).toBe(file);
  });

  it("writes to standard output if no file is named, also as JSON", async () => {
    const [printed, json, written] = [await runExport(), await runExport("--json"), await runExport("--json")];

    const { code, text } = await printed.after("-");
    expect([code, removeHead(text)]).toEqual([0, file.trimEnd()]);
    expect(printed.files.has("-")).toBe(false);
    expect(JSON.parse((await json.after("-")).text)).toMatchObject({
      entries: 6,
      notes: [],
      file: expect.stringMatching(/^# yaml.*S\n/s) as string,
    });
    expect(JSON.parse((await written.after("n.yaml")).text)).toEqual({ entries: 6, notes: [] });
  });

  it("leaves out references to deleted items, and reports them", async () => {
    const { after, byHand, idOf, files } = await runExport();
    const policy = {
      name: "Q",
      repeat: 0,
      steps: [
        {
          delayMinutes: 1,
          targets: [
            { type: "group", groupId: "grp_gone", onCallOnly: false },
            { type: "user", userId: "usr_gone" },
            { type: "user", userId: "usr_bob" },
          ],
        },
      ],
    };
    const rule = {
      name: "T",
      eventKey: "t.t",
      requiresAck: false,
      onCallOnly: false,
      enabled: true,
      conditions: [],
      conditionMatch: "all",
      priorityOverride: null,
      activeHours: null,
      timeZone: null,
      fallback: false,
      groupBy: null,
      groupMinutes: null,
      atLeast: null,
      chain: "desk",
      position: 10,
    };
    const createTargets = (...ids: string[]) => ids.map((groupId) => ({ type: "group", groupId }));
    byHand("POST", "/escalation-policies", policy);
    byHand("POST", "/routing-rules", {
      ...rule,
      targets: createTargets("grp_gone", idOf("A")),
      escalationPolicyId: "pol_gone",
    });
    byHand("POST", "/routing-rules", {
      ...rule,
      name: "U",
      targets: createTargets("grp_gone"),
      escalationPolicyId: null,
    });

    const { text } = await after("new.yaml");

    expect(text.split("\n")).toEqual([
      'policy "Q" names (deleted group grp_gone), which no longer exists: left out.',
      'policy "Q" names usr_gone, which no longer exists: left out.',
      'rule "T" names (deleted group grp_gone), which no longer exists: left out.',
      'rule "T" names (deleted policy pol_gone), which no longer exists: left out.',
      'rule "U" names (deleted group grp_gone), which no longer exists: left out.',
      'rule "U" notifies nobody: left out.',
      "new.yaml: 8 entries.",
    ]);
    expect(files.get("new.yaml")).toContain(
      `  - name: Q\n    steps:\n      - delayMinutes: 1\n        targets:\n          - user: ${bob}\n`,
    );
    expect(files.get("new.yaml")).toContain(
      "  - name: T\n    eventKey: t.t\n    groups: [A]\n    chain: desk\n    position: 10\nsilences:",
    );
  });

  it("is refused if two items have the same name, because a file cannot distinguish them", async () => {
    const { after, byHand, files } = await runExport();
    byHand("POST", "/groups", { name: "A" });
    const silence = {
      name: "S",
      eventKey: "c.d",
      conditions: [],
      conditionMatch: "all",
      weekly: null,
      includeUrgent: false,
    };
    byHand("POST", "/silences", { ...silence, endsAt: "2030-01-01T00:00:00.000Z" });

    expect(await after("new.yaml")).toEqual({
      code: 1,
      text: `The workspace has 2 groups called "A" (grp_1, grp_6): rename or delete all but one.
The workspace has 2 silences called "S" (sil_5, sil_7): rename or delete all but one.`,
    });
    expect(files.has("new.yaml")).toBe(false);
  });
});

describe("the people in an exported setup file", () => {
  it("are named by their addresses, or by their ids if they have none", async () => {
    const { run, byHand, files } = aWorkspace("zoe@a.example", "Ann@a.example", "ann@A.example", "");
    byHand("POST", "/groups", { name: "A" });
    for (const userId of ["usr_zoe", "usr_Ann", "usr_ann", "usr_"]) byHand("POST", "/groups/grp_1/members", { userId });

    await run("export f.yaml");

    expect(files.get("f.yaml")).toContain(
      "members:\n      - usr_\n      - usr_Ann\n      - usr_ann\n      - zoe@a.example\n",
    );
  });
});

describe("the command `alerts schema`", () => {
  it("writes the JSON Schema of the setup file, or prints it", async () => {
    const { run, files } = aWorkspace();

    expect(await run("schema s.json")).toEqual({ code: 0, text: "" });
    const written = files.get("s.json")!;
    expect(JSON.parse(written)).toMatchObject({
      title: "The setup of a workspace",
      $schema: "http://json-schema.org/draft-07/schema#",
    });
    expect((await run("schema -")).text).toBe(written.trimEnd());
    expect(JSON.parse((await run("schema - --json")).text)).toEqual({ schema: written });
    expect((await run("--help")).text).toMatch(
      /^A workspace's setup as a file: .*\n(?:.*\n)*.*2 {2}plan: there are changes/,
    );
  });
});
