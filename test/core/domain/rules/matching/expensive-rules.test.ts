import { expect, test } from "vitest";
import {
  compileRules,
  EVENT_BUDGET_UNITS,
  type MatchableRule,
} from "../../../../../core/domain/rules/matching/index.ts";

const longText = "a".repeat(1_999);
const anEvent = { eventKey: "a.b", title: "t", body: `${longText}!`, priority: "NORMAL", data: {} };
const aRule = (id: string, pattern: string, fields: Partial<MatchableRule> = {}): MatchableRule => ({
  id,
  eventKey: "*",
  conditions: [{ field: "body", operator: "matches_regex", value: pattern }],
  ...fields,
});

/** Returns the processor time of this thread, which excludes other work of the machine. */
const readProcessorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const shortestRun = (run: () => void): number => {
  const times = Array.from({ length: 5 }, () => {
    const start = readProcessorMs();
    run();
    return readProcessorMs() - start;
  });
  return Math.min(...times);
};

test.each([
  ["^(a+)+$", `${longText}!`],
  ["(a|aa)+$", `${longText}!`],
  ["(a|a?)+$", `${longText}!`],
  ["(.*a){20}!$", `${longText}?`],
  ["([a-zA-Z]+)*$", `${longText}!`],
  ["(x+x+)+y", "x".repeat(2_000)],
  ["(?i)^(([a-z])+.)+[A-Z]([a-z])+$", longText],
  ["(a?){40}a{40}", `${longText}!`],
  ["\\b(a+)+\\b!$", `${longText}?`],
])("the pattern %s on 2,000 characters takes less than 20 ms", (pattern, body) => {
  const time = shortestRun(() => compileRules([aRule("rule_1", pattern)])({ ...anEvent, body }));

  expect(time).toBeLessThan(20);
});

test("matching an event exceeds its budget by a tenth at most, and names the rules that it leaves undecided", () => {
  const patterns = Array.from({ length: 400 }, (_, index) => `^([ab]|a?)+\\x{${(0x4e00 + index).toString(16)}}$`);
  const rules = compileRules(patterns.map((pattern, index) => aRule(`rule_${index}`, pattern)));
  const body = Array.from({ length: 2_000 }, (_, index) => "ab"[index % 7 === 0 ? 1 : 0]).join("");

  const { matched, overBudget, spentUnits } = rules.match({ ...anEvent, body }, { budgetUnits: 100_000 });

  expect(overBudget.length).toBeGreaterThan(300);
  expect(overBudget.length).toBeLessThan(400);
  expect(matched.toSorted()).toEqual(overBudget.toSorted());
  expect(spentUnits).toBeLessThan(110_000);
  // Without a budget, every rule is evaluated, and none matches.
  expect(rules({ ...anEvent, body })).toEqual([]);
});

test("a thousand expensive rules spend more than an event's matching budget, but less than twice the budget", () => {
  const rules = compileRules(
    Array.from({ length: 1_000 }, (_, index) =>
      aRule(`rule_${index}`, `a.{200}${String.fromCodePoint(0x4e00 + index)}?$`),
    ),
  );
  const body = Array.from({ length: 2_000 }, (_, index) => "ab"[(index * index * 7919) % 11 < 5 ? 0 : 1]).join("");

  const start = readProcessorMs();
  const { overBudget, spentUnits } = rules.match({ ...anEvent, body });
  const time = readProcessorMs() - start;

  expect(overBudget.length).toBeGreaterThan(0);
  expect(spentUnits).toBeGreaterThan(EVENT_BUDGET_UNITS);
  expect(spentUnits).toBeLessThan(2 * EVENT_BUDGET_UNITS);
  expect(time).toBeLessThan(3_000);
});

test("a rule whose cheap conditions fail is decided without spending matching budget", () => {
  const rules = compileRules([
    aRule("rule_1", "a", {
      conditions: [
        { field: "body", operator: "matches_regex", value: "a" },
        { field: "title", operator: "equals", value: "other" },
      ],
    }),
    aRule("rule_2", "a"),
    aRule("rule_3", "a", {
      conditionMatch: "any",
      conditions: [
        { field: "body", operator: "contains", value: "a" },
        { field: "title", operator: "equals", value: "t" },
      ],
    }),
    aRule("rule_4", "", {
      conditions: [
        { field: "body", operator: "contains", value: "a" },
        { field: "title", operator: "equals", value: "other" },
      ],
    }),
    aRule("rule_5", "", {
      conditions: [
        { field: "body", operator: "contains", value: "a" },
        { field: "body", operator: "starts_with", value: "b" },
      ],
    }),
  ]);

  expect(rules.match(anEvent, { budgetUnits: 0 })).toEqual({
    matched: ["rule_2", "rule_3"],
    overBudget: ["rule_2"],
    spentUnits: 0,
  });
});

