import type { KeyKind } from "../core/store/key-patterns.ts";

export const tableActions = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] as const;
export type TableAction = (typeof tableActions)[number];

export const queueNames = ["events", "pushes", "escalations", "webhooks", "inbound"] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * The secrets of the service: FCM's service account, the keys for Web Push, the key for receipt tokens, the key for webhook
 * secrets, the Slack apps, and the API key of the synthetic event.
 */
export type SecretName = "fcm" | "vapid" | "receipts" | "webhooks" | "slack" | "synthetic";

export type Access = {
  table: readonly TableAction[];
  /** The kinds of items that a public function may use. `workspace`: items with the workspace's partition key. Default: all. */
  keys?: readonly (KeyKind | "workspace")[];
  sendsTo?: readonly QueueName[];
  /** Further queues that the function sends to, in a stage where people can reply to text messages. */
  sendsIfContactsReply?: readonly QueueName[];
  readsSecrets?: readonly SecretName[];
  callsSlack?: boolean;
  sendsToContacts?: boolean;
  sendsSms?: boolean;
  sendsMail?: boolean;
  knowsChannels?: boolean;
  givesPlan?: boolean;
  asksUserPool?: boolean;
  knowsBaseUrl?: boolean;
};

/** Returns whether the function puts receipt tokens into emails and text messages. Delivery reports repeat receipt tokens. */
export const messagesContainTokens = ({ readsSecrets = [] }: Access): boolean => readsSecrets.includes("receipts");
