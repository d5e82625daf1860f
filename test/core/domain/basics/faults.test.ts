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
const describeFaults = (input: unknown) =>
  parseInput(Input, structuredClone(input)).faults.map(({ field, code, message }) => `${field} ${code} ${message}`);

it.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b", 2, "c"], "a.b[2].c"],
  [[0, 1], "[0][1]"],
])("a fault names the field at the path %j as %j", (path, field) => {
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
  [{}, ["name required name is required."]],
  [{ name: 1 }, ["name wrong_type name must be a string."]],
  [{ name: "a" }, ["name too_short name is too short."]],
  [{ name: "abcdef" }, ["name too_many name is too long."]],
  [{ name: null }, ["name wrong_type name must be a string."]],
  [
    { nmae: "abc" },
    [
      "name required name is required. nmae is unknown: did you mean name?",
      "nmae unknown_field nmae is not a field that can be set here. Did you mean name?",
    ],
  ],
  [{ name: "abc", colour: 1 }, ["colour unknown_field colour is not a field that can be set here."]],
  [
    { colour: 1 },
    ["name required name is required.", "colour unknown_field colour is not a field that can be set here."],
  ],
  // An existing field is not suggested for a missing one.
  [{ days: [] }, ["name required name is required."]],
  [{ name: "abc", inner: 5 }, ["inner wrong_type inner must be an object."]],
  [
    { name: "abc", inner: { deep: { count: "1" } } },
    ["inner.deep.count wrong_type inner.deep.count must be a number."],
  ],
  [{ name: "abc", hours: { from: {} } }, ["hours.from wrong_type hours.from must be a string."]],
  [{ name: "abc", targets: "x" }, ["targets wrong_type targets must be an array."]],
  [{ name: "abc", even: 3 }, ["even invalid even must be even."]],
  [{ name: "abc", hours: {} }, ["hours required from is required with hours."]],
  [{ name: "abc", inner: { deep: {} } }, ["inner.deep.count required inner.deep.count is required."]],
  [{ name: "abc", inner: { deep: { count: 0 } } }, ["inner.deep.count too_small too small"]],
  [{ name: "abc", inner: { deep: { count: 10 } } }, ["inner.deep.count too_large too large"]],
  [
    { name: "abc", inner: { deep: { count: 1, coutn: 1 } } },
    ["inner.deep.coutn unknown_field inner.deep.coutn is not a field that can be set here. Did you mean count?"],
  ],
  [
    { name: "abc", inner: { deep: { conut: 1 } } },
    [
      "inner.deep.count required inner.deep.count is required. conut is unknown: did you mean count?",
      "inner.deep.conut unknown_field inner.deep.conut is not a field that can be set here. Did you mean count?",
    ],
  ],
  [{ name: "abc", days: ["tues"] }, ["days[0] unknown_value a day is one of mon, tue, 7. Did you mean tue?"]],
  [{ name: "abc", days: ["mon", 7] }, ["days[1] unknown_value a day is one of mon, tue, 7. Did you mean 7?"]],
  [
    { name: "abc", days: [null, "sunday"] },
    ["days[0] unknown_value a day is one of mon, tue, 7.", "days[1] unknown_value a day is one of mon, tue, 7."],
  ],
  [{ name: "abc", conditions: {} }, ["conditions wrong_type conditions must be a list."]],
  [
    { name: "abc", conditions: [{ operator: "contians", value: "a" }] },
    [expect.stringMatching(/^conditions\[0\]\.operator unknown_value .* Did you mean contains\?$/)],
  ],
  [
    { name: "abc", conditions: [{ operator: "not_contains", value: "a" }] },
    [expect.stringMatching(/^conditions\[0\]\.operator unknown_value .* Did you mean contains with "not": true\?$/)],
  ],
  [
    { name: "abc", conditions: [{ operator: "does_not_equal", value: "a" }] },
    [expect.stringMatching(/^conditions\[0\]\.operator unknown_value .* Did you mean equals with "not": true\?$/)],
  ],
  [
    { name: "abc", conditions: [{ operator: "contains", value: 1, vlaue: 2 }] },
    [
      "conditions[0].value wrong_type value must be a string.",
      "conditions[0].vlaue unknown_field conditions[0].vlaue is not a field that can be set here. Did you mean value?",
    ],
  ],
  [
    { name: "abc", conditions: [{ operator: "equals", value: true }] },
    [expect.stringMatching(/^conditions\[0\]\.value wrong_type /)],
  ],
  [{ name: "abc", targets: ["x"] }, [expect.stringMatching(/^targets\[0\] wrong_type /)]],
  [
    { name: "abc", targets: [{ group: 1 }] },
    ["targets[0].group wrong_type group must be a string.", "targets[0].user required targets[0].user is required."],
  ],
] as const)("all faults of the input %j are reported, and nothing else", (input, faults) => {
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
