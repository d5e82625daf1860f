import { createHash } from "node:crypto";
import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import { formatEventId, parseEventId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { OPEN_DAYS } from "../../domain/basics/limits.ts";
import { findMostUrgent, PRIORITIES, Priority } from "../../domain/basics/priority.ts";
import { PACK_RECIPIENTS_MAX, type DeliveryPlan } from "../../domain/delivery/delivery-plan.ts";
import { getCurrentPriority, raiseRulePriority } from "../../domain/event/alert.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import { dedupeIndexKey, dedupeIndexPk, openEventKey, openEventsPk, openIndexProgressKey } from "../keys.ts";
import {
  batchGetItems,
  deleteItem,
  deleteItemIf,
  getItem,
  putItem,
  putItemIf,
  queryItems,
  deleteAndReturnItem,
  updateItem,
} from "../table.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { toSeconds } from "../../domain/basics/seconds.ts";

/*
 * Each event that needs an acknowledgement has a row in a partition of open events, with the fields that lists show. The row is
 * written before the event's notifications, and removed after its end. A row with a dedupeKey has an entry in the index by
 * dedupeKey. The index entry is written before the row and removed after the row, so that no row lacks its index entry.
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
  /** The highest priority of the notifications that need an acknowledgement; set only if a rule sets a priority. */
  urgency: v.optional(Priority),
  /** The plan's time, the recipients of the rules that need an acknowledgement, by rule index, and whether any rule escalates. */
  told: v.optional(
    v.object({
      at: v.number(),
      escalates: v.boolean(),
      rules: v.array(v.tuple([v.number(), v.array(v.string())])),
    }),
  ),
});

export type OpenEvent = Pick<StoredEvent, "eventId" | "seq" | "receivedAt" | "notifications" | "repeats"> & {
  content: Pick<StoredEvent["content"], "eventKey" | "title" | "priority" | "dedupeKey">;
  /** The recipients of the rules that need an acknowledgement; undefined if there are too many recipients for a row. */
  told?: v.InferOutput<typeof OpenItem>["told"];
  /** The highest priority of the event's notifications, if it differs from the event's own. */
  urgency?: Priority | undefined;
};

/** The maximum number of people in an event's row: as many as in a pack, so that a row stays below a kilobyte. */
const ROW_PEOPLE_MAX = PACK_RECIPIENTS_MAX;

/** Returns the fields of an open event's list item that depend on its plan. `hasMore`: more people may be notified. */
export const toListFields = (
  { at, rules }: Pick<DeliveryPlan, "at" | "rules">,
  hasMore = false,
): Pick<OpenEvent, "told" | "urgency"> => {
  const asking = [...rules.entries()].filter(([, { requiresAck }]) => requiresAck);
  // If no rule sets a priority, the event's own priority applies, which the row already contains.
  const isOverridden = asking.some(([, { priorityFrom }]) => priorityFrom === "rule");
  const urgency = isOverridden ? findMostUrgent(asking.map(([, { priority }]) => priority)) : undefined;
  if (asking.reduce((sum, [, { recipients }]) => sum + recipients.length, 0) > ROW_PEOPLE_MAX)
    return { told: undefined, urgency };
  const told = {
    at,
    escalates: hasMore || asking.some(([, { escalation }]) => escalation !== undefined),
    rules: asking
      .filter(([, { recipients }]) => recipients.length > 0)
      .map(([rule, { recipients }]): [number, string[]] => [rule, recipients.map(({ userId }) => userId)]),
  };
  return { told, urgency };
};

/** Returns the same fields as `toListFields`, for an event that may have notified more people since it was planned. */
export const toListFieldsAfterPlan = (event: PlannedEvent): ReturnType<typeof toListFields> => {
  const { at, body } = event.plan;
  if (typeof body === "string") return { told: undefined };
  return toListFields({ at, rules: body.rules.map((rule) => raiseRulePriority(rule, event)) }, true);
};

const toOpenEvent = (item: v.InferOutput<typeof OpenItem>): OpenEvent => {
  const seq = Number(item.sk);
  const { eventKey, title, priority, dedupeKey, told, urgency } = item;
  return {
    eventId: formatEventId({ seq, nonce: item.nonce }),
    seq,
    receivedAt: item.at,
    notifications: item.count,
    content: { eventKey, title, priority, dedupeKey },
    told,
    urgency,
  };
};

const parseNonce = (eventId: string): string => parseEventId(eventId)?.nonce ?? "";

