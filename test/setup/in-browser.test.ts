import { describe, expect, it } from "vitest";
import { applySetUp, importChosenFiles, readFixableMessage, planSetUp } from "../../setup/in-browser.ts";
import { aWorkspace } from "./fake-workspace.ts";

const NOW = Date.UTC(2026, 10, 23, 12);
const ANN = "ann@a.example";
const account = {
  users: [{ id: "P1", name: "Ann", email: ANN, role: "owner" }],
  escalation_policies: [
    {
      id: "PE",
      name: "Web first",
      escalation_rules: [{ escalation_delay_in_minutes: 10, targets: [{ id: "P1", type: "user_reference" }] }],
    },
  ],
  services: [
    {
      id: "S1",
      name: "Web shop",
      escalation_policy: { id: "PE" },
      integrations: [{ id: "I1", type: "events_api_v2_inbound_integration", name: "API" }],
    },
  ],
};
const createFile = (path: string, content: unknown) => ({
  path,
  text: async () => (typeof content === "string" ? content : JSON.stringify(content)),
});
/** A picture in the folder, which the importer must not load. */
const picture = { path: "backup/photo.png", text: () => Promise.reject(new Error("too large")) };
const whole = [createFile("backup/export.json", account), picture];

describe("an import in a browser", () => {
  it("converts the files that the importer reads, and counts what was imported", async () => {
    const { yaml, counts, report } = await importChosenFiles("pagerduty", whole, NOW);

    expect(yaml).toMatch(/^# Imported from PagerDuty/);
    expect(counts.map(({ kind, found, taken }) => [kind, found, taken])).toEqual([
      ["users", 1, 1],
      ["escalation policies", 1, 1],
      ["services", 1, 1],
      ["integrations", 1, 1],
    ]);
    expect(report).toContain("| Service Web shop | rule Web shop |");
  });

  it("warns of each schedule that would put other people on call than the imported service", async () => {
    const schedules = [
      {
        id: "PS",
        name: "Web rota",
        time_zone: "UTC",
        schedule_layers: [],
        final_schedule: {
          rendered_schedule_entries: [
            { start: "2026-11-23T00:00:00Z", end: "2026-12-25T00:00:00Z", user: { id: "P1" } },
          ],
        },
      },
    ];
    const files = [createFile("export.json", { ...account, schedules })];
    const { remarks, report } = await importChosenFiles("pagerduty", files, NOW);

    expect(report).toContain("Who is on call, for 28 days from 2026-11-23T00:00Z");
    expect(remarks.filter(({ kind }) => kind === "warning").map(({ what }) => what)).toContain("Web rota");
  });

  it.each([
    [
      "incomplete JSON",
      [createFile("users.json", '{ "users": [')],
      "users.json: The file is not JSON: fetch it again.",
    ],
    [
      "two files without JSON",
      [createFile("a.json", "x"), createFile("b.json", "x")],
      "a.json: The file is not JSON: fetch it again.\nb.json: The file is not JSON: fetch it again.",
    ],
    ["an archive", [createFile("backup.zip", "PK")], "backup.zip is packed: unpack it, and name the folder."],
    ["a text file", [createFile("notes.txt", "")], "There is no .json file in notes.txt."],
    [
      "an empty object",
      [createFile("empty.json", {})],
      "empty.json: The file contains nothing that the import of PagerDuty's answers reads.",
    ],
  ])("refuses files without anything to import, and says why: %s", async (_, files, message) => {
    const error: unknown = await importChosenFiles("pagerduty", files, NOW).catch((thrown: unknown) => thrown);

    expect(readFixableMessage(error)).toBe(message);
  });
});

const createBrowserDeps = (workspace: ReturnType<typeof aWorkspace>) => ({
  fetch: workspace.send,
  now: () => NOW,
  baseUrl: "https://alerts.example",
  workspaceId: "ws_1",
});

describe("a setup file in a browser", () => {
  it("is planned and applied, and the page gets the secrets of the created keys", async () => {
    const workspace = aWorkspace(ANN);
    const { yaml } = await importChosenFiles("pagerduty", whole, NOW);
    const [lines, kept, counts]: [string[], string[], number[]] = [[], [], []];

    expect(await planSetUp(createBrowserDeps(workspace), yaml)).toEqual({
      changes: 5,
      warnings: [],
      lines: [
        '+ group "Web first: first"',
        '+ group "Owners"',
        '+ rule "Web shop"',
        '+ rule "Alerts that no other rule matches"',
        '+ key "Web shop"',
        "5 to create, 0 to change, 0 to delete, 0 unchanged.",
        `rule "Web shop" can notify +${ANN}`,
        `rule "Alerts that no other rule matches" can notify +${ANN}`,
      ],
    });
    await applySetUp(createBrowserDeps(workspace), yaml, {
      step: (line) => void lines.push(line),
      keep: (keys) => void kept.push(keys),
      progress: (_, of) => () => void counts.push(of),
    });

    expect(lines).toContain('created rule "Web shop"');
    expect(lines.at(-1)).toBe("Changes made: 5.");
    expect(counts).toHaveLength(counts[0] ?? 0);
    expect(JSON.parse(kept.at(-1) ?? "")).toMatchObject([{ name: "Web shop" }]);
    expect(await planSetUp(createBrowserDeps(workspace), yaml)).toMatchObject({ changes: 0 });
  });

  it("is planned even if it names people who are not members, and the plan warns about these people", async () => {
    const { yaml } = await importChosenFiles("pagerduty", whole, NOW);
    const { warnings } = await planSetUp(createBrowserDeps(aWorkspace()), yaml);

    expect(warnings[0]).toContain(`${ANN} is not a member of the workspace`);
  });

  it("with faults is refused, with the line of each fault", async () => {
    const error: unknown = await planSetUp(createBrowserDeps(aWorkspace()), "groups:\n  - nam: Web\n").catch(
      (thrown: unknown) => thrown,
    );

    expect(readFixableMessage(error)).toContain("set-up.yaml:2:5: groups[0]");
  });

  it("gives the user no advice to fix the file if the program itself has a defect", () => {
    expect(readFixableMessage(new TypeError("a fault of the program"))).toBeUndefined();
  });
});
