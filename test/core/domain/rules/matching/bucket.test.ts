import { describe, expect, it } from "vitest";
import { collectMatches, createBucket, prepareBucket } from "../../../../../core/domain/rules/matching/bucket.ts";
import { createEngine } from "../../../../../core/domain/rules/matching/engine.ts";
import { compileRules, type MatchableRule } from "../../../../../core/domain/rules/matching/index.ts";
import { setCurrentEvent, UNKNOWN } from "../../../../../core/domain/rules/matching/event-slots.ts";

type Condition = NonNullable<MatchableRule["conditions"]>[number];
type Data = Record<string, unknown>;

const condition = (field: string, operator: string, value?: unknown, not?: true) =>
  ({ field, operator, value, ...(not && { not }) }) as Condition;
const anEvent = (data: Data, title = "t") => ({ eventKey: "a.b", title, body: "b", priority: "NORMAL", data });

/** Indexes rules. `testedBy` returns the rules that the engine tests for an event. */
const indexRules = (
  count: number,
  conditionsOf: (index: number) => Condition[],
  fields: Partial<MatchableRule> = {},
) => {
  const engine = createEngine();
  const bucket = createBucket();
  for (let rule = 0; rule < count; rule += 1)
    bucket.rules.push({ id: `rule_${rule}`, eventKey: "*", conditions: conditionsOf(rule), ...fields });
  prepareBucket(bucket, engine);
  const index = bucket.index!;
  /** The engine compiles a rule when it first tests the rule, so the compiled rules are the tested ones. */
  const listTestedRules = (eventData: Data, title?: string): string[] => {
    index.starts.fill(UNKNOWN);
    setCurrentEvent(engine.slots, anEvent(eventData, title));
    collectMatches(bucket, engine, { matched: [], overBudget: [] });
    return index.ids.filter((_, rule) => index.starts[rule] !== UNKNOWN).toSorted();
  };
  return { index, testedBy: listTestedRules };
};

describe("with twelve rules or fewer, the matching engine", () => {
  it("tests every rule; with thirteen rules or more, it uses an index", () => {
    const twelve = indexRules(12, (value) => [condition("data.tier", "equals", value)]);
    const thirteen = indexRules(13, (value) => [condition("data.tier", "equals", value)]);

    expect(twelve.index.always).toBe(12);
    expect(twelve.testedBy({ tier: 3 })).toHaveLength(12);
    expect(thirteen.index.always).toBe(0);
    expect(thirteen.testedBy({ tier: 3 })).toEqual(["rule_3"]);
  });
});

