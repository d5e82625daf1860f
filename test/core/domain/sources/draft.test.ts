import { describe, expect, it } from "vitest";
import { joinNames, severityToPriority, parseTime } from "../../../../core/domain/sources/draft.ts";
import { testMessages } from "./table.ts";

it.each([
  ["critical crit fatal emergency emerg alert disaster page panic blocker severe highest urgent", "URGENT"],
  ["p0 p1 s0 s1 sev0 sev1 sev-1 sev_1 severity-1 prio1 priority-1 p-0 1", "URGENT"],
  ["error err high major serious important p2 s2 sev2 sev-2 2", "HIGH"],
  ["warning warn medium moderate average minor normal p3 s3 sev3 3", "NORMAL"],
  ["info information informational notice note low lowest trivial none debug p4 p5 s4 sev4 sev5 sev-5 4 5", "LOW"],
])("the severity words $0 mean the priority $1", (words, priority) => {
  for (const word of words.split(" ")) {
    expect(severityToPriority(word), word).toBe(priority);
    expect(severityToPriority(` ${word.toUpperCase()}\n`), word).toBe(priority);
  }
});

it.each("p6 sev6 criticality noerror 0 12 ok x1 p".split(" "))("the severity word %s means no priority", (word) => {
  expect(severityToPriority(word)).toBeUndefined();
  expect(severityToPriority(` ${word.toUpperCase()}\n`)).toBeUndefined();
});

it("a severity may be a number", () => {
  expect([severityToPriority(1), severityToPriority(2), severityToPriority(5)]).toEqual(["URGENT", "HIGH", "LOW"]);
});

it.each([
  ["missing", undefined],
  ["null", null],
  ["0", 0],
  ["true", true],
  ["an object", {}],
  ["an empty text", ""],
  ["a list", ["critical"]],
])("a severity that is %s means no priority", (_, severity) => {
  expect(severityToPriority(severity)).toBeUndefined();
});

it.each([
  ["in UTC is read in milliseconds", "2026-11-21T12:00:00Z", 1_795_262_400_000],
  ["with an offset is read in milliseconds", "2026-11-21T12:00:00.000+0000", 1_795_262_400_000],
  ["in the year 1, which is Go's empty time, counts as missing", "0001-01-01T00:00:00Z", undefined],
  ["at the start of 1970 counts as missing", "1970-01-01T00:00:00Z", undefined],
  ["that is not a timestamp counts as missing", "soon", undefined],
  ["that is absent counts as missing", undefined, undefined],
])("a tool's time %s", (_, text, ms) => {
  expect(parseTime(text)).toBe(ms);
});

describe("a list of names in a tool's message", () => {
  it.each([
    ["becomes a text with a comma between the names", ["db", "prod"], "db, prod"],
    ["loses blank texts and values that are not texts", [" db ", "", "  ", 5, null, "prod"], "db, prod"],
    ["loses the commas inside its names", ["eu,west", "a , b,  c"], "eu west, a b c"],
    ["becomes no text if none of its values is a name", [" ", 5], undefined],
    ["becomes no text if it is empty", [], undefined],
  ])("%s", (_title, names, text) => {
    expect(joinNames(names)).toBe(text);
  });
});

// Some senders report a different end time, or none, in repeated messages about an ended alert.
const eventEndedAt = (endsAt: string | undefined) => ({
  alerts: [{ status: "resolved", fingerprint: "f", startsAt: "2026-11-21T12:00:00Z", endsAt }],
});
const event = (endsAt: string | undefined, changed: object) => ({
  eventKey: "alertmanager.resolved",
  title: "Resolved: Alert",
  body: "Alert",
  priority: "LOW",
  data: { startsAt: "2026-11-21T12:00:00Z", ...(endsAt === undefined ? {} : { endsAt }) },
  resolves: "alertmanager:f",
  formerKey: "alertmanager:f:2026-11-21T12:00:00Z",
  once: "alertmanager:f:2026-11-21T12:00:00Z:resolved",
  ...changed,
});

testMessages("alertmanager", {
  "an alert whose end is before its start": [eventEndedAt("2026-11-21T11:59:59Z"), event("2026-11-21T11:59:59Z", {})],
  "a 0-second alert": [
    eventEndedAt("2026-11-21T12:00:00Z"),
    event("2026-11-21T12:00:00Z", { changedAt: 1_795_262_400_000 }),
  ],
  "an ended alert without an end time": [eventEndedAt(undefined), event(undefined, {})],
  "an alert with its priority in a label": [
    { alerts: [{ labels: { priority: "P1" }, fingerprint: "f" }] },
    {
      eventKey: "alertmanager.firing",
      title: "Alert",
      body: "priority: P1",
      priority: "URGENT",
      data: { "labels.priority": "P1" },
      dedupeKey: "alertmanager:f",
    },
  ],
});
