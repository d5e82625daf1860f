import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFront } from "../../local/aws/front.ts";
import { createMeters } from "../../local/aws/meters.ts";
import { createPolicies, OPERATOR } from "../../local/aws/policies.ts";
import { createEngine } from "../../local/dynamodb/engine.ts";
import { dynamoDbService } from "../../local/dynamodb/service.ts";
import { openFileShelf } from "../../local/dynamodb/shelf.ts";
import { createGateway, HEADERS_MAX_BYTES } from "../../local/http/gateway.ts";
import { listen } from "../../local/listen.ts";
import { createRuntime, EVENT_MAX_BYTES, type InvocationResult } from "../../local/runtime/runtime.ts";
import { createQueues } from "../../local/sqs/queues.ts";
import { createWorld as createExplored } from "../faults/engine/world.ts";
import { stockClients } from "../faults/engine/wire.ts";
import { createTestQueues } from "./queues.ts";
import { startTable } from "./table.ts";

/* Every stand-in for AWS must refuse what AWS refuses, so all of them get the same requests here. */

type Send = (command: object) => Promise<Record<string, unknown>>;
type Stand = { name: string; send: Send; url: string };

const credentials = { accessKeyId: OPERATOR, secretAccessKey: "local" };
const dir = mkdtempSync(join(tmpdir(), "contract-"));
const tables: Record<string, Stand> = {};
const queues: Record<string, Stand> = {};
const closers: (() => unknown)[] = [];

const local = async () => {
  const meters = createMeters();
  const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/events";
  const engine = createEngine({ tableName: "events", shelf: openFileShelf(join(dir, "table"), { waitMs: 0 }) });
  const work = {
    name: "events",
    arn: "arn:aws:sqs:us-east-1:000000000000:events",
    url: "http://x/0/events",
    attributes: {},
  };
  const front = createFront({
    services: {
      dynamodb: dynamoDbService(engine, meters, { name: "events", arn }),
      sqs: createQueues([work], meters).service,
    },
    policies: createPolicies([]),
    onDenied: () => {},
  });
  const listener = await listen(createServer(front), 0);
  const config = { endpoint: listener.url, region: "us-east-1", credentials, maxAttempts: 1 };
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  const sqs = new SQSClient(config);
  closers.push(listener.close, engine.close);
  tables["local"] = { name: "events", url: "", send: documents.send.bind(documents) as never };
  queues["local"] = { name: "", url: work.url, send: sqs.send.bind(sqs) as never };
};

const explorer = async () => {
  await stockClients();
  for (const [name, throughSdk] of [
    ["explorer", false],
    ["explorer through the SDK", true],
  ] as const) {
    const world = createExplored({ seed: 1, plan: [], snapshot: new Map(), throughSdk });
    const through =
      (of: (deps: Parameters<Parameters<typeof world.outside>[0]>[0]) => { send: unknown }): Send =>
      (command) =>
        world.outside((deps) => (of(deps).send as Send)(command));
    tables[name] = { name: "events", url: "", send: through(({ table }) => table.client) };
    queues[name] = { name: "", url: "http://aws.local/1/events", send: through((deps) => deps.queues.events.client) };
  }
};

beforeAll(async () => {
  await local();
  await explorer();
  const { table } = await startTable();
  tables["tests"] = { name: table.name, url: "", send: table.client.send as never };
  const { events } = createTestQueues(Date.now).queues;
  queues["tests"] = { name: "", url: events.queue.url, send: events.queue.client.send as never };
});
afterAll(async () => {
  for (const close of closers) await close();
  rmSync(dir, { recursive: true, force: true });
});

const codeOf = async (asked: Promise<unknown>): Promise<string> => {
  try {
    await asked;
    return "taken";
  } catch (error) {
    const { name, message } = error as Error;
    return /\w+Exception|^Invalid\w+$/.exec(`${name} ${message}`)?.[0] ?? name;
  }
};
const KB = 1024;
const x = (length: number) => "x".repeat(length);

