import { RemovalPolicy } from "aws-cdk-lib";
import { findNearest } from "../core/domain/basics/nearest.ts";
import { countries } from "../core/domain/device/phone.ts";
import {
  ConfigError,
  type Context,
  throwConfigError,
  isSet,
  type Setting,
  readCount,
  readSetting,
  settings,
} from "./context.ts";
import { quotas } from "./quotas.ts";
import { readSingleSignOn, type SingleSignOn } from "./single-sign-on.ts";
import { CONNECT_REGIONS, isGovCloud, extractRegion } from "./voice-region.ts";

export type SmsConfig = {
  /** The ARN of the pool, phone number or sender ID that messages come from. */
  from: string;
  /** The countries to whose numbers messages may be sent, as ISO 3166-1 alpha-2 codes. */
  countries: readonly string[];
  /** The maximum price of one message, in US dollars. Default 0.20. */
  maxPrice: string;
  /** The number of messages that a workspace may send in a month (UTC), including verification codes. Default 500. */
  monthly: number;
  /** The ids by which carriers in India identify the sender and the text. Both ids are required if `countries` includes IN. */
  india?: { entityId: string; templateId: string };
};

export type VoiceConfig = {
  /** The ARN of the Amazon Connect instance, in the stage's region or another. */
  instance: string;
  /** The number that calls come from, in E.164; the instance must own the number. */
  from: string;
  /** The countries whose numbers may be called, as ISO 3166-1 alpha-2 codes. */
  countries: readonly string[];
  /** The number of calls that a workspace may make in a month (UTC), including verification codes. Default 200. */
  monthly: number;
};

/** The settings that an operator can choose for a stage, as `stages.ts` reads them. */
export type Config = {
  /** A part of all resource names, so that one account can have several stages: 1 to 12 of a-z, 0-9, -. Default `dev`. */
  stage: string;
  /** The AWS account to deploy to; the CDK refuses credentials of another account. Default: the account of the AWS profile. */
  account: string | undefined;
  /** The AWS region to deploy to. Default: the region of the caller's AWS profile. */
  region: string | undefined;
  /** Web origins that may call the API from a browser. Default: none. */
  dashboardOrigins: readonly string[];
  /** The number of days that logs are kept: one of CloudWatch's values. Default 30. */
  logRetentionDays: number;
  /** The email address that gets the alarms. AWS sends an email to confirm the address. Default: none. */
  alarmEmail: string | undefined;
  /** The sender address of emails, verified in SES in the stage's region. Default: none, and nobody is notified by email. */
  mailFrom: string | undefined;
  /** The settings of text messages. Default: none, and no text messages are sent. */
  sms: SmsConfig | undefined;
  /**
   * The number of messages per second that AWS accepts from the account, for each channel of the stage. Default: AWS's limits for
   * an account outside the sandboxes: 14 emails, 1 text message (10DLC) and 2 calls.
   */
  pace: Partial<Record<"email" | "sms" | "voice", number>>;
  /** Whether workspaces can connect Slack. If true, the stage has a secret for the operator's Slack apps. Default false. */
  slack: boolean;
  /** The settings of calls. Default: none, and no calls are made. */
  voice: VoiceConfig | undefined;
  /** A custom domain name for the API, and its Route 53 zone. Default: the name that AWS assigns. */
  domain: { name: string; hostedZoneId: string } | undefined;
  /**
   * An edge in front of the domain: CloudFront with rate rules. `beside`: the API's own URLs stay open, during a migration.
   * `only`: the API's own URLs are closed. `requestsPerMinute`: the limit for each IP address. Default: none.
   */
  edge: { mode: "beside" | "only"; requestsPerMinute: number } | undefined;
  /** The default plan of a new workspace: events per UTC month and per minute, the burst, and how long events are kept. */
  plan: { monthlyEvents: number; eventsPerMinute: number; burst: number; retentionDays: number };
  /** Requests per second and burst, for all session routes together and each other busy route. Default: 1,000 and 2,000. */
  throttle: { requestsPerSecond: number; burst: number };
  /** Whether a synthetic event is sent to FCM every minute, with an alarm if it fails. Default false. */
  synthetic: boolean;
  /** The reserved concurrency of `POST /v1/events`, also its limit. With 0, no function reserves concurrency. Default 100. */
  ingestConcurrency: number;
  /**
   * Write units per second that the stack's own table accepts without warming up. AWS charges once for a value above the 4,000 of
   * a new table, and refuses to lower the value later. Default: 4,000.
   */
  tableWritesPerSecond: number | undefined;
  /** Whether X-Ray records traces of the functions; AWS charges per trace. Default false. */
  tracing: boolean;
  /**
   * Whether people sign in with a second factor (an authenticator app): `off`, `optional`, or `required` for everybody from the
   * next sign-in. Default `optional`.
   */
  mfa: "off" | "optional" | "required";
  /** Programs that may become members of workspaces, by names that the operator chooses. Default: none. */
  machines: readonly string[];
  /** The external provider by which people sign in. Default: none, so that people have passwords in the user pool. */
  singleSignOn: SingleSignOn | undefined;
  /** The name of a restored table to use instead of the stack's own table. Default: the stack's own table. */
  tableName: string | undefined;
  /** Whether data stays after the stack is deleted (`retain`) or is deleted with the stack (`destroy`). Default `retain`. */
  removal: "retain" | "destroy";
  /**
   * Whether this is the stage's first deployment; set only on the command line. Until the next deployment, nothing is protected
   * against deletion, so a failed first deployment can be deleted and repeated. Default false.
   */
  firstDeployment: boolean;
  /**
   * The GitHub repository whose workflows may deploy this stage. `make` creates GitHub's OpenID Connect provider, of which an
   * account can have only one; `find` uses the existing provider. Default: none.
   */
  github: { repository: string; provider: "make" | "find" } | undefined;
};