describe("for an event, the indexed matching engine tests", () => {
  it.each<[string, (rule: number) => Condition, Data, string[]]>([
    [
      "the rules that require exactly the event's text",
      (rule) => condition("data.x", "equals", `v${rule}`),
      { x: "v4" },
      ["rule_4"],
    ],
    [
      "the rules whose list of texts contains the event's text",
      (rule) => condition("data.x", "one_of", [`v${rule}`, `v${rule + 1}`]),
      { x: "v4" },
      ["rule_3", "rule_4"],
    ],
    [
      "the rules with a range that contains the event's number, including both ends",
      (rule) => condition("data.x", "between", [rule, rule + 1]),
      { x: 4 },
      ["rule_3", "rule_4"],
    ],
    [
      "the rules with a bound that its number satisfies",
      (rule) => condition("data.x", "less_than", 12 - rule),
      { x: 10 },
      ["rule_0", "rule_1", "rule_2"],
    ],
    [
      "no rule with a range if the event has no number",
      (rule) => condition("data.x", "between", [rule, rule + 1]),
      { x: "many" },
      [],
    ],
    [
      "the rules whose search text is in the event",
      (rule) => condition("data.x", "contains", `needle ${rule}.`),
      { x: "a needle 7. b" },
      ["rule_7"],
    ],
    ["no rule about a field that the event lacks", () => condition("data.x", "contains", "abc"), { y: 1 }, []],
  ])("only rules that the event may match: %s", (_, conditionOf, data, tested) => {
    const { index, testedBy } = indexRules(20, (rule) => [conditionOf(rule)]);

    expect(index.always).toBe(0);
    expect(testedBy(data)).toEqual(tested);
  });

  it.each<[string, Condition]>([
    ["negate a text comparison", condition("data.x", "equals", "a", true)],
    ["negate a number comparison", condition("data.x", "greater_than", 5, true)],
    ["search for a short text in a field that every event has", condition("title", "contains", "abc")],
  ])("all rules that %s", (_, one) => {
    const { index, testedBy } = indexRules(20, () => [one]);

    expect(index.always).toBe(20);
    expect(testedBy({})).toHaveLength(20);
  });

  it("all rules that search a field for a text of three characters, if the event has that field", () => {
    const { testedBy } = indexRules(20, () => [condition("data.x", "contains", "abc")]);

    expect(testedBy({ x: "nothing" })).toHaveLength(20);
  });

  it("a rule only if the event may meet the most selective of the rule's conditions", () => {
    const filled = condition("data.filled", "is_not_empty");
    const textCondition = (rule: number) => condition("data.text", "contains", `needle ${rule}.`);
    const above = condition("data.above", "greater_than", 5);
    const between = condition("data.between", "between", [1, 2]);
    const short = condition("data.short", "contains", "abc");
    const data = { filled: 1, text: "needle 7.", above: 6, between: 3, short: "no" };
    const countTested = (conditionsOf: (rule: number) => Condition[]) =>
      indexRules(20, conditionsOf).testedBy(data).length;

    expect(countTested((rule) => [above, textCondition(rule)])).toBe(1);
    expect(countTested((rule) => [textCondition(rule), above])).toBe(1);
    expect(countTested((rule) => [textCondition(rule), between])).toBe(0);
    expect(countTested(() => [short, above])).toBe(20);
    // Rule 0 is indexed by `is_not_empty`, because it is the first rule with the field; rule 1 is indexed by the value 1.
    expect(countTested((rule) => [filled, condition("data.filled", "equals", rule), short])).toBe(2);
    expect(countTested((rule) => [condition("data.other", "equals", rule), between])).toBe(0);
  });

  it("a rule with alternative conditions if the event may meet one of them, or if some have no index", () => {
    const createConditionPair = (rule: number) => [
      condition("data.x", "equals", rule),
      condition("data.y", "equals", rule),
    ];
    const any = { conditionMatch: "any" } as const;

    expect(indexRules(20, createConditionPair, any).testedBy({ x: 3, y: 5 })).toEqual(["rule_3", "rule_5"]);
    expect(indexRules(20, createConditionPair).testedBy({ x: 3, y: 5 }).length).toBe(1);
    const half = indexRules(
      20,
      (rule) => [condition("data.x", "equals", rule), condition("data.y", "equals", 1, true)],
      any,
    );
    expect(half.index.always).toBe(20);
  });
});

describe("the matching budget of an event", () => {
  const body = "x".repeat(160);
  const rulesOf = (...rules: Partial<MatchableRule>[]) =>
    compileRules(rules.map((more, index) => ({ id: `rule_${index}`, eventKey: "*", ...more })));
  const bodyContains = (value: string) => condition("body", "contains", value);
  const event = { ...anEvent({}), body };

  it("counts one unit for each search and for each sixteen characters, and a repeated search only once", () => {
    const rules = rulesOf(
      { conditions: [bodyContains("abcd")] },
      { conditions: [bodyContains("abcd")] },
      { conditions: [bodyContains("efgh")] },
    );

    expect(rules.match(event).spentUnits).toBe(22);
    expect(rulesOf({ conditions: [condition("body", "starts_with", "abcd")] }).match(event).spentUnits).toBe(0);
  });

  it("refuses a search that would exceed the budget, and the rule that needs that search counts as matched", () => {
    const rules = rulesOf({ conditions: [bodyContains("abcd")] }, { conditions: [bodyContains("efgh")] });

    expect(rules.match(event, { budgetUnits: 12 })).toMatchObject({ matched: [], overBudget: [] });
    expect(rules.match(event, { budgetUnits: 11 })).toMatchObject({ matched: ["rule_1"], overBudget: ["rule_1"] });
    expect(rules.match(event, { budgetUnits: 0 })).toMatchObject({ overBudget: ["rule_0", "rule_1"], spentUnits: 0 });
  });

  it("is not needed for a rule that other conditions already decide", () => {
    const conditions = [bodyContains("abcd"), condition("body", "starts_with", "xxx")];

    expect(rulesOf({ conditions, conditionMatch: "any" }).match(event, { budgetUnits: 0 })).toMatchObject({
      matched: ["rule_0"],
      overBudget: [],
    });
  });

  it("is spent on regular expressions, which are compiled when first used, and stay compiled", () => {
    const rules = rulesOf({ conditions: [condition("body", "matches_regex", "^x+y?[ab]$")] });

    expect(rules.estimateBytes()).toBe(0);
    expect(rules.match(event).spentUnits).toBeGreaterThan(body.length);
    expect(rules.estimateBytes()).toBeGreaterThan(0);
    expect(rules.match(event, { budgetUnits: 0 })).toMatchObject({ overBudget: ["rule_0"], spentUnits: 0 });
  });
});
