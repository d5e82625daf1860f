import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import type { AwsResponse, AwsService, Fault } from "../aws/front.ts";
import type { Policies } from "../aws/policies.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { region } from "../template/resolve.ts";
import type { ConsumerModel } from "../template/model.ts";

const Message = v.looseObject({
  MessageId: v.string(),
  ReceiptHandle: v.string(),
  Body: v.string(),
  MD5OfBody: v.optional(v.string()),
  Attributes: v.optional(v.record(v.string(), v.string()), {}),
  MessageAttributes: v.optional(v.record(v.string(), v.unknown()), {}),
});
type Message = v.InferOutput<typeof Message>;
const Received = v.looseObject({ Messages: v.optional(v.array(Message), []) });

/** The function's report about failed messages. Without a report, all messages succeeded. */
const Report = v.nullish(
  v.looseObject({
    batchItemFailures: v.nullish(v.array(v.object({ itemIdentifier: v.pipe(v.string(), v.nonEmpty()) }))),
  }),
);

/** Lists the messages that succeeded, by the function's report of failures (`payload`); none if the report is invalid. */
export const listSucceededMessages = <One extends { MessageId: string }>(
  messages: readonly One[],
  reportsFailures: boolean,
  payload: string,
): readonly One[] => {
  if (!reportsFailures) return messages;
  const report = v.safeParse(v.pipe(v.string(), v.parseJson(), Report), payload);
  if (!report.success) return [];
  const failedIds = (report.output?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  if (failedIds.some((id) => !messages.some(({ MessageId }) => MessageId === id))) return [];
  return messages.filter(({ MessageId }) => !failedIds.includes(MessageId));
};

const toEventRecord = (consumer: ConsumerModel, message: Message) => ({
  messageId: message.MessageId,
  receiptHandle: message.ReceiptHandle,
  body: message.Body,
  attributes: message.Attributes,
  messageAttributes: message.MessageAttributes,
  md5OfBody: message.MD5OfBody,
  eventSource: "aws:sqs",
  eventSourceARN: consumer.queueArn,
  awsRegion: region,
});

type PollerOptions = {
  consumer: ConsumerModel;
  sqs: AwsService;
  policies: Policies;
  runtime: Pick<Runtime, "invoke" | "limitOf">;
  fault: () => Fault;
  onDenied: (functionName: string, message: string) => void;
};

const WAIT_SECONDS = 20;
/** The pause before another batch starts while other batches are running. */
const SCALE_UP_MS = 100;
/** The pause between batches that are not full, about AWS's shortest time to receive, invoke and delete. */
const ROUND_TRIP_MS = 50;
/** The pause after a request that failed or was refused. */
const RETRY_MS = 500;

/** Polls a queue like Lambda, with the function's permissions, until `stop` is called. */
export const startPoller = ({ consumer, sqs, policies, runtime, fault: readFault, onDenied }: PollerOptions) => {
  const { functionName, queueArn, queueUrl, batchSize } = consumer;
  const atOnce = Math.min(consumer.maxConcurrency, runtime.limitOf(functionName));
  const stopping = new AbortController();
  let running = 0;
  let freed = Promise.withResolvers<void>();

  /** Calls the queue as the function. Returns undefined if a fault, a missing permission or SQS refuses the call. */
  const callQueue = async (operation: string, input: object): Promise<AwsResponse | undefined> => {
    if (readFault() !== "up") return undefined;
    const verdict = policies.authorize(functionName, `sqs:${operation.replace(/Batch$/, "")}`, queueArn);
    if (!verdict.allowed) {
      onDenied(functionName, verdict.message);
      return undefined;
    }
    const answer = await sqs.handle({ operation, input: { QueueUrl: queueUrl, ...input }, functionName });
    return answer.status === 200 ? answer : undefined;
  };

  const reportFailure = (error: unknown): void => {
    if (!stopping.signal.aborted) onDenied(functionName, `polling its queue failed: ${String(error)}`);
  };

  const processBatch = async (messages: readonly Message[]): Promise<void> => {
    const event = { Records: messages.map((message) => toEventRecord(consumer, message)) };
    const result = await runtime.invoke(functionName, randomUUID(), event);
    if (result.kind !== "ok") return;
    const done = listSucceededMessages(messages, consumer.reportsFailures, result.payload);
    if (done.length === 0) return;
    await callQueue("DeleteMessageBatch", {
      Entries: done.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
    });
  };

  const pauseBeforeRetry = () => sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});

  const pollUntilStopped = async (): Promise<void> => {
    // Lambda requires that the function may read the queue's attributes.
    const allowed = policies.authorize(functionName, "sqs:GetQueueAttributes", queueArn);
    if (!allowed.allowed) {
      onDenied(functionName, allowed.message);
      return;
    }
    let lastBegun = -Infinity;
    while (!stopping.signal.aborted) {
      if (running >= atOnce) {
        await freed.promise;
        continue;
      }
      // As on Lambda, more invocations start gradually. During the pause, messages fill a batch, and slow invocations do not
      // delay other messages.
      if (running > 0) await Promise.race([freed.promise, sleep(SCALE_UP_MS)]);
      await sleep(Math.max(0, lastBegun + ROUND_TRIP_MS - performance.now()));
      const answer = await callQueue("ReceiveMessage", {
        MaxNumberOfMessages: batchSize,
        WaitTimeSeconds: WAIT_SECONDS,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      });
      if (stopping.signal.aborted) return;
      if (answer === undefined) {
        await pauseBeforeRetry();
        continue;
      }
      const { Messages } = v.parse(Received, JSON.parse(answer.body));
      if (Messages.length === 0) continue;
      lastBegun = Messages.length === batchSize ? -Infinity : performance.now();
      running += 1;
      void processBatch(Messages)
        .catch(reportFailure)
        .finally(() => {
          running -= 1;
          freed.resolve();
          freed = Promise.withResolvers();
        });
    }
  };

  pollUntilStopped().catch(reportFailure);
  return {
    /** Stops polling. Messages that are being processed are finished or delivered again. */
    stop: (): void => {
      stopping.abort();
      freed.resolve();
    },
  };
};
