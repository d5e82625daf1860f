import * as fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it, vi } from "vitest";
import {
  compileRules,
  findCostlyPatternsInJson,
  PATTERNS_UNITS_MAX,
  type MatchableRule,
} from "../../../../../core/domain/rules/matching/index.ts";
import {
  estimateMaxCompiledBytes,
  estimatePatternCost,
  UNICODE_CLASS_RANGES,
} from "../../../../../core/domain/rules/matching/price.ts";

type Instruction = { runes?: { length: number }; next?: { length: number } | null };
type Program = { inst: readonly Instruction[] };

const measureProgram = (pattern: string) => {
  const { prog, onepass } = RE2JS.compile(pattern).re2() as unknown as { prog: Program; onepass: Program | null };
  const countRanges = ({ inst }: Program) =>
    inst.reduce((sum, { runes }) => sum + Math.ceil((runes?.length ?? 0) / 2), 0);
  /** RE2 shares one array among equal character classes of a program, so each array is counted once. */
  const lists = new Set([...prog.inst, ...(onepass?.inst ?? [])].flatMap(({ runes, next }) => [runes, next]));
  const bytes = [...lists].reduce((sum, list) => sum + 4 * (list?.length ?? 0), 0);
  return { steps: prog.inst.length, ranges: countRanges(prog), bytes };
};

/** A pattern. `parsed`: the number of ranges that RE2's parser adds for the pattern's Unicode classes. */
type Made = { text: string; parsed: number };

const pricedPattern = (text: string, parsedRanges = 0): Made => ({ text, parsed: parsedRanges });
const classes = ["L", "N", "P", "S", "Lu", "Ll", "Greek", "Han", "C", "Latin", "Unknown"];
const tables = new Map(classes.map((name) => [name, measureProgram(`\\p{${name}}`).ranges]));
const table = fc
  .tuple(fc.constantFrom(...classes), fc.constantFrom("p", "P"))
  .map(([name, letter]) => pricedPattern(`\\${letter}{${name}}`, tables.get(name)));
const inBrackets = fc
  .tuple(fc.boolean(), fc.array(table, { minLength: 1, maxLength: 6 }), fc.constantFrom("", "x", "a-z", "é-\u{1E942}"))
  .map(([not, all, more]) =>
    pricedPattern(
      `[${not ? "^" : ""}${all.map(({ text }) => text).join("")}${more}]`,
      all.reduce((sum, { parsed }) => sum + parsed, 0),
    ),
  );
const simple = fc
  .constantFrom(
    "a",
    "é",
    "😀",
    "\\d",
    "[^a-f]",
    "[[:alpha:]]",
    ".",
    "\\b",
    "^",
    "$",
    "\\Q(((\\E",
    "\\Q)\\E",
    "\\x{1F525}",
  )
  .map((text) => pricedPattern(text));
const times = fc.oneof(
  fc.constantFrom("", "", "*", "+", "?", "+?"),
  fc.nat(12).map((count) => `{${count}}`),
  fc.tuple(fc.nat(10), fc.nat(10)).map(([from, more]) => `{${from},${from + more}}`),
  fc.nat(10).map((from) => `{${from},}`),
);
const { pattern: hostile } = fc.letrec<{ piece: Made; pattern: Made }>((tie) => ({
  piece: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    simple,
    table,
    inBrackets,
    fc
      .tuple(fc.constantFrom("(", "(?:", "(?P<name>"), tie("pattern"))
      .map(([opened, { text, parsed }]) =>
        pricedPattern(`${opened.replace("name", `n${text.length}`)}${text})`, parsed),
      ),
  ),
  pattern: fc
    .array(fc.tuple(tie("piece"), times, fc.constantFrom("", "", "", "|")), { minLength: 1, maxLength: 4 })
    .map((pieces) =>
      pricedPattern(
        pieces.map(([{ text }, quantifier, or]) => `${text}${quantifier}${or}`).join(""),
        pieces.reduce((sum, [{ parsed }]) => sum + parsed, 0),
      ),
    ),
}));
const inAnyCase = fc
  .tuple(fc.constantFrom("", "", "(?i)", "^"), hostile)
  .map(([flags, { text, parsed }]) => pricedPattern(`${flags}${text}`, parsed));

/** Returns whether RE2 accepts a pattern; false for very expensive patterns, which take long to compile. */
const isCountable = ({ text }: Made): boolean => {
  if (text.length > 512 || estimatePatternCost(text) > 4 * PATTERNS_UNITS_MAX) return false;
  try {
    RE2JS.compile(text);
    return true;
  } catch {
    return false;
  }
};

