import type { Access, QueueName } from "../interface/access.ts";
import type { Config } from "./config.ts";

export type Worker = {
  /** The function's file below `functions/`, without its extension; also the function's name. */
  entry: string;
  queue: QueueName;
  timeoutSeconds: number;
  memoryMb: number;
  /** The maximum number of concurrent invocations; at least 2, the minimum of an event source. */
  maxConcurrency: number;
  access: Access;
  /** Whether the function changes the visibility timeout of its queue's messages, for which it needs the queue's URL. */
  delaysMessages?: boolean;
  /** The age in seconds of the oldest message at which an alarm fires. */
  oldAfterSeconds: number;
  /** Set for a worker that exists only in a stage with email or text messages. */
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
      // The sender needs `inbound` to forward replies and delivery events that an upgrade from 0.1.0 has left in its queue.
      sendsTo: ["events", "escalations", "webhooks", "inbound"],
      // The sender sends messages that must wait for their turn to its own queue.
      sendsWhereContacts: ["pushes"],
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

export const listWorkers = ({ mailFrom, sms }: Pick<Config, "mailFrom" | "sms">): readonly Worker[] =>
  workers.filter(({ contacts }) => contacts !== true || mailFrom !== undefined || sms !== undefined);

const queuesReachableFrom = (queue: QueueName, seen = new Set<QueueName>()): Set<QueueName> => {
  const [consumer] = workers.filter((worker) => worker.queue === queue);
  for (const next of consumer?.access.sendsTo ?? [])
    if (!seen.has(next)) {
      seen.add(next);
      queuesReachableFrom(next, seen);
    }
  return seen;
};

/**
 * Returns whether a worker's messages can lead to messages in its own queue. By default, Lambda stops a chain of messages after
 * 16 invocations of one function. Our chains are longer but end: each escalation step schedules the next, up to the number of
 * steps times repeats.
 */
export const canFeedItself = ({ queue }: Worker): boolean => queuesReachableFrom(queue).has(queue);

/** The function that answers keys pressed during calls, in a stage with calls. Connect waits eight seconds for its answer. */
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
  /** The reserved concurrency of the function, which is also its limit, if the account can reserve any. Default: none. */
  reservedConcurrency?: number;
  access: Access;
  /** Set for a timer that exists only if the stage has the synthetic event. */
  synthetic?: boolean;
};

export const timers: readonly Timer[] = [
  {
    entry: "sweeper",
    everyMinutes: 1,
    timeoutSeconds: 60,
    // One full CPU, because only the CPU limits how fast a backlog is sent.
    memoryMb: 1769,
    // Two sweeps may overlap. Without reserved concurrency, a burst of sends could prevent sweeps.
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
