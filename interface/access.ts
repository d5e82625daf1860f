import type { KeyKind } from "../core/store/key-patterns.ts";

/** The permissions of a function, from which its role is created. */

export const tableActions = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] as const;
export type TableAction = (typeof tableActions)[number];

export const queueNames = ["events", "pushes", "escalations", "webhooks", "inbound"] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * FCM's service account, the keys for Web Push, the key for receipt tokens, the key for webhook secrets, the Slack apps, and the
 * API key of the synthetic event.
 */
export type SecretName = "fcm" | "vapid" | "receipts" | "webhooks" | "slack" | "synthetic";

export type Access = {
  table: readonly TableAction[];
  /** The kinds of items that a public function may use. `workspace`: items under the workspace's own key. Default: all. */
  keys?: readonly (KeyKind | "workspace")[];
  sendsTo?: readonly QueueName[];
  /** Further queues that the function sends to, in a stage where people can reply to text messages. */
  sendsWhereContacts?: readonly QueueName[];
  readsSecrets?: readonly SecretName[];
  /** Whether the function reads the secret of the Slack apps (in a stage with Slack). */
  callsSlack?: boolean;
  /** Whether the function sends emails, text messages and calls (if the stage does). */
  sendsToContacts?: boolean;
  /** Whether the function sends only text messages (if the stage does). */
  sendsSms?: boolean;
  /** Whether the function sends only emails (if the stage does). */
  sendsMail?: boolean;
  /** Whether the function's environment contains the stage's channels. */
  knowsWays?: boolean;
  /** Whether the function creates workspaces, for which it needs the default plan. */
  givesPlan?: boolean;
  /** Whether the function reads the profile of a token's owner from the user pool, which the token permits. */
  asksUserPool?: boolean;
  /** Whether the function needs the service's base URL for links. */
  knowsBaseUrl?: boolean;
};

/** Returns whether the function's messages to contacts contain tokens, which delivery reports return. */
export const carriesTokens = ({ readsSecrets = [] }: Access): boolean => readsSecrets.includes("receipts");
