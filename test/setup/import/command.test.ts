import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { schemaFile } from "../../../setup/json-schema.ts";
import { compareOnCall } from "../../../setup/import/compare.ts";
import { importExport } from "../../../setup/import/import-export.ts";
import { runAlerts } from "../../../setup/run.ts";
import { offline } from "../offline.ts";

const folder = mkdtempSync(join(tmpdir(), "import-"));
let printed: string[] = [];
let notified: string[] = [];
let files = new Map<string, string>();

const runImport = (...args: string[]) =>
  runAlerts(
    {
      ...offline,
      now: () => Date.parse("2026-03-02T12:00:00Z"),
      print: (line) => void printed.push(line),
      tell: (line) => void notified.push(line),
      readText: (path) => (path === "-" ? '{ "teams": [{ "id": "PT", "name": "Typed" }] }' : undefined),
      writeText: (path, text) => void files.set(path, text),
    },
    args,
  );

const createEntry = (user: object) => ({ start: "2026-01-01T00:00:00Z", end: "2027-01-01T00:00:00Z", user });
const schedule = {
  id: "PS",
  name: "On call",
  time_zone: "UTC",
  schedule_layers: [],
  final_schedule: { rendered_schedule_entries: [createEntry({ id: "PA" })] },
};

beforeEach(() => {
  [printed, notified, files] = [[], [], new Map()];
  const users = { users: [{ id: "PA", email: "Ann@acme.example", teams: [{ id: "PT" }] }], more: true };
  writeFileSync(join(folder, "users.json"), JSON.stringify(users));
  writeFileSync(
    join(folder, "teams.json"),
    JSON.stringify({
      teams: [
        { id: "PT", name: "Web" },
        { id: "PU", name: "Gone" },
      ],
    }),
  );
  writeFileSync(join(folder, "schedule.json"), JSON.stringify({ schedule }));
});

describe("the command `alerts import`", () => {
  it("writes the setup file and a report, and says what the export lacks and which schedules differ from it", async () => {
    const out = join(folder, "set-up.yaml");
    const report = join(folder, "set-up.report.md");

    expect(await runImport("import", "pagerduty", folder, "--out", out)).toBe(0);

    const text = files.get(out)!;
    expect(text).toContain(
      "groups:\n  - name: On call\n    members: []\n  - name: Web\n    members:\n      - ann@acme.example\n",
    );
    expect(text).toMatch(
      /^# yaml-language-server: \$schema=(?:\.\.\/)+\S*docs\/alerts\.schema\.json\n# Imported from PagerDuty\. The report says how each item was imported\.\n/,
    );
    const people = join(folder, "set-up.people.csv");
    expect([...files.keys()]).toEqual([out, report, people]);
    expect(files.get(people)).toBe("email,name,role\nann@acme.example,Ann@acme.example,manager\n");
    expect(files.get(report)).toContain("from 2026-03-02T00:00Z");
    expect(printed).toEqual([`${out}: imported 3, imported with a difference 0, not imported 1.`]);
    expect(notified).toEqual([
      `${join(folder, "users.json")}: More pages follow this page, but the export does not contain them.`,
      "Schedule On call: the people on call differ from the export.",
      `${report} says how each item was imported.`,
    ]);
  });

  it.each([
    ["no file is named for them", ["-"]],
    ["a hyphen is named instead of a file", ["--out", "-", "-"]],
  ])("prints the setup file and the report if %s", async (_, args) => {
    expect(await runImport("import", "pagerduty", ...args)).toBe(0);

    expect(files.size).toBe(0);
    expect(printed.join("\n").split("\n")[0]).toBe(
      `# yaml-language-server: $schema=${schemaFile.slice(process.cwd().length + 1)}`,
    );
    expect(printed.join("\n")).not.toMatch(/\n$/);
    expect(notified.join("\n")).toContain("| Team Typed | No user of the export names this team. |");
  });

  it("reports as JSON how many items were imported, with the file's content if no file is written", async () => {
    await runImport("import", "pagerduty", folder, "--json", "--out", "a/set-up");
    const written = JSON.parse(printed.join("\n")) as object;
    printed = [];
    await runImport("import", "pagerduty", "-", "--json");

    expect(written).toEqual({ taken: 3, different: 0, left: 1 });
    expect([...files.keys()]).toEqual(["a/set-up", "a/set-up.report.md", "a/set-up.people.csv"]);
    expect(JSON.parse(printed.join("\n"))).toEqual({
      taken: 0,
      different: 0,
      left: 1,
      file: expect.stringContaining("# Imported from PagerDuty") as string,
      report: expect.stringContaining("# What was imported from PagerDuty") as string,
      people: "email,name,role\n",
      contacts: expect.stringContaining("[]") as string,
    });
  });

  it("compares schedules from the given day on, or from the current time", async () => {
    for (const [from, shown] of [
      ["2026-04-01", "2026-04-01T00:00Z"],
      ["2026-04-01T10:30:00+02:00", "2026-04-01T08:30Z"],
    ] as const) {
      await runImport("import", "pagerduty", folder, "--out", "x.yaml", "--from", from);
      expect(files.get("x.report.md")).toContain(`for 28 days from ${shown}`);
    }
  });

  it("overwrites neither an existing file nor an existing report", async () => {
    const [file, other] = [join(folder, "there.yaml"), join(folder, "other.yaml")];
    writeFileSync(file, "mine");
    writeFileSync(join(folder, "other.report.md"), "mine");

    expect([
      await runImport("import", "pagerduty", folder, "--out", file),
      await runImport("import", "pagerduty", folder, "--out", other),
    ]).toEqual([1, 1]);

    expect(notified).toEqual([
      `${file} exists already: name another file with --out.`,
      `${join(folder, "other.report.md")} exists already: name another file with --out.`,
    ]);
    expect([readFileSync(file, "utf8"), files.size]).toEqual(["mine", 0]);
  });

  it.each([
    [
      "a misspelled service",
      ["import", "pagerdooty", "."],
      "The service pagerdooty is not supported; choose one of opsgenie, oncall, pagerduty.",
    ],
    [
      "the unknown service toString",
      ["import", "toString", "."],
      "The service toString is not supported; choose one of opsgenie, oncall, pagerduty.",
    ],
    ["a folder that does not exist", ["import", "pagerduty", "/no/such/place"], "There is no /no/such/place."],
    ...["soon", "2026-3-2", "02026-03-021"].map(
      (from) =>
        [
          `the start "${from}"`,
          ["import", "pagerduty", "package.json", "--from", from],
          "--from must be a day such as 2026-03-02, or a timestamp.",
        ] as [string, string[], string],
    ),
  ])("refuses %s, and says what is wrong", async (_, args, message) => {
    expect(await runImport(...args)).toBe(1);
    expect(notified).toEqual([message]);
  });

  it("names a person whose address cannot be written to the file, and imports the rest", () => {
    const users = [
      { id: "PA", email: "Ann Mc@acme.example" },
      { id: "PB", email: "bea@acme.example" },
    ];
    const steps = [{ id: "P", escalation_chain_id: "C", type: "notify_persons", persons_to_notify: ["PA", "PB"] }];
    const ofPagerDuty = importExport("pagerduty", [{ path: "users.json", text: JSON.stringify(users) }], 0);
    const ofOnCall = importExport(
      "oncall",
      [
        { path: "users.json", text: JSON.stringify(users) },
        { path: "escalation_chains.json", text: JSON.stringify([{ id: "C", name: "x" }]) },
        { path: "escalation_policies.json", text: JSON.stringify(steps) },
      ],
      0,
    );

    for (const { draft } of [ofPagerDuty, ofOnCall])
      expect(draft.people.map(({ email }) => email)).toEqual(["bea@acme.example"]);
    expect(ofPagerDuty.report).toContain(
      "| users.json: [0] | This part cannot be read: email: email must be an email address. |",
    );
    expect(ofOnCall.report).toContain("| User Ann Mc@acme.example | The export has no email address of this person. |");
  });
});

