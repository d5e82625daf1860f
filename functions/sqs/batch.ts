import * as v from "valibot";
import type { Deps } from "../../core/deps.ts";
import { mustParse } from "../../core/domain/basics/read-own.ts";
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

const receiveCount = ({ attributes }: v.InferOutput<typeof SqsEvent>["Records"][number]): number =>
  attributes.ApproximateReceiveCount;

export type Invocation = { getRemainingTimeInMillis: () => number };

/** The context of calls without a time limit, as in tests. */
const unhurried: Invocation = { getRemainingTimeInMillis: () => Number.POSITIVE_INFINITY };

/** `receives`: how often SQS delivered the message. `timeLeft`: returns the ms left for the whole batch. */
export type SqsRecord<Message> = { message: Message; receives: number; timeLeft: () => number };

/** The answer for a partial batch failure: SQS keeps the listed messages and deletes the others. */
export type BatchAnswer = { batchItemFailures: { itemIdentifier: string }[] };

/**
 * The result of `work` if the message must be retried although it did not fail. A message that was received too often or would
 * wait too long is deleted, because the sweeper sends its work again.
 */
export class Again {
  readonly afterMs: number;
  constructor(afterMs: number) {
    this.afterMs = afterMs;
  }
}

/** Makes a message visible again after some milliseconds. Returns false if the message shall be deleted instead. */
type Pause = (receiptHandle: string, receives: number, afterMs: number) => Promise<boolean>;

/**
 * Without `comeAgain`, a failed message waits for its visibility timeout. This is necessary where the failed invocation may still
 * hold a lease, because an earlier retry would be dropped. `isGone`: whether a failed message is about a deleted item and need
 * not be retried.
 */
type Worked<Message> = {
  schema: v.GenericSchema<unknown, Message>;
  comeAgain?: Pause;
  isGone: (message: unknown) => Promise<boolean>;
};

/**
 * Returns the pause of a failed message, in milliseconds: 1 to 2 seconds, then 2 to 4, then 4 to 8. A short throttling of the
 * table must not delay an alert by a visibility timeout. The random part spreads messages that failed together.
 */
const pauseAfterFailure = (receives: number, random: number): number => 2 ** (receives - 1) * (1 + random) * SECOND_MS;

/**
 * Records that finish within this time of the first send their outcomes together; slower records send their own. Therefore no
 * record waits for a slower record, which may belong to another workspace.
 */
const GATHER_MS = 50;

const createOutcomeCollector = <Outcome>(
  deps: Pick<Deps, "sleep">,
  works: readonly Promise<unknown>[],
  send: (outcomes: readonly Outcome[]) => Promise<void>,
) => {
  const ready: Outcome[] = [];
  let isOpen = true;
  let together: Promise<void> | undefined;
  const collectRecords = async (): Promise<void> => {
    await Promise.race([Promise.allSettled(works), deps.sleep(GATHER_MS)]);
    isOpen = false;
    await send(ready);
  };
  return async (outcome: Outcome): Promise<void> => {
    if (!isOpen) return send([outcome]);
    ready.push(outcome);
    together ??= collectRecords();
    try {
      await together;
    } catch {
      // One outcome may have caused the failure, so each record sends its own and fails alone.
      await send([outcome]);
    }
  };
};

/**
 * Processes the messages of a batch concurrently. A message is retried if its work or `send` throws, after a pause that grows
 * with each failure. Other messages finish independently.
 */
export const processBatch =
  <Message, Outcome>(
    deps: Pick<Deps, "log" | "sleep" | "random">,
    { schema, comeAgain, isGone }: Worked<Message>,
    work: (record: SqsRecord<Message>) => Promise<Outcome | Again | undefined>,
    send: (outcomes: readonly Outcome[]) => Promise<void> = async () => {},
  ) =>
  async (event: unknown, invocation: Invocation = unhurried): Promise<BatchAnswer> => {
    const { Records: records } = mustParse("the batch", SqsEvent, event);
    const postponeRecord = async (one: (typeof records)[number], afterMs: number): Promise<boolean> =>
      comeAgain === undefined || comeAgain(one.receiptHandle, receiveCount(one), afterMs);
    const parseRecord = ({ body }: (typeof records)[number]): Message =>
      mustParse("the message", v.pipe(v.string(), v.parseJson(), schema), body);
    const isRecordObsolete = async (one: (typeof records)[number]): Promise<boolean> => {
      try {
        return await isGone(parseRecord(one));
      } catch {
        // If the workspace cannot be read, the record's first failure is reported.
        return false;
      }
    };
    const works = records.map(async (one) => {
      const message = parseRecord(one);
      const remainingMs = () => invocation.getRemainingTimeInMillis();
      return work({ message, receives: receiveCount(one), timeLeft: remainingMs });
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
          if (await isRecordObsolete(one)) {
            deps.log.info("batch.dropped", { messageId });
            return [];
          }
          // The error is not lost: SQS keeps the message, and moves it to the dead-letter queue if it fails repeatedly.
          deps.log.error("batch.record_failed", error, { messageId });
          await postponeRecord(one, pauseAfterFailure(receiveCount(one), deps.random())).catch((cause: unknown) =>
            deps.log.error("batch.not_rescheduled", cause, { messageId }),
          );
          return [messageId];
        }
      }),
    );
    return { batchItemFailures: failed.flat().map((itemIdentifier) => ({ itemIdentifier })) };
  };
