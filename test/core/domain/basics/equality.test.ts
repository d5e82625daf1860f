import { expect, it } from "vitest";
import { isDeepEqual } from "../../../../core/domain/basics/equality.ts";

it.each([
  ["equal numbers", 1, 1],
  ["equal texts", "a", "a"],
  ["null and null", null, null],
  ["two empty arrays", [], []],
  ["two empty objects", {}, {}],
  ["objects with the same fields in another order", { a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }],
  ["an object with only an undefined field and an empty object", { a: undefined }, {}],
  ["an object with a further undefined field and one without it", { a: 1, b: undefined }, { a: 1 }],
])("%s are deeply equal", (_, one, other) => {
  expect(isDeepEqual(one, other)).toBe(true);
  expect(isDeepEqual(other, one)).toBe(true);
});

it.each([
  ["a number and the same number as a text", 1, "1"],
  ["zero and null", 0, null],
  ["null and an empty object", null, {}],
  ["null and an empty array", null, []],
  ["an empty array and an empty object", [], {}],
  ["an empty text and an empty array", "", []],
  ["a text and an array of its letters", "ab", ["a", "b"]],
  ["objects with different values", { a: 1 }, { a: 2 }],
  ["objects with different fields", { a: 1 }, { b: 1 }],
  ["an object and one with a further field", { a: 1 }, { a: 1, b: 2 }],
  ["an object with a field that is null and an empty object", { a: null }, {}],
  ["objects with different fields, each with an undefined field", { a: undefined, b: 1 }, { c: undefined, a: 1 }],
  ["arrays with the same entries in another order", [1, 2], [2, 1]],
  ["an array and one with a further entry", [1], [1, 2]],
  ["an array and an object with the array's position as a field", ["a"], { 0: "a" }],
  ["objects with different values inside inner objects", { a: { b: [1] } }, { a: { b: [2] } }],
])("%s are not deeply equal", (_, one, other) => {
  expect(isDeepEqual(one, other)).toBe(false);
  expect(isDeepEqual(other, one)).toBe(false);
});
