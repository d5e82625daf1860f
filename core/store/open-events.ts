import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { formatEventId, parseEventId } from "../domain/basics/ids.ts";
import { Priority } from "../domain/basics/priority.ts";
import type { StoredEvent } from "../domain/event/stored-event.ts";
import { openEventKey, openEventsPk } from "./keys.ts";
import { deleteItem, deleteItemIf, putItem, putItemIf, queryItems } from "./table.ts";

/*
 * The events that wait for an acknowledgement, in a partition of their own with what a list shows of them, so that what is
 * open is read without what is not. A row is written before the event's notifications and removed after what ends it.
 */

const OpenItem = v.object({
  sk: v.string(),
  nonce: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  at: v.number(),
  count: v.number(),
  dedupeKey: v.optional(v.string()),
});

/** An event that is open, as far as a list shows it. */
export type OpenEvent = Pick<StoredEvent, "eventId" | "seq" | "receivedAt" | "notifications"> & {
  content: Pick<StoredEvent["content"], "eventKey" | "title" | "priority" | "dedupeKey">;
};

const toOpenEvent = (item: v.InferOutput<typeof OpenItem>): OpenEvent => {
  const seq = Number(item.sk);
  const { eventKey, title, priority, dedupeKey } = item;
  return {
    eventId: formatEventId({ seq, nonce: item.nonce }),
    seq,
    receivedAt: item.at,
    notifications: item.count,
    content: { eventKey, title, priority, dedupeKey },
  };
};

const nonceOf = (eventId: string): string => parseEventId(eventId)?.nonce ?? "";

const toItem = ({ eventId, receivedAt, notifications, content }: OpenEvent) => {
  const { eventKey, title, priority, dedupeKey } = content;
  return { nonce: nonceOf(eventId), eventKey, title, priority, at: receivedAt, count: notifications, dedupeKey };
};

export const putOpenEvent = (deps: Pick<Deps, "table">, ws: string, event: OpenEvent): Promise<void> =>
  putItem(deps, openEventKey(ws, event.seq), toItem(event));

/**
 * Lists an event of which it is not known yet whether its number is its own: after a restore of the table another event
 * may have that, and its row is left as it is. Says whether the row is the event's.
 */
export const tryOpenEvent = async (deps: Pick<Deps, "table">, ws: string, event: OpenEvent): Promise<boolean> => {
  const item = toItem(event);
  const { kind } = await putItemIf(deps, openEventKey(ws, event.seq), item, OpenItem, {
    condition: "attribute_not_exists(pk) OR nonce = :nonce",
    values: { ":nonce": item.nonce },
  });
  return kind === "done";
};

/** Takes back what `tryOpenEvent` has listed. */
export const dropOpenEvent = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { eventId, seq }: Pick<OpenEvent, "eventId" | "seq">,
): Promise<void> => {
  await deleteItemIf(deps, openEventKey(ws, seq), OpenItem, {
    condition: "nonce = :nonce",
    values: { ":nonce": nonceOf(eventId) },
  });
};

/** Removing one that is gone changes nothing. */
export const removeOpenEvent = (deps: Pick<Deps, "table">, ws: string, seq: number): Promise<void> =>
  deleteItem(deps, openEventKey(ws, seq));

/** The open events of a workspace, the newest first: all of them, or those with numbers between two. */
export const listOpenEvents = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { from, to, limit }: { from?: number; to?: number; limit?: number } = {},
): Promise<OpenEvent[]> => {
  const range =
    from === undefined || to === undefined ? {} : { from: openEventKey(ws, from).sk, to: openEventKey(ws, to).sk };
  const items = await queryItems(deps, { pk: openEventsPk(ws), ...range }, OpenItem, {
    consistent: from !== undefined,
    descending: true,
    ...(limit === undefined ? {} : { limit }),
  });
  return items.map(toOpenEvent);
};
