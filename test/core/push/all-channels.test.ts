import { describe, expect, it } from "vitest";
import type { MailMessage } from "../../../core/domain/delivery/push/mail.ts";
import type { FcmMessage, WebPushMessage } from "../../../core/domain/delivery/push/message.ts";
import { buildMessage } from "../../../core/domain/delivery/push/message.ts";
import type { PushOutcome, PushChannel } from "../../../core/domain/delivery/push/outcome.ts";
import type { CallMessage } from "../../../core/domain/delivery/push/call.ts";
import type { SmsMessage } from "../../../core/domain/delivery/push/sms.ts";
import { combineChannels } from "../../../core/push/all-channels.ts";
import { createPushInput } from "../../support/push-input.ts";
import { createBrowser } from "../../support/web-push.ts";

const phone = { token: "phone-1" };
const browser = createBrowser("https://updates.push.services.mozilla.com/wpush/v2/abc");

const aChannel = <Message>(name: string, isReady: boolean, prepared: string[]): PushChannel<Message> => ({
  send: async (): Promise<PushOutcome> => ({ kind: "accepted", messageId: name }),
  prepare: async () => {
    prepared.push(name);
    return isReady;
  },
});

const createChannels = (isReady: { fcm: boolean; web: boolean }) => {
  const prepared: string[] = [];
  const push = combineChannels({
    fcm: aChannel<FcmMessage>("fcm", isReady.fcm, prepared),
    web: aChannel<WebPushMessage>("web", isReady.web, prepared),
    mail: aChannel<MailMessage>("mail", true, prepared),
    sms: aChannel<SmsMessage>("sms", true, prepared),
    voice: aChannel<CallMessage>("voice", true, prepared),
  });
  return { push, prepared };
};

it.each([
  ["a message for a phone by FCM", "android", phone, "fcm"],
  ["a message for a browser by Web Push", "web", browser, "web"],
  ["a message for an email address by email", "email", { email: "ann@acme.example" }, "mail"],
  ["a message to a phone number by text message", "phone", { phone: "+4930123456" }, "sms"],
  ["a message to a phone number by call", "phone", { call: "+4930123456" }, "voice"],
] as const)("the sender sends %s", async (_, platform, to, channel) => {
  const { push } = createChannels({ fcm: true, web: true });
  const early = "2020-01-01T00:00:00.000Z";

  const outcome = await push.send(buildMessage(createPushInput({ platform, to })), {
    createdAt: early,
    registeredAt: early,
  });

  expect(outcome).toEqual({ kind: "accepted", messageId: channel });
});

describe("before the sender claims a pack", () => {
  it.each([
    ["allowed for a phone if FCM is ready", [phone], { fcm: true, web: false }, true, ["fcm"]],
    ["refused for two phones if only Web Push is ready", [phone, phone], { fcm: false, web: true }, false, ["fcm"]],
    ["refused for a browser if only FCM is ready", [browser], { fcm: true, web: false }, false, ["web"]],
    ["allowed for a browser if Web Push is ready", [browser], { fcm: false, web: true }, true, ["web"]],
    // One channel that is ready is enough to claim the pack; pushes on the other channel are retried.
    ["allowed with one ready channel of two", [phone, browser, phone], { fcm: true, web: false }, true, ["fcm", "web"]],
    ["refused with no ready channel of two", [browser, phone], { fcm: false, web: false }, false, ["web", "fcm"]],
    ["allowed without addresses", [], { fcm: false, web: false }, true, []],
    ["allowed for an email address", [{ email: "ann@acme.example" }], { fcm: false, web: false }, true, ["mail"]],
    ["allowed for a number for text messages", [{ phone: "+4930123456" }], { fcm: false, web: false }, true, ["sms"]],
    ["allowed for a number for calls", [{ call: "+4930123456" }], { fcm: false, web: false }, true, ["voice"]],
  ])(
    "each channel of the pack's addresses is asked once whether it is ready; the claim is %s",
    async (_, addresses, isReady, expected, asked) => {
      const { push, prepared } = createChannels(isReady);

      expect(await push.prepare(addresses)).toBe(expected);
      expect(prepared).toEqual(asked);
    },
  );
});
