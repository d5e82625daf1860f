import { describe, expect, it } from "vitest";
import { findContradiction } from "../../../../core/domain/rules/contradiction.ts";
import { findRuleDoubts, type DoubtfulRule } from "../../../../core/domain/rules/doubtful-rules.ts";
import type { Condition } from "../../../../core/domain/rules/matching/index.ts";

const aRule = (conditions: Condition[], fields: Partial<DoubtfulRule> = {}): DoubtfulRule => ({
  eventKey: "*",
  conditionMatch: "all",
  conditions,
  ...fields,
});
const seen = new Map([
  ["booking.created", ["data.amount", "data.customer.tier", "sender"]],
  ["crowded.event", undefined],
  ["booking.failed", ["data.reason"]],
]);
const doubtsOf = (rule: DoubtfulRule, known: Parameters<typeof findRuleDoubts>[1] = seen) =>
  findRuleDoubts(rule, known).map(({ code, field }) => `${code} ${field}`);
const hasField = (field: string): Condition => ({ field, operator: "is_not_empty" });

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
    expect(doubtsOf(aRule([], { eventKey: "refund.*" }))).toEqual(["event_key_never_seen eventKey"]);
    expect(doubtsOf(aRule([], { eventKey: "booking.*" }))).toEqual([]);
  });

  it("names the data field that no event with the rule's key has had", () => {
    expect(findRuleDoubts(aRule([hasField("data.amuont")], { eventKey: "booking.created" }), seen)).toMatchObject([
      { code: "field_never_seen", field: "conditions[0].field", message: expect.stringMatching(/ data.amount\?$/) },
    ]);
    expect(doubtsOf(aRule([hasField("title"), hasField("data.reason")], { eventKey: "booking.*" }))).toEqual([]);
    expect(doubtsOf(aRule([hasField("data.customer"), hasField("url")], { eventKey: "booking.created" }))).toEqual([]);
  });

  it("is not given in a workspace without events, or if events have too many fields to store them all", () => {
    expect(doubtsOf(aRule([hasField("data.x")], { eventKey: "booking.create" }), new Map())).toEqual([]);
    expect(doubtsOf(aRule([hasField("data.x")], { eventKey: "*" }))).toEqual([]);
  });
});

it.each([
  ["/disk/", "disk?"],
  ["/disk full/gi", "disk full with ignoreCase?"],
])("a condition text that is a pattern between slashes gets a warning: %s", (value, end) => {
  const rule = aRule([{ field: "title", operator: "matches_regex", value }]);

  expect(findRuleDoubts(rule, new Map())).toMatchObject([
    { code: "pattern_in_slashes", field: "conditions[0].value", message: expect.stringContaining(`mean ${end}`) },
  ]);
});

it("a condition text between slashes that is not a pattern gets no warning", () => {
  expect(doubtsOf(aRule([{ field: "title", operator: "contains", value: "/disk/" }]))).toEqual([]);
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
    expect(doubtsOf(aRule([{ field: "title", operator: "matches_regex", value }]))).toEqual([]);
  },
);

