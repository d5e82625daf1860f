import type { Item, Key } from "./item.ts";

/** The time after a write for which an eventually consistent read may miss the write. */
const STALE_MS = 1000;

/** Creates a store of the previous states of recently written items, which eventually consistent reads return. */
export const createStaleReads = (now: () => number) => {
  const former = new Map<string, Map<string, { item: Item | undefined; at: number }>>();
  return {
    keep: ({ pk, sk }: Key, item: Item | undefined): void => {
      const formerly = former.get(pk) ?? new Map<string, { item: Item | undefined; at: number }>();
      former.set(pk, formerly.set(sk, { item, at: now() }));
    },
    asSeen: ({ pk, sk }: Key, item: Item | undefined, stale: boolean): Item | undefined => {
      const formerly = stale ? former.get(pk)?.get(sk) : undefined;
      return formerly !== undefined && now() - formerly.at <= STALE_MS ? formerly.item : item;
    },
  };
};
export type Previous = ReturnType<typeof createStaleReads>;
