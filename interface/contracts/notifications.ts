import { NotificationReport } from "../../core/domain/delivery/notification.ts";
import { tableActions } from "../access.ts";
import { batch, cursor, get, type Operations, order, query } from "../contract.ts";

export const reads = {
  listNotifications: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/notifications",
    role: "viewer",
    summary: "List notifications",
    query: [
      {
        name: "limit",
        description: "Notifications on a page. A number above 200 is lowered to 200.",
        schema: { type: "integer", minimum: 1, default: 50 },
      },
      {
        name: "user",
        description: "`me`: only notifications of the caller.",
        schema: { type: "string", enum: ["me"] },
      },
      {
        name: "state",
        description: "`open`: only notifications of open events that require an acknowledgement.",
        schema: { type: "string", enum: ["open"] },
      },
      order,
      cursor,
    ],
    answers: {
      200: {
        shape: ["Notification"],
        description:
          "Notifications of the whole workspace, the newest first, with a header `Link` (rel=next) if there may be more.",
      },
    },
    access: { table: [get, batch, query] },
  },
  getNotification: {
    method: "GET",
    path: "/v1/workspaces/{workspaceId}/notifications/{notificationId}",
    role: "viewer",
    summary: "Get a notification and the reason for it",
    answers: { 200: { shape: "NotificationWhy" } },
    access: { table: [get, query] },
  },
} as const satisfies Operations;

export const writes = {
  updateNotification: {
    method: "PATCH",
    path: "/v1/workspaces/{workspaceId}/notifications/{notificationId}",
    role: "viewer",
    forPeople: true,
    summary: "Acknowledge a notification",
    description:
      "The recipient's app may also report DELIVERED and OPENED. A status only moves forward: a late report of an earlier status changes nothing, nor does DELIVERED or OPENED for a failed notification. A second acknowledgement keeps the time of the first. " +
      "An acknowledgement ends the escalation of that event by that rule.",
    body: NotificationReport,
    answers: { 200: { shape: "Notification", description: "The changed notification." } },
    refuses: ["not_the_recipient"],
    access: { table: tableActions, sendsTo: ["pushes", "webhooks"] },
  },
} as const satisfies Operations;
