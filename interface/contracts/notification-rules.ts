import { NotificationRulesInput } from "../../core/domain/people/notification-rules.ts";
import { batch, get, type Operations, put, query, update } from "../contract.ts";

export const reads = {
  getNotificationRules: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/notification-rules",
    role: "viewer",
    forPeople: true,
    summary: "Get my notification rules",
    description:
      "By which channels a person is notified, and when. An empty list of steps notifies every device at once. `version` is 0 until rules are set. A manager may read other people's rules.",
    query: [
      {
        name: "userId",
        description: "The user whose rules are read; by default the caller.",
        schema: { type: "string" },
      },
    ],
    answers: {
      200: {
        shape: "NotificationRules",
        description: "The rules, the workspace's minimum, and the channels of this service.",
      },
    },
    refuses: ["role_required", "not_found"],
    versioned: true,
    access: { table: [get], knowsChannels: true },
  },
} as const satisfies Operations;

export const writes = {
  putNotificationRules: {
    method: "PUT",
    path: "/v1/workspaces/{workspaceId}/notification-rules",
    role: "viewer",
    forPeople: true,
    summary: "Set my notification rules",
    description:
      "Replaces the caller's rules. Each step notifies the devices of its channels `afterMinutes` after the notification was created. Later steps notify only while a required acknowledgement is missing.",
    change: NotificationRulesInput,
    answers: { 200: { shape: "NotificationRules", description: "The changed rules, with warnings." } },
    versioned: true,
    access: { table: [get, batch, query, put, update], knowsChannels: true },
  },
} as const satisfies Operations;
