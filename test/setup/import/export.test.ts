import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { createDraft } from "../../../setup/import/draft.ts";
import { createReader, readAllItems } from "../../../setup/import/export-files.ts";
import { readExport } from "../../../setup/import/files-on-disk.ts";
import { listMissingPages } from "../../../setup/import/pages.ts";
import { toImportReport } from "../../../setup/import/report.ts";

const folder = mkdtempSync(join(tmpdir(), "export-"));
const writeFile = (path: string, text = "{}") => {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
};

describe("the files of an export to import", () => {
  const readPaths = (...paths: string[]) => readExport(paths, (path) => (path === "-" ? "typed" : undefined));

  it("are the named files and those in named folders, in order, without hidden files and unsupported types", () => {
    for (const path of ["all/b.json", "all/a/c.ics", "all/.git/d.json", "all/readme.md"]) writeFile(path, path);

    expect(readPaths(join(folder, "all")).map(({ text }) => text)).toEqual(["all/a/c.ics", "all/b.json"]);
    expect(readPaths("-", writeFile("one.json", "one"))).toEqual([
      { path: "standard input", text: "typed" },
      { path: join(folder, "one.json"), text: "one" },
    ]);
    expect(readExport(["-"], () => undefined)).toEqual([{ path: "standard input", text: "" }]);
    expect(readPaths()).toEqual([]);
  });

  it("must exist, be .json files, and not be compressed", () => {
    expect(() => readPaths("/no/such")).toThrow("There is no /no/such.");
    expect(() => readPaths(writeFile("backup.zip"))).toThrow(
      `${folder}/backup.zip is packed: unpack it, and name the folder.`,
    );
    expect(() => readPaths(writeFile("note.txt"), writeFile("more.txt"))).toThrow(
      `There is no .json file in ${folder}/note.txt, ${folder}/more.txt.`,
    );
  });
});

const KINDS = { users: ["users", "user"], teams: ["teams"] };
const readParts = (path: string, value: unknown) => {
  const draft = createDraft();
  const parts = readAllItems(draft, "Acme's backup", [{ path, text: JSON.stringify(value) }], KINDS);
  return { parts, remarks: draft.remarks };
};

