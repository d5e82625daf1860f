import { createHash } from "node:crypto";
import * as v from "valibot";
import type { TableDeps, TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { Priority } from "../../domain/basics/priority.ts";
import { QuietPeriod, type EventGroup } from "../../domain/planning/storm.ts";
import { countedEventsKey, countedEventsRange, eventGroupKey, type Key } from "../keys.ts";
import { getItem, queryItems, updateItem } from "../table.ts";
import { DAY_MS } from "../../domain/basics/units.ts";
import { type Seconds, toSeconds } from "../../domain/basics/seconds.ts";

/*
 * A group's item contains the last event that notified people, and the time until which other events notify nobody. Events are
 * counted in separate items as sets of numbers, so that counting again changes nothing.
 */

const GroupItem = v.object({
  first: v.string(),
  top: v.string(),
  at: v.number(),
  until: v.number(),
  priority: Priority,
  /** Whether the plan of `top`, the last event that notified people, is stored and notifies people. */
  sure: v.optional(v.boolean(), false),
  /** When people are notified of the group's number of events, in milliseconds, and the event that planned the notification. */
  tellAt: v.optional(v.number()),
  tellBy: v.optional(v.string()),
  /** The quiet period of the last person who acknowledged an event of the group at night. */
  calm: v.optional(QuietPeriod),
});
export type StoredGroup = EventGroup & {
  sure: boolean;
  tellAt?: number | undefined;
  tellBy?: string | undefined;
  calm?: QuietPeriod | undefined;
};

/** How long a group is stored after its end. */
const KEPT_MS = 2 * DAY_MS;
const computeGroupTtl = (at: number): Seconds => toSeconds(at + KEPT_MS);

export const hashGroupName = (name: string): string =>
  createHash("sha256").update(name, "utf8").digest("base64url").slice(0, 22);

export const readEventGroup = (deps: TableDeps, ws: WorkspaceId, key: string): Promise<StoredGroup | undefined> =>
  getItem(deps, eventGroupKey(ws, key), GroupItem);

type GroupChange = { kind: "done" | "refused"; group: StoredGroup | undefined };

const buildUnchangedCondition = (seen: EventGroup | undefined) =>
  seen === undefined
    ? { condition: "attribute_not_exists(pk)", values: {} }
    : {
        condition: "#first = :seenFirst AND #top = :seenTop AND #at = :seenAt",
        values: { ":seenFirst": seen.first, ":seenTop": seen.top, ":seenAt": seen.at },
      };

/** Stores `next`, unless the group differs from `seen`. After a lost answer, the returned item shows that the write succeeded. */
export const changeEventGroup = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  next: EventGroup,
  seen: EventGroup | undefined,
): Promise<GroupChange> => {
  const { condition, values } = buildUnchangedCondition(seen);
  const isNew = seen?.first !== next.first;
  const { kind, item } = await updateItem(deps, eventGroupKey(ws, key), GroupItem, {
    update: `SET #first = :first, #top = :top, #at = :at, #until = :until, #priority = :priority, #ttl = :ttl REMOVE sure${isNew ? ", tellAt, tellBy" : ""}`,
    condition,
    names: { "#first": "first", "#top": "top", "#at": "at", "#until": "until", "#priority": "priority", "#ttl": "ttl" },
    values: {
      ...values,
      ":first": next.first,
      ":top": next.top,
      ":at": next.at,
      ":until": next.until,
      ":priority": next.priority,
      ":ttl": computeGroupTtl(next.until),
    },
  });
  return { kind, group: item };
};

/** Stores that `top`, the last event that notified people, has a stored plan. Does nothing if another event is `top` now. */
export const confirmTop = async (deps: TableDeps, ws: WorkspaceId, key: string, { top }: EventGroup): Promise<void> => {
  await updateItem(deps, eventGroupKey(ws, key), GroupItem, {
    update: "SET sure = :sure",
    condition: "#top = :top",
    names: { "#top": "top" },
    values: { ":sure": true, ":top": top },
  });
};

/** Stores the quiet period of a person who acknowledged an event of the group, in place of an earlier quiet period. */
export const setQuietPeriod = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  calm: QuietPeriod,
): Promise<void> => {
  await updateItem(deps, eventGroupKey(ws, key), GroupItem, {
    update: "SET calm = :calm",
    condition: "attribute_exists(pk)",
    values: { ":calm": calm },
  });
};

