import type { TableDeps } from "../../deps.ts";
import { isSpread, parseEventId, type WorkspaceId } from "../../domain/basics/ids.ts";
import type { DeliveryPlan, PlanHead } from "../../domain/delivery/delivery-plan.ts";
import type { Incumbent } from "../../domain/event/incumbent.ts";
import type { Repeats } from "../../domain/event/repeats.ts";
import type { AcceptedEvent } from "../../domain/event/event.ts";
import type { EventAction, Expiry } from "../../domain/event/lifecycle.ts";
import type { PlannedEvent, StoredEvent } from "../../domain/event/stored-event.ts";
import { deflate } from "../codec.ts";
import { ProgressItem, EventItem, requireEventId, toEvent, mergeProgress, type NumberedEvent } from "./event-items.ts";
import { progressKey, eventItemKey } from "../keys.ts";
import { getItem, updateItem, type Expression } from "../table.ts";

/* If events are spread over partitions, each has an item for its progress, so that the large event item is written only once. */

export type Change = Expression & { set: string; remove?: string; condition: string };
export type ChangeResult = { kind: "done" | "refused"; event: StoredEvent };
/** A function that changes an event's progress. Returns undefined if the event does not exist. */
export type EventChange<Input, Result = StoredEvent> = (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
  input: Input,
) => Promise<Result | undefined>;

/** Reads an event without its separate progress item. The event never changes, so a stale read is enough if it finds the item. */
const readSpreadEvent = async (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
): Promise<NumberedEvent | undefined> => {
  const { seq, nonce } = requireEventId(eventId);
  const key = eventItemKey(ws, seq, true);
  const item = (await getItem(deps, key, EventItem, { consistent: false })) ?? (await getItem(deps, key, EventItem));
  return item?.nonce === nonce ? toEvent(item) : undefined;
};

/** Changes an event's progress under a condition. Returns the current event, if any. `known`: the event, if just stored. */
export const changeProgress = async (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
  { set, remove, condition, values, ...names }: Change,
  known?: NumberedEvent,
): Promise<ChangeResult | undefined> => {
  const { seq, nonce } = requireEventId(eventId);
  const expression = { ...names, values: { ...values, ":nonce": nonce } };
  const removed = remove === undefined ? "" : ` REMOVE ${remove}`;
  if (!isSpread(eventId)) {
    const { kind, item } = await updateItem(deps, eventItemKey(ws, seq, false), EventItem, {
      ...expression,
      update: `SET ${set}${removed}`,
      condition: `nonce = :nonce AND ${condition}`,
    });
    // After a restore of the table, another event may have the event's number.
    return item?.nonce === nonce ? { kind, event: toEvent(item) } : undefined;
  }
  // The event is read first, because nothing may be stored for an event that a restore of the table has removed.
  const own = known ?? (await readSpreadEvent(deps, ws, eventId));
  if (own === undefined) return undefined;
  const { keptUntil: ttl } = own;
  const { kind, item } = await updateItem(deps, progressKey(ws, seq), ProgressItem, {
    ...expression,
    ...(ttl === undefined ? {} : { names: { ...names.names, "#ttl": "ttl" } }),
    values: { ...expression.values, ...(ttl === undefined ? {} : { ":ttl": ttl }) },
    update: `SET nonce = :nonce, ${ttl === undefined ? "" : "#ttl = :ttl, "}${set}${removed}`,
    condition: `(attribute_not_exists(nonce) OR nonce = :nonce) AND ${condition}`,
  });
  return item?.nonce === nonce ? { kind, event: mergeProgress(own, item) } : undefined;
};

export type PlanOutcome = { notifications: number; needsAck: boolean; heldBy?: string | undefined };

export type FrozenEvent = { event: PlannedEvent; first: boolean };

const toPlanWrite = (plan: DeliveryPlan | PlanHead, { notifications, needsAck, heldBy }: PlanOutcome) => ({
  set:
    "#plan = :plan, #count = :count" +
    (needsAck ? ", need = :need" : "") +
    (heldBy === undefined ? "" : ", held = :held"),
  names: { "#plan": "plan", "#count": "count" },
  values: {
    ":plan": deflate(plan),
    ":count": notifications,
    ...(needsAck ? { ":need": true } : {}),
    ...(heldBy === undefined ? {} : { ":held": heldBy }),
  },
});

const toFrozenEvent = (changed: ChangeResult | undefined): FrozenEvent | undefined =>
  changed?.event.plan === undefined
    ? undefined
    : { event: { ...changed.event, plan: changed.event.plan }, first: changed.kind === "done" };

/** Stores an event's plan, unless a plan exists (`first`: false). Returns the event; undefined if it does not exist. */
export const storePlanOnce = async (
  deps: TableDeps,
  event: Pick<AcceptedEvent, "workspaceId" | "eventId">,
  plan: DeliveryPlan | PlanHead,
  outcome: PlanOutcome,
  known?: NumberedEvent,
): Promise<FrozenEvent | undefined> => {
  const { set, names, values } = toPlanWrite(plan, outcome);
  const change = { set, condition: "attribute_not_exists(#plan)", names, values };
  return toFrozenEvent(await changeProgress(deps, event.workspaceId, event.eventId, change, known));
};

