import * as v from "valibot";
import type { EventContent } from "./event.ts";
import { RuleRef, SilencedBy } from "../delivery/delivery-plan.ts";
import { UnreachedGroup } from "../people/recipient.ts";
import { isNotNeeded } from "../delivery/notification.ts";
import { NotificationView } from "../delivery/notification-view.ts";
import { EventState, LifeView } from "./life.ts";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";

const Count = v.object({ notifications: v.number() });

/** An event in a list. */
export const EventListItem = v.object({
  id: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  receivedAt: v.string(),
  state: EventState,
  _count: Count,
});
export type EventListItem = v.InferOutput<typeof EventListItem>;

export const EventPage = v.object({
  total: v.number(),
  page: v.number(),
  limit: v.number(),
  items: v.array(EventListItem),
});
export type EventPage = v.InferOutput<typeof EventPage>;

/** What a list shows of a stored event. */
export const toEventListItem = (
  event: {
    eventId: string;
    receivedAt: number;
    notifications: number;
    content: Pick<EventContent, "eventKey" | "title" | "priority">;
  },
  state: EventState,
): EventListItem => ({
  id: event.eventId,
  eventKey: event.content.eventKey,
  title: event.content.title,
  priority: event.content.priority,
  receivedAt: toIso(event.receivedAt),
  state,
  _count: { notifications: event.notifications },
});

/**
 * What has become of an event so far. `pending`: it has not been matched yet, or a push has not been sent yet.
 * `no_recipient`: rules matched, but there was nobody to tell. `silenced`: a silence kept people from being told.
 */
const outcomes = ["pending", "no_match", "no_recipient", "delivered", "partial", "all_failed", "silenced"] as const;
export const Outcome = v.picklist(outcomes);
export type Outcome = v.InferOutput<typeof Outcome>;

/** `matchedRules` is undefined until the event has been matched. */
export const outcomeOf = (
  matchedRules: number | undefined,
  silenced: boolean,
  notifications: readonly Pick<NotificationView, "status" | "failedReason">[],
): Outcome => {
  if (matchedRules === undefined) return "pending";
  if (matchedRules === 0) return "no_match";
  if (silenced) return "silenced";
  // A notification that was not needed any more (acknowledged or resolved before) is no failure.
  const wanted = notifications.filter(({ failedReason }) => !isNotNeeded(failedReason));
  if (wanted.length === 0) return "no_recipient";
  if (wanted.some(({ status }) => status === "QUEUED")) return "pending";
  const failed = wanted.filter(({ status }) => status === "FAILED").length;
  if (failed === 0) return "delivered";
  return failed === wanted.length ? "all_failed" : "partial";
};

/** An event as it was sent, and everything that came of it. A field that was not sent is null. */
export const EventView = v.object({
  ...EventListItem.entries,
  ...LifeView.entries,
  workspaceId: v.string(),
  body: v.string(),
  detail: v.nullable(v.string()),
  data: v.nullable(v.record(v.string(), v.unknown())),
  url: v.nullable(v.string()),
  dedupeKey: v.nullable(v.string()),
  resolves: v.nullable(v.string()),
  requiresAck: v.nullable(v.boolean()),
  /** Whether the event has been matched; until then nothing has been decided. */
  matched: v.boolean(),
  outcome: Outcome,
  /** The silence that covered it, and how many people were not told because of it; null where none did. */
  silence: v.nullable(SilencedBy),
  /** The rules that matched, each with the target groups in which there was nobody to tell, and why. */
  matchedRules: v.array(v.object({ ...RuleRef.entries, unreached: v.array(UnreachedGroup) })),
  /** How many entries of each list did not fit into the answer. */
  matchedRulesNotListed: v.number(),
  notifications: v.array(NotificationView),
  notificationsNotListed: v.number(),
});
export type EventView = v.InferOutput<typeof EventView>;
