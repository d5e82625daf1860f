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
      "By which channels a person is notified, and when. An empty list of steps: every device at once. `version` 0: nothing was set. " +
      "A manager may read those of others.",
    query: [{ name: "userId", description: "Whose rules, instead of the caller's.", schema: { type: "string" } }],
    answers: {
      200: {
        shape: "NotificationRules",
        description: "The rules, the workspace's minimum, and the channels of this service.",
      },
    },
    refuses: ["role_required", "not_found"],
    versioned: true,
    access: { table: [get], knowsWays: true },
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
      "Replaces them. Each step notifies the devices of its channels some minutes after the notification is created, the later ones only " +
      "while an acknowledgement is required and missing.",
    change: NotificationRulesInput,
    answers: {
      200: {
        shape: "NotificationRules",
        description: "The changed rules, with warnings.",
      },
    },
    versioned: true,
    access: { table: [get, batch, query, put, update], knowsWays: true },
  },
} as const satisfies Operations;
