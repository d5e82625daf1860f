import * as v from "valibot";
import type { TableDeps } from "../../deps.ts";
import { formatEventId, parseEventId, type EventId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { DeliveryPlan, PlanHead, toFrozenPlan } from "../../domain/delivery/delivery-plan.ts";
import { ReopenedAck, TemporaryAck } from "../../domain/escalation/temporary-ack.ts";
import { Repeats } from "../../domain/event/repeats.ts";
import { AcceptedEvent, EventContent } from "../../domain/event/event.ts";
import { EventAction, Expiry } from "../../domain/event/lifecycle.ts";
import { Incumbent } from "../../domain/event/incumbent.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { deflatedSchema } from "../codec.ts";
import { eventItemKey, isProgressKey, parseSeqOfKey, parseWorkspaceId } from "../keys.ts";
import { parseItem, queryItems } from "../table.ts";
import { Seconds } from "../../domain/basics/seconds.ts";

/* An event has one item or, if events are spread over partitions, two: the event, which never changes, and its progress. */

const progress = {
  nonce: v.string(),
  /** The whole plan if the plan has a single part, otherwise a list of its parts. */
  plan: v.optional(deflatedSchema(v.union([PlanHead, DeliveryPlan]))),
  /** The number of notifications by the plan and, for each part of the plan, the number of notifications by escalations. */
  count: v.optional(v.number()),
  steps: v.optional(v.record(v.string(), v.number())),
  /** Whether the event needs an acknowledgement, and the whole event's permanent acknowledgement, if any. */
  need: v.optional(v.boolean(), false),
  ack: v.optional(EventAction),
  /** The current temporary acknowledgement and its start, the last that ended, and when the first of consecutive ones began. */
  term: v.optional(TemporaryAck),
  since: v.optional(v.number()),
  reopened: v.optional(ReopenedAck),
  chain: v.optional(v.number()),
  /** The reason why the event is held: the id of a silence, or flapping. */
  held: v.optional(v.string()),
  resolved: v.optional(v.object({ ...EventAction.entries, note: v.optional(v.string()) })),
  expired: v.optional(Expiry),
  repeats: v.optional(Repeats),
  incumbent: v.optional(v.array(Incumbent)),
};

export const ProgressItem = v.object(progress);
export type ProgressItem = v.InferOutput<typeof ProgressItem>;

export const EventItem = v.object({
  ...progress,
  pk: v.string(),
  sk: v.string(),
  /** The id of the request that wrote the item. */
  by: v.string(),
  at: v.number(),
  rv: v.number(),
  pv: v.number(),
  content: deflatedSchema(EventContent),
  ...v.pick(AcceptedEvent, ["ends", "late", "valve", "flapping", "shadow"]).entries,
  ttl: v.optional(Seconds),
});
export type EventItem = v.InferOutput<typeof EventItem>;

export const AnyItem = v.objectWithRest({ pk: v.string(), sk: v.string() }, v.unknown());
type AnyItem = v.InferOutput<typeof AnyItem>;

export type NumberedEvent = AcceptedEvent & { seq: number };

export const mergeProgress = (event: NumberedEvent, stored: ProgressItem): StoredEvent => ({
  ...event,
  life: {
    needsAck: stored.need,
    acknowledged: stored.ack,
    term: stored.term === undefined ? undefined : { ...stored.term, since: stored.since ?? stored.term.at },
    reopened: stored.reopened,
    chain: stored.chain,
    resolved: stored.resolved,
    expired: stored.expired,
    heldBy: stored.held,
  },
  repeats: stored.repeats,
  incumbent: stored.incumbent,
  plan: stored.plan === undefined ? undefined : toFrozenPlan(stored.plan),
  notifications: (stored.count ?? 0) + Object.values(stored.steps ?? {}).reduce((sum, count) => sum + count, 0),
});

/** Converts an event's stored item to the event. `progressItem`: the event's progress item, if separate. */
export const toEvent = (item: EventItem, progressItem: ProgressItem = item): StoredEvent => {
  const seq = parseSeqOfKey(item);
  const event = {
    workspaceId: parseWorkspaceId(item),
    eventId: formatEventId({ seq, nonce: item.nonce }),
    seq,
    receivedAt: item.at,
    rulesVersion: item.rv,
    peopleVersion: item.pv,
    content: item.content,
    ends: item.ends,
    late: item.late,
    valve: item.valve,
    flapping: item.flapping,
    shadow: item.shadow,
    keptUntil: item.ttl,
  };
  return mergeProgress(event, progressItem);
};

/** Converts the items of one partition to events, each with its progress. */
export const toEvents = (items: readonly AnyItem[]): StoredEvent[] => {
  const courses = new Map(
    items.filter(isProgressKey).map((item) => [parseSeqOfKey(item), parseItem(ProgressItem, item)]),
  );
  return items
    .filter((item) => !isProgressKey(item))
    .map((item) => {
      const event = parseItem(EventItem, item);
      const beside = courses.get(parseSeqOfKey(item));
      return toEvent(event, beside?.nonce === event.nonce ? beside : event);
    });
};

/** Parses an event's id. Throws an error if the text is not an event's id. */
export const requireEventId = (eventId: string): EventId => {
  const id = parseEventId(eventId);
  if (id === undefined) throw new Error(`${eventId} is not an event id`);
  return id;
};

/** Reads the event with this number. `spread`: whether events are spread over partitions, which decides the key. */
export const readEventByNumber = async (
  deps: TableDeps,
  ws: WorkspaceId,
  seq: number,
  { spread, consistent }: { spread: boolean; consistent: boolean },
): Promise<StoredEvent | undefined> => {
  const { pk, sk: prefix } = eventItemKey(ws, seq, spread);
  const [event] = toEvents(await queryItems(deps, { pk, prefix }, AnyItem, { consistent }));
  return event;
};
