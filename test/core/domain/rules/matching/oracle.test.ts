import { expect, test } from "vitest";
import { compileRules, type MatchableRule } from "../../../../../core/domain/rules/matching/index.ts";
import { drawWorkload } from "../../../../../bench/matching-workload.ts";
import { createArbitraries } from "./arbitrary.ts";
import { oracle, type OracleEvent, type OracleRule } from "./oracle.ts";

/** `MATCHING_PAIRS=2000000 MATCHING_SEED=7 npx vitest run test/core/domain/rules/matching/oracle.test.ts` runs more pairs. */
const PAIRS = Number(process.env["MATCHING_PAIRS"] ?? 30_000);
const SEED = Number(process.env["MATCHING_SEED"] ?? 1);
const EVENTS_PER_SET = 25;

const compileWithEngine = (rules: readonly OracleRule[]) => compileRules(rules as readonly MatchableRule[]);

const compareMatches = (rules: readonly OracleRule[], events: readonly OracleEvent[], description: string) => {
  const match = compileWithEngine(rules);
  let matched = 0;
  for (const event of events) {
    const expected = oracle(rules, event);
    const actual = match(event);
    matched += expected.length;
    if (actual.toSorted().join() !== expected.toSorted().join()) {
      const different = rules.filter(({ id }) => actual.includes(id) !== expected.includes(id));
      const alone = different.map((rule) => compileWithEngine([rule])(event));
      expect.fail(`${description}: ${JSON.stringify({ event, alone, different }, null, 2)}`);
    }
  }
  return matched;
};

test("the matching engine matches exactly the rules that the brute-force oracle matches", () => {
  const make = createArbitraries(SEED);
  let matched = 0;
  let tried = 0;

  for (let pair = 0; pair < PAIRS; pair += EVENTS_PER_SET) {
    const rules = make.rules();
    tried += rules.length * EVENTS_PER_SET;
    matched += compareMatches(
      rules,
      Array.from({ length: EVENTS_PER_SET }, make.event),
      `pair ${pair} of seed ${SEED}`,
    );
  }

  expect(matched).toBeGreaterThan(PAIRS);
  expect(tried - matched).toBeGreaterThan(PAIRS);
}, 120_000);

test("the matching engine agrees with the brute-force oracle when thousands of rules share one event key", () => {
  const make = createArbitraries(SEED);
  const rules = make.rules(4_000).map((rule) => ({ ...rule, eventKey: "*" }));

  const matched = compareMatches(rules, Array.from({ length: 40 }, make.event), `4,000 rules of seed ${SEED}`);

  expect(matched).toBeGreaterThan(10_000);
});

test.each(["core", "mixed"] as const)(
  "the matching engine agrees with the brute-force oracle for 200,000 pairs of a rule and an event: workload %s",
  (name) => {
    const { rules, events } = drawWorkload(name, 2_000, 100);

    expect(compareMatches(rules as OracleRule[], events as OracleEvent[], name)).toBeGreaterThan(1_000);
  },
);
