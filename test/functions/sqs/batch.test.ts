import { describe, expect, it, vi } from "vitest";
import * as v from "valibot";
import type { Queue } from "../../../core/deps.ts";
import { createMessageDelayer } from "../../../core/queue/send.ts";
import { Again, processBatch } from "../../../functions/sqs/batch.ts";

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), metric: vi.fn() };
const createRecords = (...bodies: string[]) => createRecordsReceived(1, ...bodies);
const createRecordsReceived = (receives: number, ...bodies: string[]) => ({
  Records: bodies.map((name) => ({
    messageId: name,
    receiptHandle: name,
    body: JSON.stringify(name),
    attributes: { ApproximateReceiveCount: String(receives) },
  })),
});

/** Creates a worker that returns each message unchanged, but the message `slow` only after the test resolves `slow`. */
const aWorker = (send: (outcomes: readonly string[]) => Promise<void>) => {
  const slow = Promise.withResolvers<void>();
  const patience = Promise.withResolvers<void>();
  const handle = processBatch(
    { log, sleep: () => patience.promise, random: () => 0.5 },
    { schema: v.string(), isGone: async (message) => message === "broken of what is gone" },
    async ({ message }) => {
      if (message === "slow") await slow.promise;
      if (message.startsWith("broken")) throw new Error("broken");
      return message;
    },
    send,
  );
  return { handle, slow, patience };
};

describe("a batch of queue records", () => {
  it("drops a record that fails because its workspace was deleted, and keeps records that fail for other reasons", async () => {
    const { handle, patience } = aWorker(async () => {});
    patience.resolve();

    const answer = await handle(createRecords("broken of what is gone", "broken", "fine"));

    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "broken" }] });
    expect(log.info).toHaveBeenCalledWith("batch.dropped", { messageId: "broken of what is gone" });
  });

  it("sends the follow-up messages of fast records together", async () => {
    const sent: (readonly string[])[] = [];
    const { handle } = aWorker(async (outcomes) => {
      sent.push([...outcomes]);
    });

    expect(await handle(createRecords("a", "b", "broken"))).toEqual({
      batchItemFailures: [{ itemIdentifier: "broken" }],
    });
    expect(sent).toEqual([["a", "b"]]);
  });

  it("is not delayed by one slow record, whose messages are sent as soon as the record is processed", async () => {
    const sent: (readonly string[])[] = [];
    const sending = Promise.withResolvers<void>();
    const { handle, slow, patience } = aWorker(async (outcomes) => {
      sent.push([...outcomes]);
      await sending.promise;
    });

    const answer = handle(createRecords("a", "slow", "b"));
    await new Promise(setImmediate);
    patience.resolve();
    await vi.waitFor(() => expect(sent).toEqual([["a", "b"]]));
    slow.resolve();
    await vi.waitFor(() => expect(sent).toEqual([["a", "b"], ["slow"]]));
    sending.resolve();

    expect(await answer).toEqual({ batchItemFailures: [] });
  });

  it("fails only the record whose follow-up message cannot be sent", async () => {
    const sent: string[] = [];
    const { handle } = aWorker(async (outcomes) => {
      if (outcomes.includes("too large")) throw new Error("refused");
      sent.push(...outcomes);
    });

    expect(await handle(createRecords("a", "too large", "b"))).toEqual({
      batchItemFailures: [{ itemIdentifier: "too large" }],
    });
    expect(sent).toEqual(["a", "b"]);
  });
});

/** Creates a worker that delays a message by the number of milliseconds in its body, and fails for any other body. */
const aDelayingWorker = (isQueueDown = false) => {
  const shown: unknown[] = [];
  const send = async ({ input }: { input: unknown }) => {
    if (isQueueDown) throw new Error("the queue is down");
    shown.push(input);
  };
  const queue = { url: "queue", client: { send } } as unknown as Queue;
  const deps = { log, sleep: () => new Promise<void>(() => {}), random: () => 0.5 };
  const handle = processBatch(
    deps,
    { schema: v.string(), comeAgain: createMessageDelayer(queue), isGone: async () => false },
    async ({ message }) => {
      if (Number.isNaN(Number(message))) throw new Error("broken");
      return new Again(Number(message));
    },
  );
  return { handle, shown };
};
const visibilityChange = (ReceiptHandle: string, VisibilityTimeout: number) => ({
  QueueUrl: "queue",
  ReceiptHandle,
  VisibilityTimeout,
});

describe("a queue message that must be processed again", () => {
  it("is received again after the delay that the worker returned", async () => {
    const { handle, shown } = aDelayingWorker();

    expect(await handle(createRecords("30000", "0"))).toEqual({
      batchItemFailures: [{ itemIdentifier: "30000" }, { itemIdentifier: "0" }],
    });
    expect(shown).toEqual([visibilityChange("30000", 30), visibilityChange("0", 0)]);
  });

  it("is delayed by a few seconds after a failure, and longer after each further failure", async () => {
    const { handle, shown } = aDelayingWorker();

    await handle({ Records: [1, 2, 3].flatMap((receives) => createRecordsReceived(receives, "broken").Records) });

    expect(shown).toEqual([2, 3, 6].map((seconds) => visibilityChange("broken", seconds)));
  });

  it("keeps its visibility timeout if its fourth attempt fails, and is deleted if the worker delays that attempt", async () => {
    const { handle, shown } = aDelayingWorker();

    expect(await handle(createRecordsReceived(4, "broken", "0"))).toEqual({
      batchItemFailures: [{ itemIdentifier: "broken" }],
    });
    expect(shown).toEqual([]);
  });

  it("is reported as failed even if the queue refuses to delay it", async () => {
    const { handle } = aDelayingWorker(true);

    expect(await handle(createRecords("broken", "0"))).toEqual({
      batchItemFailures: [{ itemIdentifier: "broken" }, { itemIdentifier: "0" }],
    });
    expect(log.error).toHaveBeenCalledWith("batch.not_rescheduled", expect.any(Error), { messageId: "broken" });
  });
});
