/** An invalid setting. The message is a sentence for the operator. */
export class ConfigError extends Error {}

/** The settings of a CDK context, by name and not yet checked. */
export type Context = Readonly<Record<string, unknown>>;

export const settings = [
  "stage",
  "account",
  "region",
  "dashboardOrigins",
  "logRetentionDays",
  "alarmEmail",
  "mailFrom",
  "smsFrom",
  "smsCountries",
  "smsMaxPrice",
  "smsMonthly",
  "smsIndiaEntityId",
  "smsIndiaTemplateId",
  "mailsPerSecond",
  "smsPerSecond",
  "callsPerSecond",
  "slack",
  "voiceInstance",
  "voiceFrom",
  "voiceCountries",
  "voiceMonthly",
  "domainName",
  "hostedZoneId",
  "edge",
  "edgeRequestsPerMinute",
  "planMonthlyEvents",
  "planEventsPerMinute",
  "planBurst",
  "planRetentionDays",
  "requestsPerSecond",
  "requestsBurst",
  "ingestConcurrency",
  "tableWritesPerSecond",
  "synthetic",
  "tracing",
  "mfa",
  "machines",
  "singleSignOn",
  "ssoIssuer",
  "ssoClientId",
  "ssoMetadataUrl",
  "ssoSessionHours",
  "tableName",
  "removal",
  "firstDeployment",
  "githubRepository",
  "githubProvider",
] as const;
export type Setting = (typeof settings)[number];

export const throwConfigError = (key: Setting, expected: string, value: unknown): never => {
  throw new ConfigError(`The setting "${key}" must be ${expected}, not ${JSON.stringify(value)}.`);
};

/** Returns whether a setting has a value. An empty text counts as no value. */
export const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Returns a setting; undefined if the setting is not set. Throws a ConfigError with `expected` if the value does not match. */
export const readSetting = (context: Context, key: Setting, pattern: RegExp, expected: string): string | undefined => {
  const value = context[key];
  if (!isSet(value)) return undefined;
  return typeof value === "string" && pattern.test(value) ? value : throwConfigError(key, expected, value);
};

/** Parses a whole number, which may be a text from the command line. Throws a ConfigError if the number is out of range. */
const parseCount = (key: Setting, value: unknown, min: number, max: number): number => {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= min && number <= max
    ? number
    : throwConfigError(key, `a whole number from ${min} to ${max}`, value);
};

/** Returns the default if the setting is not set. Throws a ConfigError unless set to a whole number from `min` to `max`. */
export const readCount = (context: Context, key: Setting, min: number, max: number, defaultCount: number): number => {
  const value = context[key];
  return isSet(value) ? parseCount(key, value, min, max) : defaultCount;
};
