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
/** The table, and the author who is recorded with each change of the configuration. */
export type RecordingTable = Table & { author: Author };
export type Queue = { url: string; client: Pick<SQSClient, "send"> };

/** What may be logged: ids, counts and codes, but never bodies, headers, tokens or keys. */
export type LogFields = Record<string, string | number | boolean | undefined>;
export type Log = {
  info: (code: string, fields?: LogFields) => void;
  warn: (code: string, fields?: LogFields) => void;
  /** Logs `fields` and the error's name, message and stack, but no other property of the error. */
  error: (code: string, error: unknown, fields?: LogFields) => void;
  metric: (name: Metric, value: number, fields?: LogFields) => void;
};

/** What the core needs from outside. A function selects with `Pick` the dependencies that it uses. */
export type Deps = {
  table: Table;
  queues: { events: Queue; pushes: Queue; escalations: Queue; webhooks: Queue; inbound: Queue };
  push: Push;
  /** The maximum number of messages per channel and workspace in a month (UTC); undefined if the stage has no limits. */
  monthly?: Partial<Record<PaidChannel, number>> | undefined;
  /** The maximum number of messages per second on each channel; omitted channels have no limit. */
  pace?: Pace | undefined;
  post: Post;
  slack: CallSlack;
  /** The Slack apps that the operator has stored, possibly none; undefined if the stage has no Slack. */
  slackApps: () => Promise<readonly SlackApp[] | undefined>;
  /** Returns the key from which webhook secrets are derived. Throws if the key cannot be read. */
  webhookKey: () => Promise<string>;
  /** The keys that sign and verify receipt tokens; undefined without the secret. */
  receiptKeys: () => Promise<ReceiptKeys | undefined>;
  /** The URL of console and API, without a trailing slash. */
  baseUrl: string;
  /** The prefix of Web Push endpoints that are accepted in addition to known push services. */
  pushStandIn?: string | undefined;
  /** The prefix of webhook URLs that are accepted in addition to public URLs. */
  webhookStandIn?: string | undefined;
  /** The prefix of Teams workflows' URLs that are accepted in addition to Microsoft's URLs. */
  teamsStandIn?: string | undefined;
  /** The current time, in milliseconds since the epoch. */
  now: () => number;
  newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  /** A random number from 0 to below 1. */
  random: () => number;
  sleep: (ms: number) => Promise<void>;
  log: Log;
};

export type TableDeps = Pick<Deps, "table">;
export type TimedDeps = Pick<Deps, "table" | "now">;

/** The dependencies for changes of the configuration. */
export type AuditDeps<Name extends keyof Deps = never> = Pick<Deps, Name | "now" | "newId"> & { table: RecordingTable };

/** Returns the dependencies with the author in the table, so that changes are recorded with this author. */
export const bindAuthor = <Some extends TableDeps>(deps: Some, author: Author): Some & { table: RecordingTable } => ({
  ...deps,
  table: { ...deps.table, author },
});
