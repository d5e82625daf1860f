import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findChainFaults } from "../../../../core/domain/rules/chain.ts";
import { createChainChecker } from "../../../../core/domain/rules/doubtful-rules.ts";
import { RuleInput } from "../../../../core/domain/rules/rule-input.ts";
import type { RoutingRule } from "../../../../core/domain/rules/routing-rule.ts";
import { toRuleSet } from "../../../../core/domain/rules/rule-set.ts";
import { traceRules } from "../../../../core/domain/rules/trace.ts";
import { parseInput } from "../../../../core/domain/basics/faults.ts";
import { aRule as anyRule, to } from "../support.ts";

const aRule = (id: string, fields: Partial<RoutingRule> = {}): RoutingRule =>
  anyRule({ id, name: id, eventKey: "*", ...fields });
const inChain = (position: number, more: Partial<RoutingRule> = {}) => ({ chain: "checkout", position, ...more });

const event = { eventKey: "order.failed", title: "T", body: "B", priority: "NORMAL" };
const NOON = Date.parse("2026-11-23T12:00:00Z");
const matchingIds = (...rules: RoutingRule[]) =>
  toRuleSet(rules, [])
    .match(event, NOON)
    .rules.map(({ id }) => id)
    .toSorted();

const never: Partial<RoutingRule> = { conditions: [{ field: "title", operator: "equals", value: "other" }] };
const closed: Partial<RoutingRule> = {
  activeHours: [{ days: ["tue"], from: "00:00", to: "24:00" }],
  timeZone: "UTC",
};

describe("a chain of rules", () => {
  it("applies only the matching rule with the lowest position", () => {
    expect(matchingIds(aRule("c", inChain(30)), aRule("b", inChain(20)), aRule("a", inChain(10)))).toEqual(["a"]);
  });

  it.each([
    ["does not match", never],
    ["is for another event key", { eventKey: "booking.*" }],
    ["is disabled", { enabled: false }],
    ["is outside its active hours", closed],
  ])("skips a rule that %s", (_, more) => {
    expect(matchingIds(aRule("a", inChain(1, more)), aRule("b", inChain(2)), aRule("c", inChain(3)))).toEqual(["b"]);
  });

  it("does not affect other chains or rules without a chain", () => {
    const other = { chain: "Checkout", position: 5 };

    expect(matchingIds(aRule("a", inChain(1)), aRule("b", inChain(2)), aRule("other", other), aRule("free"))).toEqual([
      "a",
      "free",
      "other",
    ]);
  });

  it("orders rules with the same position by name, and rules with the same name by id", () => {
    const ruleNamed = (id: string, name: string) => aRule(id, inChain(7, { name }));

    expect(matchingIds(ruleNamed("rule_1", "b"), ruleNamed("rule_2", "a"))).toEqual(["rule_2"]);
    expect(matchingIds(ruleNamed("rule_2", "a"), ruleNamed("rule_1", "a"))).toEqual(["rule_1"]);
  });

  it("continues after a rule that was too expensive to evaluate", () => {
    const costly: Partial<RoutingRule> = { conditions: [{ field: "body", operator: "contains", value: "x" }] };
    const rules = toRuleSet(
      [aRule("a", inChain(1, costly)), aRule("b", inChain(2)), aRule("c", inChain(3, costly))],
      [],
    );

    const { rules: applied, overBudget } = rules.match(event, NOON, { budgetUnits: 0 });

    expect([applied.map(({ id }) => id).toSorted(), overBudget]).toEqual([["a", "b"], ["a"]]);
  });
});

describe("a fallback rule of a chain", () => {
  const fallback = { fallback: true };

  it("comes after every other rule, whatever its position", () => {
    expect(matchingIds(aRule("a", inChain(1, fallback)), aRule("b", inChain(2)))).toEqual(["b"]);
    expect(matchingIds(aRule("a", inChain(1, fallback)), aRule("free"))).toEqual(["free"]);
  });

  it("applies only if no other rule of its chain matches, even if a rule outside the chain matches", () => {
    expect(matchingIds(aRule("a", inChain(1, fallback)), aRule("b", inChain(2)), aRule("free"))).toEqual(["b", "free"]);
  });

  it("applies before fallback rules with higher positions, if no other rule of the chain matches", () => {
    expect(
      matchingIds(aRule("b", inChain(2, fallback)), aRule("a", inChain(1, fallback)), aRule("free", never)),
    ).toEqual(["a"]);
  });
});

