import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import {
  compileRules,
  Conditions,
  explainRule,
  type MatchableRule,
} from "../../../../../core/domain/rules/matching/index.ts";
import { oracle, type OracleRule } from "./oracle.ts";

const readText = (file: string) => readFileSync(new URL(file, import.meta.url), "utf8");
const page = readText("../../../../../docs/matching.md");

/** The lines of the page's blocks of examples, split where there are three spaces or more. */
const shown = page
  .replaceAll(/^```json.+?^```$/gms, "")
  .split(/^```$/m)
  .flatMap((block, index) => (index % 2 === 0 ? [] : block.trim().split("\n")))
  .map((line) => line.split(/ {3,}/));

const listRowsUnder = (...headings: string[]): string[][] => {
  const splitCells = (line: string) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) =>
        cell
          .trim()
          .replace(/^`(.*)`$/, "$1")
          .replaceAll("\\|", "|"),
      );
  const lines = readText("corner-cases.md").split("\n");
  return lines.flatMap((line, index) => {
    if (!line.startsWith("|") || splitCells(line).join() !== headings.join()) return [];
    const rest = lines.slice(index + 2);
    return rest
      .slice(
        0,
        rest.findIndex((other) => !other.startsWith("|")),
      )
      .map(splitCells);
  });
};

const examples = [...shown.filter((row) => row.length === 3), ...listRowsUnder("Condition", "Event", "Holds")];
const refusals = [...shown.filter((row) => row.length === 2), ...listRowsUnder("Refused", "Where")];

test("docs/matching.md and corner-cases.md contain over 130 examples and over 30 refused conditions", () => {
  expect(examples.length).toBeGreaterThan(130);
  expect(refusals.length).toBeGreaterThan(30);
});

describe("in the examples of docs/matching.md and corner-cases.md, the condition", () => {
  test.each(examples)("%s is met by the event `%s`: %s", (condition, event, holds) => {
    const [, flags = "", plain = ""] = /^((?:(?:not|ignoreCase) )*)(.*)$/.exec(condition) ?? [];
    const [field = "", operator, ...value] = plain.split(" ");
    const raw = [
      {
        field,
        operator,
        ...(value.length === 0 ? {} : { value: JSON.parse(value.join(" ")) }),
        ...Object.fromEntries(flags.split(" ").flatMap((flag) => (flag === "" ? [] : [[flag, true]]))),
      },
    ];
    const rule: MatchableRule = { id: "rule_1", eventKey: "*", conditions: v.parse(Conditions, raw) };
    const sent = { eventKey: "a.b", title: "", body: "", priority: "NORMAL", ...JSON.parse(event) };

    const expected = holds === "yes" ? ["rule_1"] : [];

    expect(compileRules([rule])(sent)).toEqual(expected);
    expect(explainRule(rule, sent).conditions.map(({ verdict }) => verdict)).toEqual([holds === "yes"]);
    // With 20 rules, the engine uses indexes instead of testing each rule.
    expect(compileRules(Array.from({ length: 20 }, () => rule))(sent)).toHaveLength(20 * expected.length);
    // The oracle uses JavaScript's regular expressions, which have no inline flags.
    if (!condition.includes("(?i)")) expect(oracle([rule as OracleRule], sent)).toEqual(expected);
  });

  test.each(refusals)("`%s` is refused at the field %s", (condition, where) => {
    const result = v.safeParse(v.object({ conditions: Conditions }), { conditions: [JSON.parse(condition)] });

    expect(result.issues?.map((issue) => v.getDotPath(issue))).toEqual([`conditions.0.${where}`]);
  });
});
