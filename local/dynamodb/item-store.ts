import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import type { Item, Key } from "./item.ts";

/** A range of sort keys; `low` and `high` are inclusive. */
export type KeyRange = { low: string; high: string | undefined; descending: boolean };

/** The store of the table's items. Items are durable once `set` has returned. */
export type ItemStore = {
  get: (key: Key) => Item | undefined;
  set: (key: Key, item: Item | undefined) => void;
  /** Returns items in the byte order of sort keys, or in reverse order. No item may be set while the caller iterates. */
  walk: (pk: string, span: KeyRange) => Iterable<Item>;
  /** Returns all items in the order of keys. No item may be set while the caller iterates. */
  all: (after?: Key) => Iterable<Item>;
  /** Runs `work` and stores all of its changes or none. */
  together: (work: () => void) => void;
  close: () => void;
};

/** Returns a code unit's rank in UTF-8, in which surrogates come after all other code units. */
const rankCodeUnit = (unit: number): number => {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
};

/** Compares two keys by UTF-8 bytes, like DynamoDB. Returns a negative number if `key` comes first, and 0 if they are equal. */
export const compareKeys = (key: string, other: string): number => {
  const shorter = Math.min(key.length, other.length);
  for (let index = 0; index < shorter; index += 1) {
    const [a, b] = [key.charCodeAt(index), other.charCodeAt(index)];
    if (a !== b) return rankCodeUnit(a) - rankCodeUnit(b);
  }
  return key.length - other.length;
};

type Partition = { sks: string[]; items: Map<string, Item> };
export type Snapshot = ReadonlyMap<string, Partition>;

/** Returns the position of the first key that is not before `sortKey` in a sorted list; the list's length if no key is. */
const searchSorted = (sortKeys: readonly string[], sortKey: string): number => {
  let low = 0;
  let high = sortKeys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(sortKeys[middle] ?? "", sortKey) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Creates a store with the items of a snapshot. The snapshot itself never changes. */
export const createMemoryStore = (snapshot: Snapshot = new Map()) => {
  const partitions = new Map(snapshot);
  const own = new Set<string>();

  const copyPartitionForWrite = (pk: string): Partition => {
    const found = partitions.get(pk);
    if (found !== undefined && own.has(pk)) return found;
    const copy: Partition = { sks: [...(found?.sks ?? [])], items: new Map(found?.items) };
    own.add(pk);
    partitions.set(pk, copy);
    return copy;
  };

  return {
    get: ({ pk, sk }: Key): Item | undefined => partitions.get(pk)?.items.get(sk),
    set: ({ pk, sk }: Key, item: Item | undefined): void => {
      const { sks, items } = copyPartitionForWrite(pk);
      const index = searchSorted(sks, sk);
      const stands = items.has(sk);
      if (item !== undefined) items.set(sk, item);
      else items.delete(sk);
      if (item !== undefined && !stands) sks.splice(index, 0, sk);
      if (item === undefined && stands) sks.splice(index, 1);
    },
    *walk(pk: string, { low, high, descending }: KeyRange): Generator<Item> {
      const { sks, items } = partitions.get(pk) ?? { sks: [], items: new Map<string, Item>() };
      const first = searchSorted(sks, low);
      const last = high === undefined ? sks.length - 1 : searchSorted(sks, `${high}\0`) - 1;
      for (let step = 0; step <= last - first; step += 1) {
        const item = items.get(sks[descending ? last - step : first + step] ?? "");
        if (item !== undefined) yield item;
      }
    },
    *all(after?: Key): Generator<Item> {
      for (const pk of [...partitions.keys()].sort(compareKeys)) {
        if (after !== undefined && compareKeys(pk, after.pk) < 0) continue;
        const { sks = [], items } = partitions.get(pk) ?? {};
        for (const sk of sks) {
          const item = items?.get(sk);
          if (item !== undefined && (pk !== after?.pk || compareKeys(sk, after.sk) > 0)) yield item;
        }
      }
    },
    together: (work: () => void): void => work(),
    close: (): void => {},
    partitions: (): string[] => [...partitions.keys()],
    list: (pk: string): Item[] => {
      const { sks = [], items } = partitions.get(pk) ?? {};
      return sks.flatMap((sk): Item[] => {
        const item = items?.get(sk);
        return item === undefined ? [] : [item];
      });
    },
    snapshot: (): Snapshot => {
      own.clear();
      return new Map(partitions);
    },
  };
};

const Row = v.object({
  item: v.pipe(
    v.string(),
    v.parseJson(),
    v.custom<Item>((value) => typeof value === "object"),
  ),
});

/** Opens a store in a file, which one process owns. Throws if another process has the file open for longer than `waitMs`. */
export const openFileStore = (file: string, { waitMs }: { waitMs: number }): ItemStore => {
  const database = new DatabaseSync(file, { timeout: waitMs });
  // After an SQL statement, its data survives the end of this process, but not a crash of the machine.
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF");
  database.exec("CREATE TABLE IF NOT EXISTS items (pk TEXT, sk TEXT, item TEXT, PRIMARY KEY (pk, sk)) WITHOUT ROWID");
  const get = database.prepare("SELECT item FROM items WHERE pk = ? AND sk = ?");
  const put = database.prepare("INSERT OR REPLACE INTO items VALUES (?, ?, ?)");
  const remove = database.prepare("DELETE FROM items WHERE pk = ? AND sk = ?");
  const range = "SELECT item FROM items WHERE pk = ? AND sk >= ? AND sk <= ? ORDER BY sk";
  const upwards = database.prepare(range);
  const everything = database.prepare("SELECT item FROM items WHERE (pk, sk) > (?, ?) ORDER BY pk, sk");
  const downwards = database.prepare(`${range} DESC`);
  return {
    get: ({ pk, sk }) => {
      const row = get.get(pk, sk);
      return row === undefined ? undefined : v.parse(Row, row).item;
    },
    set: ({ pk, sk }, item) => {
      if (item === undefined) remove.run(pk, sk);
      else put.run(pk, sk, JSON.stringify(item));
    },
    *walk(pk, { low, high = "\u{10FFFF}", descending }) {
      for (const row of (descending ? downwards : upwards).iterate(pk, low, high)) yield v.parse(Row, row).item;
    },
    *all({ pk, sk } = { pk: "", sk: "" }) {
      for (const row of everything.iterate(pk, sk)) yield v.parse(Row, row).item;
    },
    together: (work) => {
      database.exec("BEGIN");
      work();
      database.exec("COMMIT");
    },
    close: () => database.close(),
  };
};
