import * as v from "valibot";
import type { TableDeps } from "../deps.ts";
import { parseDueTime, dueRangeEnd, moveKeyToDueTime, keyDirectlyAfter, type Key } from "./keys.ts";
import { deleteItem, type ItemSchema, parseItem, putItem, queryItems } from "./table.ts";

/* The due time is part of the key, so that an item with invalid content can be postponed. */

const Stored = v.looseObject({ pk: v.string(), sk: v.string() });
type Stored = v.InferOutput<typeof Stored>;

export type Readable<Item> = { kind: "readable"; key: Key; stored: Stored; item: Item };
/** A due item, or an invalid item with its error, so that an invalid item does not affect other items. */
export type DueItem<Item> = Readable<Item> | { kind: "unreadable"; key: Key; stored: Stored; error: unknown };

/** `after`: the last key of the previous page. */
export type ListDue<Item> = (
  deps: TableDeps,
  shard: string,
  upTo: number,
  limit: number,
  after?: Key,
) => Promise<DueItem<Item>[]>;

/** Parses a stored item together with `keyFields`, which only its key contains. `unreadable`: the item is invalid. */
const parseDueItem = <Item>(schema: ItemSchema<Item>, stored: Stored, keyFields: object = {}): DueItem<Item> => {
  const key = { pk: stored.pk, sk: stored.sk };
  try {
    return { kind: "readable", key, stored, item: parseItem(schema, { ...stored, ...keyFields }) };
  } catch (error) {
    return { kind: "unreadable", key, stored, error };
  }
};

/** Returns a function that lists due items of one kind, earliest first. Strongly consistent. */
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

/** Lists all items of a partition whose keys contain no time. Strongly consistent. */
export const listAllItems = async <Item>(
  deps: TableDeps,
  pk: string,
  schema: ItemSchema<Item>,
): Promise<DueItem<Item>[]> => (await queryItems(deps, { pk }, Stored)).map((stored) => parseDueItem(schema, stored));

/** Changes an item's due time, even if its content is invalid. Writes the new item first, so that no crash loses the item. */
export const postponeItem = async (
  deps: TableDeps,
  { key, stored }: Pick<DueItem<unknown>, "key" | "stored">,
  due: number,
): Promise<void> => {
  const to = moveKeyToDueTime(key, due);
  await putItem(deps, to, { ...stored, due });
  if (to.sk !== key.sk) await deleteItem(deps, key);
};
