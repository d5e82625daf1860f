import { assert, constantFrom, json, nat, property } from "fast-check";
import { expect, it } from "vitest";
import { findJsonFault } from "../../../../core/domain/basics/json-fault.ts";

const show = (text: string) => {
  const fault = findJsonFault(text);
  return fault === undefined ? undefined : `${fault.line}:${fault.column} ${fault.expected}, not ${fault.found}`;
};

it.each([
  ["{", "1:2 a name in double quotes or }, not the end"],
  ['{"a":1,}', '1:8 a name in double quotes, not "}"'],
  ['{\n  "a": 1\n  "b": 2\n}', '3:3 a comma or }, not "\\""'],
  ["{'a': 1}", '1:2 a name in double quotes or }, not "\'"'],
  ["{a: 1}", '1:2 a name in double quotes or }, not "a"'],
  ['{"a": True}', '1:7 a value, not "T"'],
  ['{"a": NaN}', '1:7 a value, not "N"'],
  ['{"a": 01}', '1:7 a value, not "0"'],
  ['{"a" 1}', '1:6 a colon, not "1"'],
  ['{"a": [1 2]}', '1:10 a comma or ], not "2"'],
  ['{"a": [1,]}', '1:10 a value, not "]"'],
  ['{"ä🙂": 1} x', '1:11 the end of the body, not "x"'],
  [
    '{"a": "line\nbreak"}',
    '1:7 a text that is closed, with line breaks, quotes and backslashes in it escaped, not "\\""',
  ],
  ['{"a": 1} // done', '1:10 the end of the body, not "/"'],
  ["", "1:1 a value, not the end"],
])("%j breaks at %s", (text, where) => {
  expect(show(text)).toBe(where);
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it("finds a fault exactly where JSON.parse does", () => {
  assert(
    property(json(), nat(), constantFrom("", ",", '"', "}", "\\", "0", "\u0001", "e"), (text, number, more) => {
      const at = number % (text.length + 1);
      const broken = text.slice(0, at) + more + text.slice(at + (number % 2));
      expect(findJsonFault(text)).toBeUndefined();
      expect(findJsonFault(broken) === undefined).toBe(isJson(broken));
    }),
    { numRuns: 2_000 },
  );
});

it("does not mind a depth that would exhaust a stack, nor long texts", () => {
  expect(findJsonFault("[".repeat(100_000))).toMatchObject({ column: 100_001 });
  expect(findJsonFault(`"${"x".repeat(262_000)}`)).toMatchObject({ column: 1 });
  expect(findJsonFault(`"${"\\u0041".repeat(40_000)}"`)).toBeUndefined();
});