describe("the items in a file of an export", () => {
  it.each<[string, string, unknown, string[]]>([
    [
      "by the fields of an object",
      "x.json",
      { users: [1, 2], user: {}, teams: [3], other: [4] },
      ["users x.json: users[0]", "users x.json: users[1]", "users x.json: user", "teams x.json: teams[0]"],
    ],
    ["by the fields that have items", "x.json", { users: [1], teams: null, user: 5 }, ["users x.json: users[0]"]],
    ["by the name of the file", "users.json", [1, 2], ["users users.json: [0]", "users users.json: [1]"]],
    ["by the name of a file that ends in a number", "users-12.json", [1], ["users users-12.json: [0]"]],
    ["by a file name with a page number", "users_2.json", { results: [1] }, ["users users_2.json: [0]"]],
    ["in the field data", "teams.json", { data: [1] }, ["teams teams.json: [0]"]],
    ["if the file is a single item", "user.json", { id: 1 }, ["users user.json"]],
    ["by a folder", "backup/teams/ops/one.json", { id: 1 }, ["teams backup/teams/ops/one.json"]],
    [
      "by a folder in a path of Windows",
      String.raw`backup\teams\one.json`,
      { id: 1 },
      [String.raw`teams backup\teams\one.json`],
    ],
    ["by the folder, not by fields of another kind", "teams/ops.json", { users: [1] }, ["teams teams/ops.json"]],
    [
      "by the fields, if one of them has the name of the file",
      "users.json",
      { users: [1], teams: [2] },
      ["users users.json: users[0]", "teams users.json: teams[0]"],
    ],
  ])("are recognised %s", (_, path, value, expected) => {
    const { parts, remarks } = readParts(path, value);

    expect(parts.map(({ kind, at }) => `${kind} ${at}`)).toEqual(expected);
    expect(remarks).toEqual([]);
  });

  it("are read with the names of the folders that contain the file, the nearest first", () => {
    expect(readParts("a/b/users.json", [1]).parts).toEqual([
      { kind: "users", file: "a/b/users.json", at: "a/b/users.json: [0]", folders: ["b", "a"], value: 1 },
    ]);
  });

  it.each([
    ["an object without a known field", { what: 1 }],
    ["a list in a file of another name", [1]],
    ["a number", 5],
    ["an object whose known field is null", { users: null }],
  ])("are reported as missing if the file contains %s", (_, value) => {
    expect(readParts("odd.json", value)).toEqual({
      parts: [],
      remarks: [
        { kind: "left", what: "odd.json", why: "The file contains nothing that the import of Acme's backup reads." },
      ],
    });
  });

  it("are read by a schema: an invalid item is named with its faults, and the rest is read", () => {
    const { parts } = readParts("x.json", { users: [{ id: 1 }, { id: "a" }, 5, {}] });
    const User = v.object({ id: v.string("an id must be a string.") }, "must be an object.");

    const draft = createDraft();

    expect(createReader(draft, parts)("users", User)).toEqual([{ id: "a" }]);
    expect(createReader(draft, parts)("teams", User)).toEqual([]);
    expect(draft.remarks).toEqual(
      [
        ["x.json: users[0]", "id: an id must be a string."],
        ["x.json: users[2]", "must be an object."],
        ["x.json: users[3]", "id: id is required."],
      ].map(([what, why]) => ({ kind: "left", what, why: `This part cannot be read: ${why}` })),
    );
    expect(draft.found.map(({ kind, what }) => [kind, what])).toEqual([
      ["users", "x.json: users[0]"],
      ["users", "x.json: users[2]"],
      ["users", "x.json: users[3]"],
    ]);
  });

  it("are not read from calendar files; a file that is not JSON is named, and the other files are read", () => {
    const draft = createDraft();

    expect(readAllItems(draft, "x", [{ path: "users.ics", text: "[1]" }], KINDS)).toEqual([]);
    expect(draft.remarks).toEqual([]);
    const users = { path: "users.json", text: "[1]" };
    expect(readAllItems(draft, "x", [{ path: "teams.json", text: "" }, users], KINDS)).toHaveLength(1);
    expect(draft.remarks).toEqual([
      { kind: "missing", what: "teams.json", why: "The file is not JSON: fetch it again." },
    ]);
  });

  it("are reported as incomplete if pages are missing", () => {
    expect(readParts("x.json", { users: [1], more: true }).remarks).toMatchObject([
      { kind: "missing", what: "x.json" },
    ]);
  });
});

describe("the check for missing pages of an export", () => {
  const createPage = (path: string, items: number, value: object, kind = "users") => ({ kind, path, value, items });
  const MORE = "More pages follow this page, but the export does not contain them.";
  const first = { more: true, offset: 0, limit: 2 };
  const linked = { next: "https://x/2" };

  it.each([
    [
      "the next page is there",
      [createPage("1", 2, first), createPage("2", 1, { more: false, offset: 2, limit: 2 })],
      [],
    ],
    ["the next page is missing", [createPage("1", 2, first)], [`1: ${MORE}`]],
    [
      "only a later page is there",
      [createPage("1", 2, first), createPage("3", 1, { more: false, offset: 4 })],
      [`1: ${MORE}`],
    ],
    [
      "the next page has another kind of item",
      [createPage("1", 2, first), createPage("2", 1, { offset: 2 }, "teams")],
      [`1: ${MORE}`],
    ],
    [
      "a page without a limit counts its own items",
      [createPage("1", 2, { more: true, offset: 0 }), createPage("2", 1, { offset: 2 })],
      [],
    ],
    [
      "the next page has no offset",
      [createPage("1", 2, { more: true, offset: 4, limit: -4 }), createPage("2", 2, {})],
      [],
    ],
    [
      "the total says how many items are missing",
      [createPage("1", 2, { ...first, total: 5 })],
      [`1: ${MORE} 3 of 5 are missing.`],
    ],
    [
      "a page has all counted items but links to another page",
      [createPage("1", 2, { ...linked, count: 2 })],
      [`1: ${MORE}`],
    ],
    ["a link leads to a missing page", [createPage("1", 2, linked)], [`1: ${MORE}`]],
    ["a nested link leads to a missing page", [createPage("1", 2, { paging: { next: "x" } })], [`1: ${MORE}`]],
    [
      "a link leads to the last page",
      [createPage("1", 2, { ...linked, offset: null }), createPage("2", 1, { next: null })],
      [],
    ],
    [
      "the last page is there but items are missing",
      [createPage("1", 2, { ...linked, totalCount: 9 }), createPage("2", 1, { next: "" })],
      [`1: ${MORE} 6 of 9 are missing.`],
    ],
    [
      "the last page is there, with all counted items",
      [createPage("1", 2, { ...linked, totalCount: 3 }), createPage("2", 1, { next: "" })],
      [],
    ],
    [
      "no field says in a known format that pages follow",
      [createPage("1", 2, { more: "yes", next: 5, paging: "x", total: "9", offset: "a" }), createPage("2", 1, [])],
      [],
    ],
  ])("reports exactly the missing pages if %s", (_, pages, expected) => {
    expect(listMissingPages(pages).map(({ path, why }) => `${path}: ${why}`)).toEqual(expected);
  });
});

