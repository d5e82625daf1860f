import { createHash } from "node:crypto";
import * as v from "valibot";
import { createAwsError, type AwsResponse } from "../aws/front.ts";
import { createQueue, type Queue, type QueueSettings } from "./queue.ts";
import type { Message } from "./message.ts";

/* Simulates SQS's JSON protocol, with queues in memory. The limits are AWS's limits, or lower limits that the options contain. */

const VISIBILITY_MAX_SECONDS = 43_200;
const DELAY_MAX_SECONDS = 900;
const BATCH_MAX = 10;
const BODY_MAX_BYTES = 1_048_576;

/** U+FFFE, U+FFFF, lone surrogates and most control characters are refused; emoji are allowed. */
const BODY = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u;
const BATCH_ID = /^[\w-]{1,80}$/;
const GROUP = /^[\w!"#$%&'()*+,\-./:;<=>?@[\\\]^`{|}~]{1,128}$/;

const Seconds = v.optional(v.number());
const Send = v.looseObject({
  QueueUrl: v.string(),
  MessageBody: v.optional(v.string(), ""),
  DelaySeconds: Seconds,
  MessageGroupId: v.optional(v.string()),
});
const Receive = v.looseObject({
  QueueUrl: v.string(),
  MaxNumberOfMessages: v.optional(v.number(), 1),
  VisibilityTimeout: Seconds,
});
const Visibility = v.looseObject({ QueueUrl: v.string(), ReceiptHandle: v.string(), VisibilityTimeout: v.number() });
const Delete = v.looseObject({ QueueUrl: v.string(), ReceiptHandle: v.string() });
const Batch = v.looseObject({
  QueueUrl: v.string(),
  Entries: v.optional(v.array(v.looseObject({ Id: v.string(), MessageBody: v.optional(v.string(), "") })), []),
});
const One = v.looseObject({ QueueUrl: v.string() });

export class SqsError extends Error {
  constructor(code: string, message: string) {
    super(message);
    this.name = code;
  }
}

const createInvalidParameterError = (parameter: string, value: unknown, reason: string): SqsError =>
  new SqsError(
    "InvalidParameterValue",
    `Value ${String(value)} for parameter ${parameter} is invalid. Reason: ${reason}`,
  );

const checkRange = (parameter: string, value: number, minimum: number, maximum: number): void => {
  if (!Number.isInteger(value) || value < minimum || value > maximum)
    throw createInvalidParameterError(
      parameter,
      value,
      `${parameter} must be an integer between ${minimum} and ${maximum}.`,
    );
};

const readNameInUrl = (url: string): string => url.slice(url.lastIndexOf("/") + 1);
const hashMd5 = (text: string): string => createHash("md5").update(text).digest("hex");

type SqsOptions = {
  now: () => number;
  newId: () => string;
  wake?: (queue: string, at: number) => void;
  sent?: (queue: string, message: Message) => void;
  /** The limit for a message and for a whole batch; AWS allows 1 MiB. */
  bodyMaxBytes?: number;
  /** Whether messages must have a group, which AWS does not require. */
  needsGroup?: boolean;
};

/** The state that an operation reads and changes. */
type SqsState = { queues: ReadonlyMap<string, Queue> } & Required<
  Pick<SqsOptions, "now" | "sent" | "bodyMaxBytes" | "needsGroup">
>;
type SqsOperation = (state: SqsState, input: unknown) => object;

const requireQueue = ({ queues }: SqsState, url: string): Queue => {
  const found = queues.get(readNameInUrl(url));
  if (found === undefined) throw new SqsError("QueueDoesNotExist", "The specified queue does not exist.");
  return found;
};

const checkMessageBody = (body: string, maxBytes: number): void => {
  if (body === "") throw new SqsError("MissingParameter", "The request must contain the parameter MessageBody.");
  if (!BODY.test(body))
    throw new SqsError(
      "InvalidMessageContents",
      "Invalid characters found. Valid are #x9 | #xA | #xD | #x20-#xD7FF | #xE000-#xFFFD | #x10000-#x10FFFF",
    );
  if (Buffer.byteLength(body) > maxBytes)
    throw new SqsError(
      "InvalidParameterValue",
      `One or more parameters are invalid. Reason: Message must be shorter than ${maxBytes} bytes.`,
    );
};

/** Throws if the message group is invalid, or if it is missing although the queue needs one (`isNeeded`). */
const checkMessageGroup = (group: string | undefined, isNeeded: boolean): void => {
  if (group === undefined) {
    if (isNeeded) throw new SqsError("MissingParameter", "The request must contain the parameter MessageGroupId.");
    return;
  }
  if (!GROUP.test(group)) {
    const reason = "MessageGroupId can only include alphanumeric and punctuation characters. 1 to 128 in length.";
    throw createInvalidParameterError("MessageGroupId", group, reason);
  }
};

const toReceivedMessage = (message: Message) => ({
  MessageId: message.id,
  ReceiptHandle: message.receipt,
  Body: message.body,
  MD5OfBody: hashMd5(message.body),
  Attributes: {
    ApproximateReceiveCount: String(message.receives),
    SentTimestamp: String(message.sentAt),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    ...(message.group === undefined ? {} : { MessageGroupId: message.group }),
  },
});

const sendMessage: SqsOperation = (state, input) => {
  const { QueueUrl, MessageBody: body, DelaySeconds, MessageGroupId: group } = v.parse(Send, input);
  const queue = requireQueue(state, QueueUrl);
  checkMessageBody(body, state.bodyMaxBytes);
  checkMessageGroup(group, state.needsGroup);
  if (DelaySeconds !== undefined) checkRange("DelaySeconds", DelaySeconds, 0, DELAY_MAX_SECONDS);
  const message = queue.send(body, { group, delaySeconds: DelaySeconds });
  state.sent(queue.settings.name, message);
  return { MessageId: message.id, MD5OfMessageBody: hashMd5(body) };
};

const receiveMessages: SqsOperation = (state, input) => {
  const { QueueUrl, MaxNumberOfMessages: max, VisibilityTimeout: seconds } = v.parse(Receive, input);
  checkRange("MaxNumberOfMessages", max, 1, BATCH_MAX);
  if (seconds !== undefined) checkRange("VisibilityTimeout", seconds, 0, VISIBILITY_MAX_SECONDS);
  const messages = requireQueue(state, QueueUrl).receive(max, seconds);
  return messages.length === 0 ? {} : { Messages: messages.map(toReceivedMessage) };
};

const changeVisibility: SqsOperation = (state, input) => {
  const { QueueUrl, ReceiptHandle, VisibilityTimeout: seconds } = v.parse(Visibility, input);
  checkRange("VisibilityTimeout", seconds, 0, VISIBILITY_MAX_SECONDS);
  const queue = requireQueue(state, QueueUrl);
  const message = queue.find(ReceiptHandle);
  const now = state.now();
  if (message === undefined || message.visibleAt <= now)
    throw createInvalidParameterError("ReceiptHandle", ReceiptHandle, "Message does not exist or is not in flight.");
  // The maximum visibility timeout counts from the receive.
  if (now + seconds * 1000 > message.receivedAt + VISIBILITY_MAX_SECONDS * 1000) {
    const limit = `Total VisibilityTimeout for the message is beyond the limit [${VISIBILITY_MAX_SECONDS} seconds]`;
    throw createInvalidParameterError("VisibilityTimeout", seconds, limit);
  }
  queue.show(message, now + seconds * 1000);
  return {};
};

const deleteMessage: SqsOperation = (state, input) => {
  const { QueueUrl, ReceiptHandle } = v.parse(Delete, input);
  requireQueue(state, QueueUrl).remove(ReceiptHandle);
  return {};
};

const checkBatch = (entries: v.InferOutput<typeof Batch>["Entries"], maxBytes: number): void => {
  if (entries.length === 0) throw new SqsError("EmptyBatchRequest", "There are no entries.");
  if (entries.length > BATCH_MAX)
    throw new SqsError(
      "TooManyEntriesInBatchRequest",
      `Maximum number of entries per request are ${BATCH_MAX}. You have sent ${entries.length}.`,
    );
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length)
    throw new SqsError("BatchEntryIdsNotDistinct", "Two entries have the same id.");
  if (!entries.every(({ Id }) => BATCH_ID.test(Id)))
    throw new SqsError("InvalidBatchEntryId", "An id has up to 80 characters of A-Z, a-z, 0-9, - and _.");
  const bytes = entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(MessageBody), 0);
  if (bytes > maxBytes)
    throw new SqsError(
      "BatchRequestTooLong",
      `Batch requests cannot be longer than ${maxBytes} bytes. You have sent ${bytes} bytes.`,
    );
};

