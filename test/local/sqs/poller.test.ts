import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "../../../local/aws/front.ts";
import { createMeters } from "../../../local/aws/meters.ts";
import { createPolicies, OPERATOR } from "../../../local/aws/policies.ts";
import type { InvocationResult } from "../../../local/runtime/runtime.ts";
import { startPoller, listSucceededMessages } from "../../../local/sqs/poller.ts";
import { createQueues, type Queues } from "../../../local/sqs/queues.ts";

const arn = "arn:aws:sqs:us-east-1:000000000000:work";
const url = "http://127.0.0.1/000000000000/work";
const redrive = { deadLetterTargetArn: "arn:aws:sqs:us-east-1:000000000000:dead", maxReceiveCount: 2 };
const models = [
  { name: "work", arn, url, attributes: { VisibilityTimeout: "1", RedrivePolicy: JSON.stringify(redrive) } },
  { name: "dead", arn: redrive.deadLetterTargetArn, url: "http://127.0.0.1/000000000000/dead", attributes: {} },
];
const consumer = {
  functionName: "worker",
  queueArn: arn,
  queueUrl: url,
  batchSize: 3,
  reportsFailures: true,
  maxConcurrency: 2,
};
const grants = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

type Records = { body: string; messageId: string; attributes: Record<string, string> }[];
type Handle = (records: Records) => unknown;

const meters = createMeters();
const denied: string[] = [];
let queues: Queues;
let fault: Fault;
let stop = () => {};

const startHandling = (handle: Handle, actions: string[] = grants) => {
  const invoke = async (_name: string, _id: string, event: object): Promise<InvocationResult> => {
    try {
      return { kind: "ok", payload: JSON.stringify((await handle((event as { Records: Records }).Records)) ?? null) };
    } catch (error) {
      return { kind: "error", message: String(error) };
    }
  };
  ({ stop } = startPoller({
    consumer,
    sqs: queues.service,
    policies: createPolicies([{ name: "worker", statements: [{ Effect: "Allow", Action: actions, Resource: [arn] }] }]),
    runtime: { invoke, limitOf: () => 8 },
    fault: () => fault,
    onDenied: (_name, message) => denied.push(message),
  }));
};

const send = async (...bodies: string[]) => {
  const Entries = bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody, MessageGroupId: "ws_a" }));
  const input = { QueueUrl: url, Entries };
  await queues.service.handle({ operation: "SendMessageBatch", input, functionName: OPERATOR });
};

beforeEach(() => {
  meters.reset();
  denied.length = 0;
  fault = "up";
  queues = createQueues(models, meters);
});

afterEach(() => {
  stop();
  queues.close();
});