const toOpenItem = (event: OpenEvent) => {
  const { eventId, receivedAt, notifications, content, told, urgency } = event;
  const { eventKey, title, dedupeKey } = content;
  const shown = { eventKey, title, priority: getCurrentPriority(event), urgency };
  return { nonce: parseNonce(eventId), ...shown, at: receivedAt, count: notifications, dedupeKey, told };
};

export const hashDedupeKey = (key: string): string =>
  createHash("sha256").update(key, "utf8").digest("base64url").slice(0, 22);

const KeyEntry = v.object({ sk: v.string(), nonce: v.string() });

/** How long an index entry is stored: longer than its event can be open; DynamoDB then deletes leftover entries. */
const ENTRY_DAYS = OPEN_DAYS + 10;

/** Adds an event to the index by dedupeKey. Does nothing for an event without a dedupeKey. */
export const indexOpenEvent = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { eventId, seq, receivedAt, content: { dedupeKey } }: Pick<OpenEvent, "eventId" | "seq" | "receivedAt" | "content">,
): Promise<void> => {
  if (dedupeKey === undefined) return;
  const ttl = toSeconds(receivedAt + ENTRY_DAYS * DAY_MS);
  await putItem(deps, dedupeIndexKey(ws, hashDedupeKey(dedupeKey), seq), { nonce: parseNonce(eventId), ttl });
};

/** Removes an event from the index by dedupeKey. */
export const removeDedupeEntry = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { seq, dedupeKey }: { seq: number; dedupeKey: string | undefined },
): Promise<void> => {
  if (dedupeKey !== undefined) await deleteItem(deps, dedupeIndexKey(ws, hashDedupeKey(dedupeKey), seq));
};

/** Returns the ids of events with the dedupeKey and a number below `below`, newest first. Some of the events may have ended. */
export const listOpenByKey = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  { below, limit }: { below: number; limit: number },
): Promise<string[]> => {
  const hash = hashDedupeKey(key);
  const range = { pk: dedupeIndexPk(ws, hash), to: dedupeIndexKey(ws, hash, below - 1).sk };
  const entries = await queryItems(deps, range, KeyEntry, { descending: true, limit });
  return entries.map(({ sk, nonce }) => formatEventId({ seq: Number(sk), nonce }));
};

const IndexItem = v.object({
  /** The time of the first hourly audit by a version of the service that has this index, in milliseconds. */
  since: v.number(),
  /** The event number up to which missing index entries were added. */
  upTo: v.number(),
  done: v.boolean(),
});
export type OpenIndex = v.InferOutput<typeof IndexItem>;

/** Reads the progress of adding the open events of earlier versions of the service to the index by dedupeKey. */
export const readIndexProgress = (deps: TableDeps, ws: WorkspaceId): Promise<OpenIndex | undefined> =>
  getItem(deps, openIndexProgressKey(ws), IndexItem, { consistent: false });

/** Stores the progress of adding the open events of earlier versions of the service to the index by dedupeKey. */
export const setIndexProgress = (deps: TableDeps, ws: WorkspaceId, index: OpenIndex): Promise<void> =>
  putItem(deps, openIndexProgressKey(ws), index);

/** Adds an event to the list of open events and to the index by dedupeKey. */
export const putOpenEvent = async (deps: TableDeps, ws: WorkspaceId, event: OpenEvent): Promise<void> => {
  await indexOpenEvent(deps, ws, event);
  await putItem(deps, openEventKey(ws, event.seq), toOpenItem(event));
};

/** Lists an event as open, unless another event has the number (after a restore). Returns whether the event is listed. */
export const tryAddOpenEvent = async (deps: TableDeps, ws: WorkspaceId, event: OpenEvent): Promise<boolean> => {
  await indexOpenEvent(deps, ws, event);
  const item = toOpenItem(event);
  const { kind } = await putItemIf(deps, openEventKey(ws, event.seq), item, OpenItem, {
    condition: "attribute_not_exists(pk) OR nonce = :nonce",
    values: { ":nonce": item.nonce },
  });
  return kind === "done";
};

/** Stores in the list of open events that an event has notified people whom its list item does not name. */
export const storeMoreNotified = async (deps: TableDeps, ws: WorkspaceId, seq: number): Promise<void> => {
  await updateItem(deps, openEventKey(ws, seq), OpenItem, {
    update: "SET told.escalates = :true",
    condition: "attribute_exists(told)",
    values: { ":true": true },
  });
};