/** Returns whether resources are protected against deletion: if they are retained, but not in the first deployment. */
export const isProtectedAgainstDeletion = ({
  removal,
  firstDeployment,
}: Pick<Config, "removal" | "firstDeployment">): boolean => removal === "retain" && !firstDeployment;

/** Returns the removal policy. A retained resource is deleted only if its stack's creation fails, to allow the next attempt. */
export const toRemovalPolicy = (removal: Config["removal"]): RemovalPolicy =>
  removal === "retain" ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** Returns whether people can reply to text messages, which is impossible if the sender ID is a name. */
export const acceptsReplies = ({ sms }: Pick<Config, "sms">): boolean =>
  sms !== undefined && !sms.from.includes(":sender-id/");

/** The retention times that CloudWatch Logs accepts. */
const RETENTION_DAYS: readonly number[] = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

const readLogRetentionDays = (context: Context): number => {
  const days = readCount(context, "logRetentionDays", 1, 3653, 30);
  return RETENTION_DAYS.includes(days)
    ? days
    : throwConfigError("logRetentionDays", `one of ${RETENTION_DAYS.join(", ")}`, days);
};

const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

const readDashboardOrigins = (context: Context): string[] => {
  const value = context["dashboardOrigins"];
  if (!isSet(value)) return [];
  const list: unknown = typeof value === "string" ? value.split(",") : value;
  const isOrigin = (item: unknown): item is string => typeof item === "string" && ORIGIN.test(item);
  return Array.isArray(list) && list.every(isOrigin)
    ? list
    : throwConfigError("dashboardOrigins", "origins such as https://alerts.example.com, separated by commas", value);
};

const SMS_FROM = /^arn:aws[a-z-]*:sms-voice:[a-z0-9-]+:\d{12}:(?:pool|phone-number|sender-id)\/[\w/-]+$/;

/** The default maximum price of a message in US dollars. More expensive numbers get no messages. */
const MAX_PRICE = "0.20";
/** The default monthly number of messages: at the default maximum price, 100 dollars for each workspace. */
const SMS_MONTHLY = 500;

/** Reads a list of countries. Throws a ConfigError if the list is missing, empty or has an unknown country. */
const readCountries = (context: Context, key: "smsCountries" | "voiceCountries"): string[] => {
  const value = context[key];
  const list: unknown = typeof value === "string" ? value.split(",") : value;
  const isCountry = (item: unknown): item is string => typeof item === "string" && countries.has(item);
  return Array.isArray(list) && list.length > 0 && list.every(isCountry)
    ? list
    : throwConfigError(key, "countries such as DE,AT,CH (ISO 3166-1)", value ?? null);
};

