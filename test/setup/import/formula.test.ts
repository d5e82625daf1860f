import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALWAYS_HOLDS, negateFormula, toTerms, type Condition, type Formula } from "../../../setup/import/formula.ts";
import { createDailyHours, type WeekSpan } from "../../../setup/import/hours.ts";

const DAY = 1_440;

type Seen = { fields: Readonly<Record<string, string>>; minute: number };

const matchesCondition = ({ field, operator, value = "", not = false }: Condition, { fields }: Seen): boolean => {
  const actual = fields[field] ?? "";
  const verdict = operator === "contains" ? actual.includes(String(value)) : [value].flat().includes(actual);
  return verdict !== not;
};
const isInside = (spans: readonly WeekSpan[], minute: number): boolean =>
  spans.some(({ from, to }) => (from <= minute && minute < to) || minute + 7 * DAY < to);
const matchesFormula = (formula: Formula, seen: Seen): boolean => {
  if ("all" in formula) return formula.all.every((part) => matchesFormula(part, seen));
  if ("any" in formula) return formula.any.some((part) => matchesFormula(part, seen));
  if ("is" in formula) return matchesCondition(formula.is, seen);
  return isInside(formula.within.spans, seen.minute);
};

const createCondition = (field: string, operator: string, value: string | string[], not = false): Formula => ({
  is: { field, operator, value, ...(not ? { not } : {}) },
});
const createHours = (spans: readonly WeekSpan[], timeZone = "UTC"): Formula => ({ within: { spans, timeZone } });

const VALUES = ["x", "y", "z"];
const word = fc.constantFrom(...VALUES);
const field = fc.constantFrom("a", "b");
const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.tuple(field, word, fc.boolean()).map(([name, value, not]) => createCondition(name, "equals", value, not)),
    fc.tuple(field, word, fc.boolean()).map(([name, value, not]) => createCondition(name, "contains", value, not)),
    fc
      .tuple(field, fc.subarray(VALUES), fc.boolean())
      .map(([name, some, not]) => createCondition(name, "one_of", some, not)),
    fc
      .tuple(fc.nat(6), fc.nat(23), fc.integer({ min: 1, max: 40 }))
      .map(([day, hour, lasts]) => createHours(createDailyHours([day], hour * 60, lasts * 60))),
    fc.array(tie("formula"), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie("formula"), { maxLength: 3 }).map((any) => ({ any })),
    tie("formula").map(negateFormula),
  ),
}));

const everySeen = VALUES.flatMap((a) =>
  VALUES.flatMap((b) => [0, 9 * 60, 2 * DAY + 1, 7 * DAY - 1].map((minute): Seen => ({ fields: { a, b }, minute }))),
);

describe("the alternatives of an imported condition", () => {
  it("together match exactly the events that the condition matches", () => {
    fc.assert(
      fc.property(formula, (one) => {
        const terms = toTerms(one);
        fc.pre(terms !== undefined);
        for (const seen of everySeen) {
          const holding = terms.filter(
            ({ conditions, hours }) =>
              conditions.every((condition) => matchesCondition(condition, seen)) &&
              (hours === undefined || isInside(hours.spans, seen.minute)),
          );
          expect(holding.length > 0, JSON.stringify({ one, seen, terms })).toBe(matchesFormula(one, seen));
        }
      }),
      { numRuns: 60, seed: 30 },
    );
  });

  const ax = createCondition("a", "equals", "x");
  const nine = createHours([{ from: 540, to: 600 }]);
  it.each<[string, Formula, unknown]>([
    ["an empty condition is one alternative without conditions", ALWAYS_HOLDS, [{ conditions: [], hours: undefined }]],
    ["an empty list of alternatives has none", { any: [] }, []],
    [
      "the same condition twice is written once",
      { all: [ax, ax] },
      [{ conditions: [{ field: "a", operator: "equals", value: "x" }], hours: undefined }],
    ],
    ["a condition and its opposite have no alternative", { all: [ax, negateFormula(ax)] }, []],
    ["an empty list of hours has no alternative", createHours([]), []],
    ["hours that never overlap have no alternative", { all: [nine, createHours([{ from: 600, to: 660 }])] }, []],
    [
      "overlapping hours become their overlap",
      { all: [nine, createHours([{ from: 570, to: 660 }])] },
      [{ conditions: [], hours: { spans: [{ from: 570, to: 600 }], timeZone: "UTC" } }],
    ],
    [
      "hours of two time zones are too much for one rule",
      { all: [nine, createHours([{ from: 540, to: 600 }], "Europe/Berlin")] },
      undefined,
    ],
    [
      "alternatives with hours of two time zones stay separate",
      { any: [nine, createHours([{ from: 540, to: 600 }], "Europe/Berlin")] },
      ["UTC", "Europe/Berlin"].map((timeZone) => ({
        conditions: [],
        hours: { spans: [{ from: 540, to: 600 }], timeZone },
      })),
    ],
    [
      "values of one field are one condition, and other fields one each",
      { any: [ax, createCondition("a", "equals", "y"), createCondition("b", "contains", "z")] },
      [
        { conditions: [{ field: "a", operator: "one_of", value: ["x", "y"] }], hours: undefined },
        {
          conditions: [{ field: "b", operator: "contains", value: "z" }],
          hours: undefined,
        },
      ],
    ],
    [
      "a value that ignores case is a condition of its own",
      { all: [{ is: { field: "a", operator: "equals", value: "x", ignoreCase: true } }, ax] },
      [
        {
          conditions: [
            { field: "a", operator: "equals", value: "x", ignoreCase: true },
            { field: "a", operator: "equals", value: "x" },
          ],
          hours: undefined,
        },
      ],
    ],
    [
      "alternatives that ignore case stay unchanged",
      { any: [{ is: { field: "a", operator: "equals", value: "x", ignoreCase: true } }] },
      [{ conditions: [{ field: "a", operator: "equals", value: "x", ignoreCase: true }], hours: undefined }],
    ],
    [
      "negated alternatives stay unchanged",
      { any: [createCondition("a", "equals", "x", true)] },
      [{ conditions: [{ field: "a", operator: "equals", value: "x", not: true }], hours: undefined }],
    ],
  ])("are formed as follows: %s", (_, one, terms) => {
    expect(toTerms(one)).toEqual(terms);
  });

  it("are 64 at most, whether they are nested or side by side", () => {
    const createAny = (prefix: string, count: number): Formula => ({
      any: Array.from({ length: count }, (_, index) => createCondition(`${prefix}${index}`, "contains", "x")),
    });
    const createProduct = (one: number, other: number): Formula => ({
      all: [createAny("f", one), createAny("g", other)],
    });

    expect(toTerms(createProduct(8, 8))).toHaveLength(64);
    expect(toTerms(createProduct(8, 9))).toBeUndefined();
    expect(toTerms({ any: [ax, createProduct(7, 9)] })).toHaveLength(64);
    expect(toTerms({ any: [ax, createProduct(8, 8)] })).toBeUndefined();
    expect(toTerms({ all: [createProduct(8, 9), ALWAYS_HOLDS] })).toBeUndefined();
  });
});
