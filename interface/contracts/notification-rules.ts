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
      "By which ways one is rung, and when. An empty list of rungs: every device at once. Nothing was put while `version` is 0. " +
      "A manager may read those of others.",
    query: [{ name: "userId", description: "Whose rules, instead of the caller's.", schema: { type: "string" } }],
    answers: {
      200: {
        shape: "NotificationRules",
        description: "The rules, the workspace's floor, and the ways on which this service tells people.",
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
      "Replaces them. Each rung rings the devices of its ways so many minutes after the notification is made, the later ones only " +
      "while an acknowledgement is called for and has not come.",
    change: NotificationRulesInput,
    answers: {
      200: {
        shape: "NotificationRules",
        description: "The rules as they are afterwards, with what they will hardly do.",
      },
    },
    versioned: true,
    access: { table: [get, batch, query, put, update], knowsWays: true },
  },
} as const satisfies Operations;
