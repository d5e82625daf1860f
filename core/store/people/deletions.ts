import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { AUDIT_MS } from "../../domain/workspace/audit.ts";
import { toTtl } from "../claims.ts";
import { type DueItem, listAllItems } from "../due-lister.ts";
import { controlKey, deletedKey, deletedPk, deletionKey, deletionsPk } from "../keys.ts";
import { deleteItem, deleteItemIf, putItem, queryItems, updateItem } from "../table.ts";

/* Stores the progress of a workspace's deletion. When all items are deleted, a record of the deletion remains. */

const Action = v.object({
  ws: WorkspaceId,
  name: v.string(),
  /** The id of the owner who requested the deletion, the id of the request, and its time, in milliseconds. */
  by: v.string(),
  requestId: v.string(),
  at: v.number(),
});

/** `due`: the due time in ms. `numbers`: the last event number. `look`, `step`, `from`: where the removal of items continues. */
const Deletion = v.object({
  ...Action.entries,
  due: v.number(),
  numbers: v.optional(v.number()),
  look: v.number(),
  step: v.number(),
  from: v.optional(v.string()),
});
export type Deletion = v.InferOutput<typeof Deletion>;

/** Stores the progress of a workspace's deletion. A workspace has at most one deletion. */
export const putDeletion = (deps: TableDeps, deletion: Deletion): Promise<void> =>
  putItem(deps, deletionKey(deletion.ws), deletion);

export const removeDeletion = (deps: TableDeps, { ws }: Pick<Deletion, "ws">): Promise<void> =>
  deleteItem(deps, deletionKey(ws));

export const listDeletions = (deps: TableDeps): Promise<DueItem<Deletion>[]> =>
  listAllItems(deps, deletionsPk, Deletion);

const Deleted = v.object({ ...Action.entries, done: v.number() });
export type Deleted = v.InferOutput<typeof Deleted>;

/** Records that a workspace is completely deleted. */
export const recordDeletion = async (deps: TimedDeps, { ws, name, by, requestId, at }: Deletion): Promise<void> => {
  const done = deps.now();
  await putItem(deps, deletedKey(at, ws), { ws, name, by, requestId, at, done, ttl: toTtl(at + AUDIT_MS) });
};

export const listDeletedWorkspaces = (deps: TableDeps): Promise<Deleted[]> =>
  queryItems(deps, { pk: deletedPk }, Deleted, { descending: true });

/** Makes a workspace's API keys invalid. Returns the last event number, or undefined if admission has already ended. */
export const invalidateKeys = async (deps: TableDeps, ws: WorkspaceId): Promise<number | undefined> => {
  const ended = await updateItem(deps, controlKey(ws), v.object({ seq: v.number() }), {
    update: "REMOVE hashes",
    condition: "attribute_exists(pk)",
  });
  return ended.item?.seq;
};

/** Ends the admission of all events, including the service's own. Returns false if events after `lastNumber` were admitted. */
export const endAdmission = async (deps: TableDeps, ws: WorkspaceId, lastNumber: number): Promise<boolean> => {
  const { kind } = await deleteItemIf(deps, controlKey(ws), v.object({ seq: v.number() }), {
    condition: "attribute_not_exists(pk) OR seq = :seq",
    values: { ":seq": lastNumber },
  });
  return kind === "done";
};
