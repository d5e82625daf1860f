import type { Deps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { EVENT_MARKER_DUE_MS } from "../../domain/basics/limits.ts";
import type { WebhookMessage } from "../../queue/messages.ts";
import { sendMessages } from "../../queue/send.ts";
import { putMarker } from "../../store/events/markers.ts";

export type FollowDeps = Pick<Deps, "table" | "now" | "log"> & { queues: Pick<Deps["queues"], "webhooks"> };

type FollowedEvent = { workspaceId: WorkspaceId; eventId: string; plan?: { followed?: true | undefined } | undefined };

/** Returns the message that makes webhooks report the event's changes, if any webhook follows the event. */
export const listChangeMessages = ({ workspaceId: ws, eventId, plan }: FollowedEvent): WebhookMessage[] =>
  plan?.followed === true ? [{ kind: "event", ws, eventId }] : [];

/** Queues an event's changes for webhooks. If SQS refuses a message, restores the event's marker, so that the matcher retries. */
export const sendChangeToWebhooks = async (deps: FollowDeps, event: FollowedEvent): Promise<void> => {
  const messages = listChangeMessages(event);
  if (messages.length === 0) return;
  const { workspaceId: ws, eventId } = event;
  try {
    await sendMessages(
      deps.queues.webhooks,
      messages.map((message) => ({ message })),
    );
  } catch (error) {
    deps.log.error("webhook.not_enqueued", error, { workspaceId: ws, eventId });
    const now = deps.now();
    await putMarker(deps, { ws, eventId, due: now + EVENT_MARKER_DUE_MS, since: now, tries: 0 });
  }
};
