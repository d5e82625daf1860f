import * as v from "valibot";
import type { Deps } from "../deps.ts";
import { DeliveryPlan, PlanHead, toFrozenPlan } from "../domain/delivery/delivery-plan.ts";
import { EventContent, type AcceptedEvent } from "../domain/event/event.ts";
import { Deed } from "../domain/event/life.ts";
import { formatEventId, parseEventId } from "../domain/basics/ids.ts";
import { Deflated, deflate } from "./codec.ts";
import { eventKey, eventsPk, seqOfEventKey, workspaceOfKey } from "./keys.ts";
import { batchGetItems, getItem, putItemIf, queryItems, queryPage, updateItem } from "./table.ts";
import type { PastEvent } from "../domain/planning/history.ts";
import type { PlannedEvent, StoredEvent } from "../domain/event/stored-event.ts";

const EventItem = v.object({
  pk: v.string(),
  sk: v.string(),
  nonce: v.string(),
  /** The request that wrote the item. */
  by: v.string(),
  at: v.number(),
  rv: v.number(),
  pv: v.number(),
  content: Deflated(EventContent),
  ends: v.optional(v.string()),
  /** The whole plan if it is a single part, otherwise the list of its parts. */
  plan: v.optional(Deflated(v.union([PlanHead, DeliveryPlan]))),
  /** Notifications of the plan, and those that escalations have added, by plan part. */
  count: v.optional(v.number()),
  steps: v.optional(v.record(v.string(), v.number())),
  /** Whether it needs an acknowledgement, who acknowledged the event as a whole, and who resolved it. */
  need: v.optional(v.boolean(), false),
  ack: v.optional(Deed),
  resolved: v.optional(v.object({ ...Deed.entries, note: v.optional(v.string()) })),
});
type EventItem = v.InferOutput<typeof EventItem>;

const toEvent = (item: EventItem): StoredEvent => {
  const seq = seqOfEventKey(item);
  return {
    workspaceId: workspaceOfKey(item),
    eventId: formatEventId({ seq, nonce: item.nonce }),
    seq,
    receivedAt: item.at,
    rulesVersion: item.rv,
    peopleVersion: item.pv,
    content: item.content,
    ends: item.ends,
    life: { needsAck: item.need, acknowledged: item.ack, resolved: item.resolved },
    plan: item.plan === undefined ? undefined : toFrozenPlan(item.plan),
    notifications: (item.count ?? 0) + Object.values(item.steps ?? {}).reduce((sum, count) => sum + count, 0),
  };
};

const requireEventId = (eventId: string) => {
  const id = parseEventId(eventId);
  if (id === undefined) throw new Error(`${eventId} is no event id`);
  return id;
};

/**
 * Stores an event under its number. `created`: this request stored it, which includes a write that the SDK repeated.
 * `exists`: another request had stored it. Throws if another event has the number, as after a restore of the table: an
 * answer with this id would name nothing.
 */
export const createEvent = async (
  deps: Pick<Deps, "table">,
  event: AcceptedEvent,
  request: string,
): Promise<"created" | "exists"> => {
  const { seq, nonce } = requireEventId(event.eventId);
  const item = {
    nonce,
    by: request,
    at: event.receivedAt,
    rv: event.rulesVersion,
    pv: event.peopleVersion,
    content: deflate(event.content),
    ends: event.ends,
  };
  const result = await putItemIf(deps, eventKey(event.workspaceId, seq), item, EventItem);
  if (result.kind === "done" || result.item?.by === request) return "created";
  if (result.item !== undefined && result.item.nonce !== nonce)
    throw new Error(`another event has the number of ${event.eventId}`);
  return "exists";
};

/** An event by its id, strongly consistent; undefined if the workspace has no such event. */
export const readEvent = async (
  deps: Pick<Deps, "table">,
  ws: string,
  eventId: string,
): Promise<StoredEvent | undefined> => {
  const id = parseEventId(eventId);
  if (id === undefined) return undefined;
  const item = await getItem(deps, eventKey(ws, id.seq), EventItem);
  return item === undefined || item.nonce !== id.nonce ? undefined : toEvent(item);
};

/** Whether any event is stored under a number. */
export const isNumberTaken = async (deps: Pick<Deps, "table">, ws: string, seq: number): Promise<boolean> =>
  (await getItem(deps, eventKey(ws, seq), EventItem)) !== undefined;

/** The events with numbers between `from` and `to`, both included, the newest first, at most `limit`. */
export const listEventsBetween = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { from, to, limit }: { from: number; to: number; limit?: number },
): Promise<StoredEvent[]> => {
  if (to < from) return [];
  const range = { pk: eventsPk(ws), from: eventKey(ws, from).sk, to: eventKey(ws, to).sk };
  const items = await queryItems(deps, range, EventItem, {
    consistent: false,
    descending: true,
    ...(limit === undefined ? {} : { limit }),
  });
  return items.map(toEvent);
};

const PastItem = v.pick(EventItem, ["pk", "sk", "nonce", "at", "content"]);

