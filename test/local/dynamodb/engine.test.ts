import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAwsServer } from "../../../local/aws/front.ts";
import { createMeters } from "../../../local/aws/meters.ts";
import { createPolicies } from "../../../local/aws/policies.ts";
import { createEngine, type Engine } from "../../../local/dynamodb/engine.ts";
import { createDynamoDbService } from "../../../local/dynamodb/service.ts";
import { createMemoryStore, openFileStore } from "../../../local/dynamodb/item-store.ts";
import { type Listener, listenLocally } from "../../../local/listen.ts";

const TableName = "events";
const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/events";
const meters = createMeters();
const policies = createPolicies([
  { name: "writer", statements: [{ Effect: "Allow", Action: ["dynamodb:*"], Resource: [arn] }] },
]);

let engine: Engine;
let listener: Listener;
let client: DynamoDBClient;

beforeAll(async () => {
  engine = createEngine({ tableName: TableName, store: createMemoryStore() });
  const front = createAwsServer({
    services: { dynamodb: createDynamoDbService(engine, meters, { name: TableName, arn }) },
    policies,
    onDenied: () => {},
  });
  listener = await listenLocally(createServer(front), 0);
  client = new DynamoDBClient({
    endpoint: listener.url,
    region: "us-east-1",
    credentials: { accessKeyId: "writer", secretAccessKey: "local" },
    maxAttempts: 1,
  });
});

afterAll(async () => {
  client.destroy();
  await listener.close();
  engine.close();
});

beforeEach(() => meters.reset());

let items = 0;
const newKey = () => {
  items += 1;
  return { pk: { S: `item-${items}` }, sk: { S: "0" } };
};
const putItem = (item: Record<string, unknown>) =>
  client.send(new PutItemCommand({ TableName, Item: item } as ConstructorParameters<typeof PutItemCommand>[0]));
const readUsedUnits = () => {
  const { readUnits = 0, writeUnits = 0 } = meters.read()["writer"] ?? {};
  return { readUnits, writeUnits };
};
const createBytes = (...values: number[]) => Uint8Array.from(values);

describe("a conditional write to the local table", () => {
  it("returns the stored item when it refuses the write, if the request asks for the item", async () => {
    const Key = newKey();
    await putItem({ ...Key, state: { S: "open" } });

    const refused = await client
      .send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: "SET #s = :closed",
          ConditionExpression: "#s = :closed",
          ExpressionAttributeNames: { "#s": "state" },
          ExpressionAttributeValues: { ":closed": { S: "closed" } },
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
      )
      .catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(ConditionalCheckFailedException);
    expect(refused).toMatchObject({ Item: { ...Key, state: { S: "open" } } });
  });

  it("returns no item if it is refused and no item is stored, or the request does not ask for the item", async () => {
    const Key = newKey();
    const missing = { TableName, Key, ConditionExpression: "attribute_exists(pk)" };
    const asked = { ...missing, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;

    await expect(client.send(new DeleteItemCommand(asked))).rejects.toMatchObject({ Item: undefined });
    await putItem(Key);
    const unasked = new PutItemCommand({ TableName, Item: Key, ConditionExpression: "attribute_not_exists(pk)" });
    await expect(client.send(unasked)).rejects.toMatchObject({ Item: undefined });
  });

  it("succeeds for exactly one of many simultaneous writes, and returns the stored item to the refused writes", async () => {
    const Key = newKey();

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        try {
          await client.send(
            new PutItemCommand({
              TableName,
              Item: { ...Key, by: { N: String(index) } },
              ConditionExpression: "attribute_not_exists(pk)",
              ReturnValuesOnConditionCheckFailure: "ALL_OLD",
            }),
          );
          return { won: String(index) };
        } catch (error) {
          return { lostTo: (error as ConditionalCheckFailedException).Item?.["by"]?.N };
        }
      }),
    );

    const winners = outcomes.flatMap(({ won }) => won ?? []);
    expect(winners).toHaveLength(1);
    expect(outcomes.flatMap(({ lostTo }) => lostTo ?? [])).toStrictEqual(Array.from({ length: 19 }, () => winners[0]));
  });

  it("can compare values in lists and maps", async () => {
    const Key = newKey();
    await putItem({ ...Key, r: { L: [{ M: { s: { S: "QUEUED" } } }, { M: { s: { S: "SENT" } } }] } });
    const markSent = (index: number) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: `SET r[${index}].#s = :to, r[${index}].t = if_not_exists(r[${index}].t, :at)`,
          ConditionExpression: `r[${index}].#s = :from`,
          ExpressionAttributeNames: { "#s": "s" },
          ExpressionAttributeValues: { ":from": { S: "QUEUED" }, ":to": { S: "SENT" }, ":at": { N: "7" } },
          ReturnValues: "ALL_NEW",
        }),
      );

    const { Attributes } = await markSent(0);

    expect(Attributes?.["r"]).toStrictEqual({
      L: [{ M: { s: { S: "SENT" }, t: { N: "7" } } }, { M: { s: { S: "SENT" } } }],
    });
    await expect(markSent(1)).rejects.toBeInstanceOf(ConditionalCheckFailedException);
  });

  it("finds bytes in a set only if every byte is equal", async () => {
    const Key = newKey();
    await putItem({ ...Key, hashes: { BS: [createBytes(0x80, 0xff, 1)] } });
    const checkContains = (...wanted: number[]) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: "SET seen = :yes",
          ConditionExpression: "attribute_exists(pk) AND contains(hashes, :hash)",
          ExpressionAttributeValues: { ":yes": { BOOL: true }, ":hash": { B: createBytes(...wanted) } },
        }),
      );

    await expect(checkContains(0x80, 0xff, 1)).resolves.toBeDefined();
    await expect(checkContains(0x81, 0xfe, 1)).rejects.toBeInstanceOf(ConditionalCheckFailedException);
  });

  it("can add to sets, remove from them, and compare their size", async () => {
    const Key = newKey();
    const changeSet = (verb: "ADD" | "DELETE", value: number, condition?: string) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key,
          UpdateExpression: `${verb} hashes :hash`,
          ExpressionAttributeValues: {
            ":hash": { BS: [createBytes(value)] },
            ...(condition === undefined ? {} : { ":two": { N: "2" } }),
          },
          ...(condition === undefined ? {} : { ConditionExpression: condition }),
          ReturnValues: "ALL_NEW",
        }),
      );

    await changeSet("ADD", 1);
    await changeSet("ADD", 2);
    await expect(changeSet("ADD", 3, "size(hashes) < :two")).rejects.toBeInstanceOf(ConditionalCheckFailedException);
    await changeSet("DELETE", 1, "size(hashes) = :two");
    const { Attributes } = await changeSet("DELETE", 2);

    expect(Attributes).toStrictEqual(Key);
  });

  it("returns what the request asks for: the new item, or only what was changed", async () => {
    const Key = newKey();
    await putItem({ ...Key, n: { N: "1" }, other: { S: "x" } });

    const { Attributes } = await client.send(
      new UpdateItemCommand({
        TableName,
        Key,
        UpdateExpression: "SET n = n + :one",
        ExpressionAttributeValues: { ":one": { N: "1" } },
        ReturnValues: "UPDATED_NEW",
      }),
    );

    expect(Attributes).toStrictEqual({ n: { N: "2" } });
  });
});

