import { describe, expect, it } from "vitest";
import {
  formatTargetPath,
  describeSmallChange,
  canCompareHistory,
  describeChanges,
  type Entry,
  readGroupId,
  computeOnCallBefore,
  describeOnCallChanges,
  describeEntry,
} from "../../console/pages/audit/describe-value.ts";

const entryOf = (fields: Partial<Entry>): Entry => ({
  id: "aud_1",
  at: "2026-11-24T10:00:00.000Z",
  actor: { id: "usr_dora", name: "Dora" },
  via: "console",
  action: "updated",
  target: { kind: "rule", id: "rule_1", name: "Disks" },
  before: { enabled: true },
  after: { enabled: false },
  onCall: null,
  requestId: "r",
  ...fields,
});
const names = new Map([
  ["grp_1", "Payments"],
  ["pol_1", "Platform on call"],
]);

const createTarget = (kind: Entry["target"]["kind"], name: string): Entry["target"] => ({ kind, id: "x_1", name });

describe("an audit entry is described by the sentence:", () => {
  it.each<[string, Partial<Entry>]>([
    ["Dora changed the rule Disks", {}],
    [
      "The operator deleted the member Yuki",
      { actor: null, action: "deleted", target: createTarget("member", "Yuki") },
    ],
    [
      "A former member created the API key Shop",
      { actor: { id: "usr_gone", name: "" }, action: "created", target: createTarget("api_key", "Shop") },
    ],
    ["Dora deleted an override", { action: "deleted", target: createTarget("override", "") }],
    ["Dora created a cover in Ops", { action: "created", target: createTarget("cover", "Ops") }],
    ["Dora changed the schedule of x_1", { target: createTarget("schedule", "") }],
  ])("%s", (sentence, fields) => {
    expect(describeEntry(entryOf(fields))).toBe(sentence);
  });
});

it("an audit entry shows values as people write them, with names instead of ids", () => {
  const entry = entryOf({
    before: {
      requiresAck: true,
      targets: [{ type: "group", groupId: "grp_1" }],
      escalationPolicyId: null,
      conditions: [],
      atLeast: { count: 3, withinMinutes: 5 },
    },
    after: {
      requiresAck: false,
      targets: [
        { type: "group", groupId: "grp_1" },
        { type: "group", groupId: "grp_gone" },
      ],
      escalationPolicyId: "pol_1",
      conditions: [{ field: "title", operator: "contains", value: "x" }],
      atLeast: null,
    },
  });
  expect(describeChanges(entry, names)).toEqual([
    { field: "requires ack", before: "yes", after: "no" },
    { field: "targets", before: "Payments", after: "Payments, grp_gone" },
    { field: "escalation policy id", before: "none", after: "Platform on call" },
    { field: "conditions", before: "none", after: "(field: title, operator: contains, value: x)" },
    { field: "at least", before: "(count: 3, within minutes: 5)", after: "none" },
  ]);
});

it("an audit entry shows no old values for what was created, and no new values for what was deleted", () => {
  const fields = { name: "Disks" };
  expect(describeChanges(entryOf({ action: "created", before: null, after: fields }), names)).toEqual([
    { field: "name", before: undefined, after: "Disks" },
  ]);
  expect(describeChanges(entryOf({ action: "deleted", before: fields, after: null }), names)).toEqual([
    { field: "name", before: "Disks", after: undefined },
  ]);
});

describe("beside the sentence of an audit entry, the changed values", () => {
  it.each<[string, string, Partial<Entry>]>([
    ["one field", "enabled yes → no", {}],
    [
      "two fields",
      "role manager → owner, name A → B",
      { before: { role: "manager", name: "A" }, after: { role: "owner", name: "B" } },
    ],
  ])('of %s are shown as "%s"', (_, brief, fields) => {
    expect(describeSmallChange(entryOf(fields), names)).toBe(brief);
  });

  it.each<[string, Partial<Entry>]>([
    ["for a created item", { action: "created", before: null }],
    ["of three fields", { before: { a: 1, b: 1, c: 1 }, after: { a: 2, b: 2, c: 2 } }],
    ["that are long", { before: { name: "x".repeat(60) }, after: { name: "y" } }],
  ])("%s are not shown", (_, fields) => {
    expect(describeSmallChange(entryOf(fields), names)).toBeUndefined();
  });
});

it("the sentence of an audit entry links to the changed item, unless that is deleted or has no page", () => {
  expect(formatTargetPath(entryOf({}))).toBe("/rules/rule_1");
  expect(formatTargetPath(entryOf({ target: createTarget("schedule", "") }))).toBe("/on-call/x_1");
  expect(formatTargetPath(entryOf({ action: "deleted" }))).toBeUndefined();
  expect(formatTargetPath(entryOf({ target: createTarget("workspace", "Demo") }))).toBeUndefined();
});

