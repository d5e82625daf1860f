import { expect, it } from "vitest";
import { describeNames, pickShownNames } from "../../../../core/domain/planning/uses.ts";

it.each([
  [5, "A1, A2, A3, A4, A5"],
  [6, "A1, A2, A3, A4, A5, ..."],
])("if %i other items use an item, the refusal to delete that item names the first five: %s", (count, names) => {
  const uses = Array.from({ length: count }, (_, nr) => ({ id: `rule_${nr + 1}`, name: `A${nr + 1}`, more: true }));

  expect(describeNames(uses)).toBe(names);
  expect(pickShownNames(uses.slice(0, 1))).toEqual([{ id: "rule_1", name: "A1" }]);
});
