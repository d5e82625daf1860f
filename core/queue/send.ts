import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import type { Queue } from "../deps.ts";
import { toSeconds } from "../domain/basics/seconds.ts";
import { MINUTE_MS } from "../domain/basics/units.ts";
import { messageReceivesMax } from "../wiring.ts";
import { chooseMessageGroup, type QueueMessage } from "./group.ts";

/** The characters that JSON does not escape, but that SQS refuses in messages. */
const NOT_IN_A_MESSAGE = /[\uFFFE\uFFFF]/g;

/** Returns a message as JSON that SQS accepts, even if texts contain characters that SQS refuses. */
const toMessageBody = (message: QueueMessage): string =>
  JSON.stringify(message).replace(NOT_IN_A_MESSAGE, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

/** Sends one message. Gives up after `timeoutMs`, even though SQS may have accepted the message. */
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
/** SQS accepts 256 KiB per request, including the bytes that SQS adds to messages. */
const BATCH_MAX_BYTES = 250_000;

export type Outgoing = { message: QueueMessage; delayMs?: number };

type PackedMessage<Message extends Outgoing> = { outgoing: Message; body: string };

const splitIntoBatches = <Message extends Outgoing>(messages: readonly Message[]): PackedMessage<Message>[][] => {
  const batches: PackedMessage<Message>[][] = [];
  let bytes = BATCH_MAX_BYTES;
  for (const outgoing of messages) {
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

type RefusedMessage<Message> = { outgoing: Message; error: Error };

const sendBatch = async <Message extends Outgoing>(
  queue: Queue,
  batch: readonly PackedMessage<Message>[],
): Promise<RefusedMessage<Message>[]> => {
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

/** Sends messages in as few requests as possible. Returns the messages that SQS refused. */
export const sendAll = async <Message extends Outgoing>(
  queue: Queue,
  messages: readonly Message[],
): Promise<RefusedMessage<Message>[]> => {
  const refused: RefusedMessage<Message>[] = [];
  for (const batch of splitIntoBatches(messages)) refused.push(...(await sendBatch(queue, batch)));
  return refused;
};

/** Sends messages. Throws if SQS refused a message, so that the work is repeated. */
export const sendMessages = async (queue: Queue, messages: readonly Outgoing[]): Promise<void> => {
  for (const batch of splitIntoBatches(messages)) {
    const [refused] = await sendBatch(queue, batch);
    if (refused !== undefined) throw refused.error;
  }
};

/** The number of receives after which a message is not delayed again. Two more receives remain for invocations that die. */
const PLANNED_RECEIVES_MAX = messageReceivesMax - 2;
/** The longest delay of a message: longer waits use a marker, which is free. SQS allows 43,200 s and 120,000 delayed messages. */
const PAUSE_MAX_MS = 15 * MINUTE_MS;

/** Returns a function that delays a message, or returns false after too many receives or for a wait of over 15 minutes. */
export const createMessageDelayer =
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
