import * as v from "valibot";

/** How far a notification has come. What moves it on is `delivery/notification.ts`. */
export const notificationStatuses = ["QUEUED", "SENT", "DELIVERED", "OPENED", "ACKNOWLEDGED", "FAILED"] as const;
export const NotificationStatus = v.picklist(notificationStatuses);
export type NotificationStatus = v.InferOutput<typeof NotificationStatus>;
