import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import * as v from "valibot";
import type { TableDeps } from "../deps.ts";
import { parseOrThrow } from "../domain/basics/read-own.ts";
import type { Seconds } from "../domain/basics/seconds.ts";
import type { Key } from "./keys.ts";

export type ItemSchema<Item> = v.GenericSchema<unknown, Item>;
/** DynamoDB deletes an item after its `ttl`, which is in seconds. */
type Values = { [name: string]: unknown; ttl?: Seconds | undefined; ":ttl"?: Seconds | undefined };

/** Parses a stored item. If the item does not fit the schema, throws an error with the item's key. */
export const parseItem = <Item>(schema: ItemSchema<Item>, item: Values): Item =>
  parseOrThrow(`stored item ${String(item["pk"])} ${String(item["sk"])}`, schema, item);

export type WriteResult<Item> = { kind: "done"; item: Item } | { kind: "refused"; item: Item | undefined };

/** A condition with its names and values, which are passed to DynamoDB unchanged. */
export type Expression = { condition?: string; names?: Record<string, string>; values?: Values };

const toExpressionInput = ({ condition, names, values }: Expression) => ({
  ...(condition === undefined ? {} : { ConditionExpression: condition }),
  // DynamoDB refuses an empty map of names.
  ...(names === undefined || Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: names }),
  ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
});

/** Returns `done` with the result of a write, or `refused` with the stored item if the write's condition fails. */
const runConditionalWrite = async <Item, Done>(schema: ItemSchema<Item>, write: () => Promise<Done>) => {
  try {
    return { kind: "done", item: await write() } as const;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const item = error.Item === undefined ? undefined : parseItem(schema, unmarshall(error.Item));
    return { kind: "refused", item } as const;
  }
};

/** Reads one item, by default strongly consistent. */
export const getItem = async <Item>(
  deps: TableDeps,
  key: Key,
  schema: ItemSchema<Item>,
  { consistent = true }: { consistent?: boolean } = {},
): Promise<Item | undefined> => {
  const { Item } = await deps.table.client.send(
    new GetCommand({ TableName: deps.table.name, Key: key, ConsistentRead: consistent }),
  );
  return Item === undefined ? undefined : parseItem(schema, Item);
};

/** Writes one item, and replaces an existing item with the same key. */
export const putItem = async (deps: TableDeps, key: Key, item: Values): Promise<void> => {
  await deps.table.client.send(new PutCommand({ TableName: deps.table.name, Item: { ...item, ...key } }));
};

/** Writes one item if the condition is true. Without a condition, writes the item only if no item exists. */
export const putItemIf = async <Item>(
  deps: TableDeps,
  key: Key,
  item: Values,
  schema: ItemSchema<Item>,
  expression: Expression = {},
): Promise<WriteResult<Item | undefined>> =>
  runConditionalWrite(schema, async () => {
    await deps.table.client.send(putWrite(deps, key, item, expression));
    return undefined;
  });

/** Updates an item, or creates it, if the condition is true. Returns the new item, or the stored item if refused. */
export const updateItem = async <Item>(
  deps: TableDeps,
  key: Key,
  schema: ItemSchema<Item>,
  change: Expression & { update: string },
): Promise<WriteResult<Item>> =>
  runConditionalWrite(schema, async () => {
    const { input } = updateWrite(deps, key, change);
    const { Attributes } = await deps.table.client.send(new UpdateCommand({ ...input, ReturnValues: "ALL_NEW" }));
    return parseItem(schema, Attributes ?? {});
  });

export const deleteAndReturnItem = async <Item>(
  deps: TableDeps,
  key: Key,
  schema: ItemSchema<Item>,
): Promise<Item | undefined> => {
  const { Attributes } = await deps.table.client.send(
    new DeleteCommand({ TableName: deps.table.name, Key: key, ReturnValues: "ALL_OLD" }),
  );
  return Attributes === undefined ? undefined : parseItem(schema, Attributes);
};

