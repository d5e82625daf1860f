/** What a function may do, in the stack's terms. `lib/service-function.ts` makes the statements of its role from it. */

export const tableActions = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] as const;
export type TableAction = (typeof tableActions)[number];

export const queueNames = ["events", "pushes", "escalations"] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * The service account for FCM, the keys by which push services know this service, the key that signs the tokens in
 * pushes, and the API key for the synthetic event.
 */
export type SecretName = "fcm" | "vapid" | "receipts" | "synthetic";

export type Access = {
  /** Actions on the one table. */
  table: readonly TableAction[];
  /** Queues that the function sends to. */
  sendsTo?: readonly QueueName[];
  /** The secrets that it reads. */
  readsSecrets?: readonly SecretName[];
  /** Whether it creates workspaces, and so needs the plan of a new one. */
  givesPlan?: boolean;
  /** Whether it gets the service's base URL, for links. */
  knowsBaseUrl?: boolean;
};
