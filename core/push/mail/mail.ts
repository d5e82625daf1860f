import { toReceiptTags } from "../../domain/delivery/push/delivery-event.ts";
import type { MailMessage } from "../../domain/delivery/push/mail.ts";
import type { PushChannel } from "../../domain/delivery/push/outcome.ts";
import { interpretMail } from "../aws-answer.ts";
import { createSignedRequest, type SignedRequestOptions } from "../signed-request.ts";

export type MailOptions = SignedRequestOptions & {
  /** A verified identity of the account in SES. */
  from: string;
  /** The configuration set that publishes bounces; undefined in a function that sends no alerts. */
  events: string | undefined;
};

const utf8Content = (Data: string) => ({ Data, Charset: "UTF-8" });

/** Delivery events return the email's token in these tags. Codes and invitations have no token. */
const deliveryEventTags = (events: string | undefined, receipt: string | undefined) =>
  events === undefined || receipt === undefined
    ? {}
    : { ConfigurationSetName: events, EmailTags: toReceiptTags(receipt) };

const buildMailBody = ({ from, events }: Pick<MailOptions, "from" | "events">, message: MailMessage) => ({
  FromEmailAddress: from,
  Destination: { ToAddresses: [message.email] },
  Content: {
    Simple: {
      Subject: utf8Content(message.notification.title),
      Body: { Text: utf8Content(message.notification.body), Html: utf8Content(message.html) },
    },
  },
  ...deliveryEventTags(events, message.receipt),
});

/** Amazon SES, one request per email. */
export const createMailChannel = ({ from, events, ...options }: MailOptions): PushChannel<MailMessage> => {
  const post = createSignedRequest(options, {
    service: "ses",
    path: "/v2/email/outbound-emails",
    headers: { "content-type": "application/json" },
    outcomeOf: interpretMail(from),
  });
  return { send: (message) => post(buildMailBody({ from, events }, message)), prepare: async () => true };
};
