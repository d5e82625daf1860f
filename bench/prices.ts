import type { Usage } from "../local/aws/meters.ts";

/** The region and month of the list prices below. */
export const listed = { region: "us-east-1", date: "November 2025" } as const;

/**
 * List prices of AWS in US dollars, on demand, without free tiers. This is the only place with prices; take those of
 * your own region from aws.amazon.com/pricing.
 */
export const prices = {
  dynamodbWriteUnit: 0.625 / 1e6,
  dynamodbReadUnit: 0.125 / 1e6,
  dynamodbGigabyteMonth: 0.25,
  /** Continuous backups, by the size of the table. */
  dynamodbBackupGigabyteMonth: 0.2,
  sqsRequest: 0.4 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** Arm. */
  lambdaGigabyteSecond: 0.0000133334,
  httpApiRequest: 1.0 / 1e6,
  logGigabyte: 0.5,
  logGigabyteMonth: 0.03,
  alarmMonth: 0.1,
  metricMonth: 0.3,
  secretMonth: 0.4,
  secretRequest: 0.05 / 1e4,
  /** KMS requests of Secrets Manager and Lambda, priced as for our own keys. */
  kmsRequest: 0.03 / 1e4,
  s3GigabyteMonth: 0.023,
  dashboardMonth: 3,
  /** The firewall of a stage with an edge: its web ACL, each rule, and each request. */
  firewallMonth: 5,
  firewallRuleMonth: 1,
  firewallRequest: 0.6 / 1e6,
  /** CloudFront, over HTTPS, in North America and Europe. */
  edgeRequest: 1.0 / 1e6,
  /** A trace that X-Ray records in a stage with `tracing`. */
  trace: 5 / 1e6,
  /** A person who signs in within the month. */
  cognitoUserMonth: 0.015,
  /** Traffic to the internet: answers and pushes. */
  gigabyteOut: 0.09,
  mail: 0.1 / 1e3,
  /** The monthly prices of a phone number for text messages and of a phone number for calls. */
  textNumberMonth: { from: 1, to: 2 },
  callNumberMonth: { from: 0.9, to: 30 },
  /** A text message with its carrier's fee: from the price in the United States to the highest price in most of Europe. */
  textMessage: { from: 0.01, to: 0.11 },
  /** A minute of a call with its carrier's fee: from the United States to mobile phones in much of Europe (highest price). */
  callMinute: { from: 0.018 + 0.005, to: 0.018 + 0.15 },
} as const;

/** List prices of other services per person and month, paid yearly. `source`: the page with the price. */
export const others = [
  {
    name: "PagerDuty Business",
    personMonth: 41,
    source: "calculated from incident.io's total of May 2026 for 120 people and nine months",
  },
  { name: "incident.io Pro with on-call", personMonth: 45, source: "from memory, not confirmed" },
] as const;

/**
 * With this memory, in megabytes, a function has a full CPU core. With less memory a function has a share of a core and takes
 * longer in proportion, so its processor time costs the same. Waiting costs in proportion to the memory.
 */
const WHOLE_PROCESSOR_MB = 1769;
const processorSecond = (WHOLE_PROCESSOR_MB / 1024) * prices.lambdaGigabyteSecond;

/** Returns the cost of usage in dollars, by purpose. FCM is free of charge. */
export const dollarsByPurpose = ({ invocations, writeUnits, readUnits, sqsRequests, processorMs }: Usage) => ({
  writes: writeUnits * prices.dynamodbWriteUnit,
  reads: readUnits * prices.dynamodbReadUnit,
  queues: sqsRequests * prices.sqsRequest,
  invocations: invocations * prices.lambdaRequest,
  processor: (processorMs / 1000) * processorSecond,
});

/**
 * The data that an event leaves behind, measured in a table and a log of the local service. Nothing deletes it from the table; a
 * year of storage is counted. Logs are kept for a month.
 */
const left = { eventKilobytes: 1.2, logBytes: 900, retentionMonths: 12 } as const;

/** The cost in dollars of the data that an event leaves behind. */
export const dollarsLeft = {
  logs: (left.logBytes / 1e9) * (prices.logGigabyte + prices.logGigabyteMonth),
  storage: (left.eventKilobytes / 1e6) * left.retentionMonths * prices.dynamodbGigabyteMonth,
  backups: (left.eventKilobytes / 1e6) * left.retentionMonths * prices.dynamodbBackupGigabyteMonth,
};
