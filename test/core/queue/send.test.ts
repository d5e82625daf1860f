import {
  ChangeMessageVisibilityCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import { beforeEach, describe, expect, it } from "vitest";
import type { EscalationMessage } from "../../../core/queue/messages.ts";
import { createMessageDelayer, sendAll, sendMessage, sendMessages } from "../../../core/queue/send.ts";

const client = new SQSClient({ region: "local" });
const sqs = mockClient(client);
const queue = { url: "https://sqs/pushes", client };

beforeEach(() => {
  sqs.reset();
  sqs.on(SendMessageCommand).resolves({});
  sqs.on(SendMessageBatchCommand).resolves({ Successful: [], Failed: [] });
  sqs.on(ChangeMessageVisibilityCommand).resolves({});
});

const aMessage = (eventId: string): EscalationMessage => ({
  marker: { ws: "ws_1", eventId, due: 0, since: 0, tries: 0 },
});

const listBatches = () =>
  sqs.commandCalls(SendMessageBatchCommand).map(({ args: [{ input }] }) => (input.Entries ?? []).map(({ Id }) => Id));

describe("a single SQS message", () => {
  it("is sent to its queue as JSON, in the message group of its workspace, without a delay", async () => {
    await sendMessage(queue, aMessage("evt_1"));

    expect(sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input)).toStrictEqual([
      {
        QueueUrl: "https://sqs/pushes",
        MessageBody: '{"marker":{"ws":"ws_1","eventId":"evt_1","due":0,"since":0,"tries":0}}',
        MessageGroupId: "ws_1",
      },
    ]);
  });

  it("waits for the given delay, which may be zero", async () => {
    await sendMessage(queue, aMessage("evt_1"), { delayMs: 0 });
    await sendMessage(queue, aMessage("evt_1"), { delayMs: 899_001 });

    const delays = sqs.commandCalls(SendMessageCommand).map(({ args: [{ input }] }) => input.DelaySeconds);
    expect(delays).toEqual([0, 900]);
  });

  it("contains no character that SQS refuses", async () => {
    await sendMessage(queue, aMessage("a\uFFFEb\uFFFFc😀"));

    const [call] = sqs.commandCalls(SendMessageCommand);
    const body = call?.args[0].input.MessageBody ?? "";
    expect(body).toContain(String.raw`a\ufffeb\uffffc😀`);
    expect(JSON.parse(body)).toEqual(aMessage("a\uFFFEb\uFFFFc😀"));
  });

  it("is given up exactly when its time limit is over", async () => {
    await sendMessage(queue, aMessage("evt_1"), { timeoutMs: 5 });
    await sendMessage(queue, aMessage("evt_1"));

    const signals = sqs
      .calls()
      .map(({ args }) => (args as unknown[] as { abortSignal?: AbortSignal }[])[1]?.abortSignal);
    await expect.poll(() => signals[0]?.aborted).toBe(true);
    expect(signals[1]).toBeUndefined();
  });
});

describe("sending a list of SQS messages", () => {
  it("makes requests of ten messages", async () => {
    await sendMessages(
      queue,
      Array.from({ length: 21 }, (_, index) => ({ message: aMessage(`evt_${index}`) })),
    );

    expect(listBatches().map((ids) => ids.length)).toEqual([10, 10, 1]);
    expect(listBatches()[1]).toEqual(["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]);
  });

  it("makes requests of at most 250,000 bytes, counted as UTF-8", async () => {
    const great = aMessage("…".repeat(83_266));
    const [small, less] = [aMessage("x".repeat(72)), aMessage("x".repeat(7))];
    const bytes = [great, small, less].map((one) => Buffer.byteLength(JSON.stringify(one)));
    expect(bytes).toEqual([249_863, 137, 72]);

    await sendAll(queue, [{ message: great }, { message: small }, { message: less }]);
    await sendAll(queue, [{ message: less }, { message: less }, { message: great }]);

    expect(listBatches().map((ids) => ids.length)).toEqual([2, 1, 2, 1]);
  });

  it("gives each message its group, body and delay", async () => {
    await sendMessages(queue, [{ message: aMessage("evt_1"), delayMs: 0 }, { message: aMessage("evt_2") }]);

    const [call] = sqs.commandCalls(SendMessageBatchCommand);
    expect(call?.args[0].input.Entries).toStrictEqual([
      { Id: "0", MessageBody: JSON.stringify(aMessage("evt_1")), MessageGroupId: "ws_1", DelaySeconds: 0 },
      { Id: "1", MessageBody: JSON.stringify(aMessage("evt_2")), MessageGroupId: "ws_1" },
    ]);
  });

  it("makes no request if the list is empty", async () => {
    expect(await sendAll(queue, [])).toEqual([]);

    expect(listBatches()).toEqual([]);
  });

  it("returns each refused message with the reason (sendAll), or throws the reason (sendMessages)", async () => {
    sqs
      .on(SendMessageBatchCommand)
      .resolves({ Successful: [], Failed: [{ Id: "1", Code: "InternalError", SenderFault: false }] });
    const all = ["evt_1", "evt_2", "evt_3"].map((id) => ({ message: aMessage(id) }));

    const refused = await sendAll(queue, all);

    expect(refused).toEqual([{ outgoing: all[1], error: new Error("SQS refused a message: InternalError") }]);
    await expect(sendMessages(queue, all)).rejects.toThrow("SQS refused a message: InternalError");
  });

  it("succeeds if SQS reports no refusals", async () => {
    sqs.on(SendMessageBatchCommand).resolves({});

    expect(await sendAll(queue, [{ message: aMessage("evt_1") }])).toEqual([]);
  });
});

describe("an SQS message that is retried", () => {
  it("is delayed by the given time", async () => {
    expect(await createMessageDelayer(queue)("handle", 3, 900_000)).toBe(true);

    expect(sqs.commandCalls(ChangeMessageVisibilityCommand).map(({ args: [{ input }] }) => input)).toEqual([
      { QueueUrl: "https://sqs/pushes", ReceiptHandle: "handle", VisibilityTimeout: 900 },
    ]);
  });

  it.each([
    ["was received four times, since two receives are kept for invocations that die", 4, 10_000],
    ["would wait longer than 900 seconds", 1, 900_001],
  ])("is given up if it %s", async (_, receives, afterMs) => {
    expect(await createMessageDelayer(queue)("handle", receives, afterMs)).toBe(false);

    expect(sqs.calls()).toEqual([]);
  });
});
