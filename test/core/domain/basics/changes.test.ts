import * as v from "valibot";
import { expect, it } from "vitest";
import { patchSchema } from "../../../../core/domain/basics/changes.ts";

const Change = patchSchema({ name: v.string(), note: v.nullable(v.string()) });

it.each([
  ["changes no field", {}, true],
  ["changes one field", { name: "New" }, true],
  ["sets a nullable field to null", { name: "New", note: null }, true],
  ["sets a field to null that must not be null", { name: null }, false],
  ["sets a field to undefined", { name: undefined }, false],
  ["changes an unknown field", { colour: "red" }, false],
])("an update that %s is accepted: $2", (_, change, good) => {
  expect(v.is(Change, change)).toBe(good);
});
