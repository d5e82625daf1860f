import { expect, test } from "vitest";
import { readConfig } from "../../lib/config.ts";

const POOL = "arn:aws:sms-voice:eu-central-1:123456789012:pool/pool-0123";

test("text messages have a maximum price unless an operator changes it", () => {
  const { sms } = readConfig({ smsFrom: POOL, smsCountries: "DE,AT", region: "eu-central-1" });

  expect(sms).toEqual({ from: POOL, countries: ["DE", "AT"], maxPrice: "0.20", monthly: 500 });
});

test("a stage can be deployed without any setting", () => {
  expect(readConfig({})).toEqual({
    stage: "dev",
    account: undefined,
    region: undefined,
    dashboardOrigins: [],
    logRetentionDays: 30,
    alarmEmail: undefined,
    mailFrom: undefined,
    sms: undefined,
    pace: {},
    slack: false,
    voice: undefined,
    domain: undefined,
    edge: undefined,
    plan: { monthlyEvents: 100_000, eventsPerMinute: 300, burst: 100, retentionDays: 400 },
    throttle: { requestsPerSecond: 1000, burst: 2000 },
    ingestConcurrency: 100,
    tableWritesPerSecond: undefined,
    synthetic: false,
    tracing: false,
    mfa: "optional",
    machines: [],
    singleSignOn: undefined,
    tableName: undefined,
    removal: "retain",
    firstDeployment: false,
    github: undefined,
  });
});

test("settings from the command line, which are all text, are converted to their types", () => {
  const config = readConfig({
    stage: "prod",
    region: "eu-central-1",
    dashboardOrigins: "https://alerts.example.com,http://localhost:5173",
    logRetentionDays: "90",
    domainName: "api.example.com",
    hostedZoneId: "Z0123456789ABC",
    planBurst: "7",
    ingestConcurrency: "0",
    removal: "destroy",
  });

  expect(config).toMatchObject({
    stage: "prod",
    region: "eu-central-1",
    dashboardOrigins: ["https://alerts.example.com", "http://localhost:5173"],
    logRetentionDays: 90,
    domain: { name: "api.example.com", hostedZoneId: "Z0123456789ABC" },
    plan: { burst: 7 },
    ingestConcurrency: 0,
    removal: "destroy",
  });
});

test("settings from a file may be lists and numbers", () => {
  const config = readConfig({ dashboardOrigins: ["https://alerts.example.com"], logRetentionDays: 7 });

  expect(config).toMatchObject({ dashboardOrigins: ["https://alerts.example.com"], logRetentionDays: 7 });
});

test("CDK's own context is not treated as a setting", () => {
  expect(readConfig({ "aws:cdk:bundling-stacks": ["**"], "@aws-cdk/core:anything": true }).stage).toBe("dev");
});