describe("the poller of a local queue", () => {
  it("passes on batches of the configured size, and deletes messages that were processed", async () => {
    const batches: string[][] = [];
    await send("a", "b", "c", "d");
    startHandling((records) => {
      batches.push(records.map(({ body }) => body));
    });

    await expect.poll(() => batches).toStrictEqual([["a", "b", "c"], ["d"]]);
    await expect.poll(() => queues.depths()).toMatchObject({ work: { visible: 0, inFlight: 0 } });
    expect(meters.read()["worker"]?.sqsRequests).toBe(4);
  });

  it("retries failed messages, and moves them to the dead-letter queue after the maximum number of tries", async () => {
    const seen: string[] = [];
    await send("good", "bad");
    startHandling((records) => {
      seen.push(...records.map(({ body, attributes }) => `${body} ${attributes["ApproximateReceiveCount"]}`));
      const failed = records.filter(({ body }) => body === "bad");
      return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
    });

    await expect.poll(() => seen).toStrictEqual(["good 1", "bad 1", "bad 2"]);
    await expect.poll(() => queues.depths()).toMatchObject({ dead: { visible: 1 } });
  });

  it("retries the whole batch if the function failed", async () => {
    let calls = 0;
    await send("a", "b");
    startHandling((records) => {
      calls += 1;
      if (calls === 1) throw new Error("failed");
      expect(records.map(({ body }) => body).sort()).toStrictEqual(["a", "b"]);
    });

    await expect.poll(() => calls).toBe(2);
    await expect.poll(() => queues.depths()).toMatchObject({ work: { visible: 0, inFlight: 0 } });
  });

  it("runs no more concurrent invocations than the event source mapping allows", async () => {
    const free = Promise.withResolvers<void>();
    let running = 0;
    let done = 0;
    await send(..."a b c d e f g h i j".split(" "));
    startHandling(async () => {
      running += 1;
      await free.promise;
      done += 1;
    });

    await expect.poll(() => running).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(running).toBe(2);
    free.resolve();
    await expect.poll(() => done).toBe(4);
  });

  it("waits a round trip between batches that are not full, so that new messages can arrive", async () => {
    const batches: { at: number; size: number }[] = [];
    startHandling((records) => {
      batches.push({ at: performance.now(), size: records.length });
    });

    for (let number = 1; number <= 12; number += 1) {
      await send(String(number));
      await expect.poll(() => batches.length, { interval: 1 }).toBeGreaterThanOrEqual(Math.ceil(number / 3));
    }
    await expect.poll(() => batches.reduce((sum, { size }) => sum + size, 0)).toBe(12);

    const gaps = batches.flatMap(({ at }, index) => {
      const before = batches[index - 1];
      return before === undefined || before.size === 3 ? [] : [at - before.at];
    });
    expect(gaps.length).toBeGreaterThan(0);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(45);
  });

  it("waits until a delayed message is due", async () => {
    const sentAt = Date.now();
    let receivedAfter = 0;
    startHandling(() => {
      receivedAfter = Date.now() - sentAt;
    });
    const input = { QueueUrl: url, MessageBody: "later", MessageGroupId: "ws_a", DelaySeconds: 1 };
    await queues.service.handle({ operation: "SendMessage", input, functionName: OPERATOR });

    await expect.poll(() => receivedAfter).toBeGreaterThanOrEqual(950);
  });

  it("continues after a failure of the queue", async () => {
    fault = "down";
    let received = 0;
    await send("a");
    startHandling(() => {
      received += 1;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(received).toBe(0);

    fault = "up";

    await expect.poll(() => received).toBe(1);
  });

  it.each(grants)("reads no message without %s, and logs which permission is missing", async (missing) => {
    await send("a");
    startHandling(
      () => {},
      grants.filter((grant) => grant !== missing),
    );

    await expect.poll(() => denied.join("\n")).toContain(`not authorized to perform: ${missing}`);
  });
});

describe("a function's report of failed messages", () => {
  const messages = [{ MessageId: "1" }, { MessageId: "2" }];

  it.each([
    ["lets the local queue delete all messages if it is null", "null", ["1", "2"]],
    ["lets the local queue delete all messages if its list is empty", '{"batchItemFailures":[]}', ["1", "2"]],
    ["lets the local queue delete all messages if its list is null", '{"batchItemFailures":null}', ["1", "2"]],
    [
      "lets the local queue delete all messages except the one it names",
      '{"batchItemFailures":[{"itemIdentifier":"2"}]}',
      ["1"],
    ],
    [
      "makes the local queue keep all messages if it names one without an id",
      '{"batchItemFailures":[{"itemIdentifier":""}]}',
      [],
    ],
    [
      "makes the local queue keep all messages if it names one that was not received",
      '{"batchItemFailures":[{"itemIdentifier":"2"},{"itemIdentifier":"3"}]}',
      [],
    ],
    ["makes the local queue keep all messages if it has a text instead of a list", '{"batchItemFailures":"2"}', []],
  ])("%s", (_, payload, expected) => {
    expect(listSucceededMessages(messages, true, payload).map(({ MessageId }) => MessageId)).toStrictEqual(expected);
  });

  it("is ignored by the local queue if the event source mapping does not enable it", () => {
    expect(listSucceededMessages(messages, false, '{"batchItemFailures":[{"itemIdentifier":"2"}]}')).toHaveLength(2);
  });
});
