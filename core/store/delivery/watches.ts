import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { listEvery, type Due } from "../due.ts";
import { watchesPk, watchKey } from "../keys.ts";
import { deleteItemIf, getItem, updateItem } from "../table.ts";
import { readHead } from "../configuration/audit-trail.ts";

/*
 * In which workspaces somebody is told of who is on call, or of the audit trail. Neither a shift that begins nor an entry
 * of the trail writes anything for that: the sweeper compares what is watched with what was seen. Where nobody asks,
 * nothing is watched.
 */

export const Watch = v.object({
  ws: v.string(),
  /** How often somebody has asked, and when last (milliseconds). */
  asked: v.number(),
  askedAt: v.number(),
  /** The last entry of the trail that was seen: its number and its time. */
  seen: v.object({ seq: v.number(), at: v.number() }),
  /** Up to when it is known who was on call; absent where nobody asks for that. */
  looked: v.optional(v.number()),
  /** When to look at the latest; 0 if nobody has looked. */
  due: v.optional(v.number(), 0),
});
export type Watch = v.InferOutput<typeof Watch>;

/**
 * Has a workspace watched from now on. Call it before what asks is written. What is recorded after it is seen.
 */
export const askWatch = async (deps: TimedDeps, ws: string): Promise<void> => {
  const { seq, at } = await readHead(deps, ws);
  await updateItem(deps, watchKey(ws), Watch, {
    update: "SET ws = :ws, askedAt = :now, seen = if_not_exists(seen, :seen) ADD asked :one",
    values: { ":ws": ws, ":now": deps.now(), ":seen": { seq, at }, ":one": 1 },
  });
};

export const readWatch = (deps: TableDeps, ws: string): Promise<Watch | undefined> =>
  getItem(deps, watchKey(ws), Watch);

/** What is watched, in all workspaces. */
export const listWatches = (deps: TableDeps): Promise<Due<Watch>[]> => listEvery(deps, watchesPk, Watch);

/** Stores how far the trail was seen. It only grows. */
export const setSeen = async (deps: TableDeps, ws: string, { seq, at }: Watch["seen"]): Promise<void> => {
  await updateItem(deps, watchKey(ws), Watch, {
    update: "SET seen = :seen",
    condition: "seen.seq < :seq",
    values: { ":seen": { seq, at }, ":seq": seq },
  });
};

/**
 * Stores a look: up to when it is known who was on call, and when to look again. Of two looks at once the later one counts.
 */
export const setChecked = async (
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

/** Ends a watch, unless somebody has asked for it since it was read. */
export const removeWatch = async (deps: TableDeps, { ws, asked }: Watch): Promise<void> => {
  await deleteItemIf(deps, watchKey(ws), Watch, { condition: "asked = :asked", values: { ":asked": asked } });
};