test.each([
  [
    "the stage's name has a capital letter",
    { stage: "Prod" },
    `"stage" must be 1 to 12 characters of a-z, 0-9 and -, beginning with a letter, not "Prod".`,
  ],
  [
    "the stage's name is a number",
    { stage: 5 },
    `"stage" must be 1 to 12 characters of a-z, 0-9 and -, beginning with a letter, not 5.`,
  ],
  [
    "the region is the name of a city",
    { region: "Frankfurt" },
    `"region" must be an AWS region such as eu-central-1, not "Frankfurt".`,
  ],
  [
    "logs are kept for a number of days that CloudWatch does not offer",
    { logRetentionDays: "8" },
    /"logRetentionDays" must be one of 1, 3, .*, not 8\.$/,
  ],
  [
    "the number of days for logs is a word",
    { logRetentionDays: "long" },
    `"logRetentionDays" must be a whole number from 1 to 3653, not "long".`,
  ],
  [
    "the address for alarms is not an email address",
    { alarmEmail: "alice" },
    `"alarmEmail" must be an email address, not "alice".`,
  ],
  [
    "the sender of emails is not an email address",
    { mailFrom: "Alerts" },
    `"mailFrom" must be an email address, not "Alerts".`,
  ],
  ["any origin is allowed", { dashboardOrigins: "*" }, /"dashboardOrigins" must be origins such as .*, not "\*"\.$/],
  [
    "text messages are sent from a phone number instead of an ARN",
    { smsFrom: "+4930123456" },
    `"smsFrom" must be the ARN of a pool, phone number or sender id of sms-voice`,
  ],
  [
    "text messages have a sender but no countries",
    { smsFrom: POOL },
    `"smsCountries" must be countries such as DE,AT,CH (ISO 3166-1), not null.`,
  ],
  [
    "one country of text messages is a name instead of a code",
    { smsFrom: POOL, smsCountries: "DE,Austria" },
    `"smsCountries" must be countries such as DE,AT,CH`,
  ],
  [
    "the highest price of a text message is 1 without decimals",
    { smsFrom: POOL, smsCountries: "DE", smsMaxPrice: "1" },
    `"smsMaxPrice" must be an amount in US dollars such as`,
  ],
  [
    "text messages to India have no entity id",
    { smsFrom: POOL, smsCountries: "DE,IN" },
    `"smsIndiaEntityId" must be set where "smsCountries" includes IN`,
  ],
  [
    "text messages have countries but no sender",
    { smsCountries: "DE" },
    `"smsFrom" must be set along with "smsCountries", not null.`,
  ],
  [
    "a domain name has no hosted zone",
    { domainName: "api.example.com" },
    `"hostedZoneId" must be set along with "domainName", not null.`,
  ],
  [
    "a hosted zone has no domain name",
    { hostedZoneId: "Z0123456789ABC" },
    `"domainName" must be set along with "hostedZoneId", not null.`,
  ],
  ["the setting edge is true", { edge: true }, `"edge" must be "beside" or "only", not true.`],
  [
    "an API that only the edge can call has no domain name",
    { edge: "only" },
    `"domainName" must be set along with "edge", not null.`,
  ],
  [
    "an API that only the edge can call has no region",
    { edge: "only", domainName: "api.example.com", hostedZoneId: "Z0123456789ABC" },
    `"region" must be set along with "edge", not null.`,
  ],
  [
    "the edge's request limit is set without an edge",
    { edgeRequestsPerMinute: 500 },
    `"edge" must be set along with "edgeRequestsPerMinute", not null.`,
  ],
  ["the plan has a burst of 0", { planBurst: "0" }, `"planBurst" must be a whole number from 1 to 60000, not "0".`],
  [
    "the plan's monthly events have a fraction",
    { planMonthlyEvents: 1.5 },
    `"planMonthlyEvents" must be a whole number from 1 to 1000000000000, not 1.5.`,
  ],
  ["the setting synthetic is the word yes", { synthetic: "yes" }, `"synthetic" must be true or false, not "yes".`],
  ["the removal policy is unknown", { removal: "keep" }, `"removal" must be "retain" or "destroy", not "keep".`],
  [
    "the table's name has a space",
    { tableName: "a b" },
    `"tableName" must be the name of a DynamoDB table, not "a b".`,
  ],
  [
    "the account is a number instead of a string",
    { account: 123456789012 },
    `"account" must be the 12 digits of an AWS account, as a string, not 123456789012.`,
  ],
  [
    "the GitHub repository has no owner",
    { githubRepository: "alerts" },
    `"githubRepository" must be a GitHub repository such as acme/alerts or acme@123456/alerts@456789, not "alerts".`,
  ],
  [
    "the GitHub repository's name has a wildcard",
    { githubRepository: "acme/alerts:*" },
    `"githubRepository" must be a GitHub repository`,
  ],
  [
    "a GitHub provider has no repository",
    { githubProvider: "find" },
    `"githubRepository" must be set along with "githubProvider", not null.`,
  ],
  ["a setting's name is misspelled", { stag: "prod" }, 'The setting "stag" is unknown: did you mean "stage"?'],
  ["a setting is unknown", { colour: "red" }, /"colour" is unknown; choose one of stage, account, region, /],
])("the settings are refused in one sentence if %s", (_, context, sentence) => {
  expect(() => readConfig(context)).toThrow(sentence);
});
