export type RuleInChain = { id: string; name: string; chain: string | null; position: number | null };

const STEP = 10;
const POSITION_MAX = 100_000;

const compareValues = <Value>(one: Value, other: Value): number => (one < other ? -1 : Number(one > other));

/** Returns first the rules without a chain, then the rules of each chain in the order of evaluation. */
export const sortByChain = <Rule extends RuleInChain>(rules: readonly Rule[]): Rule[] =>
  rules.toSorted((one, other) => {
    if (one.chain === null || other.chain === null) return Number(one.chain !== null) - Number(other.chain !== null);
    return (
      compareValues(one.chain, other.chain) ||
      (one.position ?? 0) - (other.position ?? 0) ||
      compareValues(one.name, other.name) ||
      compareValues(one.id, other.id)
    );
  });

type RuleMove = { id: string; position: number };

/**
 * Returns the position changes that move the rule to `targetIndex` (from 0) in its chain. If no number is free between its new
 * neighbours, all rules get new positions. The changes, in the returned order, keep the other rules' order.
 */
export const listMoves = (chain: readonly RuleInChain[], ruleId: string, targetIndex: number): RuleMove[] => {
  const from = chain.findIndex((rule) => rule.id === ruleId);
  const rule = chain[from];
  if (rule === undefined || from === targetIndex) return [];
  const others = chain.toSpliced(from, 1);
  const low = targetIndex === 0 ? 0 : (others[targetIndex - 1]?.position ?? 0);
  const high = others[targetIndex]?.position ?? low + 2 * STEP;
  const between = Math.floor((low + high) / 2);
  if (between > low && between < high && between <= POSITION_MAX) return [{ id: ruleId, position: between }];
  const ordered = others.toSpliced(targetIndex, 0, rule).map((one, index) => ({ ...one, to: (index + 1) * STEP }));
  const changed = ordered.filter(({ position, to }) => position !== to);
  const movesDown = ({ position, to }: (typeof changed)[number]) => to > (position ?? 0);
  const [down, up] = [changed.filter(movesDown), changed.filter((one) => !movesDown(one))];
  return [...down.toReversed(), ...up].map((one) => ({ id: one.id, position: one.to }));
};
