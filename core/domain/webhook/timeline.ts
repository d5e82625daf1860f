import * as v from "valibot";
import type { Firing } from "../delivery/delivery-plan.ts";
import { ADDED_RULE } from "../delivery/added.ts";
import { isFlapping, isHeldByGroup } from "../delivery/delivery-plan.ts";
import type { NotificationView } from "../delivery/notification-view.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { getCurrentPriority } from "../event/alert.ts";
import { toLifecycleView } from "../event/lifecycle.ts";
import type { PlannedEvent } from "../event/stored-event.ts";
import type { EventType } from "./webhook.ts";

/* An event's timeline is computed from stored data, so that code that changes events need not record entries. */

const By = v.object({ id: v.string(), name: v.string() });

export const TimelineEntry = v.object({
  /** The name that identifies the entry, so that the entry is added only once. */
  name: v.string(),
  type: v.string(),
  /** The time of the change, and the time at which it was queued for webhooks, in milliseconds. */
  at: v.number(),
  told: v.number(),
  state: v.string(),
  by: v.optional(By),
});
export type TimelineEntry = v.InferOutput<typeof TimelineEntry>;
type NewTimelineEntry = Omit<TimelineEntry, "told"> & { type: EventType };

/** The data from which a timeline is computed. `fired`: escalation steps that have fired. */
export type TimelineFacts = {
  event: PlannedEvent;
  notifications: readonly NotificationView[];
  fired: readonly (Firing & { rule: number; cursor: number })[];
};

/** Returns whether a rule notified people; false if a silence, flapping, groups or thresholds prevented all notifications. */
const hasNotifiedSomebody = ({ plan }: PlannedEvent): boolean =>
  plan.silence === undefined && !isFlapping(plan) && (plan.groups ?? []).filter(isHeldByGroup).length < plan.matched;

const haveAllFailed = (notifications: readonly NotificationView[]): boolean =>
  notifications.every(({ status }) => status === "FAILED");

/** Lists what happened to the event, in order of time; an empty list if the event's rules notified nobody. */
export const listTimelineEntries = ({ event, notifications, fired }: TimelineFacts): NewTimelineEntry[] => {
  const { plan, life } = event;
  if (!hasNotifiedSomebody(event)) return [];
  const view = toLifecycleView(life, notifications);
  const state = life.needsAck ? "open" : "none";
  const since = life.reopened?.on ?? 0;
  const acknowledgedAt = fromIso(view.acknowledgedAt ?? "") ?? Infinity;
  const happened: NewTimelineEntry[] = [];
  if (life.reopened !== undefined)
    happened.push({ name: `opened ${since}`, type: "event.opened", at: since, state: "open" });
  for (const { rule, cursor, at, addition } of fired)
    if (rule !== ADDED_RULE || addition?.because === "escalated" || addition?.because === "raised")
      happened.push({
        name: `escalated ${rule} ${cursor}`,
        type: "event.escalated",
        at,
        // People whom somebody adds are notified even while the event is acknowledged, unlike people of a policy's steps.
        state: addition !== undefined && at >= acknowledgedAt ? "acknowledged" : state,
        ...(addition?.by === undefined ? {} : { by: addition.by }),
      });
  if (view.acknowledgedAt !== null && view.acknowledgedBy !== null)
    happened.push({
      name: `acknowledged ${since}`,
      type: "event.acknowledged",
      at: acknowledgedAt,
      state: "acknowledged",
      by: view.acknowledgedBy,
    });
  const isWritten = notifications.length >= event.notifications;
  if (view.state === state && isWritten && haveAllFailed(notifications))
    happened.push({
      name: "unreached",
      type: "event.unreached",
      at: Math.max(plan.at, ...fired.map(({ at }) => at)),
      state,
    });
  happened.sort((one, other) => one.at - other.at);
  happened.unshift({ name: "opened", type: "event.opened", at: plan.at, state });
  const ended = life.resolved ?? life.expired;
  if (ended !== undefined)
    happened.push({
      name: "resolved",
      type: "event.resolved",
      at: ended.at,
      state: view.state,
      ...(life.resolved === undefined ? {} : { by: { id: life.resolved.id, name: life.resolved.name } }),
    });
  return happened;
};

/** Appends the entries that are not in the list yet, with the time `nowMs` or, if later, the time of the list's last entry. */
export const appendEntries = (
  entries: readonly TimelineEntry[],
  newEntries: readonly NewTimelineEntry[],
  nowMs: number,
): TimelineEntry[] => {
  const known = new Set(entries.map(({ name }) => name));
  const told = Math.max(nowMs, entries.at(-1)?.told ?? 0);
  return [...entries, ...newEntries.filter(({ name }) => !known.has(name)).map((one) => ({ ...one, told }))];
};

/** Returns the id of a message, the same for all webhooks and attempts, so that receivers recognize repeats. */
export const formatEventMessageId = (eventId: string, sequence: number): string => `msg_${eventId}_${sequence}`;

/** Builds the message about a timeline entry. `sequence`: the entry's number, from 1. The event's `data` is never sent. */
export const buildEventMessage = (
  { workspaceId, eventId, content, receivedAt, repeats }: PlannedEvent,
  { type, at, state, by }: TimelineEntry,
  sequence: number,
): string =>
  JSON.stringify({
    type,
    timestamp: toIso(at),
    data: {
      sequence,
      workspaceId,
      eventId,
      eventKey: content.eventKey,
      title: content.title,
      body: content.body,
      priority: getCurrentPriority({ content, repeats }),
      url: content.url ?? null,
      dedupeKey: content.dedupeKey ?? null,
      createdAt: toIso(receivedAt),
      state,
      by: by ?? null,
    },
  });
