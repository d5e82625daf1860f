import { describe, expect, it, vi } from "vitest";
import * as v from "valibot";
import { batch } from "../../../functions/sqs/batch.ts";

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn(), metric: vi.fn() };
const recordsOf = (...bodies: string[]) => ({
  Records: bodies.map((name) => ({
    messageId: name,
    receiptHandle: name,
    body: JSON.stringify(name),
    attributes: { ApproximateReceiveCount: "1" },
  })),
});

/** A worker of texts: its output is its input, `slow` only when it is released. */
const aWorker = (send: (outcomes: readonly string[]) => Promise<void>) => {
  const slow = Promise.withResolvers<void>();
  const patience = Promise.withResolvers<void>();
  const handle = batch(
    { log, sleep: () => patience.promise },
    v.string(),
    async ({ message }) => {
      if (message === "slow") await slow.promise;
      if (message === "broken") throw new Error("broken");
      return message;
    },
    send,
  );
  return { handle, slow, patience };
};

describe("a batch", () => {
  it("sends what quick records led to in one go", async () => {
    const sent: (readonly string[])[] = [];
    const { handle } = aWorker(async (outcomes) => {
      sent.push([...outcomes]);
    });

    expect(await handle(recordsOf("a", "b", "broken"))).toEqual({ batchItemFailures: [{ itemIdentifier: "broken" }] });
    expect(sent).toEqual([["a", "b"]]);
  });

  it("does not let a slow record keep the others' work, and sends its own when it is ready", async () => {
    const sent: (readonly string[])[] = [];
    const { handle, slow, patience } = aWorker(async (outcomes) => {
      sent.push([...outcomes]);
    });

    const answer = handle(recordsOf("a", "slow", "b"));
    await new Promise(setImmediate);
    patience.resolve();
    await vi.waitFor(() => expect(sent).toEqual([["a", "b"]]));
    slow.resolve();

    expect(await answer).toEqual({ batchItemFailures: [] });
    expect(sent).toEqual([["a", "b"], ["slow"]]);
  });

  it("fails the one whose work cannot be sent, and no other", async () => {
    const sent: string[] = [];
    const { handle } = aWorker(async (outcomes) => {
      if (outcomes.includes("too large")) throw new Error("refused");
      sent.push(...outcomes);
    });

    expect(await handle(recordsOf("a", "too large", "b"))).toEqual({
      batchItemFailures: [{ itemIdentifier: "too large" }],
    });
    expect(sent).toEqual(["a", "b"]);
  });
});
