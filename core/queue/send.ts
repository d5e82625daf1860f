import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import type { Queue } from "../deps.ts";
import { messageReceivesMax } from "../wiring.ts";

/** JSON leaves these two characters as they are, and SQS refuses a message with one of them in it. */
const NOT_IN_A_MESSAGE = /[\uFFFE\uFFFF]/g;

/** A message as JSON of characters that SQS takes, whatever its texts hold. */
const bodyOf = (message: unknown): string =>
  JSON.stringify(message).replace(NOT_IN_A_MESSAGE, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

/** Sends one message. `timeoutMs`: give up after this time; the message may still have been taken. */
export const sendMessage = async (
  queue: Queue,
  message: unknown,
  { delaySeconds, timeoutMs }: { delaySeconds?: number; timeoutMs?: number } = {},
): Promise<void> => {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: bodyOf(message),
      ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
    }),
    timeoutMs === undefined ? {} : { abortSignal: AbortSignal.timeout(timeoutMs) },
  );
};

const BATCH_MAX = 10;
/** SQS takes 256 KiB a request; the rest is for what it adds. */
const BATCH_MAX_BYTES = 250_000;

export type Outgoing = { message: unknown; delaySeconds?: number };

/** Sends messages in as few requests as SQS allows. Throws when one was not taken, so that the work is done again. */
export const sendMessages = async (queue: Queue, outgoing: readonly Outgoing[]): Promise<void> => {
  const batches: { body: string; delaySeconds: number | undefined }[][] = [];
  let bytes = BATCH_MAX_BYTES;
  for (const { message, delaySeconds } of outgoing) {
    const body = bodyOf(message);
    const size = Buffer.byteLength(body);
    const last = batches.at(-1);
    if (last === undefined || last.length === BATCH_MAX || bytes + size > BATCH_MAX_BYTES) {
      batches.push([{ body, delaySeconds }]);
      bytes = size;
    } else {
      last.push({ body, delaySeconds });
      bytes += size;
    }
  }
  for (const batch of batches) {
    const { Failed } = await queue.client.send(
      new SendMessageBatchCommand({
        QueueUrl: queue.url,
        Entries: batch.map(({ body, delaySeconds }, index) => ({
          Id: String(index),
          MessageBody: body,
          ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
        })),
      }),
    );
    const [failed] = Failed ?? [];
    if (failed !== undefined)
      throw new Error(`SQS refused ${Failed?.length} of ${batch.length} messages: ${failed.Code}`);
  }
};

/**
 * Receives after which a message is not put back on purpose any more. Those that are left are for invocations that die:
 * two of them must not make a dead letter of work that only waits for FCM.
 */
const PLANNED_RECEIVES_MAX = messageReceivesMax - 2;
/**
 * Longest pause that a message spends in its queue. SQS allows 43,200 seconds in all, and 120,000 such messages at the
 * same time: what waits longer waits under its marker, which costs nothing meanwhile.
 */
const PAUSE_MAX_SECONDS = 900;

/**
 * Lets a message come again after so many seconds, and says whether it will: one that came often enough, or would wait
 * too long, is given up here, because its marker outlives it. The caller must then not delete it.
 */
export const comeAgain = async (
  queue: Queue,
  receiptHandle: string,
  receives: number,
  afterSeconds: number,
): Promise<boolean> => {
  if (receives >= PLANNED_RECEIVES_MAX || afterSeconds > PAUSE_MAX_SECONDS) return false;
  await queue.client.send(
    new ChangeMessageVisibilityCommand({
      QueueUrl: queue.url,
      ReceiptHandle: receiptHandle,
      VisibilityTimeout: afterSeconds,
    }),
  );
  return true;
};
