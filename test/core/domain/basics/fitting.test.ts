import { expect, it } from "vitest";
import { takeItemsThatFit } from "../../../../core/domain/basics/fitting.ts";

// Lambda sends JSON inside JSON, so "ab" has eight bytes: its quotes are escaped, and the whole is quoted again.
it.each([
  [0, 0, [], 0],
  [7, 0, [], 0],
  [8, 1, ["ab"], 0],
  [15, 1, ["ab"], 0],
  [16, 2, ["ab", "cd"], 0],
  [22, 2, ["ab", "cd"], 0],
  [23, 3, ["ab", "cd", "e"], 0],
  [24, 3, ["ab", "cd", "e"], 1],
  [30, 3, ["ab", "cd", "e"], 7],
])(
  "a list of three values that is cut to %d bytes keeps this number of its first values: %d",
  (bytes, _, taken, left) => {
    expect(takeItemsThatFit(["ab", "cd", "e"], bytes)).toEqual({ taken, left });
  },
);

it("a list that is cut to a size ends before the first value that does not fit, counted in UTF-8 bytes", () => {
  expect(takeItemsThatFit(["a".repeat(50), ""], 40)).toEqual({ taken: [], left: 0 });
  expect(takeItemsThatFit(["🙂"], 10)).toEqual({ taken: ["🙂"], left: 0 });
  expect(takeItemsThatFit(["🙂"], 9)).toEqual({ taken: [], left: 0 });
  expect(takeItemsThatFit([], 9)).toEqual({ taken: [], left: 9 });
});
