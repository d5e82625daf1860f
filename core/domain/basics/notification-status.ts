import * as v from "valibot";

/** How far a notification has come. `delivery/notification.ts` says what moves it on. */
export const notificationStatuses = ["QUEUED", "SENT", "DELIVERED", "OPENED", "ACKNOWLEDGED", "FAILED"] as const;
export const NotificationStatus = v.picklist(notificationStatuses);
export type NotificationStatus = v.InferOutput<typeof NotificationStatus>;
