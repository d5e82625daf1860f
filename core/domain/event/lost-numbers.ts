/*
 * Counts the lost numbers of a sequence: those without an event. The counts are in a tree: each position of the list is found
 * along one path of small items. A leaf lists its lost numbers. A node counts the lost numbers below each child. The top node
 * covers all numbers.
 */

const LEAF_NUMBERS = 1_024;
/** The index is the node's level. Level 0 is a leaf; its children are numbers. */
const WIDTHS = [1, LEAF_NUMBERS, 256 * LEAF_NUMBERS, 256 ** 2 * LEAF_NUMBERS] as const;
export const TOP_LEVEL = WIDTHS.length - 1;

const levelWidth = (level: number): number => WIDTHS[level] ?? Infinity;

/** The index counts over all nodes of the level. */
export const childIndex = (level: number, number: number): number => Math.floor(number / levelWidth(level));
export const nodeIndex = (level: number, number: number): number => childIndex(level + 1, number);

export const firstNumberOfLeaf = (leaf: number): number => leaf * LEAF_NUMBERS;

/** By child. A child without lost numbers may be left out. */
export type LostCounts = ReadonlyMap<number, number>;
export type ReadLostCounts = (level: number, node: number) => Promise<LostCounts>;

export const sumCounts = (counts: LostCounts): number => [...counts.values()].reduce((sum, count) => sum + count, 0);

/** Returns a number that is not lost. `rank`: 1 is the newest number up to `last`. */
export const findNumberAtRank = async (last: number, rank: number, read: ReadLostCounts): Promise<number> => {
  let level = WIDTHS.findIndex((_, one) => nodeIndex(one, last) === 0);
  let node = 0;
  let newest = last;
  let left = rank;
  for (;;) {
    const counts = await read(level, node);
    const width = levelWidth(level);
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
    // No remaining number is lost, or the counts include an event that arrived after `last`.
    if (within === undefined || level === 0) return Math.max(1, newest - left + 1);
    node = within;
    level -= 1;
  }
};

/** Reads at most two nodes and a leaf below the top node. */
export const countLostUpTo = async (last: number, read: ReadLostCounts): Promise<number> => {
  let lost = 0;
  let node = 0;
  for (let level = TOP_LEVEL; ; level -= 1) {
    const counts = await read(level, node);
    const within = childIndex(level, last + 1);
    // A leaf lists each lost number with the count 1.
    for (const [child, count] of counts) if (child < within) lost += count;
    if (level === 0 || (counts.get(within) ?? 0) === 0) return lost;
    node = within;
  }
};
