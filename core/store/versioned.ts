import type { Deps } from "../deps.ts";
import { toIso } from "../domain/basics/time.ts";
import type { Key } from "./keys.ts";
import { getItem, putItemIf, type ItemSchema } from "./table.ts";

type Versioned = { version: number; updatedAt: string };

const TRIES = 10;

/** For lists: the oldest first. */
export const oldestFirst = (one: { createdAt: string; id: string }, other: typeof one): number =>
  one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id);

/** The condition that an item is still the one that was read. */
export const sameVersion = ({ version }: Pick<Versioned, "version">) => ({
  condition: "#version = :version",
  names: { "#version": "version" },
  values: { ":version": version },
});

/**
 * Changes an item and raises its version. Concurrent changes are serialised, so `change` may be called again. Undefined
 * if there is no such item.
 */
export const changeVersioned = async <Item extends Versioned>(
  deps: Pick<Deps, "table" | "now">,
  key: Key,
  schema: ItemSchema<Item>,
  change: (item: Item) => Item | Promise<Item>,
  toStored: (item: Item) => Item | object = (item) => item,
): Promise<Item | undefined> => {
  for (let round = 0; round < TRIES; round += 1) {
    const item = await getItem(deps, key, schema);
    if (item === undefined) return undefined;
    const changed = { ...(await change(item)), version: item.version + 1, updatedAt: toIso(deps.now()) };
    const put = await putItemIf(deps, key, { ...toStored(changed) }, schema, sameVersion(item));
    if (put.kind === "done") return changed;
  }
  throw new Error(`${key.pk} ${key.sk} changed under ${TRIES} tries to change it`);
};
