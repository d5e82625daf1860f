import { expect, test } from "vitest";
import { addHit, clearHits, createHits } from "../../../../../core/domain/rules/matching/hits.ts";

test("a rule that several conditions find is one hit, also after four billion events", () => {
  const hits = createHits();
  clearHits(hits, 2);
  hits.turn = 0xfffffffd;

  for (let event = 0; event < 3; event += 1) {
    clearHits(hits, 2);
    addHit(hits, 1);
    addHit(hits, 1);

    expect(hits.count).toBe(1);
  }
});