/** One page of the newest events numbered from `from` to `to`, both included, with the attributes that rules use. */
export const readPastEvents = async (
  deps: Pick<Deps, "table">,
  ws: string,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<{ events: PastEvent[]; readUnits: number; more: boolean }> => {
  const range = { pk: eventsPk(ws), from: eventKey(ws, from).sk, to: eventKey(ws, to).sk };
  const attributes = Object.keys(PastItem.entries);
  const { items, ...page } = await queryPage(deps, range, PastItem, { attributes, limit });
  const events = items.map((item) => {
    const seq = seqOfEventKey(item);
    return { eventId: formatEventId({ seq, nonce: item.nonce }), seq, receivedAt: item.at, content: item.content };
  });
  return { events, ...page };
};

/** The events with these numbers, in their order. Those that do not exist are left out. */
export const readEventsNumbered = async (
  deps: Pick<Deps, "table">,
  ws: string,
  seqs: readonly number[],
): Promise<StoredEvent[]> => {
  const keys = seqs.map((seq) => eventKey(ws, seq));
  const items = await batchGetItems(deps, keys, EventItem, { consistent: false });
  const byKey = new Map(items.map((item) => [item.sk, toEvent(item)]));
  return keys.flatMap(({ sk }) => byKey.get(sk) ?? []);
};

/**
 * Stores a plan unless there is one already. Gives the event with the plan that holds, which is the first one stored,
 * and whether this call stored it. Undefined: no such event.
 */
export const freezePlan = async (
  deps: Pick<Deps, "table">,
  event: Pick<AcceptedEvent, "workspaceId" | "eventId">,
  plan: DeliveryPlan | PlanHead,
  { notifications, needsAck }: { notifications: number; needsAck: boolean },
): Promise<{ event: PlannedEvent; first: boolean } | undefined> => {
  const { seq, nonce } = requireEventId(event.eventId);
  const result = await updateItem(deps, eventKey(event.workspaceId, seq), EventItem, {
    update: `SET #plan = :plan, #count = :count${needsAck ? ", need = :need" : ""}`,
    condition: "nonce = :nonce AND attribute_not_exists(#plan)",
    names: { "#plan": "plan", "#count": "count" },
    values: {
      ":plan": deflate(plan),
      ":count": notifications,
      ":nonce": nonce,
      ...(needsAck ? { ":need": true } : {}),
    },
  });
  // After a restore of the table another event may have this number.
  if (result.item?.nonce !== nonce) return undefined;
  const stored = toEvent(result.item);
  return stored.plan === undefined
    ? undefined
    : { event: { ...stored, plan: stored.plan }, first: result.kind === "done" };
};

/** Notes who resolved an event, once. Gives the event as it is afterwards. Undefined: no such event. */
export const noteResolved = async (
  deps: Pick<Deps, "table">,
  ws: string,
  eventId: string,
  deed: Deed & { note?: string | undefined },
): Promise<StoredEvent | undefined> => {
  const id = parseEventId(eventId);
  if (id === undefined) return undefined;
  const result = await updateItem(deps, eventKey(ws, id.seq), EventItem, {
    update: "SET resolved = :deed",
    condition: "nonce = :nonce AND attribute_not_exists(resolved)",
    values: { ":deed": deed, ":nonce": id.nonce },
  });
  return result.item?.nonce === id.nonce ? toEvent(result.item) : undefined;
};

/**
 * Notes who acknowledged an event as a whole, once and only before it is resolved. Gives the event as it is afterwards.
 */
export const noteAcknowledged = async (
  deps: Pick<Deps, "table">,
  ws: string,
  eventId: string,
  deed: Deed,
): Promise<StoredEvent | undefined> => {
  const { seq, nonce } = requireEventId(eventId);
  const result = await updateItem(deps, eventKey(ws, seq), EventItem, {
    update: "SET ack = :deed",
    condition: "nonce = :nonce AND attribute_not_exists(ack) AND attribute_not_exists(resolved)",
    values: { ":deed": deed, ":nonce": nonce },
  });
  return result.item?.nonce === nonce ? toEvent(result.item) : undefined;
};

/**
 * Stores how many notifications the escalations of one plan part have added to the event. The number only grows, so a
 * late or repeated call changes nothing.
 */
export const countEscalated = async (
  deps: Pick<Deps, "table">,
  event: Pick<AcceptedEvent, "workspaceId" | "eventId">,
  part: number,
  notifications: number,
): Promise<void> => {
  const { seq, nonce } = requireEventId(event.eventId);
  const key = eventKey(event.workspaceId, seq);
  const name = String(part);
  const inMap = await updateItem(deps, key, EventItem, {
    update: "SET steps.#part = :count",
    condition:
      "nonce = :nonce AND attribute_exists(steps) AND (attribute_not_exists(steps.#part) OR steps.#part < :count)",
    names: { "#part": name },
    values: { ":count": notifications, ":nonce": nonce },
  });
  if (inMap.kind === "done" || inMap.item?.nonce !== nonce) return;
  if ((inMap.item.steps?.[name] ?? 0) >= notifications) return;
  const first = await updateItem(deps, key, EventItem, {
    update: "SET steps = :steps",
    condition: "nonce = :nonce AND attribute_not_exists(steps)",
    values: { ":steps": { [name]: notifications }, ":nonce": nonce },
  });
  // Another step of the event has made the map meanwhile: write into it.
  if (first.kind === "refused") return countEscalated(deps, event, part, notifications);
};
