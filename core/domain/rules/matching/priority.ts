import { PRIORITIES, type Priority } from "../../basics/priority.ts";

/** Returns the priority's index, which is 0 for the lowest priority; -1 for a value that is not a priority. */
const rankPriority = (value: unknown): number =>
  PRIORITIES.findIndex((priority) => priority === (value === "CRITICAL" ? "URGENT" : value));

const orders: Readonly<Record<string, (rank: number, bounds: readonly number[]) => boolean>> = {
  greater_than: (rank, [at = 0]) => rank > at,
  greater_than_or_equal: (rank, [at = 0]) => rank >= at,
  less_than: (rank, [at = 0]) => rank < at,
  less_than_or_equal: (rank, [at = 0]) => rank <= at,
  between: (rank, [low = 0, high = 0]) => rank >= low && rank <= high,
};

export const isOrderingOperator = (operator: string): boolean => Object.hasOwn(orders, operator);

/** Lists the priorities that meet a condition. `value`: a priority or a list of priorities; lists none for another value. */
export const listPriorities = (operator: string, value: unknown): Priority[] => {
  const bounds = (Array.isArray(value) ? value : [value]).map(rankPriority);
  if (bounds.includes(-1)) return [];
  return PRIORITIES.filter((_, rank) => orders[operator]?.(rank, bounds) ?? false);
};
