import { expect, it } from "vitest";
import { formatSuggestion, findNearest, findNearestOpposite } from "../../../../core/domain/basics/nearest.ts";

const known = ["conditions", "conditionMatch", "onCallOnly", "targets", "name"];

it.each([
  ["condition", "conditions"],
  ["contitions", "conditions"],
  ["conditoins", "conditions"],
  ["on_call_only", "onCallOnly"],
  ["onCallonly", "onCallOnly"],
  ["TARGETS", "targets"],
  ["nmae", "name"],
])("for the unknown name %j, the suggestion is %j", (written, meant) => {
  expect(findNearest(written, known)).toBe(meant);
});

it.each<[string, string]>([
  ...["colour", "n", "__proto__"].map((name): [string, string] => [name, name]),
  ["of no characters", ""],
  ["of 10,000 characters", "x".repeat(10_000)],
])("for the unknown name %s, no known name is suggested", (_, written) => {
  expect(findNearest(written, known)).toBeUndefined();
});

const operators = [
  "equals",
  "not_equals",
  "contains",
  "starts_with",
  "greater_than",
  "less_than",
  "is_empty",
  "is_not_empty",
];

it.each([
  ["not_contains", operators],
  ["unequals", operators],
  ["notContains", operators],
  ["excludeUrgent", ["includeUrgent"]],
  ["disable", ["enable"]],
  ["max_length", ["minLength"]],
])("the unknown name %j gets no suggestion that means the opposite", (written, names) => {
  expect(findNearest(written, names)).toBeUndefined();
});

it.each([
  ["not_equal", "not_equals"],
  ["isnt_empty", "is_not_empty"],
  ["not_empty", "is_not_empty"],
  ["isnotempy", "is_not_empty"],
  ["containts", "contains"],
  ["greater_then", "greater_than"],
])("for the unknown operator %s, the suggestion %s has the same meaning", (written, meant) => {
  expect(findNearest(written, operators)).toBe(meant);
});

it.each([
  ["not_contains", "contains"],
  ["does_not_contain", "contains"],
  ["doesntContain", "contains"],
  ["unequals", "equals"],
  ["not_starts_with", "starts_with"],
])("the name %s is recognised as the opposite of the operator %s", (written, meant) => {
  expect(findNearestOpposite(written, operators)).toBe(meant);
});

it.each(["contains", "not_a_chance"])("the name %s is not recognised as the opposite of any operator", (written) => {
  expect(findNearestOpposite(written, operators)).toBeUndefined();
});

it.each([
  ["eq", "equals"],
  [" EQ ", "equals"],
  ["!=", "not_equals"],
  [">", "greater_than"],
  ["exists", "is_not_empty"],
])("for the operator %j of other services, this service's operator %j is suggested", (written, meant) => {
  expect(findNearest(written, operators)).toBe(meant);
});

it.each(["regex", "constructor"])("no operator is suggested for %s, because none has that meaning", (written) => {
  expect(findNearest(written, operators)).toBeUndefined();
});

it("a known name keeps its own meaning, even if other services use the name for something else", () => {
  expect(findNearest("in", ["one_of", "in"])).toBe("in");
  expect(findNearest("in", ["one_of"])).toBe("one_of");
});

it("of two equally close names, the first is suggested", () => {
  expect(findNearest("abcd", ["abcde", "abdc"])).toBe("abcde");
  expect(findNearest("abcd", ["abdc", "abcde"])).toBe("abdc");
});

it.each([
  ["abc", "xac"],
  ["abc", "bxc"],
  ["zacb", "yabc"],
  ["ab", "abc"],
])(
  "for the unknown name %s, the name %s is not suggested, because more than a third of the letters differ",
  (written, name) => {
    expect(findNearest(written, [name])).toBeUndefined();
  },
);

it("suggestions are made for unknown names of up to 64 characters", () => {
  expect(findNearest("x".repeat(64), [`${"x".repeat(63)}y`])).toBe(`${"x".repeat(63)}y`);
  expect(findNearest("x".repeat(65), [`${"x".repeat(64)}y`])).toBeUndefined();
});

it("the message for an unknown name asks whether the closest known name was meant", () => {
  expect([formatSuggestion("nmae", known), formatSuggestion("colour", known)]).toEqual([" Did you mean name?", ""]);
});
