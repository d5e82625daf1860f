import { ReplayInput } from "../../core/domain/webhook/message.ts";
import { SwitchInput } from "../../core/domain/heartbeat/switch.ts";
import { WebhookInput, WebhookPatch } from "../../core/domain/webhook/webhook.ts";
import { after, cursor, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listWebhooks: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/webhooks",
    role: "viewer",
    summary: "List webhooks",
    query: [after],
    answers: { 200: { shape: ["Webhook"], description: "The oldest first." } },
    access: { table: [get, query] },
  },
  getWebhook: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}",
    role: "viewer",
    summary: "Get a webhook",
    answers: { 200: { shape: "Webhook" } },
    versioned: true,
    access: { table: [get] },
  },
  listWebhookDeliveries: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/deliveries",
    role: "viewer",
    summary: "List the messages of a webhook",
    description: "Messages of the last 30 days: waiting, delivered, or set aside because the receiver refused them.",
    query: [
      {
        name: "limit",
        description: "Deliveries on a page. A number above 200 is lowered to 200.",
        schema: { type: "integer", minimum: 1, default: 50 },
      },
      cursor,
    ],
    answers: { 200: { shape: "WebhookDeliveries", description: "The newest first." } },
    access: { table: [get, query] },
  },
  getSwitch: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/switch",
    role: "owner",
    summary: "Get the dead man's switch for the service",
    answers: { 200: { shape: "Switch", description: "The switch with its last event, receipt, call and failure." } },
    refuses: ["not_found"],
    access: { table: [get] },
  },
} as const satisfies Operations;

export const writes = {
  createWebhook: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/webhooks",
    role: "manager",
    summary: "Create a webhook",
    description:
      "Delivers event changes to an https URL on port 443, by the Standard Webhooks specification, one message at " +
      "a time, in the order of their `sequence`. Without `types`, the webhook sends all types; without `eventKeys`, it sends changes of all events. The secret is in this answer only.",
    body: WebhookInput,
    answers: { 201: { shape: "WebhookWithSecret" } },
    refuses: ["limit_reached"],
    versioned: true,
    access: { table: [get, query, put, update], readsSecrets: ["webhooks"] },
  },
  updateWebhook: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}",
    role: "manager",
    summary: "Change, pause or resume a webhook",
    description: "Only the given fields change. Waiting messages are retried at once, also if delivery was suspended.",
    change: WebhookPatch,
    answers: { 200: { shape: "Webhook", description: "The changed webhook." } },
    versioned: true,
    access: { table: [get, put, update], sendsTo: ["webhooks"] },
  },
  setSwitch: {
    method: "PUT",
    path: "/v1/workspaces/{workspaceId}/switch",
    role: "owner",
    summary: "Set the dead man's switch for the service",
    description:
      "At each interval, the service sends an event to a device as a silent push, through the whole path. Once the device has confirmed the push by a signed " +
      "receipt, `url` gets a POST. A monitor at that URL must alert when these calls stop.",
    body: SwitchInput,
    answers: { 200: { shape: "Switch" } },
    access: { table: [get, query, put, update] },
  },
  removeSwitch: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/switch",
    role: "owner",
    summary: "Remove the dead man's switch for the service",
    description: "The calls stop, so remove the monitor that expects the calls, too.",
    answers: gone,
    refuses: ["not_found"],
    access: { table: [get, put, update, remove] },
  },
  deleteWebhook: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}",
    role: "manager",
    summary: "Delete a webhook",
    description: "Waiting messages are not sent.",
    answers: gone,
    versioned: true,
    access: { table: [get, put, update, remove] },
  },
  rotateWebhookSecret: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/secret",
    role: "manager",
    summary: "Replace the secret of a webhook",
    description: "For 24 hours, messages are signed with both secrets. The new secret is in this answer only.",
    answers: { 200: { shape: "WebhookWithSecret", description: "The webhook with its new secret." } },
    access: { table: [get, put, update], readsSecrets: ["webhooks"] },
  },
  testWebhook: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/test",
    role: "manager",
    summary: "Send a webhook a test",
    description:
      "The test is sent at once, before waiting messages. If the test is accepted, the waiting messages are sent too, and a suspension ends.",
    answers: { 200: { shape: "WebhookTestAnswer", description: "The receiver's answer." } },
    refuses: ["rate_limited"],
    access: { table: [get, put, update], sendsTo: ["webhooks"], readsSecrets: ["webhooks"] },
  },
  replayWebhook: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/webhooks/{webhookId}/replay",
    role: "manager",
    summary: "Replay messages of a webhook",
    description:
      "Queues again the messages that were queued between two times (inclusive), at most 1,000, in their order and with their ids.",
    body: ReplayInput,
    answers: { 200: { shape: "ReplayAnswer", description: "The number of messages that were queued again." } },
    access: { table: [get, query, put, update], sendsTo: ["webhooks"] },
  },
} as const satisfies Operations;
