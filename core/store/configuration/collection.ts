import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { IdPrefix, WorkspaceId } from "../../domain/basics/ids.ts";
import { toIso } from "../../domain/basics/time.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import { lowerCount, reserveCounts, createIncreaseByOne, type Countable, type Increase } from "./counts.ts";
import type { Key } from "../keys.ts";
import { getItem, queryItems, type ItemSchema } from "../table.ts";
import {
  changeVersionedItem,
  createRecordedItem,
  deleteVersionedItem,
  toFirstAuthors,
  compareByCreation,
  type ChangeOptions,
  type AuditOf,
  type Versioned,
} from "./versioned.ts";

/*
 * Each item of a collection has a version, is created after a check of the limit, and is recorded in the audit trail. Each write
 * raises the version of the workers' caches at the end, so that workers reload the items. Reads and writes are in separate files,
 * because a Lambda function gets only the permissions that its bundled code needs.
 */

type ConfigItem = Versioned & { id: string; workspaceId: WorkspaceId; name: string; createdAt: string };

type Collection<Item extends ConfigItem> = {
  pk: (ws: WorkspaceId) => string;
  prefix: string;
  key: (ws: WorkspaceId, id: string) => Key;
  schema: ItemSchema<Item>;
};

export type WritableCollection<Item extends ConfigItem> = {
  items: Collection<Item>;
  kind: AuditOf<Item>["kind"];
  /** Returns the part of an item that the audit trail shows; by default, the whole item. */
  shown?: (item: Item) => object;
  counted: Pick<Countable, "name" | "noun" | "max">;
  toStored?: (item: Item) => object;
  tellWorkers?: (deps: TableDeps, ws: WorkspaceId) => Promise<void>;
};

export type UpdateItem<Item, Patch> = (
  deps: AuditDeps,
  ws: WorkspaceId,
  id: string,
  patch: Patch,
  expected?: IfMatch,
) => Promise<Item | undefined>;

/** Returns the fields that every new item has: id, workspace, version, times and authors. */
export const buildNewItemFields = (deps: AuditDeps, workspaceId: WorkspaceId, prefix: IdPrefix) => {
  const now = toIso(deps.now());
  return { id: deps.newId(prefix), workspaceId, version: 1, createdAt: now, updatedAt: now, ...toFirstAuthors(deps) };
};

const toCollectionRange = ({ pk, prefix }: Pick<Collection<ConfigItem>, "pk" | "prefix">, ws: WorkspaceId) => ({
  pk: pk(ws),
  prefix,
});

/** Returns the stored count that limits the collection's items, and the range of the items. */
const toCountable = <Item extends ConfigItem>(
  { items, counted }: WritableCollection<Item>,
  ws: WorkspaceId,
): Countable => ({ ...counted, range: toCollectionRange(items, ws) });

/** Describes an item for the audit trail, which records its changes. */
export const describeItemForTrail = <Item extends ConfigItem>(
  { kind, shown }: Pick<WritableCollection<Item>, "kind" | "shown">,
  ws: WorkspaceId,
  id: string,
): AuditOf<Item> => ({ ws, kind, id, nameOf: ({ name }) => name, ...(shown === undefined ? {} : { shown }) });

/** Lists the items of a collection, the oldest first. Reads strongly consistently. */
export const listItems = async <Item extends ConfigItem>(
  deps: TableDeps,
  items: Collection<Item>,
  ws: WorkspaceId,
): Promise<Item[]> => (await queryItems(deps, toCollectionRange(items, ws), items.schema)).sort(compareByCreation);

export const readItem = <Item extends ConfigItem>(
  deps: TableDeps,
  { key, schema }: Collection<Item>,
  ws: WorkspaceId,
  id: string,
): Promise<Item | undefined> => getItem(deps, key(ws, id), schema);

/** Checks limits, runs `before`, creates an item (stored with `secret`). Throws `limit_reached`, and refusals of `increases`. */
export const createItem = async <Item extends ConfigItem>(
  deps: AuditDeps,
  collection: WritableCollection<Item>,
  item: Item,
  {
    increases = [],
    before,
    secret = {},
  }: { increases?: readonly Increase[]; before?: () => Promise<void>; secret?: object } = {},
): Promise<Item> => {
  const { items, toStored = (one) => one, tellWorkers } = collection;
  const { workspaceId: ws, id } = item;
  await reserveCounts(deps, ws, createIncreaseByOne(deps, toCountable(collection, ws)), ...increases);
  await before?.();
  const { schema } = items;
  const stored = { ...toStored(item), ...secret };
  await createRecordedItem(deps, items.key(ws, id), item, {
    schema,
    recorded: describeItemForTrail(collection, ws, id),
    stored,
  });
  await tellWorkers?.(deps, ws);
  return item;
};

/** Changes an item and returns it, if it exists. Throws Refusal `changed_meanwhile` for an unexpected version. */
export const changeItem = async <Item extends ConfigItem>(
  deps: AuditDeps,
  collection: WritableCollection<Item>,
  [ws, id]: readonly [ws: WorkspaceId, id: string],
  change: (item: Item) => Item,
  options: Pick<ChangeOptions<Item>, "expected" | "checkBefore">,
): Promise<Item | undefined> => {
  const { items, toStored, tellWorkers } = collection;
  const how = {
    ...options,
    recorded: describeItemForTrail(collection, ws, id),
    ...(toStored === undefined ? {} : { toStored }),
  };
  const changed = await changeVersionedItem(deps, items.key(ws, id), items.schema, change, how);
  if (changed !== undefined) await tellWorkers?.(deps, ws);
  return changed;
};

/** Deletes an item and returns it, if it existed. Throws Refusal `changed_meanwhile` for an unexpected version. */
export const removeItem = async <Item extends ConfigItem>(
  deps: AuditDeps,
  collection: WritableCollection<Item>,
  [ws, id]: readonly [ws: WorkspaceId, id: string],
  options: Pick<ChangeOptions<Item>, "expected" | "checkBefore">,
): Promise<Item | undefined> => {
  const { items, tellWorkers } = collection;
  const how = { ...options, recorded: describeItemForTrail(collection, ws, id) };
  const { known, isDeleted } = await deleteVersionedItem(deps, items.key(ws, id), items.schema, how);
  // If two deletions of an item run concurrently, only the first lowers the count.
  if (isDeleted) await lowerCount(deps, ws, toCountable(collection, ws));
  await tellWorkers?.(deps, ws);
  return known;
};
