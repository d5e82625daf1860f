import { beforeEach, describe, expect, it } from "vitest";
import { createSqs, type Sqs } from "../../../local/sqs/sqs.ts";

const QueueUrl = "http://127.0.0.1/000000000000/work";
const SECOND = 1000;

let now = 0;
let sqs: Sqs;

beforeEach(() => {
  now = 1_800_000_000_000;
  let ids = 0;
  sqs = createSqs(
    [
      { name: "work", visibilitySeconds: 30, delaySeconds: 0, redrive: { maxReceives: 2, to: "dead" } },
      { name: "dead", visibilitySeconds: 30, delaySeconds: 0, redrive: undefined },
    ],
    { now: () => now, newId: () => `id-${(ids += 1)}` },
  );
});

type Answer = {
  status: number;
  __type?: string;
  Messages?: { MessageId: string; ReceiptHandle: string; Body: string; Attributes: Record<string, string> }[];
  Successful?: { Id: string }[];
  Failed?: { Id: string; Code: string; SenderFault: boolean }[];
};
const callQueue = (operation: string, input: object = {}): Answer => {
  const { status, body } = sqs.perform(operation, { QueueUrl, ...input });
  return { status, ...(JSON.parse(body) as object) };
};
const readError = (operation: string, input: object) => callQueue(operation, input).__type?.split("#")[1];
const send = (MessageBody: string, DelaySeconds?: number) => callQueue("SendMessage", { MessageBody, DelaySeconds });
const receive = (input: object = {}) =>
  callQueue("ReceiveMessage", { MaxNumberOfMessages: 10, ...input }).Messages ?? [];
const receiveBodies = () => receive().map(({ Body }) => Body);
const createEntries = (count: number, fields: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ Id: String(index), MessageBody: "x", ...fields }));

describe("a message in the local queue", () => {
  it.each([
    "\t",
    "\n",
    "\r",
    " ",
    "\u{7F}",
    "\u{D7FF}",
    "\u{E000}",
    "\u{FFFD}",
    "\u{10000}",
    "\u{1F525}",
    "\u{10FFFF}",
  ])("may contain the character %j", (text) => {
    expect(send(text).status).toBe(200);
    expect(receiveBodies()).toStrictEqual([text]);
  });

  it.each(["\u{0}", "\u{8}", "\u{B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}", "\u{D800}", "\u{DC00}x"])(
    "is refused, as by SQS, if it contains the text %j",
    (text) => {
      expect(readError("SendMessage", { MessageBody: `a${text}` })).toBe("InvalidMessageContents");
      expect(receiveBodies()).toStrictEqual([]);
    },
  );

  it("may have 1 MiB, and must have at least one character", () => {
    expect(send("x".repeat(1_048_576)).status).toBe(200);
    expect(readError("SendMessage", { MessageBody: "x".repeat(1_048_577) })).toBe("InvalidParameterValue");
    expect(readError("SendMessage", { MessageBody: "" })).toBe("MissingParameter");
  });

  it("may be delayed by 900 seconds", () => {
    expect(send("late", 900).status).toBe(200);
    expect(readError("SendMessage", { MessageBody: "later", DelaySeconds: 901 })).toBe("InvalidParameterValue");

    now += 899 * SECOND;
    expect(receiveBodies()).toStrictEqual([]);
    now += SECOND;
    expect(receiveBodies()).toStrictEqual(["late"]);
  });

  it("is delivered again after its timeout with another handle, and becomes a dead letter after its last receive", () => {
    send("a");
    const [first] = receive();
    now += 29 * SECOND;
    expect(receiveBodies()).toStrictEqual([]);

    now += SECOND;
    const [second] = receive();

    expect(second?.Attributes["ApproximateReceiveCount"]).toBe("2");
    expect(second?.MessageId).toBe(first?.MessageId);
    callQueue("DeleteMessage", { ReceiptHandle: first?.ReceiptHandle });
    now += 30 * SECOND;
    expect(receiveBodies()).toStrictEqual([]);
    expect([...sqs.queues.get("dead")!.messages].map(({ body }) => body)).toStrictEqual(["a"]);
  });

  it("is deleted by a request with the handle of its latest receive", () => {
    send("a");
    const [message] = receive();
    callQueue("DeleteMessage", { ReceiptHandle: message?.ReceiptHandle });

    now += 60 * SECOND;
    expect(receiveBodies()).toStrictEqual([]);
  });
});

describe("the visibility timeout of a message in the local queue", () => {
  const changeVisibility = (ReceiptHandle: string | undefined, VisibilityTimeout: number) =>
    readError("ChangeMessageVisibility", { ReceiptHandle, VisibilityTimeout });

  it("ends at most 43,200 seconds after the message was received", () => {
    send("a");
    const [message] = receive();

    expect(changeVisibility(message?.ReceiptHandle, 43_201)).toBe("InvalidParameterValue");
    expect(changeVisibility(message?.ReceiptHandle, 43_200)).toBeUndefined();
    now += SECOND;
    expect(changeVisibility(message?.ReceiptHandle, 43_200)).toBe("InvalidParameterValue");
    expect(changeVisibility(message?.ReceiptHandle, 43_199)).toBeUndefined();
  });

  it("can be changed only while the message is in flight", () => {
    send("a");
    const [message] = receive();
    expect(changeVisibility(message?.ReceiptHandle, 0)).toBeUndefined();
    expect(changeVisibility(message?.ReceiptHandle, 5)).toBe("InvalidParameterValue");
    expect(changeVisibility("nobody's", 5)).toBe("InvalidParameterValue");
    expect(receiveBodies()).toStrictEqual(["a"]);
  });
});

