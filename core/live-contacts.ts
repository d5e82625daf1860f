import * as v from "valibot";
import type { Deps } from "./deps.ts";
import type { CallMessage } from "./domain/delivery/push/call.ts";
import type { MailMessage } from "./domain/delivery/push/mail.ts";
import type { Push, PushChannel } from "./domain/delivery/push/outcome.ts";
import type { SmsMessage } from "./domain/delivery/push/sms.ts";
import { combineChannels } from "./push/all-channels.ts";
import { createMailChannel } from "./push/mail/mail.ts";
import { notConfigured } from "./push/not-configured.ts";
import { createSmsChannel } from "./push/sms/sms.ts";
import { createVoiceChannel } from "./push/voice/voice.ts";
import { env } from "./wiring.ts";

const readEnvVariable = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`environment variable ${name} is not set`);
  return value;
};

/** Returns options that sign requests with the function's own role. `host`: the first part of the AWS service's host name. */
const buildSignedRequestOptions = (host: string, region = readEnvVariable("AWS_REGION")) => ({
  region,
  endpoint: process.env["AWS_ENDPOINT_URL"] ?? `https://${host}.${region}.amazonaws.com`,
  credentials: {
    keyId: readEnvVariable("AWS_ACCESS_KEY_ID"),
    secret: readEnvVariable("AWS_SECRET_ACCESS_KEY"),
    token: process.env["AWS_SESSION_TOKEN"],
  },
  now: Date.now,
});

/** Creates the email channel from the environment; undefined if the stage sends no email. */
export const liveMail = (): PushChannel<MailMessage> | undefined => {
  const from = process.env[env.mailFrom];
  return from === undefined
    ? undefined
    : createMailChannel({ from, events: process.env[env.mailEvents], ...buildSignedRequestOptions("email") });
};

const SmsSetting = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    from: v.string(),
    countries: v.array(v.string()),
    maxPrice: v.string(),
    monthly: v.number(),
    events: v.string(),
    india: v.optional(v.object({ entityId: v.string(), templateId: v.string() })),
  }),
);

/** Reads the settings of text messages from the environment; undefined if the stage sends no text messages. */
const readSmsSetting = () => v.parse(v.optional(SmsSetting), process.env[env.sms]);

/** Creates the SMS channel from the environment; undefined if the stage sends no text messages. */
export const liveSms = (): (PushChannel<SmsMessage> & { countries: readonly string[] }) | undefined => {
  const setting = readSmsSetting();
  if (setting === undefined) return undefined;
  // The number or name that sends text messages may be in another AWS region than this service.
  const [, , , region] = setting.from.split(":");
  return {
    ...createSmsChannel({ ...setting, ...buildSignedRequestOptions("sms-voice", region) }),
    countries: setting.countries,
  };
};

/** Creates a `Push` that sends only text messages, for the function that answers replies. */
export const liveSmsPush = (): Push =>
  combineChannels({
    fcm: notConfigured,
    web: notConfigured,
    mail: notConfigured,
    sms: liveSms() ?? notConfigured,
    voice: notConfigured,
  });

const VoiceSetting = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    instanceId: v.string(),
    flowId: v.string(),
    region: v.string(),
    from: v.string(),
    countries: v.array(v.string()),
    monthly: v.number(),
  }),
);

/** Reads the settings of calls from the environment; undefined if the stage makes no calls. */
const readVoiceSetting = () => v.parse(v.optional(VoiceSetting), process.env[env.voice]);

/** Creates the call channel from the environment; undefined if the stage makes no calls. */
export const liveVoice = (): (PushChannel<CallMessage> & { countries: readonly string[] }) | undefined => {
  const setting = readVoiceSetting();
  if (setting === undefined) return undefined;
  return {
    ...createVoiceChannel({ ...buildSignedRequestOptions("connect", setting.region), ...setting }),
    countries: setting.countries,
  };
};

const PaceSetting = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    email: v.exactOptional(v.number()),
    sms: v.exactOptional(v.number()),
    voice: v.exactOptional(v.number()),
  }),
);

/** Reads the maximum number of messages per second on each channel from the environment. */
export const readPaceLimits = (): Deps["pace"] => v.parse(v.optional(PaceSetting), process.env[env.pace]);

/** Reads how many text messages and calls a workspace may send in a month; omits a channel that the stage does not have. */
export const readMonthlyLimits = (): Deps["monthly"] => {
  const [sms, voice] = [readSmsSetting()?.monthly, readVoiceSetting()?.monthly];
  return { ...(sms === undefined ? {} : { sms }), ...(voice === undefined ? {} : { voice }) };
};