describe.each(["local", "explorer", "explorer through the SDK", "tests"])("the table of %s", (stand) => {
  let count = 0;
  const newKey = () => ({ pk: `${stand} ${(count += 1)}`, sk: "0" });
  const send: Send = (command) => tables[stand]!.send(command);
  const TableName = () => tables[stand]!.name;
  const put = (item: object) => send(new PutCommand({ TableName: TableName(), Item: { ...newKey(), ...item } }));
  const update = (key: Record<string, string>, UpdateExpression: string, values: Record<string, unknown>) =>
    send(new UpdateCommand({ TableName: TableName(), Key: key, UpdateExpression, ExpressionAttributeValues: values }));
  const refused = "ValidationException";

  // Attribute names and keys count towards the item's size.
  const room = (key: { pk: string; sk: string }) => 400 * KB - "pk".length - key.pk.length - "sk0".length - "t".length;

  it("takes items of 400 KB, and no more, whether they are put or updated", async () => {
    const key = newKey();
    expect(await codeOf(put({ ...key, t: x(room(key)) }))).toBe("taken");
    expect(await codeOf(put({ ...key, t: x(room(key) + 1) }))).toBe(refused);
    expect(await codeOf(update(key, "SET t = :t", { ":t": x(room(key) + 1) }))).toBe(refused);
    expect(await codeOf(update(key, "SET t = :t", { ":t": `${x(room(key) - 1)}ü` }))).toBe(refused);
  });

  it("takes partition keys of 2,048 bytes and sort keys of 1,024, and no empty ones", async () => {
    expect(await codeOf(put({ pk: x(2048) }))).toBe("taken");
    expect(await codeOf(put({ pk: x(2049) }))).toBe(refused);
    expect(await codeOf(put({ sk: x(1024) }))).toBe("taken");
    expect(await codeOf(put({ sk: x(1025) }))).toBe(refused);
    expect(await codeOf(put({ sk: `${x(1023)}ü` }))).toBe(refused);
    expect(await codeOf(put({ pk: "" }))).toBe(refused);
    expect(await codeOf(put({ sk: "" }))).toBe(refused);
  });

  it("takes empty texts elsewhere, and no empty sets", async () => {
    expect(await codeOf(put({ t: "", b: new Uint8Array(), l: [], m: {} }))).toBe("taken");
    expect(await codeOf(put({ s: new Set() }))).not.toBe("taken");
  });

  it("takes expressions of 4 KB, and no more", async () => {
    const key = newKey();
    const expression = (length: number) => `SET t = :t${" ".repeat(length - "SET t = :t".length)}`;
    expect(await codeOf(update(key, expression(4096), { ":t": 1 }))).toBe("taken");
    expect(await codeOf(update(key, expression(4097), { ":t": 1 }))).toBe(refused);
  });

  it("takes only numbers that are exact", async () => {
    const key = newKey();
    expect(await codeOf(update(key, "SET n = :n", { ":n": Number.MAX_SAFE_INTEGER }))).toBe("taken");
    expect(await codeOf(update(key, "SET n = :n", { ":n": Infinity }))).not.toBe("taken");
    expect(await codeOf(update(key, "SET n = :n", { ":n": 2 ** 53 }))).not.toBe("taken");
  });

  it("cuts a page of a query at 1 MB", async () => {
    const pk = `${stand} pages`;
    for (let index = 0; index < 12; index += 1) await put({ pk, sk: `${10 + index}`, t: x(100 * KB) });
    const query = (start?: unknown) =>
      send(
        new QueryCommand({
          TableName: TableName(),
          KeyConditionExpression: "pk = :pk",
          ExpressionAttributeValues: { ":pk": pk },
          ...(start === undefined ? {} : { ExclusiveStartKey: start as Record<string, string> }),
        }),
      );

    const first = await query();
    const second = await query(first["LastEvaluatedKey"]);

    expect(first["Items"]).toHaveLength(11);
    expect(first["LastEvaluatedKey"]).toStrictEqual({ pk, sk: "20" });
    expect(second["Items"]).toHaveLength(1);
    expect(second["LastEvaluatedKey"]).toBeUndefined();
  });

  it("takes a hundred keys a batch, each once", async () => {
    const batch = (keys: object[]) =>
      send(new BatchGetCommand({ RequestItems: { [TableName()]: { Keys: keys as Record<string, string>[] } } }));
    const keys = Array.from({ length: 101 }, newKey);

    expect(await codeOf(batch(keys.slice(1)))).toBe("taken");
    expect(await codeOf(batch(keys))).toBe(refused);
    expect(await codeOf(batch([keys[0]!, keys[0]!]))).toBe(refused);
  });

  it("does all writes of a transaction or none, and says whose condition failed, with what was there", async () => {
    const [one, other, third] = [newKey(), newKey(), newKey()];
    await put({ ...other, n: 1 });
    const transact = (n: number) =>
      send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName: TableName(), Item: { ...one, n }, ConditionExpression: "attribute_not_exists(pk)" } },
            {
              Update: {
                TableName: TableName(),
                Key: other,
                UpdateExpression: "SET n = :n",
                ConditionExpression: "n = :seen",
                ExpressionAttributeValues: { ":n": n, ":seen": n - 1 },
                ReturnValuesOnConditionCheckFailure: "ALL_OLD",
              },
            },
            { Delete: { TableName: TableName(), Key: third } },
          ],
        }),
      );
    const read = async (Key: Record<string, string>) =>
      (await send(new GetCommand({ TableName: TableName(), Key, ConsistentRead: true })))["Item"];

    await expect(transact(7)).rejects.toMatchObject({
      name: "TransactionCanceledException",
      CancellationReasons: [
        { Code: "None" },
        { Code: "ConditionalCheckFailed", Item: { n: { N: "1" } } },
        { Code: "None" },
      ],
    });
    expect([await read(one), await read(other)]).toEqual([undefined, { ...other, n: 1 }]);

    await transact(2);
    expect([await read(one), await read(other)]).toEqual([
      { ...one, n: 2 },
      { ...other, n: 2 },
    ]);
    await expect(transact(3)).rejects.toMatchObject({
      CancellationReasons: [{ Code: "ConditionalCheckFailed" }, {}, {}],
    });
  });

  it("knows no other table", async () => {
    const elsewhere = new GetCommand({ TableName: "other", Key: newKey() });

    expect(await codeOf(send(elsewhere))).not.toBe("taken");
  });
});

