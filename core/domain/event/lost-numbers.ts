/*
 * Counts lost numbers: sequence numbers without an event. A tree of small items stores the counts, so that finding or counting
 * numbers reads only one item per level. A leaf of the tree lists lost numbers; any other node counts those below each child.
 */

const LEAF_NUMBERS = 1_024;
/** How many numbers one child of a node covers, by the node's level. Level 0 is a leaf, whose children are numbers. */
const WIDTHS = [1, LEAF_NUMBERS, 256 * LEAF_NUMBERS, 256 ** 2 * LEAF_NUMBERS] as const;
export const TOP_LEVEL = WIDTHS.length - 1;

/** Returns how many numbers one child of a node at a level covers. */
const getChildWidth = (level: number): number => WIDTHS[level] ?? Infinity;

/** Returns the index of the child that covers the event number, among the children of all nodes at a level. */
export const computeChildIndex = (level: number, eventNumber: number): number =>
  Math.floor(eventNumber / getChildWidth(level));

/** Returns the index of the node at a level that covers the number. */
export const computeNodeIndex = (level: number, eventNumber: number): number =>
  computeChildIndex(level + 1, eventNumber);

export const computeFirstNumberOfLeaf = (leaf: number): number => leaf * LEAF_NUMBERS;

/** How many numbers are lost, by child of a node. Children without lost numbers may be missing. */
export type LostCounts = ReadonlyMap<number, number>;
export type ReadLostCounts = (level: number, node: number) => Promise<LostCounts>;

/** Returns how many numbers are lost below a node. */
export const sumCounts = (counts: LostCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Returns the `rank`-th newest number that is not lost. `rank`: 1 for the newest number up to `last`. */
export const findNumberAtRank = async (last: number, rank: number, read: ReadLostCounts): Promise<number> => {
  let level = WIDTHS.findIndex((_, one) => computeNodeIndex(one, last) === 0);
  let node = 0;
  let newest = last;
  let left = rank;
  for (;;) {
    const counts = await read(level, node);
    const width = getChildWidth(level);
    let within: number | undefined;
    for (const [child, lost] of [...counts].sort(([a], [b]) => b - a)) {
      const begin = child * width;
      const end = begin + width - 1;
      if (lost === 0 || begin > newest) continue;
      const above = Math.max(0, newest - end);
      if (left <= above) break;
      left -= above;
      newest = Math.min(newest, end);
      const stored = newest - begin + 1 - lost;
      if (left <= stored) {
        within = child;
        break;
      }
      left -= Math.max(0, stored);
      newest = begin - 1;
    }
    // No number from the result to `newest` is lost.
    if (within === undefined || level === 0) return Math.max(1, newest - left + 1);
    node = within;
    level -= 1;
  }
};

/** Counts the lost numbers up to `last`. Besides the top node, reads at most two nodes and a leaf. */
export const countLostUpTo = async (last: number, read: ReadLostCounts): Promise<number> => {
  let lost = 0;
  let node = 0;
  for (let level = TOP_LEVEL; ; level -= 1) {
    const counts = await read(level, node);
    const within = computeChildIndex(level, last + 1);
    // In a leaf, each lost number has the count 1.
    for (const [child, count] of counts) if (child < within) lost += count;
    if (level === 0 || (counts.get(within) ?? 0) === 0) return lost;
    node = within;
  }
};