describe("a query of the local table", () => {
  it("returns the items in the order of the sort keys, in both directions, within a range and page by page", async () => {
    const pk = { S: "partition" };
    for (const sk of ["a", "b", "c", "d", "e"]) await putItem({ pk, sk: { S: sk } });
    const query = (input: object) =>
      client.send(
        new QueryCommand({
          TableName,
          KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
          ExpressionAttributeValues: { ":pk": pk, ":from": { S: "b" }, ":to": { S: "d" } },
          ...input,
        }),
      );
    const listSortKeys = ({ Items = [] }: { Items?: Record<string, { S?: string }>[] }) => Items.map(({ sk }) => sk?.S);

    expect(listSortKeys((await query({})) as never)).toStrictEqual(["b", "c", "d"]);
    const first = await query({ ScanIndexForward: false, Limit: 2, ConsistentRead: true });
    expect(listSortKeys(first as never)).toStrictEqual(["d", "c"]);
    const rest = await query({ ScanIndexForward: false, ExclusiveStartKey: first.LastEvaluatedKey });
    expect(listSortKeys(rest as never)).toStrictEqual(["b"]);
    expect(rest.LastEvaluatedKey).toBeUndefined();
  });
});

describe("the read and write units of the local table", () => {
  const createText = (length: number) => ({ S: "x".repeat(length) });

  it("count each started KB of a write, based on the larger of the old and the new item", async () => {
    const Key = newKey();

    await putItem({ ...Key, body: createText(3000) });
    expect(readUsedUnits()).toStrictEqual({ readUnits: 0, writeUnits: 3 });
    meters.reset();
    await putItem(Key);
    expect(readUsedUnits().writeUnits).toBe(3);
    meters.reset();
    await client.send(new DeleteItemCommand({ TableName, Key }));
    expect(readUsedUnits().writeUnits).toBe(1);
  });

  it("count texts in bytes, not in characters", async () => {
    await putItem({ ...newKey(), body: { S: "ü".repeat(600) } });

    expect(readUsedUnits().writeUnits).toBe(2);
  });

  it("include a write that was refused", async () => {
    const Key = newKey();
    await putItem({ ...Key, body: createText(1500) });
    meters.reset();

    const refused = new DeleteItemCommand({ TableName, Key, ConditionExpression: "attribute_not_exists(pk)" });
    await expect(client.send(refused)).rejects.toThrow("The conditional request failed");

    expect(readUsedUnits().writeUnits).toBe(2);
  });

  it("are one per started 4 KB of a read, or half if eventually consistent; a missing item counts as 4 KB", async () => {
    const Key = newKey();
    await putItem({ ...Key, body: createText(5000) });
    meters.reset();

    await client.send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
    expect(readUsedUnits().readUnits).toBe(2);
    meters.reset();
    await client.send(new GetItemCommand({ TableName, Key: newKey() }));
    expect(readUsedUnits().readUnits).toBe(0.5);
    meters.reset();
    const Keys = [Key, newKey(), newKey()];
    await client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }));
    expect(readUsedUnits().readUnits).toBe(2);
  });

  it("sum up the items of a query before rounding", async () => {
    const pk = { S: "many" };
    for (let index = 0; index < 10; index += 1) await putItem({ pk, sk: { S: String(index) }, body: createText(1000) });
    meters.reset();
    const query = { TableName, KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };

    await client.send(new QueryCommand(query));
    expect(readUsedUnits().readUnits).toBe(1.5);
    meters.reset();
    const { ConsumedCapacity } = await client.send(
      new QueryCommand({ ...query, ConsistentRead: true, ReturnConsumedCapacity: "TOTAL" }),
    );
    expect(readUsedUnits().readUnits).toBe(3);
    expect(ConsumedCapacity).toMatchObject({ TableName, CapacityUnits: 3 });
  });
});

