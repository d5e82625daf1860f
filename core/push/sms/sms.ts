import { SMS_RECEIPT } from "../../domain/delivery/push/delivery-event.ts";
import type { PushChannel } from "../../domain/delivery/push/outcome.ts";
import { joinSmsText, type SmsMessage } from "../../domain/delivery/push/sms.ts";
import { outcomeOfSms } from "../aws-answer.ts";
import { createSignedSender, type SignedRequestOptions } from "../signed-request.ts";
import { toSeconds } from "../../domain/basics/seconds.ts";

export type SmsOptions = SignedRequestOptions & {
  /** The ARN of the pool, number or sender ID that sends the messages. */
  from: string;
  /** The maximum price per message, in US dollars. */
  maxPrice: string;
  /** The configuration set that publishes the outcomes of messages. */
  events: string;
  /** The ids with which carriers in India identify the sender and the text. */
  india?: { entityId: string; templateId: string } | undefined;
};

/** Returns the context with the message's token, which delivery events repeat. Codes and answers to replies have no token. */
const buildDeliveryEventContext = (configurationSet: string, token: string | undefined) =>
  token === undefined ? {} : { ConfigurationSetName: configurationSet, Context: { [SMS_RECEIPT]: token } };

const INDIA = "+91";

/** Creates the channel to AWS End User Messaging, with one request per message. */
export const createSmsChannel = ({
  from,
  maxPrice,
  events,
  india,
  ...options
}: SmsOptions): PushChannel<SmsMessage> => {
  const post = createSignedSender(options, {
    service: "sms-voice",
    path: "/",
    headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": "PinpointSMSVoiceV2.SendTextMessage" },
    outcomeOf: outcomeOfSms,
  });
  // A sender ID is a name, to which nobody can reply.
  const takesReplies = !from.includes(":sender-id/");
  return {
    send: (message) =>
      post({
        DestinationPhoneNumber: message.phone,
        OriginationIdentity: from,
        MessageBody: joinSmsText(takesReplies ? message : { notification: message.notification }),
        MessageType: "TRANSACTIONAL",
        MaxPrice: maxPrice,
        TimeToLive: toSeconds(message.ttlMs),
        ...(india !== undefined && message.phone.startsWith(INDIA)
          ? { DestinationCountryParameters: { IN_ENTITY_ID: india.entityId, IN_TEMPLATE_ID: india.templateId } }
          : {}),
        ...buildDeliveryEventContext(events, message.receipt),
      }),
    prepare: async () => true,
  };
};
