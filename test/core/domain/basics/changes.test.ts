import * as v from "valibot";
import { expect, it } from "vitest";
import { patchSchema } from "../../../../core/domain/basics/changes.ts";

const Change = patchSchema({ name: v.string(), note: v.nullable(v.string()) });

it.each([
  [{}, true],
  [{ name: "New" }, true],
  [{ name: "New", note: null }, true],
  [{ name: null }, false],
  [{ name: undefined }, false],
  [{ colour: "red" }, false],
])("an update of the fields %j is accepted: %s", (change, good) => {
  expect(v.is(Change, change)).toBe(good);
});
