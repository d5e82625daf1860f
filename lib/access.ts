/** What a function may do, in the terms of the stack; `lib/service-function.ts` makes the statements of its role of it. */

export const tableActions = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] as const;
export type TableAction = (typeof tableActions)[number];

export const queueNames = ["events", "pushes", "escalations"] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * The service account for FCM, the keys by which push services know this service, the key of the tokens that pushes carry,
 * and the API key that the synthetic event is sent with.
 */
export type SecretName = "fcm" | "vapid" | "receipts" | "synthetic";

export type Access = {
  /** Actions on the one table. */
  table: readonly TableAction[];
  /** Queues that the function sends to. */
  sendsTo?: readonly QueueName[];
  /** The secrets that it reads. */
  readsSecrets?: readonly SecretName[];
  /** Whether it makes workspaces, and so knows the plan of a new one. */
  givesPlan?: boolean;
  /** Whether it is told where the service is reached, for links. */
  knowsBaseUrl?: boolean;
};