/** Reads the settings for India, where carriers drop messages without an entity id and a template id. */
const readIndiaSettings = (context: Context, countries: readonly string[]): Pick<SmsConfig, "india"> => {
  const [entityId, templateId] = (["smsIndiaEntityId", "smsIndiaTemplateId"] as const).map((key) => {
    const id = readSetting(context, key, /^\d{10,30}$/, "the id of a DLT registration, which consists of digits");
    if (id === undefined && countries.includes("IN"))
      return throwConfigError(key, 'set where "smsCountries" includes IN', null);
    return id;
  });
  return entityId === undefined || templateId === undefined ? {} : { india: { entityId, templateId } };
};

/** Reads the settings of text messages; undefined if none is set. Throws a ConfigError for an incomplete or invalid setting. */
const readSms = (context: Context): Config["sms"] => {
  const from = readSetting(context, "smsFrom", SMS_FROM, "the ARN of a pool, phone number or sender id of sms-voice");
  if (from === undefined) {
    for (const key of ["smsCountries", "smsMaxPrice", "smsMonthly", "smsIndiaEntityId", "smsIndiaTemplateId"] as const)
      if (isSet(context[key])) return throwConfigError("smsFrom", `set along with "${key}"`, null);
    return undefined;
  }
  const maxPrice =
    readSetting(context, "smsMaxPrice", /^\d{1,2}\.\d{1,5}$/, 'an amount in US dollars such as "0.20"') ?? MAX_PRICE;
  const monthly = readCount(context, "smsMonthly", 1, 1e6, SMS_MONTHLY);
  const countries = readCountries(context, "smsCountries");
  return { from, countries, maxPrice, monthly, ...readIndiaSettings(context, countries) };
};

const INSTANCE = /^arn:aws[a-z-]*:connect:[a-z0-9-]+:\d{12}:instance\/[0-9a-f-]{36}$/;

/** The default monthly number of calls: at 0.25 dollars for a call to a mobile phone abroad, 50 dollars per workspace. */
const VOICE_MONTHLY = 200;

/** Reads the settings of calls; undefined if none is set. Throws a ConfigError for an incomplete or invalid setting. */
const readVoice = (context: Context): Config["voice"] => {
  const instance = readSetting(context, "voiceInstance", INSTANCE, "the ARN of an instance of Amazon Connect");
  if (instance === undefined) {
    for (const key of ["voiceFrom", "voiceCountries", "voiceMonthly"] as const)
      if (isSet(context[key])) return throwConfigError("voiceInstance", `set along with "${key}"`, null);
    return undefined;
  }
  if (!CONNECT_REGIONS.includes(extractRegion(instance)))
    return throwConfigError(
      "voiceInstance",
      `in a region that has Amazon Connect (${CONNECT_REGIONS.join(", ")})`,
      instance,
    );
  const { region } = context;
  // CloudFormation cannot pass values from one partition to another.
  if (typeof region === "string" && isSet(region) && isGovCloud(region) !== isGovCloud(extractRegion(instance)))
    return throwConfigError("voiceInstance", `in the same partition of AWS as the stage's region, ${region}`, instance);
  const rule = "the number that calls come from, such as +4930123456";
  const from =
    readSetting(context, "voiceFrom", /^\+[1-9]\d{7,14}$/, rule) ?? throwConfigError("voiceFrom", rule, null);
  const monthly = readCount(context, "voiceMonthly", 1, 1e6, VOICE_MONTHLY);
  return { instance, from, countries: readCountries(context, "voiceCountries"), monthly };
};

/** AWS's default rate of each channel in messages per second, and the setting that enables the channel. */
const PACES = [
  { key: "mailsPerSecond", way: "email", preset: 14, needs: "mailFrom" },
  { key: "smsPerSecond", way: "sms", preset: 1, needs: "smsFrom" },
  { key: "callsPerSecond", way: "voice", preset: 2, needs: "voiceInstance" },
] as const;

