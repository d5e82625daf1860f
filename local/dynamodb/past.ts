import type { Item, Key } from "./item.ts";

/** For how long a read that need not be consistent may miss a write. */
const STALE_MS = 1000;

/** What a read that need not be consistent may still see of items: their state before their last writes. */
export const createPast = (now: () => number) => {
  const former = new Map<string, Map<string, { item: Item | undefined; at: number }>>();
  return {
    /** Called at each write with the item as it was before. */
    keep: ({ pk, sk }: Key, item: Item | undefined): void => {
      const formerly = former.get(pk) ?? new Map<string, { item: Item | undefined; at: number }>();
      former.set(pk, formerly.set(sk, { item, at: now() }));
    },
    /** How an item looks to a read that may be stale. */
    asSeen: ({ pk, sk }: Key, item: Item | undefined, stale: boolean): Item | undefined => {
      const formerly = stale ? former.get(pk)?.get(sk) : undefined;
      return formerly !== undefined && now() - formerly.at <= STALE_MS ? formerly.item : item;
    },
  };
};
export type Past = ReturnType<typeof createPast>;
