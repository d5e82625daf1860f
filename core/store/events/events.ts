import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import { formatEventId, isSpread, parseEventId, type WorkspaceId } from "../../domain/basics/ids.ts";
import type { AcceptedEvent } from "../../domain/event/event.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { PastEvent } from "../../domain/planning/history.ts";
import { deflate } from "../codec.ts";
import { AnyItem, EventItem, readEventByNumber, requireEventId, toEvents } from "./event-items.ts";
import {
  eventItemKey,
  eventRange,
  eventsPks,
  firstEventsPk,
  isProgressKey,
  parseSeqOfKey,
  spreadEventsPks,
  type Key,
} from "../keys.ts";
import { getItem, parseItem, putItemIf, queryItems, queryPage } from "../table.ts";

/**
 * Stores an event. `created`: this request stored it, perhaps by a write that the SDK repeated. `exists`: an earlier request
 * stored the event. Throws if another event has the number, which can happen after a restore of the table.
 */
export const createEvent = async (
  deps: TableDeps,
  event: AcceptedEvent,
  requestId: string,
): Promise<"created" | "exists"> => {
  const { seq, nonce } = requireEventId(event.eventId);
  const item = {
    nonce,
    by: requestId,
    at: event.receivedAt,
    rv: event.rulesVersion,
    pv: event.peopleVersion,
    content: deflate(event.content),
    ends: event.ends,
    late: event.late,
    valve: event.valve,
    flapping: event.flapping,
    shadow: event.shadow,
    ttl: event.keptUntil,
  };
  const key = eventItemKey(event.workspaceId, seq, isSpread(event.eventId));
  const result = await putItemIf(deps, key, item, EventItem);
  if (result.kind === "done" || result.item?.by === requestId) return "created";
  if (result.item !== undefined && result.item.nonce !== nonce)
    throw new Error(`another event has the number of ${event.eventId}`);
  return "exists";
};

export const readEvent = async (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
): Promise<StoredEvent | undefined> => {
  const id = parseEventId(eventId);
  if (id === undefined) return undefined;
  const event = await readEventByNumber(deps, ws, id.seq, { spread: isSpread(eventId), consistent: true });
  return event?.eventId === eventId ? event : undefined;
};

/** Returns the possible values of `spread` for an event number, the likelier first. Only an event's id says which is right. */
const guessIfSpread = (ws: WorkspaceId, seq: number): { spread: boolean }[] =>
  eventItemKey(ws, seq, true).pk === eventItemKey(ws, seq, false).pk
    ? [{ spread: false }]
    : [{ spread: true }, { spread: false }];

export const isEventNumberTaken = async (deps: TableDeps, ws: WorkspaceId, seq: number): Promise<boolean> => {
  for (const { spread } of guessIfSpread(ws, seq))
    if ((await getItem(deps, eventItemKey(ws, seq, spread), AnyItem)) !== undefined) return true;
  return false;
};

const compareNewestFirst = (left: { seq: number }, right: { seq: number }): number => right.seq - left.seq;

type Numbers = { from: number; to: number };

/** Reads the events in a range of numbers from some partitions: all events, or at least the `limit` newest of each partition. */
const readFromPartitions = async (
  deps: TableDeps,
  pks: readonly string[],
  { from, to }: Numbers,
  limit?: number,
): Promise<StoredEvent[]> => {
  // An event may have two items, so the query reads twice as many items.
  const options = { consistent: false, descending: true, ...(limit === undefined ? {} : { limit: 2 * limit }) };
  const range = eventRange(from, to);
  const shares = await Promise.all(pks.map((pk) => queryItems(deps, { pk, ...range }, AnyItem, options)));
  return shares.flatMap(toEvents);
};

/** Reads the events in a range of numbers from the partitions of spread events, then missing events from the first partition. */
const readRange = async (deps: TableDeps, ws: WorkspaceId, { from, to }: Numbers): Promise<StoredEvent[]> => {
  const pks = spreadEventsPks(ws, from, to);
  const spread = await readFromPartitions(deps, pks, { from, to });
  const first = firstEventsPk(ws);
  if (spread.length > to - from || pks.includes(first)) return spread;
  return [...spread, ...(await readFromPartitions(deps, [first], { from, to }))];
};

/** Lists at most `limit` events with numbers from `from` to `to` (inclusive), the newest first. */
export const listEventsBetween = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { from, to, limit = Infinity }: { from: number; to: number; limit?: number },
): Promise<StoredEvent[]> => {
  if (to < from) return [];
  // Nearly every number has an event, so reading `limit` numbers is usually enough.
  const near = Math.max(from, to - limit + 1);
  const found = (await readRange(deps, ws, { from: near, to })).sort(compareNewestFirst);
  const missing = limit - found.length;
  if (near === from || missing <= 0) return found.slice(0, limit);
  const earlier = { from, to: near - 1 };
  const rest = (await readFromPartitions(deps, eventsPks(ws, from, near - 1), earlier, missing)).sort(
    compareNewestFirst,
  );
  return [...found, ...rest].slice(0, limit);
};

const PastItem = v.pick(EventItem, ["pk", "sk", "nonce", "at", "content"]);

/** Reads a page of events from number `to` downwards, only with the fields that rules use. `next`: `to` of the next page. */
export const readPastEvents = async (
  deps: TableDeps,
  ws: WorkspaceId,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<{ events: PastEvent[]; readUnits: number; next: number | undefined }> => {
  const attributes = Object.keys(PastItem.entries);
  const near = Math.max(from, to - limit + 1);
  const pages = await Promise.all(
    eventsPks(ws, near, to).map((pk) => queryPage(deps, { pk, ...eventRange(near, to) }, AnyItem, { attributes })),
  );
  // Returns the lowest event number of which all items are on the page.
  const findFirstCompleteNumber = (last: Key): number => parseSeqOfKey(last) + (isProgressKey(last) ? 1 : 0);
  const read = Math.max(
    near,
    ...pages.flatMap(({ last }) => (last === undefined ? [] : [findFirstCompleteNumber(last)])),
  );
  const events = pages
    .flatMap(({ items }) => items)
    .filter((item) => !isProgressKey(item) && parseSeqOfKey(item) >= read)
    .map((item) => {
      const { nonce, at, content } = parseItem(PastItem, item);
      const seq = parseSeqOfKey(item);
      return { eventId: formatEventId({ seq, nonce }), seq, receivedAt: at, content };
    });
  return {
    events: events.sort(compareNewestFirst),
    readUnits: pages.reduce((sum, { readUnits }) => sum + readUnits, 0),
    next: read > from ? read - 1 : undefined,
  };
};

const READ_AT_ONCE = 25;

/** Reads the events with these numbers, in the order of the numbers. Leaves out numbers without an event. */
export const readEventsNumbered = async (
  deps: TableDeps,
  ws: WorkspaceId,
  seqs: readonly number[],
  { consistent }: { consistent: boolean } = { consistent: false },
): Promise<StoredEvent[]> => {
  const readByNumber = async (seq: number): Promise<StoredEvent[]> => {
    for (const { spread } of guessIfSpread(ws, seq)) {
      const event = await readEventByNumber(deps, ws, seq, { spread, consistent });
      if (event !== undefined) return [event];
    }
    return [];
  };
  const events: StoredEvent[] = [];
  for (let index = 0; index < seqs.length; index += READ_AT_ONCE)
    events.push(...(await Promise.all(seqs.slice(index, index + READ_AT_ONCE).map(readByNumber))).flat());
  return events;
};