/** Reads the messages per second of each channel that is set up. Throws a ConfigError for a rate of a channel without setup. */
const readPace = (context: Context): Config["pace"] =>
  Object.fromEntries(
    PACES.flatMap(({ key, way, preset, needs }) => {
      if (isSet(context[needs])) return [[way, readCount(context, key, 1, 10_000, preset)]];
      return isSet(context[key]) ? throwConfigError(needs, `set along with "${key}"`, null) : [];
    }),
  );

const readDomain = (context: Context): Config["domain"] => {
  const name = readSetting(context, "domainName", /^([a-z0-9-]+\.)+[a-z]{2,}$/, "a name such as api.example.com");
  const hostedZoneId = readSetting(context, "hostedZoneId", /^Z[A-Z0-9]{5,31}$/, "the id of a Route 53 zone, Z...");
  if (name !== undefined && hostedZoneId !== undefined) return { name, hostedZoneId };
  if (name !== undefined) return throwConfigError("hostedZoneId", `set along with "domainName"`, hostedZoneId ?? null);
  if (hostedZoneId !== undefined) return throwConfigError("domainName", `set along with "hostedZoneId"`, null);
  return undefined;
};

/** The default limit of an IP address: a tenth of the API's default rate. */
const EDGE_REQUESTS_PER_MINUTE = 6000;

/** Reads the edge's settings; undefined without an edge. The default limit is twice the usage plan's events per minute. */
const readEdge = (context: Context, plan: Config["plan"]): Config["edge"] => {
  const mode = context["edge"];
  if (!isSet(mode) || mode === false || mode === "false") {
    const limit = context["edgeRequestsPerMinute"];
    return isSet(limit) ? throwConfigError("edge", `set along with "edgeRequestsPerMinute"`, mode ?? null) : undefined;
  }
  if (mode !== "beside" && mode !== "only") return throwConfigError("edge", `"beside" or "only"`, mode);
  for (const key of ["domainName", "region"] as const)
    if (!isSet(context[key])) return throwConfigError(key, `set along with "edge"`, null);
  // The default limit allows all events of two workspaces from the same IP address.
  const preset = Math.max(EDGE_REQUESTS_PER_MINUTE, 2 * plan.eventsPerMinute);
  // The minimum is 100, because a tenth of the limit is for pages, and WAF requires a limit of at least 10.
  return { mode, requestsPerMinute: readCount(context, "edgeRequestsPerMinute", 100, 1e9, preset) };
};

/** Returns whether a setting is true. Throws a ConfigError for a value other than true and false. */
const readBoolean = (context: Context, key: Setting): boolean => {
  const value = context[key];
  if (!isSet(value)) return false;
  if (value === true || value === "true") return true;
  return value === false || value === "false" ? false : throwConfigError(key, "true or false", value);
};

const readRemoval = (context: Context): Config["removal"] => {
  const value = context["removal"];
  if (!isSet(value)) return "retain";
  return value === "retain" || value === "destroy"
    ? value
    : throwConfigError("removal", `"retain" or "destroy"`, value);
};

const readMfa = (context: Context): Config["mfa"] => {
  const value = context["mfa"];
  if (!isSet(value)) return "optional";
  return value === "off" || value === "optional" || value === "required"
    ? value
    : throwConfigError("mfa", `"off", "optional" or "required"`, value);
};

/** The maximum number of machines. For each machine, the user pool has a client, with a monthly fee and a stack resource. */
const MACHINES_MAX = 3;
const MACHINE = /^[a-z](?:-?[a-z0-9]){0,19}$/;

const readMachines = (context: Context): string[] => {
  const value = context["machines"];
  if (!isSet(value)) return [];
  const list: unknown = typeof value === "string" ? value.split(",") : value;
  const isName = (item: unknown): item is string => typeof item === "string" && MACHINE.test(item);
  return Array.isArray(list) && list.length <= MACHINES_MAX && list.every(isName) && new Set(list).size === list.length
    ? list
    : throwConfigError(
        "machines",
        `at most ${MACHINES_MAX} names such as "ci", of a-z, 0-9 and single -, each once`,
        value,
      );
};

