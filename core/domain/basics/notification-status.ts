import * as v from "valibot";

/** The states of a notification. `delivery/notification.ts` defines the transitions. */
export const notificationStatuses = ["QUEUED", "SENT", "DELIVERED", "OPENED", "ACKNOWLEDGED", "FAILED"] as const;
export const NotificationStatus = v.picklist(notificationStatuses);
export type NotificationStatus = v.InferOutput<typeof NotificationStatus>;
