import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { parseInput, parseWithPaths, formatPath } from "../../../../core/domain/basics/faults.ts";

const Condition = v.variant("operator", [
  v.strictObject({ operator: v.literal("contains"), value: v.string("value must be a string.") }),
  v.strictObject({ operator: v.literal("equals"), value: v.union([v.string(), v.number()], "value must be one.") }),
]);
const Target = v.union(
  [
    v.strictObject({ group: v.string("group must be a string.") }),
    v.strictObject({ user: v.string("user must be a string.") }),
  ],
  "a target is a group or a user.",
);
const Input = v.strictObject({
  name: v.pipe(
    v.string("name must be a string."),
    v.minLength(2, "name is too short."),
    v.maxLength(5, "name is too long."),
  ),
  days: v.optional(v.array(v.picklist(["mon", "tue", "7"], "a day is one of mon, tue, 7."))),
  conditions: v.optional(v.array(Condition, "conditions must be a list.")),
  targets: v.optional(v.array(Target)),
  inner: v.optional(
    v.strictObject({
      deep: v.optional(
        v.strictObject({ count: v.pipe(v.number(), v.minValue(1, "too small"), v.maxValue(9, "too large")) }),
      ),
    }),
  ),
  hours: v.optional(
    v.pipe(
      v.object({ from: v.optional(v.string()) }),
      v.rawCheck(({ dataset, addIssue }) => {
        if (dataset.typed && dataset.value.from === undefined)
          addIssue({ message: "from is required with hours.", expected: "required" });
      }),
    ),
  ),
  even: v.optional(
    v.pipe(
      v.number(),
      v.check((n) => n % 2 === 0, "even must be even."),
    ),
  ),
});
const withDeep = (deep: object) => ({ name: "abc", inner: { deep } });
const describeFaults = (input: unknown) =>
  parseInput(Input, structuredClone(input)).faults.map(({ field, code, message }) => `${field} ${code} ${message}`);

it.each([
  ["the whole input", "", []],
  ["a field", "a", ["a"]],
  ["a field of an array's entry", "a.b[2].c", ["a", "b", 2, "c"]],
  ["an entry of an array in an array", "[0][1]", [0, 1]],
])("a fault in %s names the field as %j", (_, field, path) => {
  expect(formatPath(path)).toBe(field);
});

it("an input that is not an object gets one fault without a field, about the whole value", () => {
  expect(parseInput(Input, 5).faults).toEqual([
    { field: "", code: "wrong_type", message: "The value must be an object." },
  ]);
});

it("a valid input has no faults, and is returned", () => {
  const input = { name: "abc", targets: [{ user: "u" }], hours: { from: "1" }, even: 2 };

  expect(parseInput(Input, structuredClone(input))).toEqual({ value: input, faults: [] });
  expect(parseWithPaths(Input, structuredClone(input))).toEqual({ value: input, faults: [] });
});