/** Stores an open event's raised priority, and the urgency by which lists are sorted, in the list of open events. */
export const setOpenPriority = async (
  deps: TableDeps,
  ws: WorkspaceId,
  seq: number,
  { priority, urgency }: { priority: Priority; urgency: Priority | undefined },
): Promise<void> => {
  await updateItem(deps, openEventKey(ws, seq), OpenItem, {
    update: `SET #priority = :priority${urgency === undefined ? "" : ", urgency = :urgency"}`,
    condition: "attribute_exists(pk)",
    names: { "#priority": "priority" },
    values: { ":priority": priority, ...(urgency === undefined ? {} : { ":urgency": urgency }) },
  });
};

/** Removes an event from the list of open events, unless another event is listed under its number. */
export const unlistOpenEvent = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { eventId, seq, content: { dedupeKey } }: Pick<OpenEvent, "eventId" | "seq" | "content">,
): Promise<void> => {
  const dropped = await deleteItemIf(deps, openEventKey(ws, seq), OpenItem, {
    condition: "nonce = :nonce",
    values: { ":nonce": parseNonce(eventId) },
  });
  if (dropped.kind === "done") await removeDedupeEntry(deps, ws, { seq, dedupeKey });
};

/** Removes the event listed under this number from the list of open events, and from the index by dedupeKey. */
export const removeOpenEvent = async (deps: TableDeps, ws: WorkspaceId, seq: number): Promise<void> => {
  const removed = await deleteAndReturnItem(deps, openEventKey(ws, seq), OpenItem);
  if (removed !== undefined) await removeDedupeEntry(deps, ws, { seq, dedupeKey: removed.dedupeKey });
};

/** Lists a workspace's open events from number `to` downwards, newest first, up to a limit or all. Eventually consistent. */
export const listOpenEvents = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { to, limit }: { to?: number | undefined; limit: number | "all" },
): Promise<OpenEvent[]> => {
  const range = { pk: openEventsPk(ws), ...(to === undefined ? {} : { to: openEventKey(ws, to).sk }) };
  const items = await queryItems(deps, range, OpenItem, {
    consistent: false,
    descending: true,
    ...(limit === "all" ? {} : { limit }),
  });
  return items.map(toOpenEvent);
};

export const chooseEffectiveUrgency = ({ urgency, content }: OpenEvent): Priority => urgency ?? content.priority;

/** Sorts open events by the priority of their notifications, most urgent first. Keeps the order of equally urgent events. */
export const sortByUrgency = (events: readonly OpenEvent[]): OpenEvent[] => {
  const rankUrgency = (event: OpenEvent): number => PRIORITIES.indexOf(chooseEffectiveUrgency(event));
  return events.toSorted((one, other) => rankUrgency(other) - rankUrgency(one));
};

/** Lists the oldest open events of a workspace from a number upwards, the oldest first. */
export const listOldestOpenEvents = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { from, limit }: { from: number; limit: number },
): Promise<OpenEvent[]> => {
  const range = { pk: openEventsPk(ws), from: openEventKey(ws, from).sk, to: openEventKey(ws, SEQ_MAX).sk };
  const items = await queryItems(deps, range, OpenItem, { limit });
  return items.map(toOpenEvent);
};
const SEQ_MAX = 999_999_999_999;

const LOOKED_UP_AT_ONCE = 100;
/** A query costs less than reads by key if the query's range has at most this many numbers for each wanted number. */
const SPAN_PER_NUMBER = 8;

/** Returns which of the event numbers belong to open events. Strongly consistent. Costs at most one read unit per number. */
export const filterOpenNumbers = async (
  deps: TableDeps,
  ws: WorkspaceId,
  seqs: readonly number[],
): Promise<Set<number>> => {
  const open = new Set<number>();
  const sorted = seqs.toSorted((one, other) => one - other);
  for (let index = 0; index < sorted.length; index += LOOKED_UP_AT_ONCE) {
    const some = sorted.slice(index, index + LOOKED_UP_AT_ONCE);
    const [from = 0, to = 0] = [some[0], some.at(-1)];
    const isDense = to - from < some.length * SPAN_PER_NUMBER;
    const range = { pk: openEventsPk(ws), from: openEventKey(ws, from).sk, to: openEventKey(ws, to).sk };
    const keys = some.map((seq) => openEventKey(ws, seq));
    const rows = await (isDense ? queryItems(deps, range, RowKey) : batchGetItems(deps, keys, RowKey));
    const wanted = new Set(some);
    for (const { sk } of rows) if (wanted.has(Number(sk))) open.add(Number(sk));
  }
  return open;
};
const RowKey = v.object({ sk: v.string() });
