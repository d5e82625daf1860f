import * as v from "valibot";
import type { MailMessage } from "./domain/delivery/push/mail.ts";
import type { Way } from "./domain/delivery/push/outcome.ts";
import type { SmsMessage } from "./domain/delivery/push/sms.ts";
import { createMail } from "./push/mail/mail.ts";
import { createSms } from "./push/sms/sms.ts";
import { env } from "./wiring.ts";

const read = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`environment variable ${name} is not set`);
  return value;
};

/** How this function calls a service of AWS, signed with its own role. `host`: the first part of the service's name. */
const signing = (host: string) => {
  const region = read("AWS_REGION");
  return {
    region,
    endpoint: process.env["AWS_ENDPOINT_URL"] ?? `https://${host}.${region}.amazonaws.com`,
    credentials: {
      keyId: read("AWS_ACCESS_KEY_ID"),
      secret: read("AWS_SECRET_ACCESS_KEY"),
      token: process.env["AWS_SESSION_TOKEN"],
    },
    now: Date.now,
  };
};

/** The way to mailboxes; undefined where the stage sends no mail. */
export const liveMail = (): Way<MailMessage> | undefined => {
  const from = process.env[env.mailFrom];
  return from === undefined ? undefined : createMail({ from, ...signing("email") });
};

const SmsSetting = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ from: v.string(), countries: v.array(v.string()), maxPrice: v.string(), monthly: v.number() }),
);

const smsSetting = () => v.parse(v.optional(SmsSetting), process.env[env.sms]);

/** The way to phones, with the countries that the stage allows; undefined where it sends no text messages. */
export const liveSms = (): (Way<SmsMessage> & { countries: readonly string[] }) | undefined => {
  const setting = smsSetting();
  return setting === undefined ? undefined : { ...createSms({ ...setting, ...signing("sms-voice") }), ...setting };
};

/** How many text messages each workspace may send in a month; undefined where the stage sends none. */
export const liveSmsMonthly = (): number | undefined => smsSetting()?.monthly;
