import type { MailMessage } from "./domain/delivery/push/mail.ts";
import type { Way } from "./domain/delivery/push/outcome.ts";
import { createMail } from "./push/mail/mail.ts";
import { env } from "./wiring.ts";

const read = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`environment variable ${name} is not set`);
  return value;
};

/** The way to mailboxes, signed with the function's own role; undefined where the stage sends no mail. */
export const liveMail = (): Way<MailMessage> | undefined => {
  const from = process.env[env.mailFrom];
  if (from === undefined) return undefined;
  const region = read("AWS_REGION");
  return createMail({
    from,
    region,
    endpoint: process.env["AWS_ENDPOINT_URL"] ?? `https://email.${region}.amazonaws.com`,
    credentials: {
      keyId: read("AWS_ACCESS_KEY_ID"),
      secret: read("AWS_SECRET_ACCESS_KEY"),
      token: process.env["AWS_SESSION_TOKEN"],
    },
    now: Date.now,
  });
};
