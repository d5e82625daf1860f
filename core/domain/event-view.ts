import * as v from "valibot";
import type { EventContent } from "./event.ts";
import { NotificationView } from "./notification-view.ts";
import { Priority } from "./priority.ts";
import { toIso } from "./time.ts";

const Count = v.object({ notifications: v.number() });

/** An event in a list. */
export const EventListItem = v.object({
  id: v.string(),
  eventKey: v.string(),
  title: v.string(),
  priority: Priority,
  receivedAt: v.string(),
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
export const toEventListItem = (event: {
  eventId: string;
  receivedAt: number;
  notifications: number;
  content: Pick<EventContent, "eventKey" | "title" | "priority">;
}): EventListItem => ({
  id: event.eventId,
  eventKey: event.content.eventKey,
  title: event.content.title,
  priority: event.content.priority,
  receivedAt: toIso(event.receivedAt),
  _count: { notifications: event.notifications },
});

/** An event with all that was sent and all that came of it. What was not sent is null. */
export const EventView = v.object({
  ...EventListItem.entries,
  workspaceId: v.string(),
  body: v.string(),
  detail: v.nullable(v.string()),
  data: v.nullable(v.record(v.string(), v.unknown())),
  url: v.nullable(v.string()),
  dedupeKey: v.nullable(v.string()),
  requiresAck: v.nullable(v.boolean()),
  /** Whether the rules have been asked; until then nothing has been decided. */
  matched: v.boolean(),
  matchedRules: v.array(v.object({ id: v.string(), name: v.string(), version: v.number() })),
  notifications: v.array(NotificationView),
});
export type EventView = v.InferOutput<typeof EventView>;
