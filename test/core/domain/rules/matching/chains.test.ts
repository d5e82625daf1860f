import { expect, test } from "vitest";
import { collectChain, createChains, file } from "../../../../../core/domain/rules/matching/chains.ts";
import { clearHits, createHits } from "../../../../../core/domain/rules/matching/hits.ts";

test("however many keys there are, each finds its own rules, and one without rules finds none", () => {
  const chains = createChains();
  const hits = createHits();

  for (let key = 0; key < 100; key += 1) {
    clearHits(hits, 200);
    file(chains, key, 2 * key);

    collectChain(chains, key + 1, hits);
    expect(hits.count).toBe(0);

    file(chains, key, 2 * key + 1);
    collectChain(chains, key, hits);
    expect([...hits.rules.subarray(0, hits.count)]).toEqual([2 * key + 1, 2 * key]);
  }
});
