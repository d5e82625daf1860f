import type { KeyKind } from "../core/store/key-patterns.ts";

/** The permissions of a function, in the stack's terms. `lib/service-function.ts` makes the statements of its role from it. */

export const tableActions = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] as const;
export type TableAction = (typeof tableActions)[number];

export const queueNames = ["events", "pushes", "escalations", "webhooks", "inbound"] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * The service account for FCM, the keys by which push services know this service, the key that signs the tokens in
 * pushes, the key of which the secrets of webhooks are made, the Slack apps, and the API key for the synthetic event.
 */
export type SecretName = "fcm" | "vapid" | "receipts" | "webhooks" | "slack" | "synthetic";

export type Access = {
  /** Actions on the one table. */
  table: readonly TableAction[];
  /**
   * The kinds of items that it may use, for a public function; `workspace`: the items under a workspace's own key.
   * Default: all.
   */
  keys?: readonly (KeyKind | "workspace")[];
  /** Queues that the function sends to. */
  sendsTo?: readonly QueueName[];
  /** Queues that it sends to besides in a stage where people answer text messages. */
  sendsWhereContacts?: readonly QueueName[];
  /** The secrets that it reads. */
  readsSecrets?: readonly SecretName[];
  /** Whether it reads the secret of the Slack apps, in a stage that has Slack. */
  callsSlack?: boolean;
  /** Whether it sends e-mail and text messages, in a stage that does. */
  sendsToContacts?: boolean;
  /** Whether it sends text messages alone, in a stage that does. */
  sendsSms?: boolean;
  /** Whether it sends e-mail alone, in a stage that does. */
  sendsMail?: boolean;
  /** Whether it knows the channels of the stage. */
  knowsWays?: boolean;
  /** Whether it creates workspaces, and so needs the plan of a new one. */
  givesPlan?: boolean;
  /** Whether it asks the user pool who a session's token belongs to. The token itself is the permission. */
  asksUserPool?: boolean;
  /** Whether it gets the service's base URL, for links. */
  knowsBaseUrl?: boolean;
};

/** Whether a function's messages to contacts carry tokens, by which delivery reports are recognized. */
export const carriesTokens = ({ readsSecrets = [] }: Access): boolean => readsSecrets.includes("receipts");
