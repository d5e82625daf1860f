import type { Access, QueueName } from "./access.ts";

/** A function that consumes a queue. */
export type Worker = {
  /** The function's file below `functions/`, without its extension; also its name. */
  entry: string;
  queue: QueueName;
  timeoutSeconds: number;
  memoryMb: number;
  /** Most concurrent invocations; at least 2, the minimum for an event source. */
  maxConcurrency: number;
  access: Access;
  /** Whether it changes the visibility timeout of its queue's messages, for which it needs the queue's URL. */
  delaysMessages?: boolean;
  /** Whether it sends to its own queue on purpose, in a chain that ends. */
  sendsToItself?: boolean;
  /** Age in seconds of the oldest message at which an alarm rings. */
  oldAfterSeconds: number;
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
      sendsTo: ["events", "pushes", "escalations"],
    },
    // For the parts of a large plan. A part sends nothing to this queue, so the chain is one link long.
    sendsToItself: true,
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
      sendsTo: ["escalations"],
      readsSecrets: ["fcm", "vapid", "receipts"],
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
      sendsTo: ["pushes", "escalations"],
    },
    // Each step wakes the next, up to steps times repeats. Lambda would take the sixteenth for a runaway and stop it.
    sendsToItself: true,
    // A message may wait up to 15 minutes on purpose.
    oldAfterSeconds: 1200,
  },
];

/** A function that runs on a schedule. */
export type Timer = {
  entry: string;
  everyMinutes: number;
  timeoutSeconds: number;
  memoryMb: number;
  access: Access;
  /** Only in a stack whose context asks for the synthetic event. */
  synthetic?: boolean;
};

export const timers: readonly Timer[] = [
  {
    entry: "sweeper",
    everyMinutes: 1,
    timeoutSeconds: 60,
    // One full processor, because nothing else limits how fast a backlog goes out.
    memoryMb: 1769,
    access: {
      table: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      sendsTo: ["events", "escalations"],
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
