import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { SilenceInput, SilencePatch } from "../../../../core/domain/rules/silence-input.ts";
import {
  compileSilences,
  coversAllEvents,
  findScopeFaults,
  findTimeFaults,
  toSilenceView,
  type Silence,
} from "../../../../core/domain/rules/silence.ts";
import { toRuleSet } from "../../../../core/domain/rules/rule-set.ts";
import { aRule, NOON } from "../support.ts";

const aSilence = (fields: Partial<Silence> = {}): Silence => ({
  id: "sil_1",
  workspaceId: "ws_1",
  name: "Quiet",
  eventKey: "order.*",
  conditions: [],
  conditionMatch: "all",
  startsAt: "2026-11-21T12:00:00.000Z",
  endsAt: "2026-11-21T13:00:00.000Z",
  weekly: null,
  includeUrgent: false,
  afterwards: "tell",
  version: 1,
  createdAt: "",
  updatedAt: "",
  ...fields,
});
const shop = { field: "data.shop", operator: "equals" as const, value: "Berlin" };
const silenceFor = (silences: readonly Silence[], fields: object = {}) =>
  compileSilences(silences).silenceOf({
    eventKey: "order.failed",
    title: "T",
    body: "B",
    priority: "HIGH",
    data: { shop: "Berlin" },
    at: NOON,
    urgent: false,
    ...fields,
  })?.id;

describe("an event", () => {
  it.each<[string, Partial<Silence>, object, boolean]>([
    ["is silenced by a silence for its event key", {}, {}, true],
    ["is not silenced by a silence for another event key", { eventKey: "shop.*" }, {}, false],
    ["is silenced if it meets the silence's conditions", { conditions: [shop] }, {}, true],
    ["is not silenced if it does not meet the silence's conditions", { conditions: [shop] }, { data: {} }, false],
    [
      "is silenced if it meets one of the conditions of a silence that requires any one",
      { conditions: [shop, { ...shop, value: "Bonn" }], conditionMatch: "any" },
      {},
      true,
    ],
    ["is not silenced before the silence begins", {}, { at: NOON - 1 }, false],
    ["is not silenced after the silence ends", {}, { at: NOON + 3_600_000 }, false],
    ["is not silenced if it is URGENT", {}, { urgent: true }, false],
    ["is silenced if it is URGENT and the silence includes URGENT", { includeUrgent: true }, { urgent: true }, true],
    ["is silenced if it is not URGENT and the silence includes URGENT", { includeUrgent: true }, {}, true],
    [
      "is not silenced outside the silence's hours in the silence's time zone",
      { weekly: { days: ["sat"], from: "12:00", to: "12:30", timeZone: "Europe/Berlin" }, endsAt: null },
      {},
      false,
    ],
    [
      "is silenced within the silence's hours in the silence's time zone",
      { weekly: { days: ["sat"], from: "13:00", to: "13:30", timeZone: "Europe/Berlin" }, endsAt: null },
      {},
      true,
    ],
  ])("%s", (_what, fields, event, isCovered) => {
    expect(silenceFor([aSilence(fields)], event)).toBe(isCovered ? "sil_1" : undefined);
  });

  it("is silenced by the first of several silences that apply", () => {
    const other = aSilence({ id: "sil_2" });

    expect(silenceFor([aSilence(), other])).toBe("sil_1");
    expect(silenceFor([aSilence({ eventKey: "shop.*" }), other])).toBe("sil_2");
    expect(silenceFor([])).toBeUndefined();
  });
});

it("a silence whose conditions are too expensive to decide suppresses nothing", () => {
  const expensive = Array.from({ length: 30 }, (_, index) =>
    aSilence({
      id: `sil_${index}`,
      conditions: [{ field: "body", operator: "matches_regex", value: `\\p{L}{200}${index}` }],
    }),
  );

  expect(silenceFor(expensive)).toBeUndefined();
  expect(silenceFor([...expensive, aSilence()])).toBe("sil_1");
});

it("a rule set says whether a silence discards the events that it suppresses, or notifies people of them afterwards", () => {
  const { drops } = toRuleSet([], [aSilence(), aSilence({ id: "sil_2", afterwards: "drop" })]);

  expect(["sil_1", "sil_2", "sil_3"].map(drops)).toEqual([false, true, false]);
});

