import { SMS_RECEIPT } from "../../domain/delivery/push/delivery-event.ts";
import type { PushChannel } from "../../domain/delivery/push/outcome.ts";
import { textOf, type SmsMessage } from "../../domain/delivery/push/sms.ts";
import { outcomeOfSms } from "../aws-answer.ts";
import { createSignedRequest, type SignedRequestOptions } from "../signed-request.ts";

export type SmsOptions = SignedRequestOptions & {
  /** The ARN of the pool, number or sender id that messages come from. */
  from: string;
  /** The most that one message may cost, in US dollars. */
  maxPrice: string;
  /** The configuration set that publishes the outcomes of messages. */
  events: string;
  /** The ids under which carriers in India know the sender and the text. */
  india?: { entityId: string; templateId: string } | undefined;
};

/** Delivery events carry the message's token. A code or an answer needs none. */
const toldOf = (events: string, receipt: string | undefined) =>
  receipt === undefined ? {} : { ConfigurationSetName: events, Context: { [SMS_RECEIPT]: receipt } };

const INDIA = "+91";

/** The text message channel: AWS End User Messaging, one request a send. */
export const createSms = ({ from, maxPrice, events, india, ...options }: SmsOptions): PushChannel<SmsMessage> => {
  const post = createSignedRequest(options, {
    service: "sms-voice",
    path: "/",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "PinpointSMSVoiceV2.SendTextMessage",
    },
    outcomeOf: outcomeOfSms,
  });
  // Nobody can reply to a sender name.
  const takesReplies = !from.includes(":sender-id/");
  return {
    send: (message) =>
      post({
        DestinationPhoneNumber: message.phone,
        OriginationIdentity: from,
        MessageBody: textOf(takesReplies ? message : { notification: message.notification }),
        MessageType: "TRANSACTIONAL",
        MaxPrice: maxPrice,
        TimeToLive: message.ttlSeconds,
        ...(india !== undefined && message.phone.startsWith(INDIA)
          ? { DestinationCountryParameters: { IN_ENTITY_ID: india.entityId, IN_TEMPLATE_ID: india.templateId } }
          : {}),
        ...toldOf(events, message.receipt),
      }),
    prepare: async () => true,
  };
};
