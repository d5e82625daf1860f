import { expect, it } from "vitest";
import { isDeepEqual } from "../../../../core/domain/basics/equality.ts";

it.each([
  [1, 1],
  ["a", "a"],
  [null, null],
  [[], []],
  [{}, {}],
  [
    { a: 1, b: [{ c: null }] },
    { b: [{ c: null }], a: 1 },
  ],
  [{ a: undefined }, {}],
  [{ a: 1, b: undefined }, { a: 1 }],
])("%j and %j are deeply equal", (one, other) => {
  expect(isDeepEqual(one, other)).toBe(true);
  expect(isDeepEqual(other, one)).toBe(true);
});

it.each([
  [1, "1"],
  [0, null],
  [null, {}],
  [null, []],
  [[], {}],
  ["", []],
  ["ab", ["a", "b"]],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: null }, {}],
  [
    { a: undefined, b: 1 },
    { c: undefined, a: 1 },
  ],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [["a"], { 0: "a" }],
  [{ a: { b: [1] } }, { a: { b: [2] } }],
])("%j and %j are not deeply equal", (one, other) => {
  expect(isDeepEqual(one, other)).toBe(false);
  expect(isDeepEqual(other, one)).toBe(false);
});
