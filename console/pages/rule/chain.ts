/** The criteria for ordering the rules of a chain. */
export type Chained = { id: string; name: string; chain: string | null; position: number | null };

/** The room that is left between two rules. */
const STEP = 10;
const POSITION_MAX = 100_000;

const compare = <Value>(one: Value, other: Value): number => (one < other ? -1 : Number(one > other));

/** The rules without a chain as they come, then each chain in the order in which its rules are asked. */
export const byChain = <Rule extends Chained>(rules: readonly Rule[]): Rule[] =>
  rules.toSorted((one, other) => {
    if (one.chain === null || other.chain === null) return Number(one.chain !== null) - Number(other.chain !== null);
    return (
      compare(one.chain, other.chain) ||
      (one.position ?? 0) - (other.position ?? 0) ||
      compare(one.name, other.name) ||
      compare(one.id, other.id)
    );
  });

type Move = { id: string; position: number };

/**
 * The positions to write, in this order, so that a rule of a chain takes the place `to` (from 0) in it. If there is no
 * room between its new neighbours, all rules of the chain get new positions. After each write the rules that are not
 * moved are in the same order as before.
 */
export const movesTo = (chain: readonly Chained[], id: string, to: number): Move[] => {
  const from = chain.findIndex((rule) => rule.id === id);
  const rule = chain[from];
  if (rule === undefined || from === to) return [];
  const others = chain.toSpliced(from, 1);
  const low = to === 0 ? 0 : (others[to - 1]?.position ?? 0);
  const high = others[to]?.position ?? low + 2 * STEP;
  const between = Math.floor((low + high) / 2);
  if (between > low && between < high && between <= POSITION_MAX) return [{ id, position: between }];
  const ordered = others.toSpliced(to, 0, rule).map((one, index) => ({ ...one, next: (index + 1) * STEP }));
  const changed = ordered.filter(({ position, next }) => position !== next);
  const isUp = ({ position, next }: (typeof changed)[number]) => next > (position ?? 0);
  const [up, down] = [changed.filter(isUp), changed.filter((one) => !isUp(one))];
  return [...up.toReversed(), ...down].map((one) => ({ id: one.id, position: one.next }));
};