describe.each(["local", "explorer", "explorer through the SDK", "tests"])("the queue of %s", (stand) => {
  const { send, url } = { send: (command: object) => queues[stand]!.send(command), url: () => queues[stand]!.url };
  const message = (MessageBody: string, DelaySeconds = 0, MessageGroupId: string | undefined = "ws_a") =>
    send(new SendMessageCommand({ QueueUrl: url(), MessageBody, DelaySeconds, MessageGroupId }));
  const batch = (bodies: string[]) =>
    send(
      new SendMessageBatchCommand({
        QueueUrl: url(),
        Entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody, MessageGroupId: "ws_a" })),
      }),
    );

  it("takes emoji, and neither U+FFFE nor control characters", async () => {
    expect(await codeOf(message("\u{1F525}\u{FFFD}\t\n"))).toBe("taken");
    for (const bad of ["\u{FFFE}", "\u{FFFF}", "\u{0}", "\u{B}"]) expect(await codeOf(message(bad))).not.toBe("taken");
    expect(await batch(["good", "\u{FFFE}"])).toMatchObject({ Successful: [{ Id: "0" }], Failed: [{ Id: "1" }] });
  });

  it("takes ten messages at once, and a delay of 900 seconds", async () => {
    expect(await codeOf(batch(Array.from({ length: 10 }, () => "x")))).toBe("taken");
    expect(await codeOf(batch(Array.from({ length: 11 }, () => "x")))).not.toBe("taken");
    expect(await codeOf(message("x", 900))).toBe("taken");
    expect(await codeOf(message("x", 901))).not.toBe("taken");
  });

  it("takes a group of 128 letters, digits and punctuation", async () => {
    expect(await codeOf(message("x", 0, `ws_a.urgent${"!".repeat(117)}`))).toBe("taken");
    expect(await codeOf(message("x", 0, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))).toBe("taken");
    for (const bad of ["", " ", "a b", "ä", "x".repeat(129)])
      expect(await codeOf(message("x", 0, bad))).not.toBe("taken");
  });

  it("takes no message of ours that does not say whose it is, which AWS would take", async () => {
    const none = new SendMessageCommand({ QueueUrl: url(), MessageBody: "x" });
    expect(await codeOf(send(none))).not.toBe("taken");
    const Entries = [{ Id: "0", MessageBody: "x" }];
    expect(await send(new SendMessageBatchCommand({ QueueUrl: url(), Entries }))).toMatchObject({
      Failed: [{ Id: "0" }],
    });
  });

  it("takes 1 MiB at most; where we test ourselves, 256 KiB, which is what we stay below", async () => {
    const max = stand === "local" ? 1024 * KB : 256 * KB;
    expect(await codeOf(message(x(max)))).toBe("taken");
    expect(await codeOf(message(x(max + 1)))).not.toBe("taken");
    expect(await codeOf(batch([x(max / 2), x(max / 2 + 1)]))).not.toBe("taken");
  });
});

describe("a table that is asked to be as hard as it can be", () => {
  const key = { pk: "hot", sk: "0" };

  it("bears a thousand write units a second for a partition key, and another thousand in the next", async () => {
    let now = 0;
    const { table } = await startTable({ now: () => now, throttled: () => true });
    const put = (pk: string) =>
      table.client.send(new PutCommand({ TableName: table.name, Item: { pk, sk: "0", t: x(100 * KB) } }) as never);
    const taken = async (pk: string) => {
      let count = 0;
      while ((await codeOf(put(pk))) === "taken") count += 1;
      return count;
    };

    expect(await taken("hot")).toBe(10);
    expect(await codeOf(put("hot"))).toBe("ThrottlingException");
    expect(await taken("other")).toBe(10);
    now = 1000;
    expect(await taken("hot")).toBe(10);
  });

  it("may answer the state before the last write for a moment, unless the read is consistent", async () => {
    let now = 0;
    const { table } = await startTable({ now: () => now, stale: () => true });
    const put = (n: number) =>
      table.client.send(new PutCommand({ TableName: table.name, Item: { ...key, n } }) as never);
    const read = async (ConsistentRead: boolean) => {
      const get = new GetCommand({ TableName: table.name, Key: key, ConsistentRead });
      return (await (table.client.send(get as never) as Promise<{ Item?: { n: number } }>)).Item?.n;
    };

    await put(1);
    expect([await read(true), await read(false)]).toStrictEqual([1, undefined]);
    await put(2);
    expect([await read(true), await read(false)]).toStrictEqual([2, 1]);
    now = 2000;
    expect(await read(false)).toBe(2);
  });
});

