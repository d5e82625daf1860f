import { expect, it } from "vitest";
import { nearest } from "../../../../core/domain/basics/nearest.ts";

const known = ["conditions", "conditionMatch", "onCallOnly", "targets", "name"];

it.each([
  ["condition", "conditions"],
  ["contitions", "conditions"],
  ["conditoins", "conditions"],
  ["on_call_only", "onCallOnly"],
  ["onCallonly", "onCallOnly"],
  ["TARGETS", "targets"],
  ["nmae", "name"],
])("%s is %s", (written, meant) => {
  expect(nearest(written, known)).toBe(meant);
});

it.each(["", "colour", "x".repeat(10_000), "n", "__proto__"])("%s is none of them", (written) => {
  expect(nearest(written, known)).toBeUndefined();
});
