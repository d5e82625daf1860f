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

/** What one kind of work uses, as the meters count it. */
export type Usage = { writeUnits: number; readUnits: number; sqsRequests: number; fcmRequests: number };

/** Dollars for so many times this usage: the table and the queues. FCM is free of charge. */
export const dollarsOf = ({ writeUnits, readUnits, sqsRequests }: Usage, times: number): number =>
  times *
  (writeUnits * prices.dynamodbWriteUnit + readUnits * prices.dynamodbReadUnit + sqsRequests * prices.sqsRequest);
