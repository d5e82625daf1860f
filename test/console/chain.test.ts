import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sortByChain, listMoves, type RuleInChain } from "../../console/pages/rule/chain.ts";

const createRule = (id: string, chain: string | null = null, position: number | null = null): RuleInChain => ({
  id,
  name: id,
  chain,
  position,
});
const chainOf = (...positions: number[]) => positions.map((position, index) => createRule(`r${index}`, "c", position));

describe("the rules page", () => {
  it("lists rules without a chain first, in their given order, and then each chain by position, name and id", () => {
    const rules = [
      createRule("z", "b", 1),
      createRule("y", "a", 2),
      createRule("x"),
      { ...createRule("2", "a", 1), name: "n" },
      { ...createRule("1", "a", 1), name: "n" },
      createRule("m", "a", 1),
      createRule("w"),
    ];

    expect(sortByChain(rules).map(({ id }) => id)).toEqual(["x", "w", "m", "1", "2", "y", "z"]);
  });
});

describe("dragging a rule within its chain", () => {
  it.each([
    ["moves a rule between two others", chainOf(10, 20, 30), "r2", 1, [{ id: "r2", position: 15 }]],
    ["moves a rule to the front", chainOf(10, 20), "r1", 0, [{ id: "r1", position: 5 }]],
    ["moves a rule to the end", chainOf(10, 20), "r0", 1, [{ id: "r0", position: 30 }]],
    ["keeps a rule at its place", chainOf(10, 20), "r1", 1, []],
    ["ignores an unknown rule", chainOf(10, 20), "r9", 1, []],
  ])("writes only changed positions: it %s", (_, chain, id, to, moves) => {
    expect(listMoves(chain, id, to)).toEqual(moves);
  });

  it("writes new positions for all rules of the chain if no number between the two neighbours is free", () => {
    expect(listMoves(chainOf(1, 2, 3), "r2", 1)).toEqual([
      { id: "r1", position: 30 },
      { id: "r2", position: 20 },
      { id: "r0", position: 10 },
    ]);
    expect(listMoves(chainOf(99_999, 100_000), "r0", 1)).toEqual([
      { id: "r1", position: 10 },
      { id: "r0", position: 20 },
    ]);
  });

  it("ends in the wanted order, and no write in between changes the order of the other rules", () => {
    const positions = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(positions, fc.nat(7), fc.nat(7), (drawn, from, to) => {
        const chain = sortByChain(chainOf(...drawn));
        const moved = chain[from % chain.length]!;
        const place = to % chain.length;
        const listOtherIds = (rules: readonly RuleInChain[]) =>
          rules.map(({ id }) => id).filter((id) => id !== moved.id);
        let now = chain;
        for (const { id, position } of listMoves(chain, moved.id, place)) {
          now = sortByChain(now.map((one) => (one.id === id ? { ...one, position } : one)));
          expect(listOtherIds(now)).toEqual(listOtherIds(chain));
        }

        expect(now.findIndex(({ id }) => id === moved.id)).toBe(place);
      }),
    );
  });
});
