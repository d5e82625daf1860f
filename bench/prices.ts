import type { Usage } from "../local/aws/meters.ts";

/**
 * List prices in US dollars, us-east-1, on demand, without free tiers: as published by AWS in November 2025. The only
 * place where a price stands; take your own region's from aws.amazon.com/pricing.
 */
export const prices = {
  dynamodbWriteUnit: 0.625 / 1e6,
  dynamodbReadUnit: 0.125 / 1e6,
  dynamodbGigabyteMonth: 0.25,
  sqsRequest: 0.4 / 1e6,
  lambdaRequest: 0.2 / 1e6,
  /** Arm. */
  lambdaGigabyteSecond: 0.0000133334,
  httpApiRequest: 1.0 / 1e6,
  logGigabyte: 0.5,
  alarmMonth: 0.1,
  secretMonth: 0.4,
  dashboardMonth: 3,
} as const;

/**
 * With this memory, in megabytes, a function has a processor; with less a share of one, for which it takes as much longer, so
 * that its own work costs the same with any memory below. What it waits for costs by its memory.
 */
const WHOLE_PROCESSOR_MB = 1769;
const processorSecond = (WHOLE_PROCESSOR_MB / 1024) * prices.lambdaGigabyteSecond;

/** Dollars of so much usage, by what they are for. FCM is free of charge. */
export const dollarsOf = ({ invocations, writeUnits, readUnits, sqsRequests, processorMs }: Usage) => ({
  writes: writeUnits * prices.dynamodbWriteUnit,
  reads: readUnits * prices.dynamodbReadUnit,
  queues: sqsRequests * prices.sqsRequest,
  invocations: invocations * prices.lambdaRequest,
  processor: (processorMs / 1000) * processorSecond,
});

/** What an event leaves behind, as it was read off a table and a log of the local service; it is kept for a year. */
const left = { eventKilobytes: 1.2, logBytes: 900, retentionMonths: 12 } as const;

/** Dollars for what an event leaves behind. */
export const dollarsLeft = {
  logs: (left.logBytes / 1e9) * prices.logGigabyte,
  storage: (left.eventKilobytes / 1e6) * left.retentionMonths * prices.dynamodbGigabyteMonth,
};
