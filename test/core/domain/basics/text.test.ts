import * as v from "valibot";
import { expect, it } from "vitest";
import {
  countJsonSize,
  repairText,
  repairedTextSchema,
  nameSchema,
  textSchema,
} from "../../../../core/domain/basics/text.ts";

const faultsOf = (schema: v.GenericSchema<unknown>, value: unknown): string[] =>
  (v.safeParse(schema, value).issues ?? []).map(({ message }) => message);

it("the length of a text is counted in visible characters, and a fault names the limit", () => {
  const Name = textSchema("name", 3);

  expect([faultsOf(Name, "a"), faultsOf(Name, "🙂🙂🙂")]).toEqual([[], []]);
  expect(faultsOf(Name, "")).toEqual(["name must not be empty."]);
  expect(faultsOf(Name, "🙂🙂🙂🙂")).toEqual(["name must have at most 3 characters."]);
  expect(faultsOf(Name, 5)).toEqual(["name must be a string."]);
});

it("an empty text is accepted if the minimum length is zero; a fault about a short text names the minimum", () => {
  expect(faultsOf(textSchema("note", 3, 0), "")).toEqual([]);
  expect(faultsOf(textSchema("code", 3, 2), "a")).toEqual(["code must have at least 2 characters."]);
});

it.each([
  ["a\u0000", "name must not contain the character NUL."],
  ["\ud83d", "name must be valid Unicode: it contains half of a surrogate pair."],
])("a text with an invalid character is refused: %j", (value, message) => {
  expect(faultsOf(textSchema("name", 3), value)).toEqual([message]);
});

it("a name may not be blank", () => {
  const Name = nameSchema("name", 3);

  expect([" a ", "a"].map((value) => faultsOf(Name, value))).toEqual([[], []]);
  expect(faultsOf(Name, " \n ")).toEqual(["name must not be blank."]);
  expect(faultsOf(Name, "")).toEqual(["name must not be empty."]);
});

it("a text from a tool is repaired if possible, and refused if it is too short or too long", () => {
  const Title = repairedTextSchema("title", 3);

  expect(repairText("a\u0000\u0000b\ud83d🙂")).toBe("a\ufffd\ufffdb\ufffd🙂");
  expect(v.parse(Title, "\u0000🙂\udc00")).toBe("\ufffd🙂\ufffd");
  expect(faultsOf(Title, "")).toEqual(["title must not be empty."]);
  expect(faultsOf(Title, "🙂🙂🙂🙂")).toEqual(["title must have at most 3 characters."]);
  expect(faultsOf(Title, 5)).toEqual(["title must be a string."]);
  expect(faultsOf(repairedTextSchema("note", 3, 0), "")).toEqual([]);
});

it("the size of a text is the number of UTF-8 bytes of its JSON", () => {
  expect(['a"', "é", "🙂", { a: [1] }].map(countJsonSize)).toEqual([5, 4, 6, 9]);
});