/** Replaces the plan of an event that `heldBy` still holds, unless it is acknowledged or over. Returns the event, if any. */
export const replacePlan = async (
  deps: TableDeps,
  event: Pick<AcceptedEvent, "workspaceId" | "eventId">,
  plan: DeliveryPlan | PlanHead,
  outcome: PlanOutcome,
  heldBy: string,
): Promise<FrozenEvent | undefined> => {
  const { set, names, values } = toPlanWrite(plan, outcome);
  const changed = await changeProgress(deps, event.workspaceId, event.eventId, {
    set,
    ...(outcome.heldBy === undefined ? { remove: "held" } : {}),
    condition:
      "held = :before AND attribute_not_exists(ack) AND attribute_not_exists(resolved) AND attribute_not_exists(expired)",
    names,
    values: { ...values, ":before": heldBy },
  });
  return toFrozenEvent(changed);
};

/** Stores the repeats of an event, unless the event is over or its repeats have changed. Returns the current event, if any. */
export const setRepeats = async (
  deps: TableDeps,
  { workspaceId, eventId, repeats: before }: StoredEvent,
  repeats: Repeats,
): Promise<StoredEvent | undefined> => {
  const isSame = before === undefined ? "attribute_not_exists(repeats)" : "repeats.#by = :before";
  const changed = await changeProgress(deps, workspaceId, eventId, {
    set: "repeats = :repeats",
    condition: `attribute_not_exists(resolved) AND attribute_not_exists(expired) AND ${isSame}`,
    ...(before === undefined ? {} : { names: { "#by": "by" } }),
    values: { ":repeats": repeats, ...(before === undefined ? {} : { ":before": before.by }) },
  });
  return changed?.event;
};

/** Adds a message of the old service to an event, if the event still has `seen` messages of the old service. */
export const addIncumbent = (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
  message: Incumbent,
  seen: number,
): Promise<ChangeResult | undefined> =>
  changeProgress(deps, ws, eventId, {
    set: "incumbent = list_append(if_not_exists(incumbent, :none), :one)",
    condition: seen === 0 ? "attribute_not_exists(incumbent)" : "size(incumbent) = :seen",
    values: { ":none": [], ":one": [message], ...(seen === 0 ? {} : { ":seen": seen }) },
  });

/** Stores that an event needs an acknowledgement, unless the event is over. */
export const setNeedsAck = async (deps: TableDeps, ws: WorkspaceId, eventId: string): Promise<void> => {
  await changeProgress(deps, ws, eventId, {
    set: "need = :need",
    condition: "attribute_not_exists(resolved) AND attribute_not_exists(expired)",
    values: { ":need": true },
  });
};

/** Stores who resolved an event, unless the event is already over. Returns the stored event; undefined if it does not exist. */
export const setResolved = async (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
  action: EventAction & { note?: string | undefined },
): Promise<StoredEvent | undefined> => {
  if (parseEventId(eventId) === undefined) return undefined;
  const changed = await changeProgress(deps, ws, eventId, {
    set: "resolved = :deed",
    condition: "attribute_not_exists(resolved) AND attribute_not_exists(expired)",
    values: { ":deed": action },
  });
  return changed?.event;
};

/** Stores an event's expiry, unless the event is expired, resolved or acknowledged. Returns the event; undefined if unknown. */
export const setExpired = async (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
  expiry: Expiry,
): Promise<StoredEvent | undefined> => {
  const changed = await changeProgress(deps, ws, eventId, {
    set: "expired = :expiry",
    condition:
      "attribute_not_exists(expired) AND attribute_not_exists(ack) AND attribute_not_exists(term) AND " +
      "attribute_not_exists(resolved)",
    values: { ":expiry": expiry },
  });
  return changed?.event;
};

/** Acknowledges an event permanently, even after a temporary acknowledgement, unless it is over. Returns the stored event. */
export const setAcknowledged = async (
  deps: TableDeps,
  ws: WorkspaceId,
  eventId: string,
  action: EventAction,
): Promise<StoredEvent | undefined> => {
  const changed = await changeProgress(deps, ws, eventId, {
    set: "ack = :deed",
    remove: "term, #since",
    condition: "attribute_not_exists(ack) AND attribute_not_exists(resolved) AND attribute_not_exists(expired)",
    names: { "#since": "since" },
    values: { ":deed": action },
  });
  return changed?.event;
};

/** Raises a number of notifications: by a plan part's escalations or, if `part` is `added`, to people who were added later. */
export const raiseNotified = async (
  deps: TableDeps,
  event: Pick<AcceptedEvent, "workspaceId" | "eventId">,
  part: number | "added",
  notifications: number,
): Promise<void> => {
  const { workspaceId: ws, eventId } = event;
  const { seq, nonce } = requireEventId(eventId);
  const key = isSpread(eventId) ? progressKey(ws, seq) : eventItemKey(ws, seq, false);
  const name = String(part);
  const inMap = await updateItem(deps, key, ProgressItem, {
    update: "SET steps.#part = :count",
    condition:
      "nonce = :nonce AND attribute_exists(steps) AND (attribute_not_exists(steps.#part) OR steps.#part < :count)",
    names: { "#part": name },
    values: { ":count": notifications, ":nonce": nonce },
  });
  if (inMap.kind === "done" || inMap.item?.nonce !== nonce) return;
  if ((inMap.item.steps?.[name] ?? 0) >= notifications) return;
  const first = await updateItem(deps, key, ProgressItem, {
    update: "SET steps = :steps",
    condition: "nonce = :nonce AND attribute_not_exists(steps)",
    values: { ":steps": { [name]: notifications }, ":nonce": nonce },
  });
  // A concurrent call has created the attribute `steps` since the read.
  if (first.kind === "refused") return raiseNotified(deps, event, part, notifications);
};