describe("the price of a regular expression", () => {
  it("is at least what its compiled program and its text cost, in time and in memory", () => {
    fc.assert(
      fc.property(inAnyCase.filter(isCountable), ({ text, parsed }) => {
        const { steps, ranges, bytes } = measureProgram(text);

        expect(estimatePatternCost(text)).toBeGreaterThanOrEqual(10_000 + 20 * parsed + 150 * steps + 5 * ranges);
        expect(estimateMaxCompiledBytes(text)).toBeGreaterThanOrEqual(100 * steps + bytes);
      }),
    );
  });

  it.each([
    ["^a", 3_448],
    ["\\Aa", 3_448],
    ["^\\p{L}", 61_024],
    ["[^a]", 3_336],
  ])("includes the second program that RE2 compiles for an anchor: %s compiles to at most %i bytes", (text, bytes) => {
    expect(estimateMaxCompiledBytes(text)).toBe(bytes);
    expect(estimateMaxCompiledBytes(text)).toBeGreaterThanOrEqual(
      100 * measureProgram(text).steps + measureProgram(text).bytes,
    );
  });

  it("is close to the real cost of patterns without case folding and without parts that RE2 merges", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            fc.oneof(
              simple.filter(({ text }) => !text.includes("\\Q")),
              table,
            ),
            fc.integer({ min: 1, max: 60 }),
          ),
          {
            minLength: 1,
            maxLength: 8,
          },
        ),
        (pieces) => {
          const text = pieces.map(([piece, count]) => `(?:${piece.text}){${count}}`).join("");
          fc.pre(isCountable(pricedPattern(text)));
          const { steps, ranges } = measureProgram(text);
          const most = pieces.reduce((sum, [, count]) => sum + count, 0) * UNICODE_CLASS_RANGES;

          expect(estimatePatternCost(text)).toBeLessThan(
            10_000 + 20_000 * pieces.length + 12 * (150 * steps + 5 * Math.max(ranges, most)),
          );
        },
      ),
    );
  });

  it("counts every Unicode table with at least its real size", () => {
    for (const [name, ranges] of tables) {
      expect(ranges, name).toBeGreaterThan(0);
      expect(ranges, name).toBeLessThanOrEqual(UNICODE_CLASS_RANGES);
    }
  });

  it.each([
    ["disk full after \\d+ s", 15_000],
    ["[^\\pL]{120}\\pL{120}[N]", 1_200_000],
    ["\\pL{1000}".repeat(40), 160_000_000],
    ["(?i)[é-\\x{1E942}]", 500_000],
    ["(?:(?:(?:\\pL{10}){10}){10}){10}", 40_000_000],
  ])("is about $1 units for the pattern $0", (pattern, units) => {
    expect(estimatePatternCost(pattern)).toBeGreaterThan(units / 2);
    expect(estimatePatternCost(pattern)).toBeLessThan(2 * units);
  });

  it("is computed for any pattern without compiling it", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("a\\pL[](){}|*+?^-,:iQE09xé")), maxLength: 512 }),
        (pattern) => {
          expect(estimatePatternCost(pattern)).toBeGreaterThanOrEqual(10_000);
        },
      ),
    );
  });
});

const expensivePattern = (index: number) => `[^\\pL]{120}\\pL{120}[${String.fromCodePoint(0x4e00 + index)}]`;
const condition = (value: string) => ({ field: "body", operator: "matches_regex", value }) as const;
const anEvent = { eventKey: "a.b", title: "t", body: "ab1Ä", priority: "NORMAL", data: {} };

describe("the regular expressions of a workspace", () => {
  it("have a budget: beyond it, the most expensive patterns stay undecided, in whatever order the rules come", () => {
    const rules: MatchableRule[] = [
      { id: "cheap", eventKey: "*", conditions: [condition("ab[0-9]+x")] },
      ...Array.from({ length: 30 }, (_, index) => ({
        id: `r${index}`,
        eventKey: "*",
        conditions: [condition(expensivePattern(index))],
      })),
      { id: "last", eventKey: "*", conditions: [condition("ab[0-9]+Ä")] },
    ];
    const matchInOrder = (order: readonly MatchableRule[]) => {
      const { matched, overBudget } = compileRules(order, { patternsUnits: PATTERNS_UNITS_MAX }).match(anEvent);
      return { matched: matched.toSorted(), overBudget: overBudget.toSorted() };
    };

    const { matched, overBudget } = matchInOrder(rules);

    expect(matched).toContain("last");
    expect(matched).not.toContain("cheap");
    expect(overBudget.length).toBeGreaterThan(10);
    expect(overBudget.length).toBeLessThan(30);
    expect(matchInOrder(rules.toReversed())).toEqual({ matched, overBudget });
    // Without a budget, all of the patterns are evaluated.
    expect(compileRules(rules)(anEvent)).toEqual(["last"]);
  });

  it("are counted once, however many rules share them", () => {
    const rules = Array.from({ length: 3_000 }, (_, index) => ({
      id: `r${index}`,
      eventKey: "*",
      conditions: [condition(expensivePattern(0))],
    }));

    expect(compileRules(rules, { patternsUnits: PATTERNS_UNITS_MAX }).match(anEvent)).toMatchObject({
      matched: [],
      overBudget: [],
    });
  });

  it("are refused before any of them is compiled, with an error that names the most expensive pattern", () => {
    const conditions = Array.from({ length: 50 }, (_, index) =>
      condition(index === 17 ? `${expensivePattern(0)}[ab]` : expensivePattern(index)),
    );

    const compile = vi.spyOn(RE2JS, "compile");
    const [fault] = findCostlyPatternsInJson({ rules: Array.from({ length: 60 }, () => ({ conditions })) });

    expect(fault).toMatchObject({ field: "rules[0].conditions[17].value", code: "pattern_too_dear" });
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
    expect(findCostlyPatternsInJson({ conditions: conditions.slice(0, 10) })).toEqual([]);
    expect(findCostlyPatternsInJson({ rule: { conditions } })).toMatchObject([{ field: "rule.conditions[17].value" }]);
  });
});
