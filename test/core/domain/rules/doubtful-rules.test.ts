import { describe, expect, it } from "vitest";
import { findContradiction } from "../../../../core/domain/rules/contradiction.ts";
import { findRuleDoubts, type DoubtfulRule } from "../../../../core/domain/rules/doubtful-rules.ts";
import type { Condition } from "../../../../core/domain/rules/matching/index.ts";

const aRule = (conditions: Condition[], more: Partial<DoubtfulRule> = {}): DoubtfulRule => ({
  eventKey: "*",
  conditionMatch: "all",
  conditions,
  ...more,
});
const seen = new Map([
  ["booking.created", ["data.amount", "data.customer.tier", "sender"]],
  ["booking.failed", ["data.reason"]],
  ["crowded.event", undefined],
]);
const codes = (rule: DoubtfulRule, known: Parameters<typeof findRuleDoubts>[1] = seen) =>
  findRuleDoubts(rule, known).map(({ code, field }) => `${code} ${field}`);
const tier = (field: string): Condition => ({ field, operator: "is_not_empty" });

describe("a warning about an event key or data field that no event ever had", () => {
  it("names the unknown event key, with a suggestion", () => {
    expect(findRuleDoubts(aRule([], { eventKey: "booking.create" }), seen)).toEqual([
      {
        code: "event_key_never_seen",
        field: "eventKey",
        message: "No event matching booking.create has arrived so far. Did you mean booking.created?",
        params: { eventKey: "booking.create", meant: "booking.created" },
      },
    ]);
    expect(codes(aRule([], { eventKey: "refund.*" }))).toEqual(["event_key_never_seen eventKey"]);
    expect(codes(aRule([], { eventKey: "booking.*" }))).toEqual([]);
  });

  it("names the data field that no event with the rule's key has had", () => {
    expect(findRuleDoubts(aRule([tier("data.amuont")], { eventKey: "booking.created" }), seen)).toMatchObject([
      { code: "field_never_seen", field: "conditions[0].field", message: expect.stringMatching(/ data.amount\?$/) },
    ]);
    expect(codes(aRule([tier("title"), tier("data.reason")], { eventKey: "booking.*" }))).toEqual([]);
    expect(codes(aRule([tier("data.customer"), tier("url")], { eventKey: "booking.created" }))).toEqual([]);
  });

  it("is not given in a workspace without events, or if events have more fields than are stored", () => {
    expect(codes(aRule([tier("data.x")], { eventKey: "booking.create" }), new Map())).toEqual([]);
    expect(codes(aRule([tier("data.x")], { eventKey: "crowded.*" }))).toEqual([]);
  });
});

it.each([
  ["/disk/", "disk?"],
  ["/disk full/i", "disk full with ignoreCase?"],
])("a condition text that is a pattern between slashes gets a warning: %s", (value, end) => {
  const rule = aRule([{ field: "title", operator: "matches_regex", value }]);

  expect(findRuleDoubts(rule, new Map())).toMatchObject([
    { code: "pattern_in_slashes", field: "conditions[0].value", message: expect.stringContaining(`mean ${end}`) },
  ]);
});

it("a condition text between slashes that is not a pattern gets no warning", () => {
  expect(codes(aRule([{ field: "title", operator: "contains", value: "/disk/" }]))).toEqual([]);
});

it("a warning about an unknown name is one sentence, without a suggestion if no name is similar", () => {
  const rule = aRule([
    { field: "title", operator: "equals", value: "a" },
    { field: "title", operator: "equals", value: "b" },
  ]);

  expect(findRuleDoubts({ ...rule, eventKey: "refund.*" }, seen).map(({ message }) => message)).toEqual([
    "The conditions on title contradict each other, so the rule never matches.",
    "No event matching refund.* has arrived so far.",
  ]);
});

it.each(["disk", "a/b/c", "/var/log", "//"])(
  "the pattern %s, which is not between slashes, gets no warning",
  (value) => {
    expect(codes(aRule([{ field: "title", operator: "matches_regex", value }]))).toEqual([]);
  },
);