test("each search that is refused leaves its rule undecided, however many searches are refused", () => {
  const rules = compileRules(
    Array.from({ length: 100 }, (_, index) =>
      aRule(`rule_${index}`, "", { conditions: [{ field: "body", operator: "contains", value: `aaa${index}` }] }),
    ),
  );
  const body = Array.from({ length: 100 }, (_, index) => `aa${index}`).join(" ");

  const { matched, overBudget } = rules.match({ ...anEvent, body: `${body} aaa7` }, { budgetUnits: 0 });

  expect(matched).toContain("rule_7");
  expect(overBudget).toEqual(matched);
  expect(rules({ ...anEvent, body: `${body} aaa7` })).toEqual(["rule_7"]);
});

test("a search costs one unit and one per 16 characters, once for all rules that share it; comparing a prefix is free", () => {
  const bodyRule = (operator: "contains" | "starts_with", value: string): Partial<MatchableRule> => ({
    conditions: [{ field: "body", operator, value }],
  });
  const rules = compileRules([
    aRule("rule_1", "", bodyRule("contains", "ab")),
    aRule("rule_2", "", bodyRule("contains", "ab")),
    aRule("rule_3", "", bodyRule("starts_with", "b")),
    aRule("rule_4", "", bodyRule("contains", "ac")),
  ]);
  const event = { ...anEvent, body: "a".repeat(160) };

  expect(rules.match(event)).toEqual({ matched: [], overBudget: [], spentUnits: 22 });
  expect(rules.match(event, { budgetUnits: 11 })).toEqual({
    matched: ["rule_4"],
    overBudget: ["rule_4"],
    spentUnits: 11,
  });
});

test("a pattern on the priority of an URGENT event is charged for both spellings, URGENT and CRITICAL", () => {
  const rules = compileRules([
    aRule("rule_1", "", { conditions: [{ field: "priority", operator: "matches_regex", value: "^LOW" }] }),
  ]);

  expect(rules.match({ ...anEvent, priority: "URGENT" }).spentUnits).toBe("URGENT".length + 1 + "CRITICAL".length + 1);
});

test("the matching budget is per event: the next event has the full budget again", () => {
  const rules = compileRules([aRule("rule_1", "^(a+)+$"), aRule("rule_2", "^(a+)+b$")]);

  const first = rules.match({ ...anEvent, body: longText }, { budgetUnits: 1 });
  const second = rules.match({ ...anEvent, body: `${longText}a` }, { budgetUnits: 1_000_000 });

  expect(first.overBudget).toEqual(["rule_2"]);
  expect(second).toMatchObject({ matched: ["rule_1"], overBudget: [] });
});

test.each(["all", "any"] as const)(
  "in a rule that requires %s of its conditions, an undecided negated condition does not count as met",
  (match) => {
    const costly = { field: "body", operator: "contains", value: "needle", not: true } as const;
    const missing = { field: "data.a", operator: "is_not_empty" } as const;
    const rules = compileRules([
      { id: "costly", eventKey: "*", conditions: [costly], conditionMatch: match },
      { id: "both", eventKey: "*", conditions: [costly, missing], conditionMatch: match },
      { id: "other", eventKey: "*", conditions: [costly, { ...missing, not: true }], conditionMatch: match },
    ]);

    const { matched, overBudget } = rules.match(anEvent, { budgetUnits: 0 });

    expect(matched.toSorted()).toEqual(match === "all" ? ["costly", "other"] : ["both", "costly", "other"]);
    expect(overBudget.toSorted()).toEqual(match === "all" ? ["costly", "other"] : ["both", "costly"]);
  },
);

test("a rule with a negated condition is found by its other condition, without searching the event's text", () => {
  const rules = compileRules(
    Array.from({ length: 20 }, (_, index) => ({
      id: `rule_${index}`,
      eventKey: "*",
      conditions: [
        { field: "body", operator: "contains", value: `needle ${index}`, not: true },
        { field: "title", operator: "contains", value: `disk ${index}`, ignoreCase: true },
      ],
    })),
  );

  const found = rules.match({ ...anEvent, title: "DISK 7 is full" });
  const none = rules.match({ ...anEvent, title: "CPU 7 is hot" });

  expect(found.matched).toEqual(["rule_7"]);
  // A search of the body, which has 2,000 characters, would cost 125 units for each rule.
  expect(found.spentUnits).toBeLessThan(200);
  expect(none).toMatchObject({ matched: [], spentUnits: 0 });
});
