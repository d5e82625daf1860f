import * as v from "valibot";
import type { TableDeps } from "../deps.ts";
import { parseDueTime, dueRangeEnd, moveKeyToDueTime, keyDirectlyAfter, type Key } from "./keys.ts";
import { deleteItem, type ItemSchema, parseItem, putItem, queryItems } from "./table.ts";

/*
 * Stores items in a partition, sorted by due time. The due time is read from the key, so that an item with invalid content can be
 * postponed.
 */

const Stored = v.looseObject({ pk: v.string(), sk: v.string() });
type Stored = v.InferOutput<typeof Stored>;

export type Readable<Item> = { kind: "readable"; key: Key; stored: Stored; item: Item };
/** A due item, or the error of an invalid item, so that the other items can be processed. */
export type Due<Item> = Readable<Item> | { kind: "unreadable"; key: Key; stored: Stored; error: unknown };

/** Reads one page of due items. `after`: the key after which to continue. */
export type ListDue<Item> = (
  deps: TableDeps,
  shard: string,
  upTo: number,
  limit: number,
  after?: Key,
) => Promise<Due<Item>[]>;

const parseDueItem = <Item>(schema: ItemSchema<Item>, stored: Stored, own: object = {}): Due<Item> => {
  const key = { pk: stored.pk, sk: stored.sk };
  try {
    return { kind: "readable", key, stored, item: parseItem(schema, { ...stored, ...own }) };
  } catch (error) {
    return { kind: "unreadable", key, stored, error };
  }
};

/** Returns the function that lists due items of one kind, the earliest first, strongly consistent. */
export const createDueLister =
  <Item>(pkOf: (shard: string) => string, schema: ItemSchema<Item>): ListDue<Item> =>
  async (deps, shard, upTo, limit, after) => {
    const range = {
      pk: pkOf(shard),
      ...(after === undefined ? {} : { from: keyDirectlyAfter(after.sk) }),
      to: dueRangeEnd(upTo),
    };
    const items = await queryItems(deps, range, Stored, { limit });
    return items.map((stored) => parseDueItem(schema, stored, { due: parseDueTime(stored) }));
  };

/** Lists all items of a partition whose keys contain no time, strongly consistent. */
export const listAllItems = async <Item>(deps: TableDeps, pk: string, schema: ItemSchema<Item>): Promise<Due<Item>[]> =>
  (await queryItems(deps, { pk }, Stored)).map((stored) => parseDueItem(schema, stored));

/**
 * Changes an item's due time, even if its content is invalid. Writes the new item before deleting the old one, so a crash can
 * leave both, but never loses the item.
 */
export const postponeItem = async (
  deps: TableDeps,
  { key, stored }: Pick<Due<unknown>, "key" | "stored">,
  due: number,
): Promise<void> => {
  const to = moveKeyToDueTime(key, due);
  await putItem(deps, to, { ...stored, due });
  if (to.sk !== key.sk) await deleteItem(deps, key);
};
