import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { WorkspaceId } from "../../domain/basics/ids.ts";
import { listAllItems, type DueItem } from "../due-lister.ts";
import { watchesPk, watchKey } from "../keys.ts";
import { deleteItemIf, getItem, updateItem } from "../table.ts";
import { readTrailHead } from "../configuration/audit-trail.ts";

/* The sweeper checks watched workspaces for new audit entries and, when due, for shifts that have begun or ended. */

export const Watch = v.object({
  ws: WorkspaceId,
  /** The number of subscriptions so far, and the time of the newest subscription, in milliseconds. */
  asked: v.number(),
  askedAt: v.number(),
  /** The number and the time of the last seen audit entry. */
  seen: v.object({ seq: v.number(), at: v.number() }),
  /** The time up to which on-call changes were detected, in milliseconds; undefined if no subscriber needs the changes. */
  looked: v.optional(v.number()),
  /** The latest time of the next check, in milliseconds; 0 before the first check. */
  due: v.optional(v.number(), 0),
});
export type Watch = v.InferOutput<typeof Watch>;

/** Starts watching a workspace. Must be called before the subscription is written, to miss no later entry. */
export const startWatch = async (deps: TimedDeps, ws: WorkspaceId): Promise<void> => {
  const { seq, at } = await readTrailHead(deps, ws);
  await updateItem(deps, watchKey(ws), Watch, {
    update: "SET ws = :ws, askedAt = :now, seen = if_not_exists(seen, :seen) ADD asked :one",
    values: { ":ws": ws, ":now": deps.now(), ":seen": { seq, at }, ":one": 1 },
  });
};

export const readWatch = (deps: TableDeps, ws: WorkspaceId): Promise<Watch | undefined> =>
  getItem(deps, watchKey(ws), Watch);

export const listWatches = (deps: TableDeps): Promise<DueItem<Watch>[]> => listAllItems(deps, watchesPk, Watch);

/** Stores the last audit entry that a check has seen. The stored entry's number never decreases. */
export const storeSeenEntry = async (deps: TableDeps, ws: WorkspaceId, { seq, at }: Watch["seen"]): Promise<void> => {
  await updateItem(deps, watchKey(ws), Watch, {
    update: "SET seen = :seen",
    condition: "seen.seq < :seq",
    values: { ":seen": { seq, at }, ":seq": seq },
  });
};

/** Stores up to which time changes were detected (`looked`), and when the next check is `due`. Never decreases `looked`. */
export const storeWatchCheck = async (
  deps: TableDeps,
  { ws, asked }: Pick<Watch, "ws" | "asked">,
  { looked, due }: { looked: number | undefined; due: number },
): Promise<void> => {
  await updateItem(deps, watchKey(ws), Watch, {
    update: looked === undefined ? "SET due = :due REMOVE looked" : "SET due = :due, looked = :looked",
    condition:
      looked === undefined
        ? "asked = :asked"
        : "attribute_exists(pk) AND (attribute_not_exists(looked) OR looked <= :looked)",
    values: looked === undefined ? { ":due": due, ":asked": asked } : { ":due": due, ":looked": looked },
  });
};

/** Ends a watch, unless a new subscription was created after the watch was read. */
export const removeWatch = async (deps: TableDeps, { ws, asked }: Watch): Promise<void> => {
  await deleteItemIf(deps, watchKey(ws), Watch, { condition: "asked = :asked", values: { ":asked": asked } });
};