/** Reads which GitHub repository may deploy the stage; undefined if none is set. */
const readGithub = (context: Context): Config["github"] => {
  const repository = readSetting(
    context,
    "githubRepository",
    /^[A-Za-z0-9][A-Za-z0-9-]{0,38}(@\d+)?\/[A-Za-z0-9._-]{1,100}(@\d+)?$/,
    "a GitHub repository such as acme/alerts or acme@123456/alerts@456789",
  );
  const provider = readSetting(context, "githubProvider", /^(make|find)$/, `"make" or "find"`);
  if (repository !== undefined) return { repository, provider: provider === "find" ? "find" : "make" };
  return provider === undefined
    ? undefined
    : throwConfigError("githubRepository", `set along with "githubProvider"`, null);
};

/** Returns the end of an error message: `: did you mean "prod"?`, or the known names if none is similar. */
export const suggestFix = (unknownName: string, knownNames: readonly string[]): string => {
  const name = findNearest(unknownName, knownNames);
  return name === undefined
    ? `; choose ${knownNames.length === 1 ? "" : "one of "}${knownNames.join(", ")}.`
    : `: did you mean "${name}"?`;
};

/** Throws a ConfigError for the first unknown setting, whose name is probably a typing error. */
export const refuseUnknownNames = (names: readonly string[]): void => {
  const known: readonly string[] = settings;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ConfigError(`The setting "${unknown}" is unknown${suggestFix(unknown, known)}`);
};

/** Returns whether a context key is a setting. The CDK's own context keys have a colon or a slash. */
const isSettingName = (name: string): boolean => !/[:/]/.test(name);

/** Returns the settings in a CDK context. Throws a ConfigError for the first invalid value. */
export const readConfig = (context: Context): Config => {
  refuseUnknownNames(Object.keys(context).filter(isSettingName));
  const plan = {
    monthlyEvents: readCount(context, "planMonthlyEvents", 1, 1e12, 100_000),
    eventsPerMinute: readCount(context, "planEventsPerMinute", 1, 60_000, 300),
    burst: readCount(context, "planBurst", 1, 60_000, 100),
    retentionDays: readCount(context, "planRetentionDays", 31, 3_653, 400),
  };
  return {
    stage:
      readSetting(
        context,
        "stage",
        /^[a-z][a-z0-9-]{0,11}$/,
        "1 to 12 characters of a-z, 0-9 and -, beginning with a letter",
      ) ?? "dev",
    account: readSetting(context, "account", /^\d{12}$/, "the 12 digits of an AWS account, as a string"),
    region: readSetting(context, "region", /^[a-z]{2}(-[a-z]+)+-\d$/, "an AWS region such as eu-central-1"),
    dashboardOrigins: readDashboardOrigins(context),
    logRetentionDays: readLogRetentionDays(context),
    alarmEmail: readSetting(context, "alarmEmail", /^[^@\s]+@[^@\s]+\.[^@\s]+$/, "an email address"),
    mailFrom: readSetting(context, "mailFrom", /^[^@\s]+@[^@\s]+\.[^@\s]+$/, "an email address"),
    sms: readSms(context),
    pace: readPace(context),
    slack: readBoolean(context, "slack"),
    voice: readVoice(context),
    domain: readDomain(context),
    edge: readEdge(context, plan),
    plan,
    throttle: {
      requestsPerSecond: readCount(context, "requestsPerSecond", 1, 10_000, 1000),
      burst: readCount(context, "requestsBurst", 1, 5000, 2000),
    },
    ingestConcurrency: readCount(context, "ingestConcurrency", 0, 10_000, 100),
    tableWritesPerSecond: isSet(context["tableWritesPerSecond"])
      ? readCount(context, "tableWritesPerSecond", quotas.newTableWrites, quotas.tableWrites, quotas.newTableWrites)
      : undefined,
    synthetic: readBoolean(context, "synthetic"),
    tracing: readBoolean(context, "tracing"),
    tableName: readSetting(context, "tableName", /^[a-zA-Z0-9_.-]{3,255}$/, "the name of a DynamoDB table"),
    mfa: readMfa(context),
    machines: readMachines(context),
    singleSignOn: readSingleSignOn(context),
    removal: readRemoval(context),
    firstDeployment: readBoolean(context, "firstDeployment"),
    github: readGithub(context),
  };
};
