import type { Usage } from "../local/aws/meters.ts";

export const listed = { region: "us-east-1", date: "November 2025" } as const;

/** AWS's list prices in US dollars, on demand, without free tiers. For other regions, see aws.amazon.com/pricing. */
export const prices = {
  dynamodbWriteUnit: 0.625 / 1e6,
  dynamodbReadUnit: 0.125 / 1e6,
  dynamodbGigabyteMonth: 0.25,
  /** The price of a month's backups per gigabyte of the table. */
  dynamodbBackupGigabyteMonth: 0.2,
  sqsRequest: 0.4 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** On arm64. */
  lambdaGigabyteSecond: 0.0000133334,
  httpApiRequest: 1.0 / 1e6,
  logGigabyte: 0.5,
  logGigabyteMonth: 0.03,
  alarmMonth: 0.1,
  metricMonth: 0.3,
  secretMonth: 0.4,
  secretRequest: 0.05 / 1e4,
  /** Requests to KMS by Secrets Manager and Lambda, at the price of customer managed keys. */
  kmsRequest: 0.03 / 1e4,
  s3GigabyteMonth: 0.023,
  dashboardMonth: 3,
  firewallMonth: 5,
  firewallRuleMonth: 1,
  firewallRequest: 0.6 / 1e6,
  /** The price of a CloudFront request by HTTPS from North America or Europe. */
  edgeRequest: 1.0 / 1e6,
  /** A trace of X-Ray, in a stage with `tracing`. */
  trace: 5 / 1e6,
  /** The price per person who signs in within the month. */
  cognitoUserMonth: 0.015,
  gigabyteOut: 0.09,
  mail: 0.1 / 1e3,
  /** The monthly price of a number for text messages, and of a number for calls. */
  textNumberMonth: { from: 1, to: 2 },
  callNumberMonth: { from: 0.9, to: 30 },
  /** The price of a text message with carrier fees: in the United States, and the highest in most of Europe. */
  textMessage: { from: 0.01, to: 0.11 },
  /** The price of a minute's call with carrier fees: in the United States, and to mobile phones in much of Europe. */
  callMinute: { from: 0.018 + 0.005, to: 0.018 + 0.15 },
} as const;

/** Other services' prices per person and month, paid yearly. `source`: the page that states the price. */
export const others = [
  {
    name: "PagerDuty Business",
    personMonth: 41,
    source: "calculated from incident.io's total of May 2026 for 120 people and nine months",
  },
  { name: "incident.io Pro with on-call", personMonth: 45, source: "from memory, not confirmed" },
] as const;

/**
 * The memory at which a function has a full CPU core. With less memory, a function takes proportionally longer, so processor
 * time costs the same. The cost of waiting is proportional to the memory.
 */
const WHOLE_PROCESSOR_MB = 1769;
const processorSecond = (WHOLE_PROCESSOR_MB / 1024) * prices.lambdaGigabyteSecond;

/** Returns the cost of a usage in dollars, by purpose. FCM is free. */
export const computeDollars = ({ invocations, writeUnits, readUnits, sqsRequests, processorMs }: Usage) => ({
  writes: writeUnits * prices.dynamodbWriteUnit,
  reads: readUnits * prices.dynamodbReadUnit,
  queues: sqsRequests * prices.sqsRequest,
  invocations: invocations * prices.lambdaRequest,
  processor: (processorMs / 1000) * processorSecond,
});

/** The stored data of an event, measured in the local service. Storage is counted for a year. Logs are kept for a month. */
const stored = { eventKilobytes: 1.2, logBytes: 900, retentionMonths: 12 } as const;

export const dollarsLeft = {
  logs: (stored.logBytes / 1e9) * (prices.logGigabyte + prices.logGigabyteMonth),
  storage: (stored.eventKilobytes / 1e6) * stored.retentionMonths * prices.dynamodbGigabyteMonth,
  backups: (stored.eventKilobytes / 1e6) * stored.retentionMonths * prices.dynamodbBackupGigabyteMonth,
};