it.each([
  ["a missing required field", {}, ["name required name is required."]],
  ["a field of the wrong type", { name: 1 }, ["name wrong_type name must be a string."]],
  ["a text that is too short", { name: "a" }, ["name too_short name is too short."]],
  ["a text that is too long", { name: "abcdef" }, ["name too_many name is too long."]],
  ["null instead of a text", { name: null }, ["name wrong_type name must be a string."]],
  [
    "a misspelled required field",
    { nmae: "abc" },
    [
      "name required name is required. nmae is unknown: did you mean name?",
      "nmae unknown_field nmae is not a field that can be set here. Did you mean name?",
    ],
  ],
  [
    "an unknown field",
    { name: "abc", colour: 1 },
    ["colour unknown_field colour is not a field that can be set here."],
  ],
  [
    "an unknown field and a missing one",
    { colour: 1 },
    ["name required name is required.", "colour unknown_field colour is not a field that can be set here."],
  ],
  // An existing field is not suggested for a missing one.
  ["a missing field although another field is set", { days: [] }, ["name required name is required."]],
  ["a number instead of an object", { name: "abc", inner: 5 }, ["inner wrong_type inner must be an object."]],
  [
    "a wrong type deep inside",
    withDeep({ count: "1" }),
    ["inner.deep.count wrong_type inner.deep.count must be a number."],
  ],
  [
    "a field of the wrong type in an object with its own check",
    { name: "abc", hours: { from: {} } },
    ["hours.from wrong_type hours.from must be a string."],
  ],
  ["a text instead of an array", { name: "abc", targets: "x" }, ["targets wrong_type targets must be an array."]],
  ["a value that fails its check", { name: "abc", even: 3 }, ["even invalid even must be even."]],
  ["an object that lacks a field", { name: "abc", hours: {} }, ["hours required from is required with hours."]],
  ["a missing field in inner objects", withDeep({}), ["inner.deep.count required inner.deep.count is required."]],
  ["a number that is too small", withDeep({ count: 0 }), ["inner.deep.count too_small too small"]],
  ["a number that is too large", withDeep({ count: 10 }), ["inner.deep.count too_large too large"]],
  [
    "a misspelled field beside the correct one",
    withDeep({ count: 1, coutn: 1 }),
    ["inner.deep.coutn unknown_field inner.deep.coutn is not a field that can be set here. Did you mean count?"],
  ],
  [
    "a misspelled required field in inner objects",
    withDeep({ conut: 1 }),
    [
      "inner.deep.count required inner.deep.count is required. conut is unknown: did you mean count?",
      "inner.deep.conut unknown_field inner.deep.conut is not a field that can be set here. Did you mean count?",
    ],
  ],
  [
    "a misspelled entry of an array",
    { name: "abc", days: ["tues"] },
    ["days[0] unknown_value a day is one of mon, tue, 7. Did you mean tue?"],
  ],
  [
    "a number that is allowed only as a text",
    { name: "abc", days: ["mon", 7] },
    ["days[1] unknown_value a day is one of mon, tue, 7. Did you mean 7?"],
  ],
  [
    "two wrong entries of an array",
    { name: "abc", days: [null, "sunday"] },
    ["days[0] unknown_value a day is one of mon, tue, 7.", "days[1] unknown_value a day is one of mon, tue, 7."],
  ],
  ["an object as a list", { name: "abc", conditions: {} }, ["conditions wrong_type conditions must be a list."]],
  [
    "a misspelled operator",
    { name: "abc", conditions: [{ operator: "contians", value: "a" }] },
    [expect.stringMatching(/^conditions\[0\]\.operator unknown_value .* Did you mean contains\?$/)],
  ],
  [
    "the negated operator not_contains",
    { name: "abc", conditions: [{ operator: "not_contains", value: "a" }] },
    [expect.stringMatching(/^conditions\[0\]\.operator unknown_value .* Did you mean contains with "not": true\?$/)],
  ],
  [
    "the negated operator does_not_equal",
    { name: "abc", conditions: [{ operator: "does_not_equal", value: "a" }] },
    [expect.stringMatching(/^conditions\[0\]\.operator unknown_value .* Did you mean equals with "not": true\?$/)],
  ],
  [
    "a value of the wrong type and a misspelled field",
    { name: "abc", conditions: [{ operator: "contains", value: 1, vlaue: 2 }] },
    [
      "conditions[0].value wrong_type value must be a string.",
      "conditions[0].vlaue unknown_field conditions[0].vlaue is not a field that can be set here. Did you mean value?",
    ],
  ],
  [
    "a value of none of the allowed types",
    { name: "abc", conditions: [{ operator: "equals", value: true }] },
    [expect.stringMatching(/^conditions\[0\]\.value wrong_type /)],
  ],
  [
    "a text instead of one of two kinds of objects",
    { name: "abc", targets: ["x"] },
    [expect.stringMatching(/^targets\[0\] wrong_type /)],
  ],
  [
    "an object that matches neither of two kinds",
    { name: "abc", targets: [{ group: 1 }] },
    ["targets[0].group wrong_type group must be a string.", "targets[0].user required targets[0].user is required."],
  ],
] as const)("an input with %s gets exactly the faults of its wrong fields, each with a message", (_, input, faults) => {
  expect(describeFaults(input)).toEqual(faults);
});

it("for an object with unknown fields, at most twenty faults are reported", () => {
  const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`x${index}`, 1]));

  expect(describeFaults({ name: "abc", ...many })).toHaveLength(20);
});

describe("a property name that would change the prototype of every object", () => {
  const parsed = (text: string): unknown => JSON.parse(text);

  it("is refused with its path, at any depth", () => {
    expect(
      describeFaults(parsed('{"name":"abc","conditions":[{"a":{"__proto__":{}}}],"inner":{"__proto__":1}}')),
    ).toEqual(
      expect.arrayContaining([
        "conditions[0].a.__proto__ invalid __proto__ is not allowed as a key.",
        "inner.__proto__ invalid __proto__ is not allowed as a key.",
      ]),
    );
    expect(describeFaults(parsed('{"name":"abc","__proto__":null}'))).toContain(
      "__proto__ invalid __proto__ is not allowed as a key.",
    );
  });

  it("is reported at most twenty times, at any depth of the input", () => {
    const deep = parsed(`${'{"a":'.repeat(3000)}{"__proto__":{}}${"}".repeat(3000)}`);
    const wide = parsed(`[${Array.from({ length: 30 }, () => '{"__proto__":1}').join()}]`);

    expect(parseWithPaths(v.unknown(), deep).faults[0]!.path).toHaveLength(3001);
    expect(parseWithPaths(v.unknown(), wide).faults).toHaveLength(20);
    expect(parseWithPaths(v.unknown(), parsed("null")).faults).toEqual([]);
  });
});
