import { countLostUpTo, findNumberAtRank, type ReadLostCounts } from "./lost-numbers.ts";

/** `range`: from the oldest to the newest number of the page; undefined for a page beyond the end. */
export type NumberPage = { total: number; range: { from: number; to: number } | undefined };

/** Sequence numbers from 1 to `last`. Events up to `edge` are past retention. `lost`: how many numbers have no event. */
export type Sequence = { last: number; edge: number; lost: number };

/** Counts the events that are within retention and not lost. Calls `read` only if numbers are lost. */
export const countShownEvents = async ({ last, edge, lost }: Sequence, read: ReadLostCounts): Promise<number> => {
  const past = lost === 0 || edge === 0 ? 0 : await countLostUpTo(edge, read);
  return Math.max(0, last - edge - (lost - past));
};

/** Returns the numbers on a page; page 1 has the newest. Every page is one range of numbers, so that all pages cost the same. */
export const readSequencePage = async (
  sequence: Sequence,
  { page, limit }: { page: number; limit: number },
  read: ReadLostCounts,
): Promise<NumberPage> => {
  const { last, edge, lost } = sequence;
  const total = await countShownEvents(sequence, read);
  const first = (page - 1) * limit + 1;
  if (first > total) return { total, range: undefined };
  const end = Math.min(page * limit, total);
  if (lost === 0) return { total, range: { from: last - end + 1, to: last - first + 1 } };
  const [from, to] = await Promise.all([findNumberAtRank(last, end, read), findNumberAtRank(last, first, read)]);
  return { total, range: { from: Math.max(from, edge + 1), to } };
};
