import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { Condition, Conditions } from "../../../../../core/domain/rules/matching/condition.ts";

const faultsOf = (condition: unknown): string[] => {
  const { issues = [] } = v.safeParse(Condition, condition);
  return issues.map((issue) => `${v.getDotPath(issue) ?? ""}: ${issue.message}`);
};
const priorities = "value: A priority is one of LOW, NORMAL, HIGH, URGENT, CRITICAL.";

describe("a condition on the priority", () => {
  it.each([
    ["equals", "URGENT"],
    ["not_equals", "CRITICAL"],
    ["one_of", ["LOW", "CRITICAL"]],
    ["not_one_of", ["NORMAL"]],
    ["contains", "URG"],
    ["matches_regex", "^U"],
    ["is_empty", undefined],
    ["greater_than", "NORMAL"],
    ["less_than_or_equal", "CRITICAL"],
    ["between", ["NORMAL", "CRITICAL"]],
  ])("may have the operator %s with the value %j", (operator, value) => {
    expect(faultsOf({ field: "priority", operator, value })).toEqual([]);
  });

  it.each([
    ["equals", "urgent"],
    ["equals", 5],
    ["not_equals", "LOUD"],
    ["one_of", ["LOW", "LOUD"]],
    ["not_one_of", ["LOUD", "LOW"]],
    ["greater_than", 1],
    ["less_than", "12"],
    ["between", [1, "HIGH"]],
  ])("is refused if no event can meet it: the operator %s with the value %j", (operator, value) => {
    expect(faultsOf({ field: "priority", operator, value })).toEqual([priorities]);
  });

  it.each([
    ["less_than", "high"],
    ["between", ["HIGH", "LOW"]],
    ["between", ["URGENT"]],
  ])("is refused with a suggestion: the operator %s with the value %j", (operator, value) => {
    expect(faultsOf({ field: "priority", operator, value })).toHaveLength(1);
  });

  it("is the only condition that may compare priority names by order, such as greater_than HIGH", () => {
    expect(faultsOf({ field: "data.level", operator: "greater_than", value: "HIGH" })).toHaveLength(1);
    expect(faultsOf({ field: "data.level", operator: "between", value: ["LOW", "HIGH"] })).toHaveLength(1);
  });

  it("is the only condition whose value is validated; other fields may be compared with any value", () => {
    expect(faultsOf({ field: "title", operator: "equals", value: "LOUD" })).toEqual([]);
    expect(faultsOf({ field: "data.priority", operator: "one_of", value: ["LOUD"] })).toEqual([]);
  });
});

describe("a condition", () => {
  it("drops its value if its operator needs none", () => {
    expect(v.parse(Condition, { field: "title", operator: "is_empty", value: null })).toEqual({
      field: "title",
      operator: "is_empty",
    });
  });

  it("stores `negate` and `ignoreCase` only if they are true", () => {
    const equals = { field: "title", operator: "equals", value: "x" };

    expect(v.parse(Condition, { ...equals, not: true, ignoreCase: true })).toEqual({
      field: "title",
      operator: "equals",
      value: "x",
      not: true,
      ignoreCase: true,
    });
    expect(v.parse(Condition, { ...equals, not: false, ignoreCase: false })).toEqual(equals);
    expect(faultsOf({ ...equals, not: "true", ignoreCase: 1 })).toEqual([
      "not: not must be true or false.",
      "ignoreCase: ignoreCase must be true or false.",
    ]);
  });

  it.each([
    ["greater_than", 5],
    ["between", [1, 2]],
    ["is_empty", undefined],
  ])("may not ignore case if it does not compare texts (%s)", (operator, value) => {
    const condition = { field: "data.n", operator, ...(value === undefined ? {} : { value }) };

    expect(faultsOf({ ...condition, not: true, ignoreCase: false })).toEqual([]);
    expect(faultsOf({ ...condition, ignoreCase: true })).toEqual([
      "ignoreCase: ignoreCase is only for text operators (equals, not_equals, one_of, not_one_of, contains, " +
        `starts_with, ends_with, matches_regex). Leave ignoreCase out with ${operator}.`,
    ]);
  });

  it("is refused without its field or value, with an unknown field or operator, or if it is not an object", () => {
    expect(faultsOf({ field: "title", operator: "equals" })).toEqual(["value: A condition must have this field."]);
    expect(faultsOf({ operator: "is_empty" })).toEqual(["field: A condition must have this field."]);
    expect(faultsOf({ field: "title", operator: "is_empty", colour: 1 })).toEqual([
      "colour: A condition does not have this field.",
    ]);
    expect(faultsOf("title")).toHaveLength(1);
    expect(faultsOf({ field: "title", operator: "toString", value: "x" })).toEqual([
      expect.stringMatching(
        /^operator: A condition has a field, an operator and its value; the operator is one of equals, /,
      ),
    ]);
  });

  it.each([
    [[1, 2], true],
    [[2, 2], true],
    [["1e400", "1e401"], true],
    [["9007199254740992", "9007199254740993"], true],
    [[2, 1], false],
    [["9007199254740993", "9007199254740992"], false],
    [[1], false],
    [[1, 2, 3], false],
    [["x", 2], false],
    [[1, "x"], false],
  ])("with the range %j is accepted: %j", (value, good) => {
    expect(faultsOf({ field: "data.n", operator: "between", value }).length === 0).toBe(good);
  });

  it.each([
    ["title", true],
    ["data.a", true],
    ["data.a.b", true],
    [`data.${"a.".repeat(15)}a`, true],
    [`data.${"a.".repeat(16)}a`, false],
    [`data.${"x".repeat(251)}`, true],
    [`data.${"x".repeat(252)}`, false],
    ["data", false],
    ["data.", false],
    ["data..a", false],
    ["data.a.", false],
    ["data.__proto__", false],
    ["data.a.__proto__.b", false],
    ["date.a", false],
    ["eventKey", true],
    ["detail", true],
    ["url", true],
    ["sender", true],
    ["sender.id", false],
    ["eventkey", false],
    ["", false],
  ])("on the field %j is accepted: %j", (field, good) => {
    expect(faultsOf({ field, operator: "is_empty" }).length === 0).toBe(good);
  });
});

it("a rule may have up to 50 conditions", () => {
  const one = { field: "title", operator: "is_empty" };

  expect(
    v.is(
      Conditions,
      Array.from({ length: 50 }, () => one),
    ),
  ).toBe(true);
  expect(
    v.is(
      Conditions,
      Array.from({ length: 51 }, () => one),
    ),
  ).toBe(false);
});
