import { expect, test } from "vitest";
import { compileRules, type MatchableRule } from "../../../../core/domain/matching/index.ts";
import { arbitrary } from "./arbitrary.ts";
import { oracle, type OracleEvent, type OracleRule } from "./oracle.ts";

/** `MATCHING_PAIRS=2000000 MATCHING_SEED=7 npx vitest run test/core/domain/matching/oracle.test.ts` runs more and others. */
const PAIRS = Number(process.env["MATCHING_PAIRS"] ?? 100_000);
const SEED = Number(process.env["MATCHING_SEED"] ?? 1);
const EVENTS_PER_SET = 25;

const engine = (rules: readonly OracleRule[]) => compileRules(rules as readonly MatchableRule[]);

test("the engine matches exactly the rules that the brute-force oracle does", () => {
  const make = arbitrary(SEED);
  const seen = { matched: 0, rejected: 0 };

  for (let pair = 0; pair < PAIRS;) {
    const rules = make.rules();
    const match = engine(rules);
    for (let count = 0; count < EVENTS_PER_SET; count += 1, pair += 1) {
      const event: OracleEvent = make.event();
      const expected = oracle(rules, event);
      const actual = match(event);
      seen.matched += expected.length;
      seen.rejected += rules.length - expected.length;
      if (actual.toSorted().join() !== expected.toSorted().join()) {
        const different = rules.filter(({ id }) => actual.includes(id) !== expected.includes(id));
        expect.fail(
          `pair ${pair} of seed ${SEED}: ${JSON.stringify({ event, alone: different.map((rule) => engine([rule])(event)), different }, null, 2)}`,
        );
      }
    }
  }

  expect(seen.matched).toBeGreaterThan(PAIRS);
  expect(seen.rejected).toBeGreaterThan(PAIRS);
}, 60_000);
