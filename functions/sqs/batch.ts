import * as v from "valibot";
import type { Deps } from "../../core/deps.ts";
import { readOwn } from "../../core/domain/basics/read-own.ts";

const SqsEvent = v.object({
  Records: v.array(
    v.object({
      messageId: v.string(),
      receiptHandle: v.string(),
      body: v.string(),
      attributes: v.object({ ApproximateReceiveCount: v.pipe(v.string(), v.transform(Number)) }),
    }),
  ),
});

/** The part of Lambda's context that is used: the time left for the invocation. */
export type Invocation = { getRemainingTimeInMillis: () => number };

/** Who calls a worker without a context has all the time there is. */
const unhurried: Invocation = { getRemainingTimeInMillis: () => Number.POSITIVE_INFINITY };

/** One message of a batch, with its SQS metadata. `timeLeft`: milliseconds that are left for the whole batch. */
export type SqsRecord<Message> = {
  message: Message;
  receiptHandle: string;
  receives: number;
  timeLeft: () => number;
};

/** The answer for a partial batch failure: SQS keeps the named messages and deletes the others. */
export type BatchAnswer = { batchItemFailures: { itemIdentifier: string }[] };

/** The result of `work` when the message must come again although nothing went wrong. */
export const again = Symbol("again");

/**
 * Records that are done within this time after the first one share the requests that send their outcomes; a slower
 * record sends its own. No record waits longer than this for a slower one, which may be another workspace's.
 */
const GATHER_MS = 50;

/** Sends a record's outcome together with those of other records that are ready at about the same time. */
const createGathering = <Outcome>(
  deps: Pick<Deps, "sleep">,
  works: readonly Promise<unknown>[],
  send: (outcomes: readonly Outcome[]) => Promise<void>,
) => {
  const ready: Outcome[] = [];
  let isOpen = true;
  let together: Promise<void> | undefined;
  const gather = async (): Promise<void> => {
    await Promise.race([Promise.allSettled(works), deps.sleep(GATHER_MS)]);
    isOpen = false;
    await send(ready);
  };
  return async (outcome: Outcome): Promise<void> => {
    if (!isOpen) return send([outcome]);
    ready.push(outcome);
    together ??= gather();
    try {
      await together;
    } catch {
      // One of them may be to blame, so each record sends its own outcome and answers for that alone.
      await send([outcome]);
    }
  };
};

/**
 * Works on the messages of a batch side by side. A message whose work throws, or whose outcome `send` could not send,
 * comes again. The others are done, however slow or broken that one is.
 */
export const batch =
  <Message, Outcome>(
    deps: Pick<Deps, "log" | "sleep">,
    schema: v.GenericSchema<unknown, Message>,
    work: (record: SqsRecord<Message>) => Promise<Outcome | typeof again | undefined>,
    send: (outcomes: readonly Outcome[]) => Promise<void> = async () => {},
  ) =>
  async (event: unknown, invocation: Invocation = unhurried): Promise<BatchAnswer> => {
    const { Records: records } = readOwn("the batch", SqsEvent, event);
    const works = records.map(async ({ receiptHandle, body, attributes }) => {
      const message = readOwn("the message", v.pipe(v.string(), v.parseJson(), schema), body);
      const timeLeft = () => invocation.getRemainingTimeInMillis();
      return work({ message, receiptHandle, receives: attributes.ApproximateReceiveCount, timeLeft });
    });
    const gather = createGathering(deps, works, send);
    const failed = await Promise.all(
      records.map(async ({ messageId }, index): Promise<string[]> => {
        try {
          const outcome = await works[index];
          if (outcome === again) return [messageId];
          if (outcome !== undefined) await gather(outcome);
          return [];
        } catch (error) {
          // Not swallowed: SQS keeps the message, and one that fails again and again ends in the dead-letter queue.
          deps.log.error("batch.record_failed", error, { messageId });
          return [messageId];
        }
      }),
    );
    return { batchItemFailures: failed.flat().map((itemIdentifier) => ({ itemIdentifier })) };
  };
