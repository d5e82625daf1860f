import type { CallMessage } from "../domain/delivery/push/call.ts";
import type { MailMessage } from "../domain/delivery/push/mail.ts";
import type { FcmMessage, WebPushMessage } from "../domain/delivery/push/message.ts";
import type { Push, PushChannel } from "../domain/delivery/push/outcome.ts";
import type { SmsMessage } from "../domain/delivery/push/sms.ts";

type Channels = {
  fcm: PushChannel<FcmMessage>;
  web: PushChannel<WebPushMessage>;
  mail: PushChannel<MailMessage>;
  sms: PushChannel<SmsMessage>;
  voice: PushChannel<CallMessage>;
};

/** Creates a `Push` that chooses the channel by the message's fields. `prepare` returns false if no channel is ready. */
export const combineChannels = ({ fcm, web, mail, sms, voice }: Channels): Push => ({
  send: (message, device) => {
    if ("email" in message) return mail.send(message, device);
    if ("phone" in message) return sms.send(message, device);
    if ("call" in message) return voice.send(message, device);
    return "subscription" in message ? web.send(message, device) : fcm.send(message, device);
  },
  prepare: async (addresses) => {
    const chooseChannel = (address: (typeof addresses)[number]) => {
      if ("email" in address) return mail;
      if ("phone" in address) return sms;
      if ("call" in address) return voice;
      return "subscription" in address ? web : fcm;
    };
    const ready = await Promise.all([...new Set(addresses.map(chooseChannel))].map((way) => way.prepare()));
    return ready.length === 0 || ready.includes(true);
  },
});
