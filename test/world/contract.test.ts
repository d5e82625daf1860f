import {
  BatchGetCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { SendMessageBatchCommand, SendMessageCommand } from "@aws-sdk/client-sqs";
import { describe, expect, it } from "vitest";
import { startTable } from "./table.ts";
import { type Send, startStandIns, readOutcome, KB, createText } from "./stand-ins.ts";

/* Every stand-in for AWS must refuse what AWS refuses, so all of them get the same requests. */

const { tables, queues } = startStandIns();
const names = ["local service", "fault explorer", "fault explorer with the SDK", "unit tests"];

describe.each(names)("the stand-in for DynamoDB in the %s", (stand) => {
  let count = 0;
  const newKey = () => ({ pk: `${stand} ${(count += 1)}`, sk: "0" });
  const send: Send = (command) => tables[stand]!.send(command);
  const TableName = () => tables[stand]!.name;
  const put = (item: object) => send(new PutCommand({ TableName: TableName(), Item: { ...newKey(), ...item } }));
  const update = (key: Record<string, string>, UpdateExpression: string, values: Record<string, unknown>) =>
    send(new UpdateCommand({ TableName: TableName(), Key: key, UpdateExpression, ExpressionAttributeValues: values }));
  const refused = "ValidationException";

  // Attribute names and keys count towards the item's size.
  const countFreeBytes = (key: { pk: string; sk: string }) =>
    400 * KB - "pk".length - key.pk.length - "sk0".length - "t".length;

  it("accepts items of up to 400 KB, whether they are put or updated", async () => {
    const key = newKey();
    expect(await readOutcome(put({ ...key, t: createText(countFreeBytes(key)) }))).toBe("taken");
    expect(await readOutcome(put({ ...key, t: createText(countFreeBytes(key) + 1) }))).toBe(refused);
    expect(await readOutcome(update(key, "SET t = :t", { ":t": createText(countFreeBytes(key) + 1) }))).toBe(refused);
    expect(await readOutcome(update(key, "SET t = :t", { ":t": `${createText(countFreeBytes(key) - 1)}ü` }))).toBe(
      refused,
    );
  });

  it("accepts partition keys of 1 to 2,048 bytes, and sort keys of 1 to 1,024 bytes", async () => {
    expect(await readOutcome(put({ pk: createText(2048) }))).toBe("taken");
    expect(await readOutcome(put({ pk: createText(2049) }))).toBe(refused);
    expect(await readOutcome(put({ sk: createText(1024) }))).toBe("taken");
    expect(await readOutcome(put({ sk: createText(1025) }))).toBe(refused);
    expect(await readOutcome(put({ sk: `${createText(1023)}ü` }))).toBe(refused);
    expect(await readOutcome(put({ pk: "" }))).toBe(refused);
    expect(await readOutcome(put({ sk: "" }))).toBe(refused);
  });

  it("accepts empty texts outside of keys, and no empty sets", async () => {
    expect(await readOutcome(put({ t: "", b: new Uint8Array(), l: [], m: {} }))).toBe("taken");
    expect(await readOutcome(put({ s: new Set() }))).not.toBe("taken");
  });

  it("accepts expressions of up to 4 KB", async () => {
    const key = newKey();
    const createExpression = (length: number) => `SET t = :t${" ".repeat(length - "SET t = :t".length)}`;
    expect(await readOutcome(update(key, createExpression(4096), { ":t": 1 }))).toBe("taken");
    expect(await readOutcome(update(key, createExpression(4097), { ":t": 1 }))).toBe(refused);
  });

  it("accepts only numbers that can be stored exactly", async () => {
    const key = newKey();
    expect(await readOutcome(update(key, "SET n = :n", { ":n": Number.MAX_SAFE_INTEGER }))).toBe("taken");
    expect(await readOutcome(update(key, "SET n = :n", { ":n": Infinity }))).not.toBe("taken");
    expect(await readOutcome(update(key, "SET n = :n", { ":n": 2 ** 53 }))).not.toBe("taken");
  });

  it("ends a page of a query at 1 MB", async () => {
    const pk = `${stand} pages`;
    for (let index = 0; index < 12; index += 1) await put({ pk, sk: `${10 + index}`, t: createText(100 * KB) });
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

  it("accepts up to a hundred keys in a batch, each once", async () => {
    const batch = (keys: object[]) =>
      send(new BatchGetCommand({ RequestItems: { [TableName()]: { Keys: keys as Record<string, string>[] } } }));
    const keys = Array.from({ length: 101 }, newKey);

    expect(await readOutcome(batch(keys.slice(1)))).toBe("taken");
    expect(await readOutcome(batch(keys))).toBe(refused);
    expect(await readOutcome(batch([keys[0]!, keys[0]!]))).toBe(refused);
  });

  it("does all writes of a transaction or none, and says which condition failed, with the stored item", async () => {
    const [one, other, third] = [newKey(), newKey(), newKey()];
    await put({ ...other, n: 1 });
    const updateAll = (n: number) =>
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

    await expect(updateAll(7)).rejects.toMatchObject({
      name: "TransactionCanceledException",
      CancellationReasons: [
        { Code: "None" },
        { Code: "ConditionalCheckFailed", Item: { n: { N: "1" } } },
        { Code: "None" },
      ],
    });
    expect([await read(one), await read(other)]).toEqual([undefined, { ...other, n: 1 }]);

    await updateAll(2);
    expect([await read(one), await read(other)]).toEqual([
      { ...one, n: 2 },
      { ...other, n: 2 },
    ]);
    await expect(updateAll(3)).rejects.toMatchObject({
      CancellationReasons: [{ Code: "ConditionalCheckFailed" }, {}, {}],
    });
  });

  it("refuses an unknown table", async () => {
    const elsewhere = new GetCommand({ TableName: "other", Key: newKey() });

    expect(await readOutcome(send(elsewhere))).not.toBe("taken");
  });
});

describe.each(names)("the stand-in for SQS in the %s", (stand) => {
  const { send, url } = { send: (command: object) => queues[stand]!.send(command), url: () => queues[stand]!.url };
  const sendMessage = (MessageBody: string, DelaySeconds = 0, MessageGroupId: string | undefined = "ws_a") =>
    send(new SendMessageCommand({ QueueUrl: url(), MessageBody, DelaySeconds, MessageGroupId }));
  const sendBatch = (bodies: string[]) =>
    send(
      new SendMessageBatchCommand({
        QueueUrl: url(),
        Entries: bodies.map((MessageBody, index) => ({ Id: String(index), MessageBody, MessageGroupId: "ws_a" })),
      }),
    );

  it("accepts emoji, but neither U+FFFE nor control characters", async () => {
    expect(await readOutcome(sendMessage("\u{1F525}\u{FFFD}\t\n"))).toBe("taken");
    for (const bad of ["\u{FFFE}", "\u{FFFF}", "\u{0}", "\u{B}"])
      expect(await readOutcome(sendMessage(bad))).not.toBe("taken");
    expect(await sendBatch(["good", "\u{FFFE}"])).toMatchObject({ Successful: [{ Id: "0" }], Failed: [{ Id: "1" }] });
  });

  it("accepts up to ten messages at once, and a delay of 900 seconds", async () => {
    expect(await readOutcome(sendBatch(Array.from({ length: 10 }, () => "x")))).toBe("taken");
    expect(await readOutcome(sendBatch(Array.from({ length: 11 }, () => "x")))).not.toBe("taken");
    expect(await readOutcome(sendMessage("x", 900))).toBe("taken");
    expect(await readOutcome(sendMessage("x", 901))).not.toBe("taken");
  });

  it("accepts a message group id of 128 letters, digits and punctuation", async () => {
    expect(await readOutcome(sendMessage("x", 0, `ws_a.urgent${"!".repeat(117)}`))).toBe("taken");
    expect(await readOutcome(sendMessage("x", 0, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"))).toBe("taken");
    for (const bad of ["", " ", "a b", "ä", "x".repeat(129)])
      expect(await readOutcome(sendMessage("x", 0, bad))).not.toBe("taken");
  });

  it("accepts no message without a message group, although AWS accepts it", async () => {
    const none = new SendMessageCommand({ QueueUrl: url(), MessageBody: "x" });
    expect(await readOutcome(send(none))).not.toBe("taken");
    const Entries = [{ Id: "0", MessageBody: "x" }];
    expect(await send(new SendMessageBatchCommand({ QueueUrl: url(), Entries }))).toMatchObject({
      Failed: [{ Id: "0" }],
    });
  });

  it("accepts at most 1 MiB if it is the local one, or else 256 KiB, which is our own limit", async () => {
    const max = stand === "local service" ? 1024 * KB : 256 * KB;
    expect(await readOutcome(sendMessage(createText(max)))).toBe("taken");
    expect(await readOutcome(sendMessage(createText(max + 1)))).not.toBe("taken");
    expect(await readOutcome(sendBatch([createText(max / 2), createText(max / 2 + 1)]))).not.toBe("taken");
  });
});

describe("a DynamoDB stand-in with the strictest behaviour", () => {
  const key = { pk: "hot", sk: "0" };

  it("allows a thousand write units a second for a partition key, and another thousand in the next second", async () => {
    let now = 0;
    const { table } = await startTable({ now: () => now, throttled: () => true });
    const put = (pk: string) =>
      table.client.send(
        new PutCommand({ TableName: table.name, Item: { pk, sk: "0", t: createText(100 * KB) } }) as never,
      );
    const countAccepted = async (pk: string) => {
      let count = 0;
      while ((await readOutcome(put(pk))) === "taken") count += 1;
      return count;
    };

    expect(await countAccepted("hot")).toBe(10);
    expect(await readOutcome(put("hot"))).toBe("ThrottlingException");
    expect(await countAccepted("other")).toBe(10);
    now = 1000;
    expect(await countAccepted("hot")).toBe(10);
  });

  it("allows four thousand write units a second for a new table, or its warm throughput", async () => {
    const countAcceptedWith = async (tableWrites?: number) => {
      const { table } = await startTable({ now: () => 0, throttled: () => true, tableWrites });
      const put = (pk: string) =>
        table.client.send(
          new PutCommand({ TableName: table.name, Item: { pk, sk: "0", t: createText(100 * KB) } }) as never,
        );
      let count = 0;
      while (count < 100 && (await readOutcome(put(`pk-${count}`))) === "taken") count += 1;
      return count;
    };

    expect([await countAcceptedWith(), await countAcceptedWith(8000)]).toEqual([40, 80]);
  });

  it("may return the previous state to a read just after a write, unless the read is consistent", async () => {
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
