import { toReceiptTags } from "../../domain/delivery/push/delivery-event.ts";
import type { MailMessage } from "../../domain/delivery/push/mail.ts";
import type { PushChannel } from "../../domain/delivery/push/outcome.ts";
import { createMailInterpreter } from "../aws-answer.ts";
import { createSignedSender, type SignedRequestOptions } from "../signed-request.ts";

export type MailOptions = SignedRequestOptions & {
  /** The sender's address, which belongs to a verified identity of the AWS account in SES. */
  from: string;
  /** The name of the configuration set that publishes bounces; undefined in a function that sends no alerts. */
  events: string | undefined;
};

const toUtf8Content = (Data: string) => ({ Data, Charset: "UTF-8" });

/** Returns the tags with the email's token, which delivery events repeat. Emails with codes and invitations have no token. */
const buildDeliveryEventTags = (configurationSet: string | undefined, token: string | undefined) =>
  configurationSet === undefined || token === undefined
    ? {}
    : { ConfigurationSetName: configurationSet, EmailTags: toReceiptTags(token) };

const buildMailBody = ({ from, events }: Pick<MailOptions, "from" | "events">, message: MailMessage) => ({
  FromEmailAddress: from,
  Destination: { ToAddresses: [message.email] },
  Content: {
    Simple: {
      Subject: toUtf8Content(message.notification.title),
      Body: { Text: toUtf8Content(message.notification.body), Html: toUtf8Content(message.html) },
    },
  },
  ...buildDeliveryEventTags(events, message.receipt),
});

/** Creates the channel to Amazon SES, with one request per email. */
export const createMailChannel = ({ from, events, ...options }: MailOptions): PushChannel<MailMessage> => {
  const post = createSignedSender(options, {
    service: "ses",
    path: "/v2/email/outbound-emails",
    headers: { "content-type": "application/json" },
    outcomeOf: createMailInterpreter(from),
  });
  return { send: (message) => post(buildMailBody({ from, events }, message)), prepare: async () => true };
};