describe("the comparison of imported on-call hours", () => {
  const toMs = (text: string) => Date.parse(`2026-03-16T${text}:00Z`);
  const layer = {
    start: "2026-01-05T09:00",
    every: 1,
    unit: "week" as const,
    participants: ["b", "a"].map((one) => `${one}@x`),
  };
  const compareHours = (reading: (ms: number, local: number) => readonly string[], zone = "UTC", groups = ["G"]) =>
    compareOnCall(
      {
        schedules: [
          { group: "G", timeZone: "UTC", layers: [{ ...layer, participants: [["b@x", "a@x"]] }] },
          { group: "H", timeZone: "UTC", layers: [{ ...layer, participants: ["c@x"] }] },
        ],
      },
      { schedule: "S", groups, timeZone: zone, source: "x", reading },
      { fromMs: toMs("00:00"), days: 1 },
    );

  it("finds no difference if only the order of people differs, or how often each is named", () => {
    expect(compareHours(() => ["a@x", "b@x", "a@x"])).toEqual({
      schedule: "S",
      groups: ["G"],
      source: "x",
      differences: [],
    });
    expect(compareHours(() => ["a@x", "b@x", "c@x"], "UTC", ["G", "H"]).differences).toEqual([]);
  });

  it("joins successive quarters of an hour only if they have the same difference", () => {
    const differences = compareHours((ms) => {
      if (ms < toMs("01:00")) return ["a@x"];
      if (ms < toMs("01:30")) return ["c@x"];
      return ms >= toMs("02:00") && ms < toMs("02:15") ? ["c@x"] : ["a@x", "b@x"];
    }).differences;

    const ours = ["a@x", "b@x"];
    expect(differences).toEqual([
      { from: toMs("00:00"), to: toMs("01:00"), theirs: ["a@x"], ours },
      { from: toMs("01:00"), to: toMs("01:30"), theirs: ["c@x"], ours },
      { from: toMs("02:00"), to: toMs("02:15"), theirs: ["c@x"], ours },
    ]);
  });

  it("is made by the wall clock, which repeats an hour in autumn", () => {
    const locals: number[] = [];
    compareOnCall(
      { schedules: [] },
      {
        schedule: "S",
        groups: [],
        timeZone: "Europe/Berlin",
        source: "x",
        reading: (_, local) => (locals.push(local), []),
      },
      { fromMs: Date.parse("2026-10-25T00:45:00Z"), days: 0.1 },
    );

    expect(locals.map((local) => new Date(local).toISOString().slice(11, 16))).toEqual([
      "02:45",
      "02:45",
      "02:45",
      "02:45",
      "02:45",
      "03:00",
      "03:15",
      "03:30",
      "03:45",
      "04:00",
    ]);
  });
});