it("the size of a rule set in memory includes its rules and its silences", () => {
  const sizeOf = (...of: Parameters<typeof toRuleSet>) => toRuleSet(...of).estimateBytes();
  const titled = aRule({ conditions: [{ field: "title", operator: "equals", value: "x".repeat(1_000) }] });

  expect(sizeOf([aRule()], [])).toBeGreaterThan(sizeOf([], []));
  expect(sizeOf([], [aSilence()])).toBeGreaterThan(sizeOf([], []));
  expect(sizeOf([titled], [])).toBeGreaterThanOrEqual(sizeOf([aRule()], []) + 2_000);
  expect(sizeOf([aRule()], [aSilence()])).toBe(sizeOf([aRule()], []) + sizeOf([], [aSilence()]) - sizeOf([], []));
});

describe("a silence of all events", () => {
  const everything = { eventKey: "*", conditions: [] };

  it.each([
    ["is a silence with the event key * and without conditions", everything, true],
    ["is not a silence with the event key order.*", { eventKey: "order.*", conditions: [] }, false],
    ["is not a silence with a condition", { eventKey: "*", conditions: [shop] }, false],
  ])("%s", (_title, reach, isAll) => {
    expect(coversAllEvents(reach)).toBe(isAll);
    expect(findScopeFaults(reach, isAll)).toEqual([]);
  });

  it("must set the field `everything` to true, and no other silence may", () => {
    expect(findScopeFaults(everything, false)).toEqual([
      {
        field: "everything",
        code: "required",
        message:
          'This silence covers every event. If you mean that, set everything to true; otherwise name an eventKey other than "*", or conditions.',
      },
    ]);
    expect(findScopeFaults({ eventKey: "order.*", conditions: [] }, true)).toEqual([
      {
        field: "everything",
        code: "invalid",
        message:
          'everything is true, but eventKey or conditions limit this silence. Leave out "everything", or eventKey and conditions.',
      },
    ]);
  });
});

it.each([
  ["a silence may end one millisecond after its start", "2026-11-21T12:00:00.001Z", []],
  [
    "a silence must not end at its start",
    "2026-11-21T12:00:00.000Z",
    [{ field: "endsAt", code: "invalid", message: "endsAt must be later than startsAt." }],
  ],
  [
    "a silence that is not weekly must have an end",
    null,
    [{ field: "endsAt", code: "required", message: "endsAt is required for a silence that is not weekly." }],
  ],
])("%s", (_title, endsAt, faults) => {
  expect(findTimeFaults(aSilence({ endsAt }))).toEqual(faults);
});

it.each<[string, Partial<Silence>, number, object]>([
  ["while it is active", {}, NOON, { active: true, until: "2026-11-21T13:00:00.000Z", everything: false }],
  ["before it begins", {}, NOON - 1, { active: false, until: "2026-11-21T12:00:00.000Z" }],
  ["when it has ended", {}, NOON + 3_600_000, { active: false, until: null }],
  ["if it covers everything", { eventKey: "*" }, NOON, { id: "sil_1", name: "Quiet", everything: true }],
])("a silence is shown with its state %s", (_when, fields, now, view) => {
  expect(toSilenceView(aSilence(fields), now)).toMatchObject(view);
});

describe("the request body for a silence", () => {
  const input = { name: "Quiet", eventKey: "order.*", startsAt: "2026-11-21T12:00:00Z" };

  it("by default sets includeUrgent and everything to false, and notifies people when the silence ends", () => {
    expect(v.parse(SilenceInput, { ...input, endsAt: null })).toMatchObject({
      conditions: [],
      conditionMatch: "all",
      includeUrgent: false,
      afterwards: "tell",
      everything: false,
    });
    expect(v.parse(SilencePatch, {})).toStrictEqual({});
  });

  it.each([
    ["name", "", "name must not be empty."],
    ["includeUrgent", 1, "includeUrgent must be true or false."],
    ["everything", "yes", "everything must be true or false."],
  ])("with %s %j is refused", (field, value, message) => {
    expect(v.safeParse(SilencePatch, { [field]: value }).issues?.map((issue) => issue.message)).toEqual([message]);
  });
});