describe("the warning about conditions that contradict each other", () => {
  const is = (field: string, operator: Condition["operator"], value?: Condition["value"], more = {}): Condition => ({
    field,
    operator,
    ...(value === undefined ? {} : { value }),
    ...more,
  });
  const not = { not: true };

  it.each<[Condition[], string?]>([
    [[is("title", "equals", "a"), is("title", "equals", "b")], "title"],
    [[is("title", "one_of", ["a", "b"]), is("title", "starts_with", "c")], "title"],
    [[is("title", "contains", "a"), is("title", "contains", "a", not)], "title"],
    [[is("data.a", "equals", "x"), is("data.a", "not_equals", "x")], "data.a"],
    [[is("data.a", "is_empty"), is("data.a", "contains", "x")], "data.a"],
    [[is("data.a", "is_empty"), is("data.a", "is_not_empty")], "data.a"],
    [[is("data.n", "greater_than", 5), is("data.n", "less_than", "4.5")], "data.n"],
    [[is("data.n", "between", [1, 2]), is("data.n", "greater_than_or_equal", 3)], "data.n"],
    [[is("priority", "greater_than", "HIGH"), is("priority", "not_equals", "CRITICAL")], "priority"],
    [[is("sender", "equals", "A"), is("sender", "equals", "B")], "sender"],
    [[is("title", "starts_with", "c"), is("title", "one_of", ["a", "b"])], "title"],
    [
      [is("title", "one_of", ["a", "b"]), is("title", "contains", "a", not), is("title", "contains", "b", not)],
      "title",
    ],
    [[is("data.n", "equals", 5), is("data.n", "not_equals", 5)], "data.n"],
    [[is("data.n", "one_of", ["1", "2"]), is("data.n", "not_one_of", ["1", "2"])], "data.n"],
    [[is("data.n", "is_not_empty"), is("data.n", "is_not_empty", undefined, not)], "data.n"],
    [[is("data.n", "less_than_or_equal", 4), is("data.n", "greater_than", 5)], "data.n"],
    [[is("data.a.b", "equals", "x"), is("data.a.b", "starts_with", "y")], "data.a.b"],
  ])("is given for %j", (conditions, field) => {
    expect(findContradiction(aRule(conditions))).toBe(field);
    expect(codes(aRule(conditions), new Map())).toEqual(["contradiction conditions"]);
  });

  it.each<[Condition[]]>([
    [[is("title", "contains", "a"), is("title", "contains", "b", not)]],
    [[is("title", "equals", "a"), is("body", "equals", "b")]],
    [[is("data.a", "equals", "5"), is("data.a", "equals", 5)]],
    [[is("data.n", "greater_than", 4), is("data.n", "less_than", 5)]],
    [[is("data.a", "is_empty"), is("data.a", "not_equals", "x")]],
    [[is("title", "equals", "a", { ignoreCase: true }), is("title", "equals", "A")]],
    [[is("priority", "greater_than", "NORMAL"), is("priority", "not_equals", "URGENT")]],
    [[is("sender", "equals", "Checkout"), is("sender", "starts_with", "Check")]],
    [[is("data.a", "equals", "xy"), is("data.a", "starts_with", "x")]],
    [[is("title", "contains", "ab"), is("title", "contains", "cd")]],
    [[is("title", "contains", "ab"), is("title", "contains", "ab")]],
    [[is("data.n", "not_equals", 5), is("data.n", "not_equals", 5)]],
    [[is("data.n", "one_of", ["1", "x"]), is("data.n", "starts_with", "01")]],
    [[is("data.n", "greater_than", 5, not), is("data.n", "less_than", 4)]],
    [[is("data.n", "between", [1, 2]), is("data.n", "between", [2, 3])]],
    [[is("data.n", "between", [2, 3]), is("data.n", "between", [1, 2])]],
    [[is("data.n", "greater_than", 5), is("data.n", "contains", "7")]],
    [[is("data.n", "contains", "7"), is("data.n", "greater_than", 5)]],
    [[is("data.n", "less_than", 5), is("data.n", "less_than", 4)]],
  ])("is not given for %j, which an event can meet", (conditions) => {
    expect(findContradiction(aRule(conditions))).toBeUndefined();
  });

  it("also considers the rule's event key, and is not given if any one condition is enough", () => {
    const created = is("eventKey", "ends_with", ".created");
    expect(findContradiction(aRule([created], { eventKey: "booking.failed" }))).toBe("eventKey");
    expect(findContradiction(aRule([created], { eventKey: "booking.*" }))).toBeUndefined();
    expect(findContradiction(aRule([created], { eventKey: "booking.created" }))).toBeUndefined();
    expect(findContradiction(aRule([is("title", "equals", "a")], { eventKey: "booking.failed" }))).toBeUndefined();
    expect(findContradiction(aRule([created], { eventKey: "booking.failed", conditionMatch: "any" }))).toBe("eventKey");
    expect(
      findContradiction(aRule([is("title", "equals", "a"), is("title", "equals", "b")], { conditionMatch: "any" })),
    ).toBeUndefined();
  });
});
