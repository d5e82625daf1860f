import * as v from "valibot";

/** The progress of a notification. `delivery/notification.ts` says what changes it. */
export const notificationStatuses = ["QUEUED", "SENT", "DELIVERED", "OPENED", "ACKNOWLEDGED", "FAILED"] as const;
export const NotificationStatus = v.picklist(notificationStatuses);
export type NotificationStatus = v.InferOutput<typeof NotificationStatus>;
