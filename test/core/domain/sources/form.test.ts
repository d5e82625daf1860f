import { expect, it } from "vitest";
import { isJsonText, readForm } from "../../../../core/domain/sources/form.ts";

it.each([
  ["Name=Shop&Status=Down", { Name: "Shop", Status: "Down" }],
  ["Name=A+b%C3%A9&empty=\n", { Name: "A bé", empty: "" }],
  ["tag=db&tag=prod&id=1", { tag: ["db", "prod"], id: "1" }],
  ["payload=%7B%22state%22%3A%22down%22%7D", { payload: { state: "down" } }],
  ["payload=%7Bbroken", { payload: "{broken" }],
  ["", {}],
])("the form-encoded body %j has the fields %j", (text, fields) => {
  expect(readForm(text)).toEqual(fields);
});

it.each([
  ['{"a":1}', true],
  ["\n [1]", true],
  ["a=1", false],
  ["a={}", false],
])("the text %j looks like JSON: %s", (text, can) => {
  expect(isJsonText(text)).toBe(can);
});
