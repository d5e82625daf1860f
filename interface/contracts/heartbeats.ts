import { HeartbeatInput, HeartbeatPatch } from "../../core/domain/heartbeat/heartbeat.ts";
import { after, get, gone, type Operations, put, query, remove, update } from "../contract.ts";

export const reads = {
  listHeartbeats: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/heartbeats",
    role: "viewer",
    summary: "List heartbeats",
    query: [after],
    answers: { 200: { shape: ["Heartbeat"], description: "The oldest first." } },
    access: { table: [get, query] },
  },
  getHeartbeat: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/heartbeats/{heartbeatId}",
    role: "viewer",
    summary: "Get a heartbeat",
    answers: { 200: { shape: "Heartbeat" } },
    versioned: true,
    access: { table: [get] },
  },
} as const satisfies Operations;

export const writes = {
  createHeartbeat: {
    method: "POST",
    path: "/v1/workspaces/{workspaceId}/heartbeats",
    role: "manager",
    summary: "Create a heartbeat",
    description:
      "Returns a URL to call. If `everySeconds` plus `graceSeconds` pass without a call since the last call, or since the creation, the event `heartbeat.missed` is created within a minute; the next call creates `heartbeat.resolved`. The URL is in this " +
      "answer only.",
    body: HeartbeatInput,
    answers: { 201: { shape: "HeartbeatWithUrl" } },
    refuses: ["limit_reached"],
    versioned: true,
    access: { table: [get, query, put, update] },
  },
  updateHeartbeat: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/heartbeats/{heartbeatId}",
    role: "manager",
    summary: "Change, pause or resume a heartbeat",
    description:
      "Only the given fields change. Resuming or a new interval restarts the wait for a call. Pausing discards a missed call; the event of a missed call stays until somebody resolves the event. `newUrl: true` replaces the URL.",
    change: HeartbeatPatch,
    answers: { 200: { shape: "ChangedHeartbeat", description: "The changed heartbeat, with `url` if requested." } },
    versioned: true,
    access: { table: [get, put, update, remove, query] },
  },
  deleteHeartbeat: {
    method: "DELETE",
    path: "/v1/workspaces/{workspaceId}/heartbeats/{heartbeatId}",
    role: "manager",
    summary: "Delete a heartbeat",
    description:
      "Calls to the heartbeat's URL are answered 404. An event that the heartbeat has created stays until somebody resolves it.",
    answers: gone,
    versioned: true,
    access: { table: [get, put, remove, update] },
  },
} as const satisfies Operations;

export const takeCall = {
  takeCall: {
    method: "POST",
    path: "/v1/heartbeats/{heartbeat}",
    auth: "secret-path",
    summary: "Call a heartbeat's URL",
    description: "Reports that the calling job runs; the body is ignored. GET does the same as POST.",
    answers: { 200: { shape: "HeartbeatCall", description: "The call was accepted." } },
    refuses: ["not_found"],
    access: { table: [put, update], keys: ["heartbeats", "heartbeatChecks"] },
    also: [{ method: "GET", path: "/v1/heartbeats/{heartbeat}", auth: "secret-path" }],
    besides: [
      { method: "POST", path: "/v1/heartbeats/{heartbeat}/{rest+}" },
      { method: "GET", path: "/v1/heartbeats/{heartbeat}/{rest+}" },
    ],
  },
} as const satisfies Operations;
