import type { KeyKind } from "../core/store/key-patterns.ts";

/** The permissions of a function, from which `lib/service-function.ts` creates the statements of its role. */

export const tableActions = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] as const;
export type TableAction = (typeof tableActions)[number];

export const queueNames = ["events", "pushes", "escalations", "webhooks", "inbound"] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * The secrets: the service account for FCM, the keys that identify this service to push services, the key that signs
 * receipt tokens, the key from which webhook secrets are derived, the Slack apps, and the API key for the synthetic
 * event.
 */
export type SecretName = "fcm" | "vapid" | "receipts" | "webhooks" | "slack" | "synthetic";

export type Access = {
  table: readonly TableAction[];
  /** The kinds of items that a public function may use. `workspace`: the items under a workspace's own key. Default: all. */
  keys?: readonly (KeyKind | "workspace")[];
  sendsTo?: readonly QueueName[];
  /** Additional queues that the function sends to in a stage where people can answer text messages. */
  sendsWhereContacts?: readonly QueueName[];
  readsSecrets?: readonly SecretName[];
  /** Whether the function reads the secret of the Slack apps, in a stage with Slack. */
  callsSlack?: boolean;
  /** Whether the function sends emails, text messages and calls, in a stage with these channels. */
  sendsToContacts?: boolean;
  /** Whether the function sends only text messages, in a stage with this channel. */
  sendsSms?: boolean;
  /** Whether the function sends only emails, in a stage with this channel. */
  sendsMail?: boolean;
  /** Whether the function knows the channels of the stage. */
  knowsWays?: boolean;
  /** Whether the function creates workspaces, and therefore knows the plan of new workspaces. */
  givesPlan?: boolean;
  /** Whether the function reads the profile of a session's token from the user pool. The token itself permits it. */
  asksUserPool?: boolean;
  /** Whether the function knows the service's base URL, for links. */
  knowsBaseUrl?: boolean;
};

/** Returns whether a function's messages to contacts contain tokens, by which delivery reports are recognized. */
export const carriesTokens = ({ readsSecrets = [] }: Access): boolean => readsSecrets.includes("receipts");
