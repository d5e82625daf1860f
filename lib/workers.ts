import type { Access, QueueName } from "../interface/access.ts";
import type { Config } from "./config.ts";

export type Worker = {
  /** The function's file in `functions/` without extension, and the function's name. */
  entry: string;
  queue: QueueName;
  timeoutSeconds: number;
  memoryMb: number;
  /** The maximum concurrency; an event source requires at least 2. */
  maxConcurrency: number;
  access: Access;
  /** Whether the function changes the visibility of its messages, for which it needs the queue's URL. */
  delaysMessages?: boolean;
  oldAfterSeconds: number;
  /** If true, only stages with email or text messages have this worker. */
  contacts?: boolean;
};

export const workers: readonly Worker[] = [
  {
    entry: "matcher",
    queue: "events",
    timeoutSeconds: 20,
    memoryMb: 1024,
    maxConcurrency: 20,
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["events", "pushes", "escalations", "webhooks"],
    },
    delaysMessages: true,
    oldAfterSeconds: 60,
  },
  {
    entry: "sender",
    queue: "pushes",
    timeoutSeconds: 30,
    memoryMb: 1024,
    maxConcurrency: 50,
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      // After an upgrade from 0.1.0, the sender's queue may have replies and delivery events, which the sender forwards.
      sendsTo: ["events", "escalations", "webhooks", "inbound"],
      // Messages above the allowed rate of a channel go back to the sender's own queue, with a delay.
      sendsIfContactsReply: ["pushes"],
      readsSecrets: ["fcm", "vapid", "receipts"],
      sendsToContacts: true,
      knowsBaseUrl: true,
    },
    delaysMessages: true,
    oldAfterSeconds: 300,
  },
  {
    entry: "escalator",
    queue: "escalations",
    timeoutSeconds: 20,
    memoryMb: 512,
    maxConcurrency: 10,
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["pushes", "escalations", "webhooks"],
    },
    delaysMessages: true,
    // A message may be delayed up to 15 minutes on purpose.
    oldAfterSeconds: 1200,
  },
  {
    entry: "webhook-sender",
    queue: "webhooks",
    timeoutSeconds: 30,
    memoryMb: 512,
    maxConcurrency: 20,
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["events", "webhooks"],
      readsSecrets: ["webhooks"],
      callsSlack: true,
      knowsBaseUrl: true,
    },
    // A message may be delayed up to 15 minutes on purpose.
    oldAfterSeconds: 1200,
  },
  {
    entry: "inbound",
    queue: "inbound",
    timeoutSeconds: 20,
    memoryMb: 1024,
    maxConcurrency: 10,
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["events", "pushes", "webhooks"],
      readsSecrets: ["receipts"],
      sendsSms: true,
    },
    delaysMessages: true,
    oldAfterSeconds: 300,
    contacts: true,
  },
];

/** Lists the workers of a stage. Leaves out workers for `contacts` if the stage has neither email nor text messages. */
export const listWorkersOfStage = ({ mailFrom, sms }: Pick<Config, "mailFrom" | "sms">): readonly Worker[] =>
  workers.filter(({ contacts }) => contacts !== true || mailFrom !== undefined || sms !== undefined);

/** Lists the queues to which this queue's worker sends messages, directly or through the workers of other queues. */
const listQueuesReachableFrom = (queue: QueueName, seen = new Set<QueueName>()): Set<QueueName> => {
  const [consumer] = workers.filter((worker) => worker.queue === queue);
  for (const next of consumer?.access.sendsTo ?? [])
    if (!seen.has(next)) {
      seen.add(next);
      listQueuesReachableFrom(next, seen);
    }
  return seen;
};

/**
 * Returns whether a worker's messages can lead to more messages in its own queue. By default, Lambda stops a loop after 16
 * invocations of one function. A loop of escalation steps may be longer, but ends.
 */
export const canFeedItself = ({ queue }: Worker): boolean => listQueuesReachableFrom(queue).has(queue);

/** The function that gets the keys pressed in calls. Connect waits eight seconds for the function's answer. */
export const voiceKeys = {
  entry: "voice",
  timeoutSeconds: 8,
  memoryMb: 1024,
  access: {
    table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
    sendsTo: ["pushes", "escalations", "webhooks"],
    readsSecrets: ["receipts"],
  },
} as const satisfies { entry: string; timeoutSeconds: number; memoryMb: number; access: Access };

export type Timer = {
  entry: string;
  everyMinutes: number;
  timeoutSeconds: number;
  memoryMb: number;
  /** The reserved concurrency, which is also the limit, if the account can reserve any. Default: none. */
  reservedConcurrency?: number;
  access: Access;
  /** If true, only stages with a synthetic event have this timer. */
  synthetic?: boolean;
};

export const timers: readonly Timer[] = [
  {
    entry: "sweeper",
    everyMinutes: 1,
    timeoutSeconds: 60,
    // The memory is for one full CPU, because only the CPU limits how fast a backlog is sent.
    memoryMb: 1769,
    // Two sweeps may overlap. Without a reservation, a burst of sends could prevent sweeps.
    reservedConcurrency: 2,
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["events", "pushes", "escalations", "webhooks"],
    },
  },
  {
    entry: "synthetic",
    everyMinutes: 1,
    timeoutSeconds: 50,
    memoryMb: 512,
    access: { table: ["GetItem", "BatchGetItem", "Query"], readsSecrets: ["synthetic"], knowsBaseUrl: true },
    synthetic: true,
  },
];
