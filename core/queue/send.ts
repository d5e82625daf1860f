import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import type { Queue } from "../deps.ts";
import { toSeconds } from "../domain/basics/seconds.ts";
import { MINUTE_MS } from "../domain/basics/units.ts";
import { messageReceivesMax } from "../wiring.ts";
import { chooseMessageGroup, type QueueMessage } from "./group.ts";

/** JSON does not escape these characters, but SQS refuses messages with them. */
const NOT_IN_A_MESSAGE = /[\uFFFE\uFFFF]/g;

/** Returns JSON that SQS accepts, whatever the texts contain. */
const toMessageBody = (message: QueueMessage): string =>
  JSON.stringify(message).replace(NOT_IN_A_MESSAGE, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

/** `timeoutMs`: gives up after this time, even though SQS may have accepted the message. */
export const sendMessage = async (
  queue: Queue,
  message: QueueMessage,
  { delayMs, timeoutMs }: { delayMs?: number; timeoutMs?: number } = {},
): Promise<void> => {
  await queue.client.send(
    new SendMessageCommand({
      QueueUrl: queue.url,
      MessageBody: toMessageBody(message),
      MessageGroupId: chooseMessageGroup(message),
      ...(delayMs === undefined ? {} : { DelaySeconds: toSeconds(delayMs) }),
    }),
    timeoutMs === undefined ? {} : { abortSignal: AbortSignal.timeout(timeoutMs) },
  );
};

const BATCH_MAX = 10;
/** SQS accepts 256 KiB per request, including the bytes that it adds. */
const BATCH_MAX_BYTES = 250_000;

export type Outgoing = { message: QueueMessage; delayMs?: number };

type Packed<Message extends Outgoing> = { outgoing: Message; body: string };

const splitIntoBatches = <Message extends Outgoing>(all: readonly Message[]): Packed<Message>[][] => {
  const batches: Packed<Message>[][] = [];
  let bytes = BATCH_MAX_BYTES;
  for (const outgoing of all) {
    const body = toMessageBody(outgoing.message);
    const size = Buffer.byteLength(body);
    const last = batches.at(-1);
    if (last === undefined || last.length === BATCH_MAX || bytes + size > BATCH_MAX_BYTES) {
      batches.push([{ outgoing, body }]);
      bytes = size;
    } else {
      last.push({ outgoing, body });
      bytes += size;
    }
  }
  return batches;
};

type Refused<Message> = { outgoing: Message; error: Error };

const sendBatch = async <Message extends Outgoing>(
  queue: Queue,
  batch: readonly Packed<Message>[],
): Promise<Refused<Message>[]> => {
  const { Failed = [] } = await queue.client.send(
    new SendMessageBatchCommand({
      QueueUrl: queue.url,
      Entries: batch.map(({ outgoing: { message, delayMs }, body }, index) => ({
        Id: String(index),
        MessageBody: body,
        MessageGroupId: chooseMessageGroup(message),
        ...(delayMs === undefined ? {} : { DelaySeconds: toSeconds(delayMs) }),
      })),
    }),
  );
  const codes = new Map(Failed.map(({ Id, Code }) => [Number(Id), Code]));
  return batch.flatMap(({ outgoing }, index) =>
    codes.has(index) ? [{ outgoing, error: new Error(`SQS refused a message: ${codes.get(index)}`) }] : [],
  );
};

/** Uses as few requests as possible. Returns the refused messages; all others were sent. */
export const sendEach = async <Message extends Outgoing>(
  queue: Queue,
  all: readonly Message[],
): Promise<Refused<Message>[]> => {
  const refused: Refused<Message>[] = [];
  for (const batch of splitIntoBatches(all)) refused.push(...(await sendBatch(queue, batch)));
  return refused;
};

/** Throws if SQS refused a message, so that the work is repeated. */
export const sendMessages = async (queue: Queue, all: readonly Outgoing[]): Promise<void> => {
  for (const batch of splitIntoBatches(all)) {
    const [refused] = await sendBatch(queue, batch);
    if (refused !== undefined) throw refused.error;
  }
};

/**
 * After this number of receives, messages are no longer delayed on purpose. The remaining receives are for invocations that die,
 * because two of them must not make a dead letter.
 */
const PLANNED_RECEIVES_MAX = messageReceivesMax - 2;
/**
 * The maximum delay in a queue. SQS allows 43,200 seconds and 120,000 delayed messages. Longer waits use a marker, which is free.
 */
const PAUSE_MAX_MS = 15 * MINUTE_MS;

/**
 * Makes a message visible again after `afterMs`. Returns false after too many receives or for too long a wait. Then the message
 * can be deleted, because its marker remains. If true, the caller must keep the message.
 */
export const changeVisibility =
  (queue: Queue) =>
  async (receiptHandle: string, receives: number, afterMs: number): Promise<boolean> => {
    if (receives >= PLANNED_RECEIVES_MAX || afterMs > PAUSE_MAX_MS) return false;
    await queue.client.send(
      new ChangeMessageVisibilityCommand({
        QueueUrl: queue.url,
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: toSeconds(afterMs),
      }),
    );
    return true;
  };
