import { expect, it } from "vitest";
import { takeItemsThatFit } from "../../../../core/domain/basics/fitting.ts";

// Lambda sends JSON inside JSON, so "ab" has eight bytes: its quotes are escaped, and the whole is quoted again.
it.each([
  [0, [], 0],
  [7, [], 0],
  [8, ["ab"], 0],
  [15, ["ab"], 0],
  [16, ["ab", "cd"], 0],
  [22, ["ab", "cd"], 0],
  [23, ["ab", "cd", "e"], 0],
  [24, ["ab", "cd", "e"], 1],
  [30, ["ab", "cd", "e"], 7],
])("a list of values is cut to the first values that fit into %d bytes: %j", (bytes, taken, left) => {
  expect(takeItemsThatFit(["ab", "cd", "e"], bytes)).toEqual({ taken, left });
});

it("a list that is cut to a size ends before the first value that does not fit, counted in UTF-8 bytes", () => {
  expect(takeItemsThatFit(["a".repeat(50), ""], 40)).toEqual({ taken: [], left: 0 });
  expect(takeItemsThatFit(["🙂"], 10)).toEqual({ taken: ["🙂"], left: 0 });
  expect(takeItemsThatFit(["🙂"], 9)).toEqual({ taken: [], left: 0 });
  expect(takeItemsThatFit([], 9)).toEqual({ taken: [], left: 9 });
});