it("a batch read of the local table returns throttled keys as unprocessed keys with the same consistency", () => {
  const throttle = { allows: (pk: string) => pk === "a", use: () => {} };
  const throttled = createEngine({ tableName: TableName, store: createMemoryStore(), throttle });
  const Keys = ["a", "b"].map((pk) => ({ pk: { S: pk }, sk: { S: "0" } }));

  const request = { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } };
  const { UnprocessedKeys } = throttled.execute("BatchGetItem", request).body;
  expect(UnprocessedKeys).toEqual({ [TableName]: { Keys: [Keys[1]], ConsistentRead: true } });
});

it("the local table keeps its data when it is opened again, and can be opened by only one process at a time", () => {
  const path = mkdtempSync(join(tmpdir(), "engine-"));
  const openStore = () => openFileStore(join(path, "table.sqlite"), { waitMs: 0 });
  const Item = { pk: { S: "kept" }, sk: { S: "0" }, n: { N: "1" } };

  const before = openStore();
  createEngine({ tableName: TableName, store: before }).execute("PutItem", { TableName, Item });
  expect(openStore).toThrow("database is locked");
  before.close();
  const after = openStore();
  const Key = { pk: { S: "kept" }, sk: { S: "0" } };
  const { body } = createEngine({ tableName: TableName, store: after }).execute("GetItem", { TableName, Key });
  after.close();

  expect(body["Item"]).toStrictEqual(Item);
  rmSync(path, { recursive: true, force: true });
});

describe("an expression that was used before on the local table", () => {
  const query = (values: Record<string, string>, KeyConditionExpression = "pk = :pk AND sk BETWEEN :from AND :to") =>
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression,
        ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([name, S]) => [name, { S }])),
      }),
    );

  it("finds items by the values of the current request", async () => {
    const { pk } = newKey();
    for (const sk of ["a", "b", "c"]) await putItem({ pk, sk: { S: sk } });
    const listFoundKeys = async (from: string, to: string) =>
      (await query({ ":pk": pk.S, ":from": from, ":to": to })).Items?.map(({ sk }) => sk?.S).join("");

    expect([await listFoundKeys("a", "b"), await listFoundKeys("b", "c"), await listFoundKeys("a", "b")]).toEqual([
      "ab",
      "bc",
      "ab",
    ]);
  });

  it("is refused if the values of the current request are invalid", async () => {
    await query({ ":pk": "x", ":from": "a", ":to": "b" });

    await expect(query({ ":pk": "x", ":from": "b", ":to": "a" })).rejects.toThrow("greater than or equal to lower");
    await expect(query({ ":pk": "x", ":from": "a", ":to": "b", ":more": "c" })).rejects.toThrow("unused");
    await expect(query({ ":pk": "x", ":from": "a" })).rejects.toThrow("not defined");
  });
});

it.each([
  ["a number with letters", { N: "x" }, "cannot be converted to a numeric value"],
  ["a set with a repeated text", { SS: ["a", "a"] }, "contains duplicates"],
  ["an empty set", { SS: [] }, "may not be empty"],
  ["two types", { S: "a", N: "1" }, "more than one datatypes"],
  ["a false null", { NULL: false }, "must have the value of true"],
])("the local table refuses %s in a map, even after a valid value in the same field", (_what, value, message) => {
  const write = (inner: object) =>
    engine.execute("PutItem", { TableName, Item: { ...newKey(), data: { M: { inner } } } }).body;

  expect(write({ S: "a" })).toEqual({});
  expect(write(value)).toMatchObject({ message: expect.stringContaining(message) });
});
