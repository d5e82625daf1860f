import { expect, it } from "vitest";
import { findJsonFault } from "../../../../core/domain/basics/json-fault.ts";
import { isJson } from "./is-json.ts";

const describeFault = (text: string) => {
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
  ['{"a": "line\nbreak"}', '1:7 a closed string, with line breaks, quotes and backslashes escaped, not "\\""'],
  ['{"a": 1} // done', '1:10 the end of the body, not "/"'],
  ["", "1:1 a value, not the end"],
])(
  "the fault in the invalid JSON %j is reported with line, column, what is expected, and what is there: %s",
  (text, where) => {
    expect(describeFault(text)).toBe(where);
  },
);

it.each(
  [
    ["0", "-0", "1.50", "-12.25e+10", "1E-2", "1e5", "10", "true", "false", "null", " 1 ", "\t[\r\n]"],
    ["-", "+1", "00", "-01", ".5", "1.", "1.e5", "1e", "1e+", "0x1", "1_0", "1 2", "truex", "nul", "true1", "1.2.3"],
    ['""', '"a"', '"\\n\\t\\b\\f\\r\\/\\\\\\""', '"\\u00e9\\uABCD"', '"\u007f\u0085"', '"\u2028"', '"\ud83d"'],
    ['"', '"a', '"\\"', '"\\x"', '"\\u00e"', '"\\u00eg"', '"\u0000"', '"\u001f"', '"\t"', '"a"b', "'a'"],
    ["[]", "[ ]", "[1]", "[1,[2,[]],{}]", "[1 , 2]", "[,]", "[1,]", "[,1]"],
    ["[1", "[", "]", "[1}", "[[1]", "[1]]", "[:]"],
    ["{}", "{ }", '{"a":1}', '{"a" : {"b":[]} , "c":{}}', '{"a":{},"a":1}', '{"":""}'],
    ["{", "}", '{"a"', '{"a":', '{"a":1', '{"a":1]', '{"a"}', '{"a",1}', '{"a":,}', '{"a":1,}', '{,"a":1}', "{1:1}"],
    ['{"a":1 "b":2}', '{"a"::1}', "{[]:1}", "{null:1}", "{}{}", '{"a":[1}', "\u00a01", "\ufeff1", "\v1", "1\f"],
  ].flat(),
)("the JSON fault finder and JSON.parse agree on whether this text is valid JSON: %j", (text) => {
  expect(findJsonFault(text) === undefined).toBe(isJson(text));
});

it.each([
  ["True", " JSON has true, false and null."],
  ["[undefined", " JSON has true, false and null."],
  ["-Infinity", " JSON has no NaN or Infinity. Leave the field out."],
  ["[NaN]", " JSON has no NaN or Infinity. Leave the field out."],
  ["// a", " JSON has no comments."],
  ["/* a */ 1", " JSON has no comments."],
  ["# a", " JSON has no comments."],
  ["'a'", " JSON needs double quotes."],
  ["$BODY", " Is this an unset variable?"],
  ["<body>", " Is this an unset variable?"],
  ["{{ body }}", " Is this an unset variable?"],
  ["[{{ body }}]", " Is this an unset variable?"],
  ["@event.json", " To send a file with curl, use --data @file.json."],
])("the message for the invalid JSON `%s` contains the hint:%s", (text, hint) => {
  expect(findJsonFault(text)?.hint).toBe(hint);
});

it.each(["Truex", "/", "{ body }", "x@"])("the message for the invalid JSON `%s` contains no hint", (text) => {
  expect(findJsonFault(text)?.hint).toBe("");
});
