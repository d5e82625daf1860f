import type { MailMessage } from "../domain/delivery/push/mail.ts";
import type { FcmMessage, WebPushMessage } from "../domain/delivery/push/message.ts";
import type { Push, Way } from "../domain/delivery/push/outcome.ts";

type Ways = { fcm: Way<FcmMessage>; web: Way<WebPushMessage>; mail: Way<MailMessage> };

/** Sends each message by FCM, by Web Push or by e-mail, depending on its kind. */
export const allWays = ({ fcm, web, mail }: Ways): Push => ({
  send: (message, device) => {
    if ("email" in message) return mail.send(message, device);
    return "subscription" in message ? web.send(message, device) : fcm.send(message, device);
  },
  prepare: async (addresses) => {
    const wayTo = (address: (typeof addresses)[number]) =>
      "email" in address ? mail : "subscription" in address ? web : fcm;
    const ready = await Promise.all([...new Set(addresses.map(wayTo))].map((way) => way.prepare()));
    return ready.length === 0 || ready.includes(true);
  },
});
