/** What a function may do, in the terms of the stack; `lib/service-function.ts` makes the statements of its role of it. */

export const tableActions = ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"] as const;
export type TableAction = (typeof tableActions)[number];

export const queueNames = ["events", "pushes", "escalations"] as const;
export type QueueName = (typeof queueNames)[number];

export type Access = {
  /** Actions on the one table. */
  table: readonly TableAction[];
  /** Queues that the function sends to. */
  sendsTo?: readonly QueueName[];
  /** Whether it reads the service account for FCM. */
  readsFcmSecret?: boolean;
};
