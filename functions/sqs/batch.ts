import * as v from "valibot";
import type { Deps } from "../../core/deps.ts";
import { parseOrThrow } from "../../core/domain/basics/read-own.ts";
import { SECOND_MS } from "../../core/domain/basics/units.ts";

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

const readReceiveCount = ({ attributes }: v.InferOutput<typeof SqsEvent>["Records"][number]): number =>
  attributes.ApproximateReceiveCount;

export type Invocation = { getRemainingTimeInMillis: () => number };

const unhurried: Invocation = { getRemainingTimeInMillis: () => Number.POSITIVE_INFINITY };

/** `receives`: the number of times that SQS has delivered the message. `timeLeft`: returns the ms that are left for the batch. */
export type SqsRecord<Message> = { message: Message; receives: number; timeLeft: () => number };

export type BatchAnswer = { batchItemFailures: { itemIdentifier: string }[] };

/**
 * The result of `work` if the message did not fail, but must be retried. A message that was received too often or would wait too
 * long is deleted, because the sweeper sends its work again.
 */
export class Again {
  readonly afterMs: number;
  constructor(afterMs: number) {
    this.afterMs = afterMs;
  }
}

/** Makes SQS deliver a message again after `afterMs`. Returns false if the message must be deleted instead. */
type DelayMessage = (receiptHandle: string, receives: number, afterMs: number) => Promise<boolean>;

/**
 * `comeAgain`: repeats a failed message soon; absent if the failed invocation may have a lease until the visibility timeout.
 * `isGone`: returns whether the message's workspace or item was deleted.
 */
type MessageKind<Message> = {
  schema: v.GenericSchema<unknown, Message>;
  comeAgain?: DelayMessage;
  isGone: (message: unknown) => Promise<boolean>;
};

/**
 * Returns the pause in ms: 1 to 2 seconds after the first failure, then 2 to 4, then 4 to 8. The pause is short, because brief
 * throttling of the table must not delay an alert by a visibility timeout. A random pause spreads messages that failed together.
 */
const computePauseMs = (failures: number, random: number): number => 2 ** (failures - 1) * (1 + random) * SECOND_MS;

/**
 * The outcomes of records that finish within this time after the first record are sent together. Outcomes after this time are
 * sent one by one, so that no record waits for a slower record of another workspace.
 */
const GATHER_MS = 50;

/**
 * Returns a function that passes a record's outcome to `send`. Outcomes are sent together when all `works` have ended, but at
 * most GATHER_MS after the first; later outcomes are sent one by one.
 */
const createOutcomeCollector = <Outcome>(
  deps: Pick<Deps, "sleep">,
  works: readonly Promise<unknown>[],
  send: (outcomes: readonly Outcome[]) => Promise<void>,
) => {
  const ready: Outcome[] = [];
  let isOpen = true;
  let together: Promise<void> | undefined;
  const sendReadyOutcomes = async (): Promise<void> => {
    await Promise.race([Promise.allSettled(works), deps.sleep(GATHER_MS)]);
    isOpen = false;
    await send(ready);
  };
  return async (outcome: Outcome): Promise<void> => {
    if (!isOpen) return send([outcome]);
    ready.push(outcome);
    together ??= sendReadyOutcomes();
    try {
      await together;
    } catch {
      // A single outcome may have caused the failure, so each record sends its outcome alone.
      await send([outcome]);
    }
  };
};

/** Creates a handler that processes messages concurrently. After each failure of a message, the pause before a retry grows. */
export const processBatch =
  <Message, Outcome>(
    deps: Pick<Deps, "log" | "sleep" | "random">,
    { schema, comeAgain, isGone }: MessageKind<Message>,
    work: (record: SqsRecord<Message>) => Promise<Outcome | Again | undefined>,
    send: (outcomes: readonly Outcome[]) => Promise<void> = async () => {},
  ) =>
  async (event: unknown, invocation: Invocation = unhurried): Promise<BatchAnswer> => {
    const { Records: records } = parseOrThrow("the batch", SqsEvent, event);
    /** Makes SQS deliver a record again. Returns false if the record must be deleted instead. */
    const postponeRecord = async (record: (typeof records)[number], afterMs: number): Promise<boolean> =>
      comeAgain === undefined || comeAgain(record.receiptHandle, readReceiveCount(record), afterMs);
    const parseRecord = ({ body }: (typeof records)[number]): Message =>
      parseOrThrow("the message", v.pipe(v.string(), v.parseJson(), schema), body);
    const belongsToDeletedItem = async (record: (typeof records)[number]): Promise<boolean> => {
      try {
        return await isGone(parseRecord(record));
      } catch {
        // The error is ignored, because the caller logs the more important error: why the record failed.
        return false;
      }
    };
    const works = records.map(async (one) => {
      const message = parseRecord(one);
      const computeRemainingMs = () => invocation.getRemainingTimeInMillis();
      return work({ message, receives: readReceiveCount(one), timeLeft: computeRemainingMs });
    });
    const gather = createOutcomeCollector(deps, works, send);
    const failed = await Promise.all(
      records.map(async (one, index): Promise<string[]> => {
        const { messageId } = one;
        try {
          const outcome = await works[index];
          if (outcome instanceof Again) return (await postponeRecord(one, outcome.afterMs)) ? [messageId] : [];
          if (outcome !== undefined) await gather(outcome);
          return [];
        } catch (error) {
          if (await belongsToDeletedItem(one)) {
            deps.log.info("batch.dropped", { messageId });
            return [];
          }
          // The error is not lost: SQS keeps the message, and moves it to the dead-letter queue after several failures.
          deps.log.error("batch.record_failed", error, { messageId });
          await postponeRecord(one, computePauseMs(readReceiveCount(one), deps.random())).catch((cause: unknown) =>
            deps.log.error("batch.not_rescheduled", cause, { messageId }),
          );
          return [messageId];
        }
      }),
    );
    return { batchItemFailures: failed.flat().map((itemIdentifier) => ({ itemIdentifier })) };
  };