/** Returns an operation that performs `performOne` for each entry of a batch. A refused entry does not affect other entries. */
const createBatchOperation =
  (performOne: SqsOperation): SqsOperation =>
  (state, input) => {
    const { QueueUrl, Entries } = v.parse(Batch, input);
    requireQueue(state, QueueUrl);
    checkBatch(Entries, state.bodyMaxBytes);
    const Successful: object[] = [];
    const Failed: object[] = [];
    for (const { Id, ...entry } of Entries)
      try {
        Successful.push({ Id, ...performOne(state, { ...entry, QueueUrl }) });
      } catch (error) {
        if (!(error instanceof SqsError)) throw error;
        Failed.push({ Id, Code: error.name, Message: error.message, SenderFault: true });
      }
    return { Successful, Failed };
  };

const getQueueAttributes: SqsOperation = (state, input) => {
  const { visible, inFlight, delayed } = requireQueue(state, v.parse(One, input).QueueUrl).depth();
  return {
    Attributes: {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      ApproximateNumberOfMessagesDelayed: String(delayed),
    },
  };
};

const operations: Readonly<Record<string, SqsOperation>> = {
  SendMessage: sendMessage,
  SendMessageBatch: createBatchOperation(sendMessage),
  ReceiveMessage: receiveMessages,
  DeleteMessage: deleteMessage,
  DeleteMessageBatch: createBatchOperation(deleteMessage),
  ChangeMessageVisibility: changeVisibility,
  ChangeMessageVisibilityBatch: createBatchOperation(changeVisibility),
  GetQueueAttributes: getQueueAttributes,
};