/** Deletes one item. Does nothing if the item does not exist. */
export const deleteItem = async (deps: TableDeps, key: Key): Promise<void> => {
  await deps.table.client.send(new DeleteCommand({ TableName: deps.table.name, Key: key }));
};

export const deleteItemIf = async <Item>(
  deps: TableDeps,
  key: Key,
  schema: ItemSchema<Item>,
  expression: Expression,
): Promise<WriteResult<Item | undefined>> =>
  runConditionalWrite(schema, async () => {
    await deps.table.client.send(deleteWrite(deps, key, expression));
    return undefined;
  });

export type Write = PutCommand | UpdateCommand | DeleteCommand;

/** Returns the write of one item for a transaction. The default condition is that no item with the key exists. */
export const putWrite = (deps: TableDeps, key: Key, item: Values, expression: Expression = {}): PutCommand =>
  new PutCommand({
    TableName: deps.table.name,
    Item: { ...item, ...key },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    ...toExpressionInput({ ...expression, condition: expression.condition ?? "attribute_not_exists(pk)" }),
  });

/** Returns the update of one item for a transaction. */
export const updateWrite = (
  deps: TableDeps,
  key: Key,
  { update, ...expression }: Expression & { update: string },
): UpdateCommand =>
  new UpdateCommand({
    TableName: deps.table.name,
    Key: key,
    UpdateExpression: update,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    ...toExpressionInput(expression),
  });

/** Returns the deletion of one item for a transaction. */
export const deleteWrite = (deps: TableDeps, key: Key, expression: Expression): DeleteCommand =>
  new DeleteCommand({
    TableName: deps.table.name,
    Key: key,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    ...toExpressionInput(expression),
  });

const toTransactionItem = (write: Write) => {
  if (write instanceof PutCommand) return { Put: write.input };
  // The type of UpdateCommand makes the expression optional, but every update in this file has an expression.
  if (write instanceof UpdateCommand) return { Update: { UpdateExpression: "", ...write.input } };
  return { Delete: write.input };
};

/** Contains, for each write of a failed transaction, the stored item if the write's condition failed; otherwise undefined. */
export type Refusals = readonly ({ item: Values | undefined } | undefined)[];

/** Sends several writes as one transaction, at twice the cost. Throws if the transaction conflicts with another transaction. */
export const writeTogether = async (
  deps: TableDeps,
  writes: readonly Write[],
): Promise<{ kind: "done" } | { kind: "refused"; refusals: Refusals }> => {
  try {
    await deps.table.client.send(new TransactWriteCommand({ TransactItems: writes.map(toTransactionItem) }));
    return { kind: "done" };
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const refusals = (error.CancellationReasons ?? []).map(({ Code, Item }) =>
      Code === "ConditionalCheckFailed" ? { item: Item === undefined ? undefined : unmarshall(Item) } : undefined,
    );
    return { kind: "refused", refusals };
  }
};

/** A part of a partition: a prefix, a range (inclusive), everything before a sort key, or the whole partition. */
export type Range = { pk: string; prefix?: string; from?: string; to?: string; before?: string };

const toRangeInput = ({ pk, prefix, from, to, before }: Range) => {
  const names = { "#pk": "pk", "#sk": "sk" };
  if (prefix !== undefined)
    return {
      KeyConditionExpression: "#pk = :pk AND begins_with(#sk, :prefix)",
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ":pk": pk, ":prefix": prefix },
    };
  if (from !== undefined && to !== undefined)
    return {
      KeyConditionExpression: "#pk = :pk AND #sk BETWEEN :from AND :to",
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ":pk": pk, ":from": from, ":to": to },
    };
  if (to !== undefined)
    return {
      KeyConditionExpression: "#pk = :pk AND #sk <= :to",
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ":pk": pk, ":to": to },
    };
  if (before !== undefined)
    return {
      KeyConditionExpression: "#pk = :pk AND #sk < :before",
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ":pk": pk, ":before": before },
    };
  return {
    KeyConditionExpression: "#pk = :pk",
    ExpressionAttributeNames: { "#pk": "pk" },
    ExpressionAttributeValues: { ":pk": pk },
  };
};