describe("the warning about conditions that contradict each other", () => {
  const condition = (
    field: string,
    operator: Condition["operator"],
    value?: Condition["value"],
    more = {},
  ): Condition => ({
    field,
    operator,
    ...(value === undefined ? {} : { value }),
    ...more,
  });
  const not = { not: true };
  /** Returns the conditions in words, such as `title equals "a" and not (title contains "b")`. */
  const describeAll = (conditions: Condition[]): string =>
    conditions
      .map(({ field, operator, value, not: isNegated, ignoreCase }) => {
        const verb = operator.replace(/^(?=one|not_one|greater|less|between)/, "is_").replaceAll("_", " ");
        const compared = value === undefined ? "" : ` ${JSON.stringify(value)}`;
        const text = `${field} ${verb}${compared}${ignoreCase === true ? " (ignoring case)" : ""}`;
        return isNegated === true ? `not (${text})` : text;
      })
      .join(" and ");

  const contradictions: [Condition[], string][] = [
    [[condition("title", "equals", "a"), condition("title", "equals", "b")], "title"],
    [[condition("title", "one_of", ["a", "b"]), condition("title", "starts_with", "c")], "title"],
    [[condition("title", "contains", "a"), condition("title", "contains", "a", not)], "title"],
    [[condition("data.a", "equals", "x"), condition("data.a", "not_equals", "x")], "data.a"],
    [[condition("data.a", "is_empty"), condition("data.a", "contains", "x")], "data.a"],
    [[condition("data.a", "is_empty"), condition("data.a", "is_not_empty")], "data.a"],
    [[condition("data.n", "greater_than", 5), condition("data.n", "less_than", "4.5")], "data.n"],
    [[condition("data.n", "between", [1, 2]), condition("data.n", "greater_than_or_equal", 3)], "data.n"],
    [[condition("priority", "greater_than", "HIGH"), condition("priority", "not_equals", "CRITICAL")], "priority"],
    [[condition("sender", "equals", "A"), condition("sender", "equals", "B")], "sender"],
    [[condition("title", "starts_with", "c"), condition("title", "one_of", ["a", "b"])], "title"],
    [
      [
        condition("title", "one_of", ["a", "b"]),
        condition("title", "contains", "a", not),
        condition("title", "contains", "b", not),
      ],
      "title",
    ],
    [[condition("data.n", "equals", 5), condition("data.n", "not_equals", 5)], "data.n"],
    [[condition("data.n", "one_of", ["1", "2"]), condition("data.n", "not_one_of", ["1", "2"])], "data.n"],
    [[condition("data.n", "is_not_empty"), condition("data.n", "is_not_empty", undefined, not)], "data.n"],
    [[condition("data.n", "less_than_or_equal", 4), condition("data.n", "greater_than", 5)], "data.n"],
    [[condition("data.a.b", "equals", "x"), condition("data.a.b", "starts_with", "y")], "data.a.b"],
  ];
  it.each(contradictions.map(([conditions, field]) => [describeAll(conditions), conditions, field] as const))(
    "is given for %s",
    (_what, conditions, field) => {
      expect(findContradiction(aRule(conditions))).toBe(field);
      expect(doubtsOf(aRule(conditions), new Map())).toEqual(["contradiction conditions"]);
    },
  );

  const possible: Condition[][] = [
    [condition("title", "contains", "a"), condition("title", "contains", "b", not)],
    [condition("title", "equals", "a"), condition("body", "equals", "b")],
    [condition("data.a", "equals", "5"), condition("data.a", "equals", 5)],
    [condition("data.n", "greater_than", 4), condition("data.n", "less_than", 5)],
    [condition("data.a", "is_empty"), condition("data.a", "not_equals", "x")],
    [condition("title", "equals", "a", { ignoreCase: true }), condition("title", "equals", "A")],
    [condition("priority", "greater_than", "NORMAL"), condition("priority", "not_equals", "URGENT")],
    [condition("sender", "equals", "Checkout"), condition("sender", "starts_with", "Check")],
    [condition("data.a", "equals", "xy"), condition("data.a", "starts_with", "x")],
    [condition("title", "contains", "ab"), condition("title", "contains", "cd")],
    [condition("title", "contains", "ab"), condition("title", "contains", "ab")],
    [condition("data.n", "not_equals", 5), condition("data.n", "not_equals", 5)],
    [condition("data.n", "one_of", ["1", "x"]), condition("data.n", "starts_with", "01")],
    [condition("data.n", "greater_than", 5, not), condition("data.n", "less_than", 4)],
    [condition("data.n", "between", [1, 2]), condition("data.n", "between", [2, 3])],
    [condition("data.n", "between", [2, 3]), condition("data.n", "between", [1, 2])],
    [condition("data.n", "greater_than", 5), condition("data.n", "contains", "7")],
    [condition("data.n", "contains", "7"), condition("data.n", "greater_than", 5)],
    [condition("data.n", "less_than", 5), condition("data.n", "less_than", 4)],
  ];
  it.each(possible.map((conditions) => [describeAll(conditions), conditions] as const))(
    "is not given for %s",
    (_what, conditions) => {
      expect(findContradiction(aRule(conditions))).toBeUndefined();
    },
  );

  it("also considers the rule's event key, and is not given if one of several conditions is enough", () => {
    const created = condition("eventKey", "ends_with", ".created");
    expect(findContradiction(aRule([created], { eventKey: "booking.failed" }))).toBe("eventKey");
    expect(findContradiction(aRule([created], { eventKey: "booking.*" }))).toBeUndefined();
    expect(findContradiction(aRule([created], { eventKey: "booking.created" }))).toBeUndefined();
    expect(
      findContradiction(aRule([condition("title", "equals", "a")], { eventKey: "booking.failed" })),
    ).toBeUndefined();
    expect(findContradiction(aRule([created], { eventKey: "booking.failed", conditionMatch: "any" }))).toBe("eventKey");
    expect(
      findContradiction(
        aRule([condition("title", "equals", "a"), condition("title", "equals", "b")], { conditionMatch: "any" }),
      ),
    ).toBeUndefined();
  });
});
