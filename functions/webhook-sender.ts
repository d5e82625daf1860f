import { createDeletedCheck } from "../core/flow/is-of-deleted-workspace.ts";
import { callSwitchUrl } from "../core/flow/deliver/call-switch.ts";
import { checkWorkspace } from "../core/flow/deliver/check-workspace.ts";
import { recordEventChanges } from "../core/flow/deliver/record-changes.ts";
import { processQueue, type QueueDeps } from "../core/flow/deliver/work-queue.ts";
import { livePost, liveWebhookKey } from "../core/live-webhooks.ts";
import { liveBaseUrl, liveDeps } from "../core/live.ts";
import { liveSlack, liveSlackApps } from "../core/live-slack.ts";
import { WebhookMessage } from "../core/queue/messages.ts";
import { processBatch } from "./sqs/batch.ts";

/** The time that is reserved for one check of a workspace, or for one delivery, its outcome and notices to the owners. */
const TO_POST_MS = 12_000;

/** Creates the worker that sends the queued messages of webhooks and connections, and calls dead man's switches. */
export const createWebhookSender = (deps: QueueDeps) =>
  processBatch(deps, { schema: WebhookMessage, isGone: createDeletedCheck(deps) }, async ({ message, timeLeft }) => {
    if (message.kind === "event") await recordEventChanges(deps, message.ws, message.eventId);
    else if (message.kind === "watch") await checkWorkspace(deps, message.ws, () => timeLeft() > TO_POST_MS);
    else if (message.kind === "switch") await callSwitchUrl(deps, message);
    else await processQueue(deps, message, () => timeLeft() > TO_POST_MS);
    return undefined;
  });

export const handler = createWebhookSender({
  ...liveDeps("events", "webhooks"),
  post: livePost(),
  webhookKey: liveWebhookKey(),
  slack: liveSlack(),
  slackApps: liveSlackApps(),
  baseUrl: liveBaseUrl(),
});
