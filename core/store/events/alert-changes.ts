import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { DEDUPE_WINDOW_MS } from "../../domain/basics/limits.ts";
import { FREE, hashText, HELD_BY_ENDED, NO_EVENT, toTtl, type Claim } from "../claims.ts";
import { episodes, toHolder, buildOpeningUpdate, type Holder } from "../episodes.ts";
import { dedupeClaimKey } from "../keys.ts";
import { getItem, updateItem } from "../table.ts";
import { DAY_MS, SECOND_MS } from "../../domain/basics/units.ts";
import { toSeconds } from "../../domain/basics/seconds.ts";

/* A dedupeKey's item has the times of the newest start and end of its alert, so changes apply in the order of their times. */

const ChangeItem = v.object({
  /** The last event with the key; empty if only an end has arrived. Until `expires`, later events with the key are duplicates. */
  eventId: v.string(),
  expires: v.number(),
  /** The last time at which the alert fired, as far as known. */
  changed: v.optional(v.number()),
  /** The sender of the last event with the key; absent in items of earlier versions. */
  by: v.optional(v.string()),
  /** The alert's last end: its time and event, and the event's sender if the sender may end only its own events. */
  ended: v.optional(v.object({ at: v.number(), id: v.string(), by: v.optional(v.string()) })),
  ...episodes,
});

/** How long an end is stored: longer than senders retry, because messages may arrive late. */
const END_KEPT_MS = DAY_MS;

/** The DynamoDB condition that the alert's last end is newer than its last change. */
const OVER = "(attribute_exists(ended) AND attribute_exists(changed) AND ended.#at > changed)";

/** Stores the time of a newer change of the alert. Returns false if `holder` no longer holds the key, or has ended. */
export const storeChangedAt = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  holder: string,
  at: number,
): Promise<boolean> => {
  const { kind, item } = await updateItem(deps, dedupeClaimKey(ws, hashText(key)), ChangeItem, {
    update: "SET changed = :at",
    condition: `eventId = :holder AND expires > :free AND (attribute_not_exists(changed) OR changed < :at) AND NOT ${OVER}`,
    names: { "#at": "at" },
    values: { ":at": at, ":holder": holder, ":free": FREE },
  });
  // Another request may have stored the same change or a newer change since the read.
  return kind === "done" || (item?.eventId === holder && (item.changed ?? -Infinity) >= at);
};

/** Returns the event that holds a dedupeKey, if any. If the alert changed after `at`, returns its last event, with `isNewer`. */
const findHolderAt = (item: v.InferOutput<typeof ChangeItem>, at: number): Holder | undefined => {
  const holder = toHolder(item);
  if ((item.changed ?? -Infinity) > at) return { ...holder, isNewer: true };
  return item.expires === FREE ? undefined : holder;
};

/** Reads the event that holds a dedupeKey, if any. If the alert changed after `at`, returns its last event, with `isNewer`. */
export const readHolder = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  at: number,
): Promise<Holder | undefined> => {
  const item = await getItem(deps, dedupeClaimKey(ws, hashText(key)), ChangeItem);
  return item === undefined ? undefined : findHolderAt(item, at);
};

/** Claims the dedupeKey for an event whose alert fired at `at`. Returns the key's holder: this event or an earlier event. */
export const claimAlertKey = (
  deps: TimedDeps,
  ws: WorkspaceId,
  key: string,
  { eventId, sender, endedEventId = NO_EVENT, keptUntil }: Claim,
  at: number,
): Promise<Holder> =>
  retryChange({ item: "the dedupeKey of an alert" }, async () => {
    const expires = deps.now() + DEDUPE_WINDOW_MS;
    const { set, remove, values } = buildOpeningUpdate(at);
    const result = await updateItem(deps, dedupeClaimKey(ws, hashText(key)), ChangeItem, {
      update: `SET eventId = :eventId, #by = :by, expires = :expires, #ttl = :ttl, changed = :at, ${set} REMOVE ${remove}`,
      condition: `attribute_not_exists(pk) OR ${HELD_BY_ENDED} OR (expires = :free AND (attribute_not_exists(changed) OR changed <= :at)) OR (${OVER} AND changed < :at)`,
      names: { "#ttl": "ttl", "#at": "at", "#by": "by" },
      values: {
        ...values,
        ":eventId": eventId,
        ":by": sender,
        ":expires": expires,
        ":ttl": toSeconds(Math.max(keptUntil ?? 0, toTtl(expires + END_KEPT_MS)) * SECOND_MS),
        ":at": at,
        ":free": FREE,
        ":ended": endedEventId,
      },
    });
    if (result.item === undefined) return { eventId, flapping: undefined, until: expires };
    if (result.kind === "done" || result.item.eventId === eventId) return toHolder(result.item);
    // An end was stored after the read, so the key is free again.
    return findHolderAt(result.item, at) ?? AGAIN;
  });

/**
 * Stores that an event ended the alert at `at`, frees the key, and returns the ended event. `by`: the sender, if the sender may
 * end only its own events. `late`: the event ends no alert, because a newer change is known, or because another sender's event
 * holds the key. Idempotent for each event.
 */
export const endAlert = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  key: string,
  { id, at, by }: { id: string; at: number; by?: string | undefined },
): Promise<{ ends?: string; late?: true }> => {
  const result = await updateItem(deps, dedupeClaimKey(ws, hashText(key)), ChangeItem, {
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
      ":ttl": toTtl(deps.now() + END_KEPT_MS),
      ":at": at,
    },
  });
  if (result.kind === "refused") return { late: true };
  return result.item.eventId === "" ? {} : { ends: result.item.eventId };
};

export type Ended = v.InferOutput<typeof ChangeItem>["ended"] & {};
/** Reads the last end of the alert with a dedupeKey. Returns undefined if no end is stored. */
export const readAlertEnd = async (deps: TableDeps, ws: WorkspaceId, key: string): Promise<Ended | undefined> =>
  (await getItem(deps, dedupeClaimKey(ws, hashText(key)), ChangeItem))?.ended;
