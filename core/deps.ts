import type { SQSClient } from "@aws-sdk/client-sqs";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { IdPrefix } from "./domain/basics/ids.ts";
import type { ReceiptKeys } from "./domain/delivery/receipt.ts";
import type { CallSlack } from "./domain/connection/slack-answer.ts";
import type { SlackApp } from "./domain/connection/slack-app.ts";
import type { Post } from "./domain/webhook/delivery-queue.ts";
import type { Push } from "./domain/delivery/push/outcome.ts";
import type { Pace } from "./domain/delivery/pace.ts";
import type { PaidChannel } from "./domain/device/device.ts";
import type { Author } from "./domain/workspace/audit.ts";
import type { Metric } from "./wiring.ts";

export type Table = { name: string; client: Pick<DynamoDBDocumentClient, "send"> };
/** A table for changes of the configuration, each of which is recorded with its author. */
export type RecordingTable = Table & { author: Author };
export type Queue = { url: string; client: Pick<SQSClient, "send"> };

/** The fields of a log line: only ids, counts and codes. Bodies, headers, tokens and keys are never logged. */
export type LogFields = Record<string, string | number | boolean | undefined>;
export type Log = {
  info: (code: string, fields?: LogFields) => void;
  warn: (code: string, fields?: LogFields) => void;
  /** Logs the error's name, message and stack, but not its fields. */
  error: (code: string, error: unknown, fields?: LogFields) => void;
  /** Logs a metric: one count or measured value. */
  metric: (name: Metric, value: number, fields?: LogFields) => void;
};

/** The dependencies of the service on everything outside the core. Functions select the parts that they need with `Pick`. */
export type Deps = {
  table: Table;
  queues: { events: Queue; pushes: Queue; escalations: Queue; webhooks: Queue; inbound: Queue };
  push: Push;
  /** The maximum number of messages per channel, workspace and month (UTC); undefined if the stage lacks the channel. */
  monthly?: Partial<Record<PaidChannel, number>> | undefined;
  /** The messages per second that each channel accepts; omitted channels have no limit. */
  pace?: Pace | undefined;
  post: Post;
  slack: CallSlack;
  /** Reads the stage's Slack apps, which the operator sets; undefined if there are none. */
  slackApps: () => Promise<readonly SlackApp[] | undefined>;
  /** Reads the key from which webhook secrets are derived. Throws if it cannot be read. */
  webhookKey: () => Promise<string>;
  /** Reads the keys that sign and verify the receipt tokens in pushes; undefined if there is no such secret. */
  receiptKeys: () => Promise<ReceiptKeys | undefined>;
  /** The base URL of the service, for console and API; without a trailing slash. */
  baseUrl: string;
  /** The URL prefix of a stand-in whose Web Push endpoints are accepted besides those of known push services. */
  pushStandIn?: string | undefined;
  /** The URL prefix of a stand-in for webhooks, accepted besides public URLs. */
  webhookStandIn?: string | undefined;
  /** The URL prefix of a stand-in for Teams workflows, accepted besides Microsoft's URLs. */
  teamsStandIn?: string | undefined;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  /** Returns a number from 0 to below 1, for jitter. */
  random: () => number;
  sleep: (ms: number) => Promise<void>;
  log: Log;
};

/** The dependencies for reading and writing items. */
export type TableDeps = Pick<Deps, "table">;
/** The dependencies for reading and writing items, and the clock. */
export type TimedDeps = Pick<Deps, "table" | "now">;

/** The dependencies for changing the configuration: a table that records the author, and the named parts. */
export type Recording<Name extends keyof Deps = never> = Pick<Deps, Name | "now" | "newId"> & {
  table: RecordingTable;
};

/** Returns the dependencies for changes by this author. */
export const bindAuthor = <Some extends TableDeps>(deps: Some, author: Author): Some & { table: RecordingTable } => ({
  ...deps,
  table: { ...deps.table, author },
});
