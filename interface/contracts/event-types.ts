import { after, get, type Operations, query } from "../contract.ts";

export const reads = {
  listEventTypes: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/event-types",
    role: "viewer",
    summary: "List the event keys that were seen",
    query: [after],
    answers: { 200: { shape: ["EventType"], description: "Sorted by event key." } },
    access: { table: [get, query] },
  },
  getEventType: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/event-types/{eventKey}",
    role: "viewer",
    summary: "Get the known data fields of an event key",
    answers: {
      200: { shape: "EventTypeWithFields", description: "The paths of `data` with their types and a few values." },
    },
    access: { table: [get] },
  },
} as const satisfies Operations;
