import type { Deps } from "../deps.ts";
import { Refusal } from "../domain/basics/refusal.ts";
import { isSame } from "../domain/basics/same.ts";
import { toIso } from "../domain/basics/time.ts";
import type { Expected } from "../domain/basics/version.ts";
import type { Key } from "./keys.ts";
import { deleteItemIf, getItem, updateItem, type ItemSchema } from "./table.ts";

/*
 * What people configure carries a version, which every change raises by one. A change is written on condition that the
 * version is still the one that was read, so of two changes at the same moment the second is made again on what the
 * first one left, or refused if its caller expected another version.
 */

type Versioned = { version: number; updatedAt?: string };

const TRIES = 10;

/** For lists: the oldest first. */
export const oldestFirst = (one: { createdAt: string; id: string }, other: typeof one): number =>
  one.createdAt.localeCompare(other.createdAt) || one.id.localeCompare(other.id);

/** The condition that an item is still the one that was read. Some items were stored before they had a version. */
const sameVersion = ({ version }: Pick<Versioned, "version">) => ({
  condition:
    version === 1
      ? "attribute_exists(pk) AND (#version = :version OR attribute_not_exists(#version))"
      : "#version = :version",
  names: { "#version": "version" },
  values: { ":version": version },
});

/** Throws Refusal `changed_meanwhile` if an item is at none of the expected versions; undefined expects any. */
export const requireExpected = ({ version }: Pick<Versioned, "version">, expected: Expected): void => {
  if (expected === undefined || expected.includes(version)) return;
  throw new Refusal(
    "changed_meanwhile",
    `This was changed meanwhile: it is at version ${version} now. Nothing was written. Read it again, and make the change on what it is now.`,
    { members: { version } },
  );
};

/** The write of the fields that differ, and of no others: an item may hold what only other versions of the code know. */
const changeOf = <Item extends Versioned>(item: Item, changed: Item, stored: object) => {
  const before = new Map<string, unknown>(Object.entries(item));
  const after = new Map<string, unknown>(Object.entries(changed));
  const differing = [...new Set([...before.keys(), ...after.keys(), "version"])].filter(
    (field) => field === "version" || !isSame(before.get(field), after.get(field)),
  );
  const removed = differing.filter((field) => after.get(field) === undefined);
  const set = differing.filter((field) => !removed.includes(field));
  const values = new Map<string, unknown>(Object.entries(stored));
  const { condition, names, values: seen } = sameVersion(item);
  return {
    update:
      `SET ${set.map((field) => `#${field} = :new_${field}`).join(", ")}` +
      (removed.length === 0 ? "" : ` REMOVE ${removed.map((field) => `#${field}`).join(", ")}`),
    condition,
    names: { ...names, ...Object.fromEntries(differing.map((field) => [`#${field}`, field])) },
    values: { ...seen, ...Object.fromEntries(set.map((field) => [`:new_${field}`, values.get(field)])) },
  };
};

export type ChangeOptions<Item> = {
  expected?: Expected;
  /** The item as it is stored. */
  toStored?: (item: Item) => object;
  /** Called with what is about to be replaced. */
  replacing?: (item: Item) => Promise<void>;
};

/**
 * Changes an item and raises its version; a change that changes nothing makes no version. Concurrent changes are
 * serialised, so `change` and `replacing` may be called again. Undefined if there is no such item. Throws Refusal
 * `changed_meanwhile` if the caller expected another version, unless the item already is as the change would make it:
 * then this is the same request again.
 */
export const changeVersioned = async <Item extends Versioned>(
  deps: Pick<Deps, "table" | "now">,
  key: Key,
  schema: ItemSchema<Item>,
  change: (item: Item) => Item | Promise<Item>,
  { expected, toStored = (item) => item, replacing }: ChangeOptions<Item> = {},
): Promise<Item | undefined> => {
  for (let round = 0; round < TRIES; round += 1) {
    const item = await getItem(deps, key, schema);
    if (item === undefined) return undefined;
    const wanted = await change(item);
    if (isSame(wanted, item)) return item;
    requireExpected(item, expected);
    await replacing?.(item);
    const touched = item.updatedAt === undefined ? {} : { updatedAt: toIso(deps.now()) };
    const changed = { ...wanted, ...touched, version: item.version + 1 };
    const written = await updateItem(deps, key, schema, changeOf(item, changed, toStored(changed)));
    if (written.kind === "done") return written.item;
    // The client repeats a write whose answer was lost, and is refused because of its own first try.
    if (isSame(written.item, changed)) return changed;
  }
  throw new Error(`${key.pk} ${key.sk} changed under ${TRIES} tries to change it`);
};

/**
 * Deletes an item as it was read. `known`: there was one when it was first looked for; `gone`: this call deleted it.
 * Throws Refusal `changed_meanwhile` if the caller expected another version.
 */
export const deleteVersioned = async <Item extends Versioned>(
  deps: Pick<Deps, "table">,
  key: Key,
  schema: ItemSchema<Item>,
  { expected, replacing }: Pick<ChangeOptions<Item>, "expected" | "replacing"> = {},
): Promise<{ known: Item | undefined; gone: boolean }> => {
  let known: Item | undefined;
  for (let round = 0; round < TRIES; round += 1) {
    const item = await getItem(deps, key, schema);
    // Kept once seen: a deletion whose answer was lost finds nothing when it looks again.
    known = item ?? known;
    if (item === undefined) return { known, gone: false };
    requireExpected(item, expected);
    await replacing?.(item);
    const deleted = await deleteItemIf(deps, key, schema, sameVersion(item));
    if (deleted.kind === "done") return { known, gone: true };
  }
  throw new Error(`${key.pk} ${key.sk} changed under ${TRIES} tries to delete it`);
};
