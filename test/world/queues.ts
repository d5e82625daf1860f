import type { Queue as CoreQueue } from "../../core/deps.ts";
import { messageReceivesMax } from "../../core/wiring.ts";
import type { Queue } from "../../local/sqs/queue.ts";
import type { Message } from "../../local/sqs/message.ts";
import { createSqs } from "../../local/sqs/sqs.ts";

export const queueNames = ["events", "pushes", "escalations", "webhooks", "inbound"] as const;
export type QueueName = (typeof queueNames)[number];

/** Messages must also fit the limit that SQS had before 2025. */
const BODY_MAX_BYTES = 262_144;
const BATCH = 10;

type Answer = { batchItemFailures: { itemIdentifier: string }[] };
const toRecord = ({ id, body, group, receipt, receives }: Message) => ({
  messageId: id,
  receiptHandle: receipt ?? id,
  body,
  attributes: {
    ApproximateReceiveCount: String(receives),
    ...(group === undefined ? {} : { MessageGroupId: group }),
  },
});
export type Records = { Records: ReturnType<typeof toRecord>[] };

type Options = {
  /** The visibility timeout of each queue; long by default. */
  visibilitySeconds?: Partial<Record<QueueName, number>>;
  wake?: (queue: QueueName, at: number) => void;
  sent?: (queue: QueueName, message: Message) => void;
};

/** Creates queues that run on a test's clock, as strict as AWS. */
export const createTestQueues = (now: () => number, { visibilitySeconds = {}, wake, sent }: Options = {}) => {
  let ids = 0;
  const settings = queueNames.flatMap((name) => [
    {
      name,
      visibilitySeconds: visibilitySeconds[name] ?? 180,
      delaySeconds: 0,
      redrive: { maxReceives: messageReceivesMax, to: `${name}-dead` },
    },
    { name: `${name}-dead`, visibilitySeconds: 30, delaySeconds: 0, redrive: undefined },
  ]);
  const isName = (name: string): name is QueueName => queueNames.some((known) => known === name);
  const sqs = createSqs(settings, {
    now,
    newId: () => String((ids += 1)),
    bodyMaxBytes: BODY_MAX_BYTES,
    needsGroup: true,
    wake: (name, at) => {
      if (isName(name)) wake?.(name, at);
    },
    sent: (name, message) => {
      if (isName(name)) sent?.(name, message);
    },
  });

  const create = (name: QueueName) => {
    const queue = sqs.queues.get(name) as Queue;
    const dead = sqs.queues.get(`${name}-dead`) as Queue;
    let up = true;
    const send = async (command: { input: object }) => {
      if (!up) throw new Error("the queue is down");
      return sqs.run(command.constructor.name.replace(/Command$/, ""), command.input);
    };
    return {
      ...queue,
      queue: { url: `http://aws.local/1/${name}`, client: { send } } as unknown as CoreQueue,
      setUp: (value: boolean) => (up = value),
      dead: dead.messages,
      /** Puts the messages of the dead-letter queue back; returns their number. */
      redrive: (): number => dead.drain().map((message) => queue.add(message)).length,
      /** Returns at most ten messages in Lambda's format, or undefined if the queue has none at the moment. */
      batch: (): Records | undefined => {
        const messages = queue.receive(BATCH);
        return messages.length === 0 ? undefined : { Records: messages.map(toRecord) };
      },
      /** Deletes the handled messages, except the failures in the answer. */
      settle: ({ Records }: Records, { batchItemFailures }: Answer): void => {
        const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        for (const { messageId, receiptHandle } of Records) if (!failed.has(messageId)) queue.remove(receiptHandle);
      },
      /** Removes all messages from the queue, including delayed ones, in Lambda's format. */
      drainBatch: (): Records => ({ Records: queue.drain().map((message) => toRecord({ ...message, receives: 1 })) }),
    };
  };
  const queues = {
    events: create("events"),
    pushes: create("pushes"),
    escalations: create("escalations"),
    webhooks: create("webhooks"),
    inbound: create("inbound"),
  };
  return { sqs, queues };
};
export type TestQueues = ReturnType<typeof createTestQueues>["queues"];

/** Sends every message twice until the returned function is called. */
export const sendTwice = ({ client }: CoreQueue): (() => void) => {
  const { send } = client;
  const once = send.bind(client);
  client.send = (async (command: never) => {
    await once(command);
    return once(command);
  }) as never;
  return () => {
    client.send = send;
  };
};
