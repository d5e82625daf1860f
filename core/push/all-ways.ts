import type { FcmMessage, WebPushMessage } from "../domain/delivery/push/message.ts";
import type { Push, Way } from "../domain/delivery/push/outcome.ts";

/** Sends each message by FCM or by Web Push, depending on its kind. */
export const allWays = ({ fcm, web }: { fcm: Way<FcmMessage>; web: Way<WebPushMessage> }): Push => ({
  send: (message) => ("subscription" in message ? web.send(message) : fcm.send(message)),
});
