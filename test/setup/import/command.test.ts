import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runAlerts } from "../../../setup/run.ts";
import { offline } from "../offline.ts";

let folder = "";
let printed: string[] = [];

const run = (...args: string[]) =>
  runAlerts(
    {
      ...offline,
      now: () => Date.parse("2026-03-02T12:00:00Z"),
      print: (line) => void printed.push(line),
      tell: (line) => void printed.push(line),
      readText: (path) => readFileSync(path, "utf8"),
      writeText: (path, text) => writeFileSync(path, text),
    },
    args,
  );

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "import-"));
  printed = [];
  const users = { users: [{ id: "PA", email: "Ann@acme.example", teams: [{ id: "PT" }] }] };
  writeFileSync(join(folder, "users.json"), JSON.stringify(users));
  writeFileSync(join(folder, "teams.json"), JSON.stringify({ teams: [{ id: "PT", name: "Web" }] }));
});

describe("import", () => {
  it("writes the file and its report beside it", async () => {
    const out = join(folder, "set-up.yaml");

    expect(await run("import", "pagerduty", folder, "--out", out)).toBe(0);

    expect(readFileSync(out, "utf8")).toContain("groups:\n  - name: Web\n    members:\n      - ann@acme.example\n");
    expect(readFileSync(join(folder, "set-up.report.md"), "utf8")).toContain("from 2026-03-02T00:00Z");
    expect(printed[0]).toBe(`${out}: taken 1, taken with a difference 0, not taken 0.`);
  });

  it("overwrites nothing", async () => {
    const out = join(folder, "set-up.yaml");
    writeFileSync(out, "mine");

    expect(await run("import", "pagerduty", folder, "--out", out)).toBe(1);

    expect(printed).toEqual([`${out} is there already: name another file with --out.`]);
    expect(readFileSync(out, "utf8")).toBe("mine");
  });

  it.each([
    [["import", "pagerdooty", "."], /There is no import from pagerdooty. There are .*pagerduty/],
    [["import", "pagerduty", "/no/such/place"], /There is no \/no\/such\/place/],
    [["import", "pagerduty", "package.json", "--from", "soon"], /--from must be a day such as 2026-03-02/],
  ])("refuses %j and says what would be right", async (args, message) => {
    expect(await run(...args)).toBe(1);
    expect(printed.join("\n")).toMatch(message);
  });
});
