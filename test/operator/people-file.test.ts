import { describe, expect, it } from "vitest";
import { readPeopleFile } from "../../operator/people-file.ts";

const groups = [
  { id: "grp_ops", name: "Operations" },
  { id: "grp_pay", name: "Payments, EU" },
  { id: "grp_x", name: "Twice" },
  { id: "grp_y", name: "Twice" },
];
const parseFile = (text: string, hasNames = true) => readPeopleFile(text, groups, hasNames);
const listFaults = (text: string, hasNames = true): string[] => {
  try {
    parseFile(text, hasNames);
    return [];
  } catch (error) {
    return (error as Error).message.split("\n");
  }
};

describe("a valid file of people", () => {
  it("gives each person's role and groups, and each group once", () => {
    expect(
      parseFile(`email,name,role,groups
ann@acme.example,Ann,responder,"Payments, EU | Operations||Operations"
ben@acme.example,Ben,,
`),
    ).toEqual([
      { line: 2, email: "ann@acme.example", name: "Ann", role: "responder", groupIds: ["grp_pay", "grp_ops"] },
      { line: 3, email: "ben@acme.example", name: "Ben", role: undefined, groupIds: [] },
    ]);
  });

  it("needs no groups, and no names if the identity provider has them", () => {
    expect(parseFile("email\nann@acme.example\n", false)).toEqual([
      { line: 2, email: "ann@acme.example", name: "", role: undefined, groupIds: [] },
    ]);
    expect(listFaults("email\nann@acme.example\n")).toEqual([
      'The first line must name columns out of email,name,role,groups. Add "name", which is required.',
    ]);
  });

  it("has at least one person, and at most as many as a workspace allows", () => {
    const createFileOf = (count: number) =>
      `email\n${Array.from({ length: count }, (_, n) => `p${n}@acme.example`).join("\n")}\n`;

    expect(listFaults("email,name\n")).toEqual(["The file lists no people."]);
    expect(parseFile(createFileOf(5_000), false)).toHaveLength(5_000);
    expect(listFaults(createFileOf(5_001), false)).toEqual(["A workspace has at most 5000 members."]);
  });
});

describe("a fault in the file of people", () => {
  it.each([
    ["ann,Ann,,", "email must be an email address, such as alice@acme.example."],
    ["ann@acme.example,,,", "name must not be empty."],
    ["ann@acme.example,Ann,boss,", "role must be one of viewer, responder, manager, owner, or empty."],
    [
      "ann@acme.example,Ann,responders,",
      "role must be one of viewer, responder, manager, owner, or empty. Did you mean responder?",
    ],
    ["ann@acme.example,Ann,,Operation", 'the workspace has no group "Operation". Did you mean Operations?'],
    ["ann@acme.example,Ann,,Sales", 'the workspace has no group "Sales".'],
    ["ann@acme.example,Ann,,Twice", 'the workspace has 2 groups "Twice".'],
  ])("in the line %j is reported: %s", (line, fault) => {
    expect(listFaults(`email,name,role,groups\n${line}\n`)).toEqual([`Line 2: ${fault}`, "Nothing was done."]);
  });

  it("is reported together with all other faults of all lines", () => {
    expect(
      listFaults("email,name,role,groups\nann,Ann,boss,X|Y\nann@acme.example,Ann,,\nbob@acme.example,,,\n"),
    ).toEqual([
      "Line 2: email must be an email address, such as alice@acme.example.",
      "Line 2: role must be one of viewer, responder, manager, owner, or empty.",
      'Line 2: the workspace has no group "X".',
      'Line 2: the workspace has no group "Y".',
      "Line 4: name must not be empty.",
      "Nothing was done.",
    ]);
  });

  it("is reported for a person who is listed twice in any spelling, or without an address", () => {
    const text = "email,name\nann@acme.example,A\nbob@acme.example,B\nANN@acme.example,A\nann@Acme.example,A\n";

    expect(listFaults(text)).toEqual([
      "Line 4: ANN@acme.example is already in line 2.",
      "Line 5: ann@Acme.example is already in line 2.",
      "Nothing was done.",
    ]);
    expect(listFaults("email,name\n,A\n,B\n").filter((fault) => fault.includes("already"))).toEqual([]);
  });

  it("is reported if a person has more groups than an invitation may name", () => {
    const listFaultsOfGroups = (count: number) =>
      listFaults(
        `email,name,groups\nann@acme.example,Ann,${Array.from({ length: count }, (_, n) => `g${n}`).join("|")}\n`,
      );

    expect(listFaultsOfGroups(20)).toHaveLength(21);
    expect(listFaultsOfGroups(21)[0]).toBe("Line 2: at most 20 groups can be named.");
  });

  it("is listed with up to forty others, and further faults are only counted", () => {
    const listFaultsOfLines = (count: number) =>
      listFaults(`email,name\n${Array.from({ length: count }, (_, n) => `p${n},P`).join("\n")}\n`);

    expect(listFaultsOfLines(40).slice(39)).toEqual([
      "Line 41: email must be an email address, such as alice@acme.example.",
      "Nothing was done.",
    ]);
    expect(listFaultsOfLines(42).slice(39)).toEqual([
      "Line 41: email must be an email address, such as alice@acme.example.",
      "and 2 more",
      "Nothing was done.",
    ]);
  });
});
