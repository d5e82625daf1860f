import type { AuditDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { isDeepEqual } from "../../domain/basics/equality.ts";
import { toIso } from "../../domain/basics/time.ts";
import type { IfMatch } from "../../domain/basics/version.ts";
import type { Authored } from "../../domain/basics/authored.ts";
import type { DutyChanges } from "../../domain/on-call/duty-moves.ts";
import { type AuditContent, createAuditEntry as changeBetween, type TargetKind } from "../../domain/workspace/audit.ts";
import type { Key } from "../keys.ts";
import { deleteWrite, getItem, parseItem, putWrite, updateWrite, type ItemSchema } from "../table.ts";
import { writeRecorded } from "./audit-trail.ts";

/*
 * A write requires that the item's version has not changed since the item was read. If two changes are concurrent, the second is
 * repeated on the result of the first, or refused if its caller expected another version.
 */

export type Versioned = { version: number; updatedAt?: string } & Authored;

export type DeleteItem = (deps: AuditDeps, ws: WorkspaceId, id: string, expected?: IfMatch) => Promise<boolean>;

/** Describes an item for the audit trail. `shown`: returns the part that the trail shows, without secret and computed fields. */
export type AuditOf<Item extends object> = {
  ws: WorkspaceId;
  kind: TargetKind;
  id: string;
  nameOf?: (item: Item) => string;
  shown?: (item: Item) => object;
  /** Returns the people on call before and after the change, if the item affects them. */
  onCall?: (before: Item | undefined, after: Item | undefined) => DutyChanges;
};

/** Builds the audit entry of a change. `before` is undefined for a creation, and `after` for a deletion. */
export const buildAudit = <Item extends object>(
  { kind, id, nameOf, shown = (item) => item, onCall }: AuditOf<Item>,
  before: Item | undefined,
  after: Item | undefined,
): AuditContent => {
  const item = after ?? before;
  const name = item === undefined || nameOf === undefined ? {} : { name: nameOf(item) };
  const toShown = (item: Item | undefined) => (item === undefined ? undefined : shown(item));
  const content = changeBetween({ kind, id, ...name }, toShown(before), toShown(after));
  return onCall === undefined ? content : { ...content, onCall: onCall(before, after) };
};

/** Creates an item with its audit entry, or returns the existing item. `stored`: the item in its stored form. */
export const createRecordedItem = async <Item extends object>(
  deps: AuditDeps,
  key: Key,
  item: Item,
  { schema, recorded, stored }: { schema: ItemSchema<Item>; recorded: AuditOf<Item>; stored: object },
): Promise<{ kind: "done" } | { kind: "refused"; item: Item }> => {
  const written = await writeRecorded(
    deps,
    recorded.ws,
    buildAudit(recorded, undefined, item),
    putWrite(deps, key, { ...stored }),
  );
  const there = written.kind === "refused" ? written.refusals[0]?.item : undefined;
  return there === undefined ? { kind: "done" } : { kind: "refused", item: parseItem(schema, there) };
};

/** Deletes an item that has no versions. Returns the deleted item, or undefined if the item did not exist. */
export const deleteRecordedItem = async <Item extends object>(
  deps: AuditDeps,
  key: Key,
  schema: ItemSchema<Item>,
  recorded: AuditOf<Item>,
): Promise<Item | undefined> => {
  const item = await getItem(deps, key, schema);
  if (item === undefined) return undefined;
  const write = deleteWrite(deps, key, { condition: "attribute_exists(pk)" });
  await writeRecorded(deps, recorded.ws, buildAudit(recorded, item, undefined), write);
  return item;
};

/** Returns the author of a new item, who is also stored as the first person to update the item. */
export const toFirstAuthors = ({ table: { author } }: Pick<AuditDeps, "table">): Required<Authored> => ({
  createdBy: author.userId,
  updatedBy: author.userId,
});

export const compareByCreation = (left: { createdAt: string; id: string }, right: typeof left): number =>
  left.createdAt.localeCompare(right.createdAt) || left.id.localeCompare(right.id);

/** Returns the condition that the version has not changed. Very old items have no version. */
const buildSameVersionCondition = ({ version }: Pick<Versioned, "version">) => ({
  condition:
    version === 1
      ? "attribute_exists(pk) AND (#version = :version OR attribute_not_exists(#version))"
      : "#version = :version",
  names: { "#version": "version" },
  values: { ":version": version },
});

/** Throws Refusal `changed_meanwhile` for an unexpected version. An undefined `expected` allows all versions. */
export const requireExpectedVersion = ({ version }: Pick<Versioned, "version">, expected: IfMatch): void => {
  if (expected === undefined || expected.includes(version)) return;
  throw new Refusal(
    "changed_meanwhile",
    `The entry was changed meanwhile and is now at version ${version}. Read it again and repeat the change.`,
    { members: { version } },
  );
};

/** Returns a write of only the changed fields, because this version of the code may not know all fields of the item. */
const toChangesWrite = <Item extends Versioned>(item: Item, changed: Item, stored: object) => {
  const before = new Map<string, unknown>(Object.entries(item));
  const after = new Map<string, unknown>(Object.entries(changed));
  const differing = [...new Set([...before.keys(), ...after.keys(), "version"])].filter(
    (field) => field === "version" || !isDeepEqual(before.get(field), after.get(field)),
  );
  const removed = differing.filter((field) => after.get(field) === undefined);
  const set = differing.filter((field) => !removed.includes(field));
  const values = new Map<string, unknown>(Object.entries(stored));
  const { condition, names, values: seen } = buildSameVersionCondition(item);
  return {
    update:
      `SET ${set.map((field) => `#${field} = :new_${field}`).join(", ")}` +
      (removed.length === 0 ? "" : ` REMOVE ${removed.map((field) => `#${field}`).join(", ")}`),
    condition,
    names: { ...names, ...Object.fromEntries(differing.map((field) => [`#${field}`, field])) },
    values: { ...seen, ...Object.fromEntries(set.map((field) => [`:new_${field}`, values.get(field)])) },
  };
};

export type ChangeOptions<Item extends object> = {
  recorded: AuditOf<Item>;
  expected?: IfMatch;
  toStored?: (item: Item) => object;
  /** Called with the stored item before the change is written. */
  checkBefore?: (item: Item) => Promise<void>;
};

/**
 * Changes an item and returns the item, if it exists. A change with any effect raises the version, and throws Refusal
 * `changed_meanwhile` for an unexpected version. If changes are concurrent, `change` and `checkBefore` may run again.
 */
export const changeVersionedItem = <Item extends Versioned>(
  deps: AuditDeps,
  key: Key,
  schema: ItemSchema<Item>,
  change: (item: Item) => Item | Promise<Item>,
  { recorded, expected, toStored = (item) => item, checkBefore }: ChangeOptions<Item>,
): Promise<Item | undefined> =>
  retryChange({ item: `${key.pk} ${key.sk}` }, async () => {
    const item = await getItem(deps, key, schema);
    if (item === undefined) return undefined;
    const wanted = await change(item);
    if (isDeepEqual(wanted, item)) return item;
    requireExpectedVersion(item, expected);
    await checkBefore?.(item);
    const touched =
      item.updatedAt === undefined ? {} : { updatedAt: toIso(deps.now()), updatedBy: deps.table.author.userId };
    const changed = { ...wanted, ...touched, version: item.version + 1 };
    const write = updateWrite(deps, key, toChangesWrite(item, changed, toStored(changed)));
    const written = await writeRecorded(deps, recorded.ws, buildAudit(recorded, item, changed), write);
    return written.kind === "done" ? changed : AGAIN;
  });

/** Creates or replaces an item; `next` gets the stored item, if any. Throws `changed_meanwhile` for an unexpected version. */
export const putVersionedItem = <Item extends Versioned>(
  deps: AuditDeps,
  key: Key,
  schema: ItemSchema<Item>,
  next: (previous: Item | undefined) => Item,
  { recorded, expected }: Pick<ChangeOptions<Item>, "recorded" | "expected">,
): Promise<Item> =>
  retryChange({ item: `${key.pk} ${key.sk}` }, async () => {
    const changed = await changeVersionedItem(deps, key, schema, next, { recorded, expected });
    if (changed !== undefined) return changed;
    requireExpectedVersion({ version: 0 }, expected);
    const first = next(undefined);
    const made = await createRecordedItem(deps, key, first, { schema, recorded, stored: first });
    return made.kind === "done" ? first : AGAIN;
  });

/** Deletes an item. `known`: the deleted item, if any. `isDeleted`: whether this call deleted it. Throws `changed_meanwhile`. */
export const deleteVersionedItem = async <Item extends Versioned>(
  deps: AuditDeps,
  key: Key,
  schema: ItemSchema<Item>,
  { recorded, expected, checkBefore }: Pick<ChangeOptions<Item>, "recorded" | "expected" | "checkBefore">,
): Promise<{ known: Item | undefined; isDeleted: boolean }> => {
  let known: Item | undefined;
  return retryChange({ item: `${key.pk} ${key.sk}` }, async () => {
    const item = await getItem(deps, key, schema);
    // The item of the first attempt is kept, because the retry finds no item if only the answer of the first attempt was lost.
    known = item ?? known;
    if (item === undefined) return { known, isDeleted: false };
    requireExpectedVersion(item, expected);
    await checkBefore?.(item);
    const write = deleteWrite(deps, key, buildSameVersionCondition(item));
    const deleted = await writeRecorded(deps, recorded.ws, buildAudit(recorded, item, undefined), write);
    return deleted.kind === "done" ? { known, isDeleted: true } : AGAIN;
  });
};
