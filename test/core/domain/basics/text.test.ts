import * as v from "valibot";
import { expect, it } from "vitest";
import { text } from "../../../../core/domain/basics/text.ts";

const faults = (schema: v.GenericSchema<unknown>, value: unknown): string[] =>
  (v.safeParse(schema, value).issues ?? []).map(({ message }) => message);

it("has its length in characters as people count them, and says what would be right", () => {
  const Name = text("name", 3);

  expect([faults(Name, "a"), faults(Name, "🙂🙂🙂")]).toEqual([[], []]);
  expect(faults(Name, "")).toEqual(["name must not be empty."]);
  expect(faults(Name, "🙂🙂🙂🙂")).toEqual(["name must have at most 3 characters."]);
  expect(faults(Name, 5)).toEqual(["name must be a string."]);
});

it("may be empty where the least is nothing, and says how much the least is where it is more", () => {
  expect(faults(text("note", 3, 0), "")).toEqual([]);
  expect(faults(text("code", 3, 2), "a")).toEqual(["code must have at least 2 characters."]);
});

it.each([
  ["a\u0000", "name must not hold the character NUL."],
  ["\ud83d", "name must be well-formed Unicode: it holds half of a surrogate pair."],
])("refuses %j", (value, message) => {
  expect(faults(text("name", 3), value)).toEqual([message]);
});