describe("a function of the local service", () => {
  const codeDir = join(import.meta.dirname, "../local/fixtures/faulty");
  const runtime = createRuntime({
    functions: [
      {
        name: "faulty",
        physicalName: "faulty",
        arn: "arn:aws:lambda:us-east-1:000000000000:function:faulty",
        codeDir,
        environment: {},
        timeoutMs: 1000,
        memoryMb: 128,
        reservedConcurrency: undefined,
        statements: [],
      },
    ],
    environmentOf: () => ({}),
    preloadsOf: () => [],
    onLine: () => {},
    onUsed: () => {},
  });
  afterAll(() => runtime.close());
  const kindOf = async (event: object, maxBytes?: number) =>
    (await runtime.invoke("faulty", "request", event, maxBytes)).kind;
  /** An event of `bytes` bytes of JSON. */
  const sized = (bytes: number) => {
    const event = { action: "count", pad: "" };
    return { ...event, pad: x(bytes - JSON.stringify(event).length) };
  };

  it("takes an event of 6 MB from a caller who waits, one of 256 KB from one who does not, and no more", async () => {
    expect(await kindOf(sized(6 * 1024 * KB))).toBe("ok");
    expect(await kindOf(sized(6 * 1024 * KB + 1))).toBe("too_large");
    expect(await kindOf(sized(EVENT_MAX_BYTES), EVENT_MAX_BYTES)).toBe("ok");
    expect(await kindOf(sized(EVENT_MAX_BYTES + 1), EVENT_MAX_BYTES)).toBe("too_large");
  });

  it("answers with 6 MB, and no more; it goes on all the same", async () => {
    const quotes = 2;
    expect(await kindOf({ action: "answer", size: 6_291_556 - quotes })).toBe("ok");
    expect(await kindOf({ action: "answer", size: 6_291_557 - quotes })).toBe("error");
    expect(await kindOf({ action: "count" })).toBe("ok");
  });

  it("is ended when its time is over", async () => {
    expect(await kindOf({ action: "hang" })).toBe("timeout");
    expect(await kindOf({ action: "count" })).toBe("ok");
  });
});

describe("the API of the local service", () => {
  let answer: InvocationResult;
  let listener: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    const route = {
      method: "POST",
      path: "/",
      functionName: "any",
      timeoutMs: 1000,
      authorizer: undefined,
      permitted: true,
      throttle: undefined,
    };
    const gateway = createGateway({
      api: { id: "api", routes: [route], selves: [], cors: undefined, throttle: undefined },
      keys: [],
      runtime: { invoke: () => Promise.resolve(answer) },
      onProblem: () => {},
    });
    listener = await listen(createServer({ maxHeaderSize: HEADERS_MAX_BYTES }, gateway), 0);
  });
  afterAll(() => listener.close());
  const statusOf = async (init: RequestInit = {}) => (await fetch(listener.url, { method: "POST", ...init })).status;
  const answered = (headers: object): InvocationResult => ({
    kind: "ok",
    payload: JSON.stringify({ statusCode: 200, headers, body: "" }),
  });

  it("takes a body of 10 MB, and no more", async () => {
    answer = answered({});
    expect(await statusOf({ body: x(10 * 1024 * KB) })).toBe(200);
    expect(await statusOf({ body: x(10 * 1024 * KB + 1) })).toBe(413);
  });

  it("takes 10,240 bytes of headers at most, and hands on no more", async () => {
    answer = answered({});
    expect(await statusOf({ headers: { long: x(9_000) } })).toBe(200);
    expect(await statusOf({ headers: { long: x(10_240) } })).toBe(431);
    answer = answered({ long: x(10_240 - "long".length) });
    expect(await statusOf()).toBe(200);
    answer = answered({ long: x(10_241 - "long".length) });
    expect(await statusOf()).toBe(500);
  });

  it("says 413 of what Lambda does not take, and 500 of what Lambda does not hand back", async () => {
    answer = { kind: "too_large", message: "" };
    expect(await statusOf()).toBe(413);
    answer = { kind: "error", message: "" };
    expect(await statusOf()).toBe(500);
  });
});
