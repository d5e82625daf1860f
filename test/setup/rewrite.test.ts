import { describe, expect, it } from "vitest";
import { readAlertsFile } from "../../setup/read.ts";
import { rewriteAlertsFile } from "../../setup/rewrite.ts";

const parseFile = (text: string) => {
  const { file, faults } = readAlertsFile(text);
  expect(faults).toEqual([]);
  return file!;
};

const written = `# Ours.
groups:
  - name: A # the first
    members: [Alice@x.example, bob@x.example] # both
  - name: B
    members:
      # on weekdays
      - carol@x.example
      - dan@x.example
schedules:
  - group: A
    timeZone: UTC
    layers:
      - {start: 2026-03-02T09:00, every: 1, unit: week, participants: [alice@x.example, bob@x.example]} # weekly
rules:
  # What wakes.
  - name: R
    eventKey: a.b # all of it
    groups: [A]
    conditions:
      - {field: title, operator: one_of, value: [x, y]} # two
      - {field: body, operator: equals, value: z}
silences:
  - name: S
    eventKey: a.b
    endsAt: 2030-01-01T00:00:00Z
contracts:
  - name: C
    at: 2026-11-23T12:00:00Z
    event: {event: a.b, title: T, body: B}
    told: [A]
`;
const SILENCES = /silences:\n(?: .*\n)+/;

describe("a setup file that an export rewrites", () => {
  const rewriteText = (setUp: string, text = written) => rewriteAlertsFile(text, parseFile(text), parseFile(setUp));

  it("does not change if nothing has changed in the workspace, however the file is written", () => {
    expect(rewriteText(written.replaceAll("Alice", "alice").replaceAll(/ #.*/g, ""))).toBe(written);
    // A field that a file omits stays omitted, such as the start of a silence.
    expect(rewriteText(written.replace("    endsAt", "    startsAt: 2029-01-01T00:00:00Z\n    endsAt"))).toBe(written);
  });

  it.each<[string, string | RegExp, string]>([
    [
      "another member, beside those who stay as they are written",
      "bob@x.example] # both",
      "bob@x.example, eva@x.example] # both",
    ],
    ["another member in place of one", "- dan@x.example", "- eva@x.example"],
    ["fewer members", "      - dan@x.example\n", ""],
    ["another value, with its comment", "eventKey: a.b # all", "eventKey: c.d # all"],
    ["another value within a condition", "value: [x, y]", "value: [x, w]"],
    ["one value in place of several", "one_of, value: [x, y]", "equals, value: x"],
    ["a condition without a field that it had", "operator: equals, value: z", "operator: is_empty"],
    ["one condition less", "      - {field: body, operator: equals, value: z}\n", ""],
    [
      "a turn of two people in place of one",
      "alice@x.example, bob@x.example]} #",
      "[alice@x.example, bob@x.example]]} #",
    ],
    ["a layer with an additional field", "bob@x.example]} #", "bob@x.example], first: 1} #"],
    ["one entry less", /  - name: B\n(?: {4}.*\n)+/, ""],
    ["one section less", SILENCES, ""],
    ["a renamed entry, which counts as another entry", "name: S\n    eventKey: a.b", "name: T\n    eventKey: a.b"],
  ])("changes only where the workspace has changed: %s", (_, from, to) => {
    const changed = written.replace(from, to);

    expect(changed).not.toBe(written);
    expect(rewriteText(changed.replaceAll(/ #.*/g, ""))).toBe(
      changed.replace("00:00:00Z", changed.includes("name: T\n") ? "00:00:00.000Z" : "00:00:00Z"),
    );
  });

  it("gets new fields, entries and sections at the end of their entry, section or file", () => {
    const more = `  - name: Q
    eventKey: q.*
    groups: [B]
`;
    const keys = "keys:\n  - name: K\n";

    expect(rewriteText(written.replace("groups: [A]\n", "groups: [A]\n    enabled: false\n"))).toBe(
      written.replace("value: z}\n", "value: z}\n    enabled: false\n"),
    );
    expect(rewriteText(written.replace("silences:", `${more}silences:`))).toBe(
      written.replace("silences:", `${more}silences:`),
    );
    expect(rewriteText(`${written}${keys}`)).toBe(`${written}${keys}`);
    expect(rewriteText(written, `${written}${keys}`)).toBe(written);
    expect(rewriteText(written.replace(SILENCES, ""), `${written.replace(SILENCES, "")}silences:\n`)).toBe(
      `${written.replace(SILENCES, "")}silences:\n`,
    );
  });

  it("gets each list of people in full, even where the file repeats a list by an alias", () => {
    const both = rewriteText("groups: [{ name: A, members: &m [a@x] }, { name: B, members: *m }]\n", "");

    expect(both).toBe("groups:\n  - name: A\n    members:\n      - a@x\n  - name: B\n    members:\n      - a@x\n");
    expect(
      rewriteText("groups: [{name: A, members: []}]\nrules: [{name: R, eventKey: a.b, groups: [A]}]\n", "{}\n"),
    ).toContain("groups: [A]");
  });

  it("changes if only the case of an id differs", () => {
    expect(
      rewriteText(
        "groups: [{ name: A, members: [usr_B] }]\n",
        "groups:\n  - name: A\n    members:\n      - usr_b # one\n",
      ),
    ).toBe("groups:\n  - name: A\n    members:\n      - usr_B\n");
  });
});
