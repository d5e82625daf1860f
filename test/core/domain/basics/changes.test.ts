import * as v from "valibot";
import { expect, it } from "vitest";
import { patchSchema } from "../../../../core/domain/basics/changes.ts";

const Change = patchSchema({ name: v.string(), note: v.nullable(v.string()) });

it.each([
  ["changes no field", {}, true, "accepted"],
  ["changes one field", { name: "New" }, true, "accepted"],
  ["sets a nullable field to null", { name: "New", note: null }, true, "accepted"],
  ["sets a field to null that must not be null", { name: null }, false, "refused"],
  ["has an undefined field", { name: undefined }, false, "refused"],
  ["changes an unknown field", { colour: "red" }, false, "refused"],
])("an update that %s is $3", (_, change, good, _verb) => {
  expect(v.is(Change, change)).toBe(good);
});
