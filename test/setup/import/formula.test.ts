import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALWAYS_HOLDS, negateFormula, toTerms, type Drafted, type Formula } from "../../../setup/import/formula.ts";
import { hoursOnDays, type WeekSpan } from "../../../setup/import/hours.ts";

const DAY = 1_440;

/** An event in the form that a route compares. */
type Seen = { fields: Readonly<Record<string, string>>; minute: number };

const holdsOne = ({ field, operator, value = "", not = false }: Drafted, { fields }: Seen): boolean => {
  const actual = fields[field] ?? "";
  const verdict = operator === "contains" ? actual.includes(String(value)) : [value].flat().includes(actual);
  return verdict !== not;
};
const isInside = (spans: readonly WeekSpan[], minute: number): boolean =>
  spans.some(({ from, to }) => (from <= minute && minute < to) || minute + 7 * DAY < to);
const holds = (formula: Formula, seen: Seen): boolean => {
  if ("all" in formula) return formula.all.every((part) => holds(part, seen));
  if ("any" in formula) return formula.any.some((part) => holds(part, seen));
  if ("is" in formula) return holdsOne(formula.is, seen);
  return isInside(formula.within.spans, seen.minute);
};

const is = (field: string, operator: string, value: string | string[], not = false): Formula => ({
  is: { field, operator, value, ...(not ? { not } : {}) },
});
const within = (spans: readonly WeekSpan[], timeZone = "UTC"): Formula => ({ within: { spans, timeZone } });

const VALUES = ["x", "y", "z"];
const word = fc.constantFrom(...VALUES);
const field = fc.constantFrom("a", "b");
const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.tuple(field, word, fc.boolean()).map(([name, value, not]) => is(name, "equals", value, not)),
    fc.tuple(field, word, fc.boolean()).map(([name, value, not]) => is(name, "contains", value, not)),
    fc.tuple(field, fc.subarray(VALUES), fc.boolean()).map(([name, some, not]) => is(name, "one_of", some, not)),
    fc
      .tuple(fc.nat(6), fc.nat(23), fc.integer({ min: 1, max: 40 }))
      .map(([day, hour, lasts]) => within(hoursOnDays([day], hour * 60, lasts * 60))),
    fc.array(tie("formula"), { maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie("formula"), { maxLength: 3 }).map((any) => ({ any })),
    tie("formula").map(negateFormula),
  ),
}));

const everySeen = VALUES.flatMap((a) =>
  VALUES.flatMap((b) => [0, 9 * 60, 2 * DAY + 1, 7 * DAY - 1].map((minute): Seen => ({ fields: { a, b }, minute }))),
);

describe("the alternatives of an imported condition", () => {
  it("match exactly the events that the condition matches", () => {
    fc.assert(
      fc.property(formula, (one) => {
        const terms = toTerms(one);
        fc.pre(terms !== undefined);
        for (const seen of everySeen) {
          const holding = terms.filter(
            ({ conditions, hours }) =>
              conditions.every((condition) => holdsOne(condition, seen)) &&
              (hours === undefined || isInside(hours.spans, seen.minute)),
          );
          expect(holding.length > 0, JSON.stringify({ one, seen, terms })).toBe(holds(one, seen));
        }
      }),
      { numRuns: 60, seed: 30 },
    );
  });

  const ax = is("a", "equals", "x");
  const nine = within([{ from: 540, to: 600 }]);
  it.each<[string, Formula, unknown]>([
    ["an empty condition is one alternative without conditions", ALWAYS_HOLDS, [{ conditions: [], hours: undefined }]],
    ["an empty list of alternatives has none", { any: [] }, []],
    [
      "the same condition twice is written once",
      { all: [ax, ax] },
      [{ conditions: [{ field: "a", operator: "equals", value: "x" }], hours: undefined }],
    ],
    ["a condition and its opposite have no alternative", { all: [ax, negateFormula(ax)] }, []],
    ["an empty list of hours has no alternative", within([]), []],
    ["hours that never overlap have no alternative", { all: [nine, within([{ from: 600, to: 660 }])] }, []],
    [
      "overlapping hours become their overlap",
      { all: [nine, within([{ from: 570, to: 660 }])] },
      [{ conditions: [], hours: { spans: [{ from: 570, to: 600 }], timeZone: "UTC" } }],
    ],
    [
      "hours of two time zones are too much for one rule",
      { all: [nine, within([{ from: 540, to: 600 }], "Europe/Berlin")] },
      undefined,
    ],
    [
      "alternatives with hours of two time zones stay separate",
      { any: [nine, within([{ from: 540, to: 600 }], "Europe/Berlin")] },
      ["UTC", "Europe/Berlin"].map((timeZone) => ({
        conditions: [],
        hours: { spans: [{ from: 540, to: 600 }], timeZone },
      })),
    ],
    [
      "values of one field are one condition, and other fields one each",
      { any: [ax, is("a", "equals", "y"), is("b", "contains", "z")] },
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
      { any: [is("a", "equals", "x", true)] },
      [{ conditions: [{ field: "a", operator: "equals", value: "x", not: true }], hours: undefined }],
    ],
  ])("follow this rule: %s", (_, one, terms) => {
    expect(toTerms(one)).toEqual(terms);
  });

  it("are 64 at most, whether they are nested or side by side", () => {
    const anyOf = (prefix: string, count: number): Formula => ({
      any: Array.from({ length: count }, (_, index) => is(`${prefix}${index}`, "contains", "x")),
    });
    const times = (one: number, other: number): Formula => ({ all: [anyOf("f", one), anyOf("g", other)] });

    expect(toTerms(times(8, 8))).toHaveLength(64);
    expect(toTerms(times(8, 9))).toBeUndefined();
    expect(toTerms({ any: [ax, times(7, 9)] })).toHaveLength(64);
    expect(toTerms({ any: [ax, times(8, 8)] })).toBeUndefined();
    expect(toTerms({ all: [times(8, 9), ALWAYS_HOLDS] })).toBeUndefined();
  });
});
