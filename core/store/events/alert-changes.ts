import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { DEDUPE_WINDOW_SECONDS } from "../../domain/basics/limits.ts";
import { FREE, hashOf, HELD_BY_OVER, NO_EVENT, ttlOf, type Claim } from "../claims.ts";
import { episodes, holderIn, opensAt, type Holder } from "../episodes.ts";
import { dedupeKey } from "../keys.ts";
import { getItem, updateItem } from "../table.ts";

/*
 * The known changes of an alert whose sender gives their times: the item of its dedupeKey, which also stores the times
 * of the newest change that fired and of the newest that ended it. Every change is one conditional write of this item,
 * so any two of them are ordered, whichever comes first.
 */

const ChangeItem = v.object({
  /** The last event with the key; empty if only an end has come. The time until which it makes others duplicates. */
  eventId: v.string(),
  expires: v.number(),
  /** When the alert fired last, as far as known. It only grows. */
  changed: v.optional(v.number()),
  /** The sender of the last event with the key; missing in items of earlier versions. */
  by: v.optional(v.string()),
  /** When it ended last, the ending event, and its sender, if that ends its own events only. */
  ended: v.optional(v.object({ at: v.number(), id: v.string(), by: v.optional(v.string()) })),
  ...episodes,
});

/** For how long a late message finds the end that came before it: longer than senders repeat. */
const END_KEPT_SECONDS = 24 * 3600;

/** In conditions: the last event with the key was over before it came, so it does not represent a newer change. */
const OVER = "(attribute_exists(ended) AND attribute_exists(changed) AND ended.#at > changed)";

/**
 * Stores that the alert of the event which has a key has changed again. False if the event does not have it any more,
 * or was over before this change.
 */
export const advanceChange = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  holder: string,
  at: number,
): Promise<boolean> => {
  const { kind, item } = await updateItem(deps, dedupeKey(ws, hashOf(key)), ChangeItem, {
    update: "SET changed = :at",
    condition: `eventId = :holder AND expires > :free AND (attribute_not_exists(changed) OR changed < :at) AND NOT ${OVER}`,
    names: { "#at": "at" },
    values: { ":at": at, ":holder": holder, ":free": FREE },
  });
  // Another request may have stored a change that is as new.
  return kind === "done" || (item?.eventId === holder && (item.changed ?? -Infinity) >= at);
};

/** The event that has the key when its alert changes at a time, if one has. */
const holderAt = (item: v.InferOutput<typeof ChangeItem>, at: number): Holder | undefined => {
  const holder = holderIn(item);
  if ((item.changed ?? -Infinity) > at) return { ...holder, isNewer: true };
  return item.expires === FREE ? undefined : holder;
};

/** The event that has the key when its alert changes at a time, if one has. Strongly consistent. */
export const readChange = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  at: number,
): Promise<Holder | undefined> => {
  const item = await getItem(deps, dedupeKey(ws, hashOf(key)), ChangeItem);
  return item === undefined ? undefined : holderAt(item, at);
};

/** Claims the key for an event that fires at `at`. Returns the key's holder then: this event or an earlier one. */
export const claimChange = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  key: string,
  claim: Claim,
  at: number,
): Promise<Holder> => {
  const { eventId, by, over = NO_EVENT, keptUntil } = claim;
  const expires = deps.now() + DEDUPE_WINDOW_SECONDS * 1000;
  const { set, remove, values } = opensAt(at);
  const result = await updateItem(deps, dedupeKey(ws, hashOf(key)), ChangeItem, {
    update: `SET eventId = :eventId, #by = :by, expires = :expires, #ttl = :ttl, changed = :at, ${set} REMOVE ${remove}`,
    condition: `attribute_not_exists(pk) OR ((expires = :free OR ${HELD_BY_OVER}) AND (attribute_not_exists(changed) OR changed <= :at)) OR (${OVER} AND changed < :at)`,
    names: { "#ttl": "ttl", "#at": "at", "#by": "by" },
    values: {
      ...values,
      ":eventId": eventId,
      ":by": by,
      ":expires": expires,
      ":ttl": Math.max(keptUntil ?? 0, ttlOf(expires + END_KEPT_SECONDS * 1000)),
      ":at": at,
      ":free": FREE,
      ":over": over,
    },
  });
  if (result.item === undefined) return { eventId, flapping: undefined, until: expires };
  if (result.kind === "done" || result.item.eventId === eventId) return holderIn(result.item);
  // An end has come between the two writes: the key is free again.
  return holderAt(result.item, at) ?? claimChange(deps, ws, key, claim, at);
};

/**
 * Stores that an event ended the alert at `at`, and returns the event that it ends. Afterwards the key is free. `by`:
 * the sender, if it ends its own events only. `late`: a newer change is known, or another's event has the key, so it
 * ends nothing. Repeated with the same event, it returns the same.
 */
export const setEnd = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  key: string,
  { id, at, by }: { id: string; at: number; by?: string | undefined },
): Promise<{ ends?: string; late?: true }> => {
  const result = await updateItem(deps, dedupeKey(ws, hashOf(key)), ChangeItem, {
    update: "SET ended = :end, eventId = if_not_exists(eventId, :nobody), expires = :free, closed = :at, #ttl = :ttl",
    condition:
      "(attribute_not_exists(changed) OR changed <= :at) AND (attribute_not_exists(ended) OR ended.#at <= :at)" +
      (by === undefined ? "" : " AND (attribute_not_exists(#by) OR #by = :by)"),
    names: { "#ttl": "ttl", "#at": "at", ...(by === undefined ? {} : { "#by": "by" }) },
    values: {
      ...(by === undefined ? {} : { ":by": by }),
      ":end": { at, id, ...(by === undefined ? {} : { by }) },
      ":nobody": "",
      ":free": FREE,
      ":ttl": ttlOf(deps.now() + END_KEPT_SECONDS * 1000),
      ":at": at,
    },
  });
  if (result.kind === "refused") return { late: true };
  return result.item.eventId === "" ? {} : { ends: result.item.eventId };
};

/** When an alert ended last as far as known, and by which event. Strongly consistent. */
export type Ended = v.InferOutput<typeof ChangeItem>["ended"] & {};
export const readEnd = async (deps: TableDeps, ws: WorkspaceId, key: string): Promise<Ended | undefined> =>
  (await getItem(deps, dedupeKey(ws, hashOf(key)), ChangeItem))?.ended;