/** Returns the IAM action that an operation needs (a batch: its entries' action); undefined for an unknown operation. */
export const findRequiredAction = (operation: string): string | undefined =>
  Object.hasOwn(operations, operation) ? `sqs:${operation.replace(/Batch$/, "")}` : undefined;

/** Creates queues with the given settings, and performs SQS's operations on the queues. */
export const createSqs = (allSettings: readonly QueueSettings[], options: SqsOptions) => {
  const { now, newId, wake = () => {}, sent = () => {}, bodyMaxBytes = BODY_MAX_BYTES, needsGroup = false } = options;
  const queues = new Map<string, Queue>();
  for (const settings of allSettings) {
    const { name, redrive } = settings;
    const moveToDeadLetters = (message: Message) => queues.get(redrive?.to ?? "")?.add(message);
    queues.set(name, createQueue(settings, { now, newId, wake: (at) => wake(name, at), moveToDeadLetters }));
  }
  const state: SqsState = { queues, now, sent, bodyMaxBytes, needsGroup };

  /** Performs an operation, and returns the answer. Throws if the operation is refused. */
  const performOperation = (operation: string, input: unknown): object => {
    const one = operations[operation];
    if (one === undefined) throw new SqsError("UnknownOperationException", `Not supported locally: ${operation}.`);
    try {
      return one(state, input);
    } catch (error) {
      throw error instanceof v.ValiError ? new SqsError("InvalidParameterValue", error.message) : error;
    }
  };

  return {
    queues: state.queues,
    run: performOperation,
    perform: (operation: string, input: unknown): AwsResponse => {
      try {
        return { status: 200, body: JSON.stringify(performOperation(operation, input)) };
      } catch (error) {
        if (error instanceof SqsError) return createAwsError(400, error.name, error.message);
        throw error;
      }
    },
  };
};
export type Sqs = ReturnType<typeof createSqs>;
