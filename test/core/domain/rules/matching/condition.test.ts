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
    ["equals", "a priority", "URGENT"],
    ["not_equals", "CRITICAL", "CRITICAL"],
    ["one_of", "two priorities", ["LOW", "CRITICAL"]],
    ["not_one_of", "one priority", ["NORMAL"]],
    ["contains", "a part of a priority", "URG"],
    ["matches_regex", "a pattern", "^U"],
    ["is_empty", "no value", undefined],
    ["greater_than", "a priority", "NORMAL"],
    ["less_than_or_equal", "CRITICAL", "CRITICAL"],
    ["between", "two ascending priorities", ["NORMAL", "CRITICAL"]],
  ])("may have the operator %s with %s", (operator, _what, value) => {
    expect(faultsOf({ field: "priority", operator, value })).toEqual([]);
  });

  it.each([
    ["equals", "a priority in lower case", "urgent"],
    ["equals", "a number", 5],
    ["not_equals", "an unknown priority", "LOUD"],
    ["one_of", "a known and an unknown priority", ["LOW", "LOUD"]],
    ["not_one_of", "an unknown and a known priority", ["LOUD", "LOW"]],
    ["greater_than", "a number", 1],
    ["less_than", "a number as text", "12"],
    ["between", "a number and a priority", [1, "HIGH"]],
  ])('is refused with the operator "%s" and %s', (operator, _what, value) => {
    expect(faultsOf({ field: "priority", operator, value })).toEqual([priorities]);
  });

  it.each([
    ["less_than", "a priority in lower case", "high"],
    ["between", "two descending priorities", ["HIGH", "LOW"]],
    ["between", "only one priority", ["URGENT"]],
  ])('is refused with the operator "%s" and %s', (operator, _what, value) => {
    expect(faultsOf({ field: "priority", operator, value })).toHaveLength(1);
  });

  it("may compare priorities by their order, while a condition on another field may not", () => {
    expect(faultsOf({ field: "data.level", operator: "greater_than", value: "HIGH" })).toHaveLength(1);
    expect(faultsOf({ field: "data.level", operator: "between", value: ["LOW", "HIGH"] })).toHaveLength(1);
  });

  it("is refused with an unknown priority, but a condition on another field may have any text", () => {
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

  it("stores `not` and `ignoreCase` only if they are true", () => {
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
    ["from 1 to 2 is accepted", [1, 2], true],
    ["from 2 to 2 is accepted", [2, 2], true],
    ["from 1e400 to 1e401 is accepted", ["1e400", "1e401"], true],
    ["from 9007199254740992 to 9007199254740993 is accepted", ["9007199254740992", "9007199254740993"], true],
    ["from 2 to 1 is refused", [2, 1], false],
    ["from 9007199254740993 to 9007199254740992 is refused", ["9007199254740993", "9007199254740992"], false],
    ["of one number is refused", [1], false],
    ["of three numbers is refused", [1, 2, 3], false],
    ["from a word to a number is refused", ["x", 2], false],
    ["from a number to a word is refused", [1, "x"], false],
  ])("with a range %s", (_what, value, good) => {
    expect(faultsOf({ field: "data.n", operator: "between", value }).length === 0).toBe(good);
  });

  it.each<readonly [string, string]>([
    ["16 levels below data", `data.${"a.".repeat(15)}a`],
    ["with a path of 256 characters", `data.${"x".repeat(251)}`],
    ...["title", "data.a", "data.a.b", "eventKey", "detail", "url", "sender"].map(
      (field) => [`"${field}"`, field] as const,
    ),
  ])("may be on the field %s", (_what, field) => {
    expect(faultsOf({ field, operator: "is_empty" })).toEqual([]);
  });

  it.each<readonly [string, string]>([
    ["17 levels below data", `data.${"a.".repeat(16)}a`],
    ["with a path of 257 characters", `data.${"x".repeat(252)}`],
    ...[
      "data",
      "data.",
      "data..a",
      "data.a.",
      "data.__proto__",
      "data.a.__proto__.b",
      "date.a",
      "sender.id",
      "eventkey",
      "",
    ].map((field) => [`"${field}"`, field] as const),
  ])("may not be on the field %s", (_what, field) => {
    expect(faultsOf({ field, operator: "is_empty" })).not.toEqual([]);
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
