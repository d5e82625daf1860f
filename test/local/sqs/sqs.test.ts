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
const ask = (operation: string, input: object = {}): Answer => {
  const { status, body } = sqs.perform(operation, { QueueUrl, ...input });
  return { status, ...(JSON.parse(body) as object) };
};
const errorOf = (operation: string, input: object) => ask(operation, input).__type?.split("#")[1];
const send = (MessageBody: string, DelaySeconds?: number) => ask("SendMessage", { MessageBody, DelaySeconds });
const receive = (input: object = {}) => ask("ReceiveMessage", { MaxNumberOfMessages: 10, ...input }).Messages ?? [];
const bodies = () => receive().map(({ Body }) => Body);
const entries = (count: number, one: object = {}) =>
  Array.from({ length: count }, (_, index) => ({ Id: String(index), MessageBody: "x", ...one }));

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
  ])("may contain %j", (text) => {
    expect(send(text).status).toBe(200);
    expect(bodies()).toStrictEqual([text]);
  });

  it.each(["\u{0}", "\u{8}", "\u{B}", "\u{1F}", "\u{FFFE}", "\u{FFFF}", "\u{D800}", "\u{DC00}x"])(
    "is refused if it contains %j",
    (text) => {
      expect(errorOf("SendMessage", { MessageBody: `a${text}` })).toBe("InvalidMessageContents");
      expect(bodies()).toStrictEqual([]);
    },
  );

  it("may have 1 MiB, and must have at least one character", () => {
    expect(send("x".repeat(1_048_576)).status).toBe(200);
    expect(errorOf("SendMessage", { MessageBody: "x".repeat(1_048_577) })).toBe("InvalidParameterValue");
    expect(errorOf("SendMessage", { MessageBody: "" })).toBe("MissingParameter");
  });

  it("may be delayed by 900 seconds", () => {
    expect(send("late", 900).status).toBe(200);
    expect(errorOf("SendMessage", { MessageBody: "later", DelaySeconds: 901 })).toBe("InvalidParameterValue");

    now += 899 * SECOND;
    expect(bodies()).toStrictEqual([]);
    now += SECOND;
    expect(bodies()).toStrictEqual(["late"]);
  });

  it("is delivered again after its timeout with another handle, and becomes a dead letter after its last receive", () => {
    send("a");
    const [first] = receive();
    now += 29 * SECOND;
    expect(bodies()).toStrictEqual([]);

    now += SECOND;
    const [second] = receive();

    expect(second?.Attributes["ApproximateReceiveCount"]).toBe("2");
    expect(second?.MessageId).toBe(first?.MessageId);
    ask("DeleteMessage", { ReceiptHandle: first?.ReceiptHandle });
    now += 30 * SECOND;
    expect(bodies()).toStrictEqual([]);
    expect([...sqs.queues.get("dead")!.messages].map(({ body }) => body)).toStrictEqual(["a"]);
  });

  it("is deleted by its latest handle", () => {
    send("a");
    const [message] = receive();
    ask("DeleteMessage", { ReceiptHandle: message?.ReceiptHandle });

    now += 60 * SECOND;
    expect(bodies()).toStrictEqual([]);
  });
});

describe("the visibility timeout of a message in the local queue", () => {
  const hide = (ReceiptHandle: string | undefined, VisibilityTimeout: number) =>
    errorOf("ChangeMessageVisibility", { ReceiptHandle, VisibilityTimeout });

  it("is 43,200 seconds at most, including the time since it was received", () => {
    send("a");
    const [message] = receive();

    expect(hide(message?.ReceiptHandle, 43_201)).toBe("InvalidParameterValue");
    expect(hide(message?.ReceiptHandle, 43_200)).toBeUndefined();
    now += SECOND;
    expect(hide(message?.ReceiptHandle, 43_200)).toBe("InvalidParameterValue");
    expect(hide(message?.ReceiptHandle, 43_199)).toBeUndefined();
  });

  it("can be changed only while the message is in flight", () => {
    send("a");
    const [message] = receive();
    expect(hide(message?.ReceiptHandle, 0)).toBeUndefined();
    expect(hide(message?.ReceiptHandle, 5)).toBe("InvalidParameterValue");
    expect(hide("nobody's", 5)).toBe("InvalidParameterValue");
    expect(bodies()).toStrictEqual(["a"]);
  });
});