/** Ends a group if the event was its first, or its last event that notified people. The group's next event notifies people. */
export const closeGroup = async (deps: TimedDeps, ws: WorkspaceId, key: string, eventId: string): Promise<void> => {
  await updateItem(deps, eventGroupKey(ws, key), GroupItem, {
    update: "SET #until = :now",
    condition: "(#first = :event OR #top = :event) AND #until > :now",
    names: { "#first": "first", "#top": "top", "#until": "until" },
    values: { ":event": eventId, ":now": deps.now() },
  });
};

/** Plans when people are notified of the group's number of events, unless another event has planned a notification. */
export const planGroupNotice = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  { first, tellAt }: Pick<StoredGroup, "first" | "tellAt">,
  next: { at: number; by: string },
): Promise<GroupChange> => {
  const { kind, item } = await updateItem(deps, eventGroupKey(ws, key), GroupItem, {
    update: "SET tellAt = :next, tellBy = :by",
    condition: `#first = :first AND ${tellAt === undefined ? "attribute_not_exists(tellAt)" : "tellAt = :seen"}`,
    names: { "#first": "first" },
    values: { ":first": first, ":next": next.at, ":by": next.by, ...(tellAt === undefined ? {} : { ":seen": tellAt }) },
  });
  return { kind, group: item };
};

/** `receivedAt`: in milliseconds. */
export type Arrival = { seq: number; receivedAt: number };

/** The maximum number of events in one item. */
const ROW = 64;
/** Encodes an event's arrival and its number modulo 64 as one number. The item's key has the event's number divided by 64. */
const encodeCountedEvent = ({ seq, receivedAt }: Arrival): number => Math.floor(receivedAt) * ROW + (seq % ROW);

const CountedItem = v.object({ sk: v.string(), events: v.set(v.number()) });

/** Adds events to one item. Returns the events that the item already contained. */
const countInItem = async (deps: TableDeps, key: Key, events: readonly Arrival[], ttl: Seconds): Promise<Arrival[]> => {
  let before: Arrival[] = [];
  for (let left = [...events]; left.length > 0;) {
    const numbers = left.map((event, index) => [`:e${index}`, encodeCountedEvent(event)] as const);
    const { kind, item } = await updateItem(deps, key, CountedItem, {
      update: "ADD #events :events SET #ttl = :ttl",
      condition: numbers.map(([name]) => `NOT contains(#events, ${name})`).join(" AND "),
      names: { "#events": "events", "#ttl": "ttl" },
      values: { ...Object.fromEntries(numbers), ":events": new Set(left.map(encodeCountedEvent)), ":ttl": ttl },
    });
    if (kind === "done") break;
    before = events.filter((event) => item?.events.has(encodeCountedEvent(event)));
    left = events.filter((event) => !before.includes(event));
  }
  return before;
};

/**
 * Counts events, and returns those that were already counted. `suppressedBy`: the number of the event that suppressed the events;
 * if undefined, the events count towards the threshold. `until`: the time after which nobody needs the count, in milliseconds.
 * Only one of several concurrent calls counts an event; the other calls return the event.
 */
export const countEvents = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  suppressedBy: number | undefined,
  events: readonly Arrival[],
  until: number,
): Promise<Arrival[]> => {
  const once = [...new Map(events.map((event) => [event.seq, event])).values()];
  const rows = Map.groupBy(once, (event) => countedEventsKey(ws, key, suppressedBy, event).sk);
  const before: Arrival[] = [];
  for (const some of rows.values()) {
    const [one] = some;
    if (one !== undefined)
      before.push(
        ...(await countInItem(deps, countedEventsKey(ws, key, suppressedBy, one), some, computeGroupTtl(until))),
      );
  }
  return before;
};

/**
 * Returns the counted events that arrived between two times (in milliseconds), in any order: those that event `suppressedBy`
 * suppressed or, if undefined, those for the threshold. Strongly consistent. `limit`, `items`: items to read, and items read.
 */
export const readCountedEvents = async (
  deps: TableDeps,
  ws: WorkspaceId,
  key: string,
  suppressedBy: number | undefined,
  { from, to, limit }: { from: number; to: number; limit?: number },
): Promise<{ events: Arrival[]; items: number }> => {
  const range = countedEventsRange(ws, key, suppressedBy, { from, to });
  const items = await queryItems(deps, range, CountedItem, limit === undefined ? {} : { limit });
  const events = items.flatMap(({ sk, events: numbers }) => {
    const row = Number(sk.split("#")[1]);
    return [...numbers].map((number) => ({ seq: row * ROW + (number % ROW), receivedAt: Math.floor(number / ROW) }));
  });
  return { events, items: items.length };
};
