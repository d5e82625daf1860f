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

/** One message of a batch, with what SQS knows of it. */
export type SqsRecord<Message> = { message: Message; receiptHandle: string; receives: number };

/** The answer that makes SQS keep the messages that are named and forget the others. */
export type BatchAnswer = { batchItemFailures: { itemIdentifier: string }[] };

/** What `work` answers when the message must come again although nothing went wrong. */
export const again = Symbol("again");

type Result<Outcome> = { messageId: string; outcome: Outcome };

/**
 * Works on the messages of a batch side by side. A message whose work throws, and every message of a batch whose
 * `after` throws, comes again; the others are done. `after` gets the outcomes of those that went well.
 */
export const batch =
  <Message, Outcome>(
    deps: Pick<Deps, "log">,
    schema: v.GenericSchema<unknown, Message>,
    work: (record: SqsRecord<Message>) => Promise<Outcome | typeof again>,
    after: (outcomes: readonly Outcome[]) => Promise<void> = async () => {},
  ) =>
  async (event: unknown): Promise<BatchAnswer> => {
    const { Records: records } = readOwn("the batch", SqsEvent, event);
    const results = await Promise.all(
      records.map(async ({ messageId, receiptHandle, body, attributes }): Promise<Result<Outcome> | string> => {
        try {
          const message = readOwn("the message", v.pipe(v.string(), v.parseJson(), schema), body);
          const outcome = await work({ message, receiptHandle, receives: attributes.ApproximateReceiveCount });
          return outcome === again ? messageId : { messageId, outcome };
        } catch (error) {
          // Not swallowed: SQS keeps the message, and the dead-letter queue takes what fails again and again.
          deps.log.error("batch.record_failed", error, { messageId });
          return messageId;
        }
      }),
    );
    const failed = results.filter((result) => typeof result === "string");
    const finished = results.filter((result) => typeof result !== "string");
    try {
      await after(finished.map(({ outcome }) => outcome));
    } catch (error) {
      deps.log.error("batch.work_not_sent", error, { messages: finished.length });
      failed.push(...finished.map(({ messageId }) => messageId));
    }
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
