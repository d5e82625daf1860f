import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { AUDIT_MS } from "../../domain/workspace/audit.ts";
import { ttlOf } from "../claims.ts";
import { type Due, listEvery } from "../due.ts";
import { controlKey, deletedKey, deletedPk, deletionKey, deletionsPk } from "../keys.ts";
import { deleteItem, deleteItemIf, putItem, queryItems, updateItem } from "../table.ts";

/*
 * The deletion of a workspace: its author, and its progress. It is in a partition of the sweeper from before the
 * workspace is deleted until nothing of it is left. Then a record of its author stays.
 */

const Action = v.object({
  ws: WorkspaceId,
  name: v.string(),
  /** The id of the owner who requested it, the request, and when (milliseconds). */
  by: v.string(),
  requestId: v.string(),
  at: v.number(),
});

/**
 * `due`: not before this time (milliseconds). `numbers`: how many events have come, once no more can. `look`, `step`, `from`: where the work continues; each pass
 * takes all steps.
 */
const Deletion = v.object({
  ...Action.entries,
  due: v.number(),
  numbers: v.optional(v.number()),
  look: v.number(),
  step: v.number(),
  from: v.optional(v.string()),
});
export type Deletion = v.InferOutput<typeof Deletion>;

/** Stores the progress of a deletion; a workspace has one. */
export const putDeletion = (deps: TableDeps, deletion: Deletion): Promise<void> =>
  putItem(deps, deletionKey(deletion.ws), deletion);

export const removeDeletion = (deps: TableDeps, { ws }: Pick<Deletion, "ws">): Promise<void> =>
  deleteItem(deps, deletionKey(ws));

/** The deletions in progress. */
export const listDeletions = (deps: TableDeps): Promise<Due<Deletion>[]> => listEvery(deps, deletionsPk, Deletion);

const Deleted = v.object({ ...Action.entries, done: v.number() });
export type Deleted = v.InferOutput<typeof Deleted>;

/** Records that a workspace is completely deleted. The record is kept as long as an audit entry. */
export const setDeleted = async (deps: TimedDeps, { ws, name, by, requestId, at }: Deletion): Promise<void> => {
  const done = deps.now();
  await putItem(deps, deletedKey(at, ws), { ws, name, by, requestId, at, done, ttl: ttlOf(at + AUDIT_MS) });
};

export const listDeleted = (deps: TableDeps): Promise<Deleted[]> =>
  queryItems(deps, { pk: deletedPk }, Deleted, { descending: true });

/** Makes every API key invalid, and returns how many events are numbered; undefined if no more can be. */
export const endKeys = async (deps: TableDeps, ws: WorkspaceId): Promise<number | undefined> => {
  const ended = await updateItem(deps, controlKey(ws), v.object({ seq: v.number() }), {
    update: "REMOVE hashes",
    condition: "attribute_exists(pk)",
  });
  return ended.item?.seq;
};

/** Ends the admission of events, including the service's own, unless more are numbered by now. */
export const endAdmission = async (deps: TableDeps, ws: WorkspaceId, numbers: number): Promise<boolean> => {
  const { kind } = await deleteItemIf(deps, controlKey(ws), v.object({ seq: v.number() }), {
    condition: "attribute_not_exists(pk) OR seq = :seq",
    values: { ":seq": numbers },
  });
  return kind === "done";
};
