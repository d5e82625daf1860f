/** What an operator can set, as CDK context: `npx cdk deploy -c stage=prod -c alarmEmail=oncall@example.com`. */
export type Config = {
  /** Part of every name, so that several stages fit into one account. 1 to 12 of a-z, 0-9, -. Default `dev`. */
  stage: string;
  /** The AWS region to deploy to. Default: the one of the caller's AWS profile. */
  region: string | undefined;
  /** Web origins that may call the API from a browser. Default: none. */
  dashboardOrigins: readonly string[];
  /** Days for which logs are kept, one of those that CloudWatch knows. Default 30. */
  logRetentionDays: number;
  /** Who gets the alarms; AWS sends a mail to confirm. Default: nobody. */
  alarmEmail: string | undefined;
  /** A name of one's own for the API, with the Route 53 zone that it is in. Default: the name that AWS gives. */
  domain: { name: string; hostedZoneId: string } | undefined;
  /** What a new workspace may send: events a UTC month, events a minute, and how many of them at once. */
  plan: { monthlyEvents: number; eventsPerMinute: number; burst: number };
  /** Requests a second of all routes for sessions, and of each busy route without one; and how many at once. Default 1,000 and 2,000. */
  throttle: { requestsPerSecond: number; burst: number };
  /** Whether an event of the service's own goes the whole way every minute, with an alarm. Default false. */
  synthetic: boolean;
  /** Invocations kept free for `POST /v1/events`, and the most it gets. 0 reserves none. Default 100. */
  ingestConcurrency: number;
  /** A table that was restored from a backup, to be used instead of the stack's own. Default: the stack's own. */
  tableName: string | undefined;
  /** Whether data outlives the stack (`retain`) or goes with it (`destroy`). Default `retain`. */
  removal: "retain" | "destroy";
};

/** A context value that cannot be used; the message is one sentence for the operator. */
export class ConfigError extends Error {}

/** Where the values come from: the context of a CDK app. */
export type Context = Readonly<Record<string, unknown>>;

const keys = [
  "stage",
  "region",
  "dashboardOrigins",
  "logRetentionDays",
  "alarmEmail",
  "domainName",
  "hostedZoneId",
  "planMonthlyEvents",
  "planEventsPerMinute",
  "planBurst",
  "requestsPerSecond",
  "requestsBurst",
  "ingestConcurrency",
  "synthetic",
  "tableName",
  "removal",
] as const;
type Key = (typeof keys)[number];

const fail = (key: Key, rule: string, value: unknown): never => {
  throw new ConfigError(`Context value "${key}" must be ${rule}, not ${JSON.stringify(value)}.`);
};

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

const readText = (context: Context, key: Key, pattern: RegExp, rule: string): string | undefined => {
  const value = context[key];
  if (!isSet(value)) return undefined;
  return typeof value === "string" && pattern.test(value) ? value : fail(key, rule, value);
};

/** A whole number; from the command line it comes as text. */
const toCount = (key: Key, value: unknown, least: number, most: number): number => {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) && number >= least && number <= most
    ? number
    : fail(key, `a whole number from ${least} to ${most}`, value);
};

const readCount = (context: Context, key: Key, least: number, most: number, preset: number): number => {
  const value = context[key];
  return isSet(value) ? toCount(key, value, least, most) : preset;
};

/** Every value that CloudWatch Logs takes as retention. */
const RETENTION_DAYS: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const readRetention = (context: Context): number => {
  const days = readCount(context, "logRetentionDays", 1, 3653, 30);
  return RETENTION_DAYS.includes(days) ? days : fail("logRetentionDays", `one of ${RETENTION_DAYS.join(", ")}`, days);
};

const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

const readOrigins = (context: Context): string[] => {
  const value = context["dashboardOrigins"];
  if (!isSet(value)) return [];
  const list: unknown = typeof value === "string" ? value.split(",") : value;
  const isOrigin = (item: unknown): item is string => typeof item === "string" && ORIGIN.test(item);
  return Array.isArray(list) && list.every(isOrigin)
    ? list
    : fail("dashboardOrigins", "origins such as https://alerts.example.com, separated by commas", value);
};

const readDomain = (context: Context): Config["domain"] => {
  const name = readText(context, "domainName", /^([a-z0-9-]+\.)+[a-z]{2,}$/, "a name such as api.example.com");
  const hostedZoneId = readText(context, "hostedZoneId", /^Z[A-Z0-9]{5,31}$/, "the id of a Route 53 zone, Z...");
  if (name !== undefined && hostedZoneId !== undefined) return { name, hostedZoneId };
  if (name !== undefined) return fail("hostedZoneId", `set along with "domainName"`, hostedZoneId ?? null);
  if (hostedZoneId !== undefined) return fail("domainName", `set along with "hostedZoneId"`, null);
  return undefined;
};

const readSwitch = (context: Context, key: Key): boolean => {
  const value = context[key];
  if (!isSet(value)) return false;
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : fail(key, "true or false", value);
};

const readRemoval = (context: Context): Config["removal"] => {
  const value = context["removal"];
  if (!isSet(value)) return "retain";
  return value === "retain" || value === "destroy" ? value : fail("removal", `"retain" or "destroy"`, value);
};

/** CDK's own keys have a colon or a slash; any other that is not ours is a typing mistake that would go unnoticed. */
const refuseUnknown = (context: Context): void => {
  const known: readonly string[] = keys;
  const unknown = Object.keys(context).find((key) => !/[:/]/.test(key) && !known.includes(key));
  if (unknown !== undefined)
    throw new ConfigError(`Context value "${unknown}" is unknown; there are ${keys.join(", ")}.`);
};

/** Reads every value, or throws a ConfigError for the first that is wrong. */
export const readConfig = (context: Context): Config => {
  refuseUnknown(context);
  return {
    stage: readText(context, "stage", /^[a-z][a-z0-9-]{0,11}$/, "1 to 12 of a-z, 0-9 and -, a letter first") ?? "dev",
    region: readText(context, "region", /^[a-z]{2}(-[a-z]+)+-\d$/, "an AWS region such as eu-central-1"),
    dashboardOrigins: readOrigins(context),
    logRetentionDays: readRetention(context),
    alarmEmail: readText(context, "alarmEmail", /^[^@\s]+@[^@\s]+\.[^@\s]+$/, "an e-mail address"),
    domain: readDomain(context),
    plan: {
      monthlyEvents: readCount(context, "planMonthlyEvents", 1, 1e12, 100_000),
      eventsPerMinute: readCount(context, "planEventsPerMinute", 1, 60_000, 300),
      burst: readCount(context, "planBurst", 1, 60_000, 100),
    },
    throttle: {
      requestsPerSecond: readCount(context, "requestsPerSecond", 1, 10_000, 1000),
      burst: readCount(context, "requestsBurst", 1, 5000, 2000),
    },
    ingestConcurrency: readCount(context, "ingestConcurrency", 0, 10_000, 100),
    synthetic: readSwitch(context, "synthetic"),
    tableName: readText(context, "tableName", /^[a-zA-Z0-9_.-]{3,255}$/, "the name of a DynamoDB table"),
    removal: readRemoval(context),
  };
};