describe("a batch of messages in the local queue", () => {
  it("has one to ten entries, each with a unique id", () => {
    expect(ask("SendMessageBatch", { Entries: entries(10) }).Successful).toHaveLength(10);
    expect(errorOf("SendMessageBatch", { Entries: entries(11) })).toBe("TooManyEntriesInBatchRequest");
    expect(errorOf("SendMessageBatch", { Entries: [] })).toBe("EmptyBatchRequest");
    expect(errorOf("SendMessageBatch", { Entries: entries(2, { Id: "a" }) })).toBe("BatchEntryIdsNotDistinct");
    expect(errorOf("SendMessageBatch", { Entries: entries(1, { Id: "a b" }) })).toBe("InvalidBatchEntryId");
  });

  it("has 1 MiB at most in total", () => {
    const MessageBody = "x".repeat(104_858);

    expect(ask("SendMessageBatch", { Entries: entries(9, { MessageBody }) }).status).toBe(200);
    expect(errorOf("SendMessageBatch", { Entries: entries(10, { MessageBody }) })).toBe("BatchRequestTooLong");
  });

  it("reports for each entry whether it was accepted", () => {
    const Entries = [
      ...entries(2),
      { Id: "bad", MessageBody: "\u{FFFE}" },
      { Id: "late", MessageBody: "x", DelaySeconds: 901 },
    ];

    expect(ask("SendMessageBatch", { Entries })).toMatchObject({
      Successful: [{ Id: "0" }, { Id: "1" }],
      Failed: [
        { Id: "bad", Code: "InvalidMessageContents", SenderFault: true },
        { Id: "late", Code: "InvalidParameterValue" },
      ],
    });
  });

  it("has ten messages at most when it is received", () => {
    ask("SendMessageBatch", { Entries: entries(10) });
    send("eleventh");

    expect(errorOf("ReceiveMessage", { MaxNumberOfMessages: 11 })).toBe("InvalidParameterValue");
    expect(receive()).toHaveLength(10);
    expect(receive()).toHaveLength(1);
  });
});

it("the local queue refuses a queue that does not exist, and an operation that the service does not use", () => {
  const elsewhere = { QueueUrl: "http://127.0.0.1/000000000000/none", MessageBody: "x" };

  expect(errorOf("SendMessage", elsewhere)).toBe("QueueDoesNotExist");
  expect(errorOf("TagQueue", {})).toBe("UnknownOperationException");
});

describe("a fair queue", () => {
  const sendOf = (MessageGroupId: string, ...bodies: string[]) =>
    bodies.forEach((MessageBody) => ask("SendMessage", { MessageBody, MessageGroupId }));
  const take = () => receive({ MaxNumberOfMessages: 10 });
  const takeAll = (batches: number) => Array.from({ length: batches }, take).flat();
  const names = (prefix: string, count: number) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

  it("returns the oldest message first while no message group is noisy", () => {
    sendOf("a", "a1", "a2");
    sendOf("b", "b1");
    sendOf("a", "a3");

    expect(bodies()).toStrictEqual(["a1", "a2", "b1", "a3"]);
  });

  it("returns each message with its message group", () => {
    sendOf("ws_a", "x");

    expect(receive()[0]?.Attributes["MessageGroupId"]).toBe("ws_a");
  });

  it("serves groups first that have at most a tenth of the messages in flight", () => {
    sendOf("noisy", ...names("n", 60));
    takeAll(3);
    sendOf("quiet", "q1", "q2");

    expect(bodies().slice(0, 2)).toStrictEqual(["q1", "q2"]);
  });

  it("serves groups first whose messages took less than a tenth of the time", () => {
    sendOf("slow", ...names("s", 20));
    const begun = receive({ MaxNumberOfMessages: 2 });
    now += 10 * SECOND;
    begun.forEach(({ ReceiptHandle }) => ask("DeleteMessage", { ReceiptHandle }));
    sendOf("quiet", "q1");

    expect(bodies()[0]).toBe("q1");
  });

  it("serves, among noisy groups, the one with the fewest messages in flight", () => {
    sendOf("a", ...names("a", 60));
    sendOf("b", ...names("b", 60));
    const first = takeAll(9).map(({ Body }) => Body[0]);

    expect(first.filter((name) => name === "b").length).toBeGreaterThan(30);
    expect(first.filter((name) => name === "a").length).toBeGreaterThan(30);
  });

  it("forgets that a group was noisy once all of its messages are processed", () => {
    sendOf("a", ...names("a", 40));
    takeAll(4).forEach(({ ReceiptHandle }) => ask("DeleteMessage", { ReceiptHandle }));
    sendOf("a", "a-later");
    sendOf("b", "b1");

    expect(bodies()).toStrictEqual(["a-later", "b1"]);
  });

  it("loses no message of any group", () => {
    for (const group of names("g", 30)) sendOf(group, ...names(`${group}-`, 5));
    const seen = new Set(takeAll(20).map(({ Body }) => Body));

    expect(seen.size).toBe(150);
  });
});