describe("the report of an import", () => {
  const from = Date.parse("2026-03-16T00:00:00Z");
  const hour = 3_600_000;
  const createDifference = (index: number, theirs: string[] = ["a"], ours: string[] = []) => ({
    from: from + index * hour,
    to: from + (index + 0.5) * hour,
    theirs,
    ours,
  });

  it("of an empty export says that everything is missing", () => {
    expect(toImportReport("Acme", { fromMs: from, days: 28 }, [], [])).toBe(`# What was imported from Acme

## Who is on call, for 28 days from 2026-03-16T00:00Z

The export has no schedules.

## Missing in the export

The export's files contain no items.

## Not imported

Nothing was left out.

## Imported with a difference

Nothing.

## Imported

Nothing.
`);
  });

  it("has a table of the schedules, a table of each schedule's differences, and a table of each kind of remark", () => {
    const compared = [
      {
        schedule: "Web|1",
        groups: ["A", "B"],
        source: "its layers",
        differences: [createDifference(0, ["a", "b"], ["c"]), createDifference(1)],
      },
      { schedule: "Ops", groups: ["C"], source: "its layers", differences: [] },
    ];
    const remarks = (["taken", "different", "left", "missing"] as const).map((kind) => ({
      kind,
      what: `One ${kind}`,
      why: `because\nof  it`,
    }));

    expect(toImportReport("Acme", { fromMs: from, days: 28 }, compared, remarks)).toBe(`# What was imported from Acme

## Who is on call, for 28 days from 2026-03-16T00:00Z

| Schedule | Groups | Source of the export's shifts | Comparison |
| --- | --- | --- | --- |
| Web\\|1 | A, B | its layers | 1 h different |
| Ops | C | its layers | equal |

### Web|1

| From | To | By the export | By the file |
| --- | --- | --- | --- |
| 2026-03-16T00:00Z | 2026-03-16T00:30Z | a, b | c |
| 2026-03-16T01:00Z | 2026-03-16T01:30Z | a | nobody |

## Missing in the export

| What | What is missing |
| --- | --- |
| One missing | because of it |

## Not imported

| What | Reason |
| --- | --- |
| One left | because of it |

## Imported with a difference

| What | Difference |
| --- | --- |
| One different | because of it |

## Imported

| What | As |
| --- | --- |
| One taken | because of it |
`);
  });

  it("shows twenty differences of a schedule, and how many more there are", () => {
    const createReport = (count: number) =>
      toImportReport(
        "Acme",
        { fromMs: from, days: 28 },
        [
          {
            schedule: "S",
            groups: [],
            source: "x",
            differences: Array.from({ length: count }, (_, index) => createDifference(index)),
          },
        ],
        [],
      );

    expect(createReport(21)).toContain("| a | nobody |\n\nAnd 1 more.\n\n## Missing");
    expect(createReport(21).match(/nobody/g)).toHaveLength(20);
    expect(createReport(20)).not.toContain("more.");
  });
});
