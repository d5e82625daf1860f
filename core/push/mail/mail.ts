import type { MailMessage } from "../../domain/delivery/push/mail.ts";
import type { Way } from "../../domain/delivery/push/outcome.ts";
import { sendWithin } from "../attempt.ts";
import { MAX_CONNECTIONS, PUSH_DEADLINE_MS } from "../limits.ts";
import { createTransports, postOnce } from "../post.ts";
import { afterRealTime, type After } from "../within.ts";
import { outcomeOfAnswer } from "./outcome-of-answer.ts";
import { signedHeaders, type Credentials } from "./sign.ts";

export type MailOptions = {
  /** The address that mails come from, which SES knows as an identity of the account. */
  from: string;
  /** Where SES answers; without a slash at the end. */
  endpoint: string;
  region: string;
  credentials: Credentials;
  now: () => number;
  deadlineMs?: number;
  after?: After;
};

const PATH = "/v2/email/outbound-emails";

const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });

const bodyOf = (from: string, { email, notification, html }: MailMessage): Buffer =>
  Buffer.from(
    JSON.stringify({
      FromEmailAddress: from,
      Destination: { ToAddresses: [email] },
      Content: {
        Simple: {
          Subject: utf8(notification.title),
          Body: { Text: utf8(notification.body), Html: utf8(html) },
        },
      },
    }),
  );

/** The way to mailboxes: Amazon SES, one request a send. */
export const createMail = ({
  from,
  endpoint,
  region,
  credentials,
  now,
  deadlineMs = PUSH_DEADLINE_MS,
  after = afterRealTime,
}: MailOptions): Way<MailMessage> => {
  const transports = createTransports({ now, maxConnections: MAX_CONNECTIONS });
  const url = new URL(endpoint + PATH);
  return {
    send: (message) =>
      sendWithin(after, deadlineMs, (attempt) => {
        const body = bodyOf(from, message);
        const unsigned = { url, body, headers: { "content-type": "application/json" } };
        const headers = signedHeaders(unsigned, credentials, { region, service: "ses", nowMs: now() });
        return postOnce({ url, headers, body, attempt, transports }, outcomeOfAnswer);
      }),
    prepare: async () => true,
  };
};

/** The way where a stage sends no mail: an address that was added before ends with this answer. */
export const noMail: Way<MailMessage> = {
  send: async () => ({ kind: "invalid", code: "WAY_NOT_CONFIGURED" }),
  prepare: async () => true,
};
