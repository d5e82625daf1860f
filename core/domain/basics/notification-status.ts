import * as v from "valibot";

/** `SHADOW`: the notification is planned, but never sent. */
export const notificationStatuses = [
  "QUEUED",
  "SENT",
  "DELIVERED",
  "OPENED",
  "ACKNOWLEDGED",
  "FAILED",
  "SHADOW",
] as const;
export const NotificationStatus = v.picklist(notificationStatuses);
export type NotificationStatus = v.InferOutput<typeof NotificationStatus>;
