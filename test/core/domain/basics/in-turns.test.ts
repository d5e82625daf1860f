import { expect, it } from "vitest";
import { inRotation } from "../../../../core/domain/basics/in-turns.ts";

it("each turn takes the items after those of the turn before, until all have had their turn", () => {
  const turns = [0, 1, 2, 3].map((turn) => inRotation(["a", "b", "c", "d", "e"], 2, turn).join(""));

  expect(turns).toEqual(["ab", "cd", "ea", "bc"]);
  expect(inRotation(["a", "b"], 3, 7)).toEqual(["b", "a"]);
  expect(inRotation([], 3, 7)).toEqual([]);
});