describe("the chain in the trace of a rule", () => {
  const traceById = (...rules: RoutingRule[]) =>
    Object.fromEntries(traceRules(rules, event, NOON).map(({ rule, trace }) => [rule.id, trace]));

  it("names the earlier rule that matched", () => {
    const { rule_1, rule_2, rule_3 } = traceById(
      aRule("rule_1", inChain(1, never)),
      aRule("rule_2", inChain(2)),
      aRule("rule_3", inChain(3)),
    );

    expect(rule_1).toMatchObject({ matches: false, chain: { name: "checkout", position: 1, verdict: true } });
    expect(rule_2).toMatchObject({ matches: true, chain: { position: 2, verdict: true, matched: null } });
    expect(rule_3).toMatchObject({
      matches: false,
      chain: { position: 3, verdict: false, matched: { id: "rule_2", name: "rule_2" } },
    });
  });

  it("is null for a rule without a chain", () => {
    expect(traceById(aRule("rule_1"), aRule("rule_2", inChain(1)))["rule_1"]).toMatchObject({
      matches: true,
      chain: null,
    });
  });

  it("agrees with the rules that apply in a delivery, whatever the rules are", () => {
    const rule = fc.record({
      chain: fc.constantFrom("x", "y", null),
      position: fc.integer({ min: 1, max: 3 }),
      fallback: fc.boolean(),
      more: fc.constantFrom({}, {}, never, closed, { enabled: false }),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 8 }), (drawn) => {
        const rules = drawn.map(({ chain, position, fallback, more }, index) =>
          aRule(`rule_${index}`, { chain, position: chain === null ? null : position, fallback, ...more }),
        );
        const byTrace = traceRules(rules, event, NOON).flatMap(({ rule: { id }, trace }) => (trace.matches ? id : []));

        expect(byTrace.toSorted()).toEqual(matchingIds(...rules));
      }),
    );
  });
});

describe("the fields chain and position of a request body", () => {
  const faultsOf = (fields: object) =>
    parseInput(RuleInput, { name: "R", eventKey: "*", targets: to("grp_1"), ...fields }).faults.map(
      ({ message }) => message,
    );

  const outOfRange = ["position must be a whole number from 1 to 100000."];
  it.each([
    ["accepted with the position 1", { chain: "c", position: 1 }, []],
    [
      "accepted with a chain of 100 characters and the position 100,000",
      { chain: "🚨".repeat(100), position: 100_000 },
      [],
    ],
    [
      "refused with a chain of 101 characters",
      { chain: "🚨".repeat(101), position: 1 },
      ["chain must have at most 100 characters."],
    ],
    ["refused with an empty chain", { chain: "", position: 1 }, ["chain must not be empty."]],
    ["refused with the position 0", { chain: "c", position: 0 }, outOfRange],
    ["refused with the position 100,001", { chain: "c", position: 100_001 }, outOfRange],
    ["refused with the position 1.5", { chain: "c", position: 1.5 }, outOfRange],
  ])("are %s", (_what, more, faults) => {
    expect(faultsOf(more)).toEqual(faults);
  });

  it.each([
    ["accepted if both are set", { chain: "c", position: 1 }, []],
    ["accepted if both are null", { chain: null, position: null }, []],
    [
      "refused if only chain is set",
      { chain: "c", position: null },
      ['"position" is required with "chain", such as 10.'],
    ],
    [
      "refused if only position is set",
      { chain: null, position: 1 },
      ['"chain" is required with "position", such as "checkout".'],
    ],
  ])("are %s", (_what, rule, messages) => {
    expect(findChainFaults(rule).map(({ message }) => message)).toEqual(messages);
  });
});

describe("a rule in a chain", () => {
  const warningCodes = (rule: RoutingRule, ...others: RoutingRule[]) =>
    createChainChecker([rule, ...others])(rule).map(({ code }) => code);
  const rule = aRule("b", inChain(2, { eventKey: "order.failed" }));

  it("gets a warning that names the rule at the same position", () => {
    expect(createChainChecker([rule, aRule("a", inChain(2, never))])(rule)).toEqual([
      {
        code: "chain_position_shared",
        field: "position",
        message:
          'Rule "a" has the same position in the chain "checkout". The names of the rules decide which rule comes first.',
        params: { rule: "a", chain: "checkout" },
      },
    ]);
    expect(warningCodes(rule, aRule("a", { ...never, chain: "other", position: 2 }))).toEqual([]);
  });

  it.each([["*"], ["order.*"], ["order.failed"]])(
    "gets a warning that names an earlier rule for %s, because the earlier rule matches the same events",
    (eventKey) => {
      expect(createChainChecker([rule, aRule("a", inChain(1, { eventKey }))])(rule)).toEqual([
        {
          code: "chain_never_reached",
          field: "position",
          message:
            'This rule never applies: the rule "a" comes first in the chain "checkout" and matches the same events.',
          params: { rule: "a", chain: "checkout" },
        },
      ]);
    },
  );

  it.each([
    ["comes later", inChain(3)],
    ["is for other keys", inChain(1, { eventKey: "booking.*" })],
    ["has conditions", inChain(1, never)],
    ["has active hours", inChain(1, closed)],
    ["is disabled", inChain(1, { enabled: false })],
    ["is a fallback rule", inChain(1, { fallback: true })],
    ["is in no chain", { chain: null, position: null }],
  ])("gets no warning about another rule that %s", (_, more) => {
    expect(warningCodes(rule, aRule("a", more))).toEqual([]);
  });

  it("gets no warning if it is disabled, nor does a rule without a chain", () => {
    expect(warningCodes(aRule("b", inChain(2, { enabled: false })), aRule("a", inChain(1)))).toEqual([]);
    expect(warningCodes(aRule("b"), aRule("a", inChain(1)))).toEqual([]);
  });

  it("gets a warning if it is a fallback rule after a rule that matches everything", () => {
    expect(
      warningCodes(aRule("b", inChain(2, { fallback: true })), aRule("a", inChain(1, { fallback: true }))),
    ).toEqual(["chain_never_reached"]);
  });
});
