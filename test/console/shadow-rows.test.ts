import { describe, expect, it } from "vitest";
import { countResults, listEvents } from "../../console/pages/shadow/rows.ts";

const at = "2026-11-30T02:00:00.000Z";
const later = "2026-11-30T02:10:00.000Z";
const createPage = (id: string, email = `${id}@acme.example`, isReachable = true) => ({
  user: { id, name: id, email },
  at,
  rule: { id: "rule_1", name: "Disks" },
  escalationStep: 0,
  devices: isReachable ? [{ id: "dev_1", by: "fcm" as const }] : [],
});
const createPerson = (name: string) => ({ person: `${name}@acme.example`, at });
const compared = {
  pages: [createPage("ann")],
  people: [
    { verdict: "same" as const, theirs: createPerson("ann"), ours: createPerson("ann") },
    { verdict: "nobody" as const, theirs: createPerson("bob"), ours: null },
  ],
};
const unreported = { pages: [createPage("ann"), { ...createPage("ann"), at: later }, createPage("bob")], people: [] };

describe("the comparison of a shadow", () => {
  it("has a row for each compared person", () => {
    expect(listEvents([compared], null)).toEqual([
      {
        event: compared,
        rows: [
          { result: "same", theirs: createPerson("ann"), ours: createPerson("ann") },
          { result: "nobody", theirs: createPerson("bob"), ours: null },
        ],
      },
    ]);
  });

  it.each([
    [
      "the first page of each person",
      unreported,
      [
        { result: "unknown", theirs: null, ours: createPerson("ann") },
        { result: "unknown", theirs: null, ours: createPerson("bob") },
      ],
    ],
    [
      "the id of a person who has left",
      { pages: [createPage("usr_1", "")], people: [] },
      [{ result: "unknown", theirs: null, ours: { person: "usr_1", at } }],
    ],
    [
      "nobody (the only person has no device)",
      { pages: [createPage("ann", undefined, false)], people: [] },
      [{ result: "unknown", theirs: null, ours: null }],
    ],
  ])("shows %s if the old service has not reported whom it notified", (_, item, rows) => {
    expect(listEvents([item], null)).toEqual([{ event: item, rows }]);
  });

  it.each([
    ["nobody", [compared]],
    ["unknown", [unreported]],
    ["earlier", []],
  ])("that is limited to the result %s has only events with this result", (result, events) => {
    expect(listEvents([compared, unreported], result).map(({ event }) => event)).toEqual(events);
  });

  it("counts the people of each result, and lists the worst result first", () => {
    expect(countResults([compared, unreported])).toEqual([
      ["nobody", 1],
      ["same", 1],
      ["unknown", 2],
    ]);
  });
});