describe("the on-call state before the change that an audit entry describes", () => {
  const week = { start: "2026-03-02T09:00", every: 1, unit: "week" as const, participants: ["usr_ann"] };
  const day = { ...week, unit: "day" as const };
  const schedule = { timeZone: "UTC", layers: [week] };
  const [one, other] = [1, 2].map((number) => ({
    id: `ovr_${number}`,
    userId: "usr_bob",
    start: `2026-03-0${number}T09:00:00.000Z`,
    end: `2026-03-0${number}T17:00:00.000Z`,
  }));
  const ofCover = {
    userId: "usr_cyd",
    start: "2026-03-05T09:00:00.000Z",
    end: "2026-03-05T17:00:00.000Z",
    insteadOf: "usr_bob",
  };
  const inReturn = { start: "2026-03-06T09:00:00.000Z", end: "2026-03-06T17:00:00.000Z" };
  const cover = { group: "grp_1", userId: "usr_bob", start: one!.start, end: one!.end, inReturn };
  const taken = { ...cover, takenBy: "usr_cyd", state: "taken" };
  const omitId = ({ id: _id, ...period }: NonNullable<typeof one>) => period;
  const readDraftBefore = (fields: Partial<Entry>) => {
    const entry = entryOf(fields);
    expect(canCompareHistory(entry)).toBe(true);
    return computeOnCallBefore(entry, readGroupId(entry), schedule, [
      one!,
      other!,
      { ...ofCover, id: "ovr_3", coverId: "cov_1" },
    ]);
  };
  const override = { kind: "override", id: "ovr_1", name: "" } as const;

  it.each<[string, Partial<Entry>, object]>([
    [
      "the earlier fields of the schedule, if a schedule was changed",
      { target: createTarget("schedule", ""), before: { layers: [day], holidays: null } },
      { groupId: "x_1", schedule: { timeZone: "UTC", layers: [day] } },
    ],
    [
      "nobody on call, if a schedule was created",
      { action: "created", target: createTarget("schedule", ""), before: null },
      { groupId: "x_1", schedule: { timeZone: "UTC", layers: [] } },
    ],
    [
      "the other overrides, if an override was created",
      { action: "created", target: override, before: null, after: { group: "grp_1", ...omitId(one!) } },
      { groupId: "grp_1", overrides: [omitId(other!), ofCover] },
    ],
    [
      "the original person of the shift, if a cover was taken",
      { target: { kind: "cover", id: "cov_1", name: "" }, before: { ...cover, state: "open" }, after: taken },
      { groupId: "grp_1", overrides: [omitId(one!), omitId(other!)] },
    ],
    [
      "the cover and the shift given in return, if a cover was withdrawn",
      { target: { kind: "cover", id: "cov_9", name: "" }, before: taken, after: { ...cover, state: "withdrawn" } },
      {
        groupId: "grp_1",
        overrides: [
          omitId(one!),
          omitId(other!),
          ofCover,
          { ...omitId(one!), userId: "usr_cyd", insteadOf: "usr_bob" },
          { ...inReturn, userId: "usr_bob", insteadOf: "usr_cyd" },
        ],
      },
    ],
    [
      "the deleted override, if an override was deleted",
      {
        action: "deleted",
        target: { ...override, id: "ovr_0" },
        before: { group: "grp_1", ...omitId(one!) },
        after: null,
      },
      { groupId: "grp_1", overrides: [omitId(one!), omitId(other!), ofCover, omitId(one!)] },
    ],
  ])("has %s", (_, fields, draft) => {
    expect(readDraftBefore(fields)).toEqual(draft);
  });
});

describe("in an audit entry, the effect of a change on who is on call", () => {
  const [ann, bob] = ["Ann", "Bob"].map((name) => ({ id: `usr_${name.toLowerCase()}`, name }));
  const change = { start: "mon", end: "tue", before: [ann!], after: [bob!, { id: "usr_gone", name: "" }] };
  const formatOnCallChange: Parameters<typeof describeOnCallChanges>[1] = ({ start, before, after }, nameOf) =>
    `${start}: ${after.map(nameOf).join("+")} for ${before.map(nameOf).join("+")}`;

  it.each<[string, Entry["onCall"], string[]]>([
    ["is shown for each period", { changes: [change], more: 0 }, ["mon: Bob+a former member for Ann"]],
    [
      "is shown with the number of further periods",
      { changes: [change], more: 2 },
      ["mon: Bob+a former member for Ann", "and 2 more changes"],
    ],
    [
      "is a plain sentence if the same people stay on call",
      { changes: [], more: 0 },
      ["The same people stay on call."],
    ],
    ["is not shown if the entry stores no effect", null, []],
  ])("%s", (_, onCall, lines) => {
    expect(describeOnCallChanges(entryOf({ onCall }), formatOnCallChange)).toEqual(lines);
  });
});
