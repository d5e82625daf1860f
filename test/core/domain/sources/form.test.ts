import { expect, it } from "vitest";
import { isJsonText, readForm } from "../../../../core/domain/sources/form.ts";

it.each([
  ["gives a field for each name", "Name=Shop&Status=Down", { Name: "Shop", Status: "Down" }],
  ["gives decoded texts, without a line break at the end", "Name=A+b%C3%A9&empty=\n", { Name: "A bé", empty: "" }],
  ["gives a list for a repeated name", "tag=db&tag=prod&id=1", { tag: ["db", "prod"], id: "1" }],
  ["gives an object for JSON in a text", "payload=%7B%22state%22%3A%22down%22%7D", { payload: { state: "down" } }],
  ["gives a text for broken JSON", "payload=%7Bbroken", { payload: "{broken" }],
  ["gives no fields if it is empty", "", {}],
])("a form-encoded body %s", (_, text, fields) => {
  expect(readForm(text)).toEqual(fields);
});

it.each([
  ["that starts with a brace may be JSON", '{"a":1}', true],
  ["that starts with a bracket after white space may be JSON", "\n [1]", true],
  ["that has no brace is not JSON", "a=1", false],
  ["that has braces only after its start is not JSON", "a={}", false],
])("the text of a form %s", (_, text, can) => {
  expect(isJsonText(text)).toBe(can);
});
