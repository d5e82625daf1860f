import type { MailMessage } from "../../domain/delivery/push/mail.ts";
import type { Way } from "../../domain/delivery/push/outcome.ts";
import { createSignedRequest, type SignedRequestOptions } from "../signed-request.ts";
import { outcomeOfAnswer } from "./outcome-of-answer.ts";

export type MailOptions = SignedRequestOptions & {
  /** The address that mails come from, which SES knows as an identity of the account. */
  from: string;
};

const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });

const bodyOf = (from: string, { email, notification, html }: MailMessage) => ({
  FromEmailAddress: from,
  Destination: { ToAddresses: [email] },
  Content: {
    Simple: {
      Subject: utf8(notification.title),
      Body: { Text: utf8(notification.body), Html: utf8(html) },
    },
  },
});

/** The way to mailboxes: Amazon SES, one request a send. */
export const createMail = ({ from, ...options }: MailOptions): Way<MailMessage> => {
  const post = createSignedRequest(options, {
    service: "ses",
    path: "/v2/email/outbound-emails",
    headers: { "content-type": "application/json" },
    outcomeOf: outcomeOfAnswer,
  });
  return { send: (message) => post(bodyOf(from, message)), prepare: async () => true };
};
