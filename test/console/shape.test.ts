import { describe, expect, it } from "vitest";
import {
  isNumber,
  isText,
  isBoolean,
  listShape,
  optionalShape,
  readJson,
  objectShape,
} from "../../console/app/shape.ts";

const isPress = objectShape({
  id: isText,
  at: isNumber,
  note: optionalShape(isText),
  ids: listShape(isText),
  news: isBoolean,
});
const press = { id: "evt_1", at: 5, note: "mine", ids: ["a", "b"], news: false };

describe("stored or external data that is checked against a shape", () => {
  it("is accepted if it has the shape, even with further fields", () => {
    expect(isPress(press)).toBe(true);
    expect(isPress({ ...press, ids: [], note: undefined, more: 1 })).toBe(true);
    const { note: _, ...withoutNote } = press;
    expect(isPress(withoutNote)).toBe(true);
  });

  it.each([
    ["a text", "evt_1"],
    ["null", null],
    ["missing", undefined],
    ["a list", [press]],
    ["an object with a number instead of a text", { ...press, id: 1 }],
    ["an object with a text instead of a number", { ...press, at: "5" }],
    ["an object with null as an optional field", { ...press, note: null }],
    ["an object with a text instead of a list", { ...press, ids: "a" }],
    ["an object with a number in a list of texts", { ...press, ids: ["a", 2] }],
    ["an object with a text instead of a boolean", { ...press, news: "false" }],
    ["an object without a required field", { at: 5, ids: [], news: true }],
  ])("is refused if it is %s", (_, value) => {
    expect(isPress(value)).toBe(false);
  });

  it.each([
    ["null instead of a text", null],
    ["an empty text", ""],
    ["a text that is not JSON", "{"],
    ["JSON of another shape", '{"id":1}'],
  ])("is treated as missing if it is %s", (_, text) => {
    expect(readJson(text, objectShape({ id: isText }))).toBeUndefined();
  });

  it("is read from JSON text of that shape", () => {
    expect(readJson('{"id":"evt_1"}', objectShape({ id: isText }))).toEqual({ id: "evt_1" });
  });
});
