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
/** A table for changes of the configuration, which are recorded with their author. */
export type RecordingTable = Table & { author: Author };
export type Queue = { url: string; client: Pick<SQSClient, "send"> };

/** Ids, counts and codes only: bodies, headers, tokens and keys never enter the log. */
export type LogFields = Record<string, string | number | boolean | undefined>;
export type Log = {
  info: (code: string, fields?: LogFields) => void;
  warn: (code: string, fields?: LogFields) => void;
  /** Logs the error's name, message and stack, but not its fields. */
  error: (code: string, error: unknown, fields?: LogFields) => void;
  /** Counts or measures one thing. */
  metric: (name: Metric, value: number, fields?: LogFields) => void;
};

/** Everything that the service uses from outside. Functions name the parts that they need with `Pick`. */
export type Deps = {
  table: Table;
  queues: { events: Queue; pushes: Queue; escalations: Queue; webhooks: Queue; inbound: Queue };
  push: Push;
  /** How many text messages and calls a workspace may send in a month (UTC); undefined for a channel that the stage does not have. */
  monthly?: Partial<Record<PaidChannel, number>> | undefined;
  /** How many messages a second each channel takes; a channel that is not named has no pace. */
  pace?: Pace | undefined;
  /** Posts to webhooks. */
  post: Post;
  /** Calls Slack. */
  slack: CallSlack;
  /** The Slack apps of the stage, set by the operator; undefined if it has none. */
  slackApps: () => Promise<readonly SlackApp[] | undefined>;
  /** The key from which webhook secrets are derived. Throws if it cannot be read. */
  webhookKey: () => Promise<string>;
  /** The keys that sign and check the tokens of pushes; undefined if there is no such secret. */
  receiptKeys: () => Promise<ReceiptKeys | undefined>;
  /** The base URL of the service, for both console and API; without a trailing slash. */
  baseUrl: string;
  /** Web Push endpoints with this prefix are accepted besides those of the known push services. For a stand-in. */
  pushStandIn?: string | undefined;
  /** Webhooks may have this prefix, besides public URLs. For a stand-in. */
  webhookStandIn?: string | undefined;
  /** Teams workflows may have this prefix, besides Microsoft's URLs. For a stand-in. */
  teamsStandIn?: string | undefined;
  /** Milliseconds since the epoch. */
  now: () => number;
  newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  /** At least 0 and below 1, for jitter. */
  random: () => number;
  sleep: (ms: number) => Promise<void>;
  log: Log;
};

/** The dependencies for reading and writing items. */
export type TableDeps = Pick<Deps, "table">;
/** The same for functions that depend on the time. */
export type TimedDeps = Pick<Deps, "table" | "now">;

/** The dependencies for changing the configuration: besides the named parts, a table that knows the author. */
export type Recording<Name extends keyof Deps = never> = Pick<Deps, Name | "now" | "newId"> & {
  table: RecordingTable;
};

/** The same dependencies, for changes by this author. */
export const recordingAs = <Some extends TableDeps>(deps: Some, author: Author): Some & { table: RecordingTable } => ({
  ...deps,
  table: { ...deps.table, author },
});