describe("a batch of messages in the local queue", () => {
  it("has one to ten entries, each with a unique id", () => {
    expect(callQueue("SendMessageBatch", { Entries: createEntries(10) }).Successful).toHaveLength(10);
    expect(readError("SendMessageBatch", { Entries: createEntries(11) })).toBe("TooManyEntriesInBatchRequest");
    expect(readError("SendMessageBatch", { Entries: [] })).toBe("EmptyBatchRequest");
    expect(readError("SendMessageBatch", { Entries: createEntries(2, { Id: "a" }) })).toBe("BatchEntryIdsNotDistinct");
    expect(readError("SendMessageBatch", { Entries: createEntries(1, { Id: "a b" }) })).toBe("InvalidBatchEntryId");
  });

  it("has 1 MiB at most in total", () => {
    const MessageBody = "x".repeat(104_858);

    expect(callQueue("SendMessageBatch", { Entries: createEntries(9, { MessageBody }) }).status).toBe(200);
    expect(readError("SendMessageBatch", { Entries: createEntries(10, { MessageBody }) })).toBe("BatchRequestTooLong");
  });

  it("reports for each entry whether it was accepted", () => {
    const Entries = [
      ...createEntries(2),
      { Id: "bad", MessageBody: "\u{FFFE}" },
      { Id: "late", MessageBody: "x", DelaySeconds: 901 },
    ];

    expect(callQueue("SendMessageBatch", { Entries })).toMatchObject({
      Successful: [{ Id: "0" }, { Id: "1" }],
      Failed: [
        { Id: "bad", Code: "InvalidMessageContents", SenderFault: true },
        { Id: "late", Code: "InvalidParameterValue" },
      ],
    });
  });

  it("has ten messages at most when it is received", () => {
    callQueue("SendMessageBatch", { Entries: createEntries(10) });
    send("eleventh");

    expect(readError("ReceiveMessage", { MaxNumberOfMessages: 11 })).toBe("InvalidParameterValue");
    expect(receive()).toHaveLength(10);
    expect(receive()).toHaveLength(1);
  });
});

it("the local stand-in for SQS refuses an unknown queue, and an operation that the service does not use", () => {
  const elsewhere = { QueueUrl: "http://127.0.0.1/000000000000/none", MessageBody: "x" };

  expect(readError("SendMessage", elsewhere)).toBe("QueueDoesNotExist");
  expect(readError("TagQueue", {})).toBe("UnknownOperationException");
});

describe("a fair queue", () => {
  const sendToGroup = (MessageGroupId: string, ...bodies: string[]) =>
    bodies.forEach((MessageBody) => callQueue("SendMessage", { MessageBody, MessageGroupId }));
  const receiveTen = () => receive({ MaxNumberOfMessages: 10 });
  const receiveBatches = (batches: number) => Array.from({ length: batches }, receiveTen).flat();
  const createBodies = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}`);

  it("returns the oldest message first while no message group is noisy", () => {
    sendToGroup("a", "a1", "a2");
    sendToGroup("b", "b1");
    sendToGroup("a", "a3");

    expect(receiveBodies()).toStrictEqual(["a1", "a2", "b1", "a3"]);
  });

  it("returns each message with its message group", () => {
    sendToGroup("ws_a", "x");

    expect(receive()[0]?.Attributes["MessageGroupId"]).toBe("ws_a");
  });

  it("serves first the groups that have at most a tenth of the messages in flight", () => {
    sendToGroup("noisy", ...createBodies("n", 60));
    receiveBatches(3);
    sendToGroup("quiet", "q1", "q2");

    expect(receiveBodies().slice(0, 2)).toStrictEqual(["q1", "q2"]);
  });

  it("serves first the groups whose messages took at most a tenth of the consumers' recent time", () => {
    sendToGroup("slow", ...createBodies("s", 20));
    const begun = receive({ MaxNumberOfMessages: 2 });
    now += 10 * SECOND;
    begun.forEach(({ ReceiptHandle }) => callQueue("DeleteMessage", { ReceiptHandle }));
    sendToGroup("quiet", "q1");

    expect(receiveBodies()[0]).toBe("q1");
  });

  it("serves, among noisy groups, the one with the fewest messages in flight", () => {
    sendToGroup("a", ...createBodies("a", 60));
    sendToGroup("b", ...createBodies("b", 60));
    const first = receiveBatches(9).map(({ Body }) => Body[0]);

    expect(first.filter((name) => name === "b").length).toBeGreaterThan(30);
    expect(first.filter((name) => name === "a").length).toBeGreaterThan(30);
  });

  it("forgets that a group was noisy once all of its messages are processed", () => {
    sendToGroup("a", ...createBodies("a", 40));
    receiveBatches(4).forEach(({ ReceiptHandle }) => callQueue("DeleteMessage", { ReceiptHandle }));
    sendToGroup("a", "a-later");
    sendToGroup("b", "b1");

    expect(receiveBodies()).toStrictEqual(["a-later", "b1"]);
  });

  it("loses no message of any group", () => {
    for (const group of createBodies("g", 30)) sendToGroup(group, ...createBodies(`${group}-`, 5));
    const seen = new Set(receiveBatches(20).map(({ Body }) => Body));

    expect(seen.size).toBe(150);
  });
});
