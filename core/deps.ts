import type { SQSClient } from "@aws-sdk/client-sqs";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { IdPrefix } from "./domain/basics/ids.ts";
import type { ReceiptKeys } from "./domain/delivery/receipt.ts";
import type { Push } from "./domain/delivery/push/outcome.ts";

export type Table = { name: string; client: Pick<DynamoDBDocumentClient, "send"> };
export type Queue = { url: string; client: Pick<SQSClient, "send"> };

/** Ids, counts and codes only: bodies, headers, tokens and keys never enter a log. */
export type LogFields = Record<string, string | number | boolean | undefined>;
export type Log = {
  info: (code: string, fields?: LogFields) => void;
  warn: (code: string, fields?: LogFields) => void;
  /** The error's name and message are logged, its fields are not. */
  error: (code: string, error: unknown, fields?: LogFields) => void;
  /** Counts or measures one thing, by a name of `metrics` in wiring. */
  metric: (name: string, value: number, fields?: LogFields) => void;
};

/** All that the service takes from outside. Functions name the part that they use by `Pick`. */
export type Deps = {
  table: Table;
  queues: { events: Queue; pushes: Queue; escalations: Queue };
  push: Push;
  /** What the tokens of pushes are made and known again with; undefined where there is no such secret. */
  receiptKeys: () => Promise<ReceiptKeys | undefined>;
  /** Where the service is reached, the console as well as the API; without a slash at its end. */
  baseUrl: string;
  /** Endpoints of Web Push that begin with it are taken beside those of the known push services: a stand-in's. */
  pushStandIn?: string | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  newId: (prefix: IdPrefix) => string;
  /** From 0 to below 1, for jitter. */
  random: () => number;
  sleep: (ms: number) => Promise<void>;
  log: Log;
};