const KeySchema = v.object({ pk: v.string(), sk: v.string() });

/** Reads a page of a range, in descending order, eventually consistent. `last`: the page's last key, if another page follows. */
export const queryPage = async <Item>(
  deps: TableDeps,
  range: Range,
  schema: ItemSchema<Item>,
  { attributes }: { attributes: readonly string[] },
): Promise<{ items: Item[]; readUnits: number; last: Key | undefined }> => {
  const { ExpressionAttributeNames, ...input } = toRangeInput(range);
  const names = Object.fromEntries(attributes.map((name) => [`#${name}`, name]));
  const page = await deps.table.client.send(
    new QueryCommand({
      TableName: deps.table.name,
      ...input,
      ExpressionAttributeNames: { ...ExpressionAttributeNames, ...names },
      ProjectionExpression: Object.keys(names).join(", "),
      ReturnConsumedCapacity: "TOTAL",
      ScanIndexForward: false,
    }),
  );
  return {
    items: (page.Items ?? []).map((item) => parseItem(schema, item)),
    readUnits: page.ConsumedCapacity?.CapacityUnits ?? 0,
    last:
      page.LastEvaluatedKey === undefined
        ? undefined
        : parseOrThrow("a page's last key", KeySchema, page.LastEvaluatedKey),
  };
};

/** Reads a range in the order of its sort keys: the whole range, or the first `limit` items. */
export const queryItems = async <Item>(
  deps: TableDeps,
  range: Range,
  schema: ItemSchema<Item>,
  { consistent = true, descending = false, limit }: { consistent?: boolean; descending?: boolean; limit?: number } = {},
): Promise<Item[]> => {
  const items: Item[] = [];
  let start: Values | undefined;
  do {
    const page = await deps.table.client.send(
      new QueryCommand({
        TableName: deps.table.name,
        ...toRangeInput(range),
        ConsistentRead: consistent,
        ScanIndexForward: !descending,
        ...(limit === undefined ? {} : { Limit: limit - items.length }),
        ...(start === undefined ? {} : { ExclusiveStartKey: start }),
      }),
    );
    for (const item of page.Items ?? []) items.push(parseItem(schema, item));
    start = page.LastEvaluatedKey;
  } while (start !== undefined && (limit === undefined || items.length < limit));
  return items;
};

const BATCH_GET_MAX = 100;
/** How often keys that DynamoDB leaves unread under load are requested again before the call fails. */
const BATCH_GET_ROUNDS = 5;

/** Reads many items by key, in any order. Leaves out keys without an item. Reads each key once: DynamoDB refuses duplicates. */
export const batchGetItems = async <Item>(
  deps: TableDeps,
  keys: readonly Key[],
  schema: ItemSchema<Item>,
  { consistent = true }: { consistent?: boolean } = {},
): Promise<Item[]> => {
  const found: Item[] = [];
  const { name } = deps.table;
  const unique = [...new Map(keys.map(({ pk, sk }) => [`${pk} ${sk}`, { pk, sk }])).values()];
  for (let index = 0; index < unique.length; index += BATCH_GET_MAX) {
    let pending: Values[] = unique.slice(index, index + BATCH_GET_MAX);
    for (let round = 0; pending.length > 0; round += 1) {
      if (round === BATCH_GET_ROUNDS) throw new Error(`DynamoDB left ${pending.length} keys unread`);
      const answer = await deps.table.client.send(
        new BatchGetCommand({ RequestItems: { [name]: { Keys: pending, ConsistentRead: consistent } } }),
      );
      for (const item of answer.Responses?.[name] ?? []) found.push(parseItem(schema, item));
      pending = answer.UnprocessedKeys?.[name]?.Keys ?? [];
    }
  }
  return found;
};
