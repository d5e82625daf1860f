import type { Deps } from "../../deps.ts";
import { AGAIN, retryChange } from "../../domain/basics/attempt.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import {
  type TimelineEntry,
  appendEntries,
  listTimelineEntries,
  formatEventMessageId,
  buildEventMessage,
} from "../../domain/webhook/timeline.ts";
import { EventType, wantsChange } from "../../domain/webhook/webhook.ts";
import { readEvent } from "../../store/events/events.ts";
import { messageSk } from "../../store/keys.ts";
import { storeQueuedCount, readTimeline, writeTimeline, type Timeline } from "../../store/delivery/delivery-queues.ts";
import { listConnections } from "../../store/delivery/connections.ts";
import { listWebhooks } from "../../store/delivery/webhooks.ts";
import { createEnqueuer } from "./enqueue.ts";
import { readFiredSteps, readWrittenViews } from "../read/read-event.ts";
import * as v from "valibot";

type RecordDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "webhooks"> };

/** Appends new entries to the event's timeline and returns the timeline. A conditional write decides the entries' order. */
const storeTimelineChanges = async (deps: RecordDeps, event: PlannedEvent): Promise<Timeline> => {
  const { workspaceId: ws, eventId } = event;
  const [notifications, fired] = await Promise.all([readWrittenViews(deps, event), readFiredSteps(deps, event)]);
  const happened = listTimelineEntries({ event, notifications, fired });
  let timeline = await readTimeline(deps, ws, eventId);
  return retryChange({ item: `the timeline of event ${eventId}` }, async () => {
    const entries = appendEntries(timeline.chapters, happened, deps.now());
    if (entries.length === timeline.chapters.length) return timeline;
    timeline = await writeTimeline(deps, ws, eventId, timeline, entries);
    return AGAIN;
  });
};

/** A webhook or a connection. A message to a webhook is built when it is queued, a message to a connection when it is sent. */
type Follower = {
  id: string;
  wants: (type: EventType) => boolean;
  bodyOf: (entry: TimelineEntry, sequence: number) => string;
};

/** Reads the event's followers: all webhooks, and the connections in its plan. Each follower says which changes it wants. */
const readFollowers = async (deps: RecordDeps, event: PlannedEvent): Promise<Follower[]> => {
  const { workspaceId: ws, plan, content } = event;
  const rooms = plan.rooms ?? [];
  const [webhooks, connections] = await Promise.all([
    listWebhooks(deps, ws),
    rooms.length === 0 ? [] : listConnections(deps, ws),
  ]);
  return [
    ...webhooks.map((webhook) => ({
      id: webhook.id,
      wants: (type: EventType) => wantsChange(webhook, type, content.eventKey),
      bodyOf: (entry: TimelineEntry, sequence: number) => buildEventMessage(event, entry, sequence),
    })),
    ...connections
      .filter(({ id }) => rooms.includes(id))
      .map(({ id }) => ({ id, wants: () => true, bodyOf: () => "" })),
  ];
};

/** Queues the timeline entries that are not queued yet, for each follower that wants them. Returns the number of used queues. */
const queueEntries = async (
  deps: RecordDeps,
  event: PlannedEvent,
  { chapters, written }: Timeline,
  followers: readonly Follower[],
): Promise<number> => {
  const { workspaceId: ws, eventId, seq } = event;
  const filling = createEnqueuer(deps, ws);
  for (const [index, chapter] of chapters.entries()) {
    const sequence = index + 1;
    if (sequence <= written || !v.is(EventType, chapter.type)) continue;
    const { type, told } = chapter;
    const message = {
      sk: messageSk(told, seq, sequence),
      id: formatEventMessageId(eventId, sequence),
      type,
      eventId,
      sequence,
      told,
      tries: 0,
    };
    for (const follower of followers)
      if (follower.wants(type))
        await filling.put(follower.id, { ...message, body: follower.bodyOf(chapter, sequence) });
  }
  return filling.wake();
};

/** Adds changes to the event's timeline and queues the changes. After a crash, may queue a message again, with the same id. */
export const recordEventChanges = async (deps: RecordDeps, ws: WorkspaceId, eventId: string): Promise<void> => {
  const event = await readEvent(deps, ws, eventId);
  if (event?.plan?.followed !== true) return;
  const planned = { ...event, plan: event.plan };
  const timeline = await storeTimelineChanges(deps, planned);
  if (timeline.written >= timeline.chapters.length) return;
  const followers = await queueEntries(deps, planned, timeline, await readFollowers(deps, planned));
  await storeQueuedCount(deps, ws, eventId, timeline.chapters.length);
  deps.log.info("webhook.enqueued", { workspaceId: ws, eventId, receivers: followers });
};
