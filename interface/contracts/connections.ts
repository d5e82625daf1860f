import { ConnectionInput, ConnectionPatch } from "../../core/domain/connection/connection.ts";
import { after, batch, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listConnections: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/connections",
    role: "viewer",
    summary: "List connections",
    query: [after],
    answers: { 200: { shape: ["Connection"], description: "The oldest first." } },
    access: { table: [get, query] },
  },
  getConnection: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/connections/{connectionId}",
    role: "viewer",
    summary: "Get a connection",
    answers: { 200: { shape: "Connection" } },
    versioned: true,
    access: { table: [get] },
  },
} as const satisfies Operations;

export const writes = {
  createConnection: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/connections",
    role: "manager",
    summary: "Link a channel to rules or groups",
    description:
      "Posts events to a Slack channel, or by a workflow to a Teams channel. Slack gets a message for each event, updated with its state; Teams gets a card for each change. Without `ruleIds` and `groupIds`, every event that notifies somebody is posted. The channel cannot be changed.",
    body: ConnectionInput,
    answers: { 201: { shape: "Connection" } },
    refuses: ["limit_reached"],
    versioned: true,
    access: { table: [get, query, put, update], callsSlack: true },
  },
  updateConnection: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/connections/{connectionId}",
    role: "manager",
    summary: "Change, pause or resume a connection",
    description: "Only the given fields change. Waiting messages are retried at once, also if delivery was suspended.",
    change: ConnectionPatch,
    answers: { 200: { shape: "Connection", description: "The changed connection." } },
    versioned: true,
    access: { table: [get, put, update], sendsTo: ["webhooks"] },
  },
  deleteConnection: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/connections/{connectionId}",
    role: "manager",
    summary: "Delete a connection",
    description: "Waiting messages are not sent; messages that were posted stay in the channel.",
    answers: gone,
    versioned: true,
    access: { table: [get, put, update, remove] },
  },
  testConnection: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/connections/{connectionId}/test",
    role: "manager",
    summary: "Post a test to a channel",
    description:
      "The test is sent at once, before waiting messages. If the test is accepted, the waiting messages are sent too, and a suspension ends.",
    answers: { 200: { shape: "WebhookTestAnswer", description: "The outcome." } },
    refuses: ["rate_limited"],
    access: { table: [get, batch, query, put, update], sendsTo: ["webhooks"], callsSlack: true },
  },
} as const satisfies Operations;
