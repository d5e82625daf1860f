import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import type { Item, Request, Value } from "./dynamo.ts";
import type { Invocation } from "./kernel.ts";
import type { Network, SqsRequest } from "./wire.ts";

/*
 * Commands taken to the network without the SDK, whose work is most of the time of a run. Only for calls that nothing
 * will happen to: what the SDK does about failures is part of what runs are to show.
 */

type Native = Record<string, unknown>;

const setOf = (values: readonly unknown[]): Value => {
  const [first] = values;
  if (first instanceof Uint8Array)
    return { BS: values.map((value) => Buffer.from(value as Uint8Array).toString("base64")) };
  return typeof first === "number" ? { NS: values.map(String) } : { SS: values.map(String) };
};

const toWire = (value: unknown): Value => {
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") {
    // The SDK's marshaller refuses these, too.
    if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new Error(`${value} is not exact`);
    return { N: String(value) };
  }
  if (typeof value === "boolean") return { BOOL: value };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString("base64") };
  if (value instanceof Set) return setOf([...value]);
  if (Array.isArray(value)) return { L: value.map(toWire) };
  if (value === null) return { NULL: true };
  if (typeof value === "object") return { M: itemToWire(value as Native) };
  throw new Error(`no attribute value is of type ${typeof value}`);
};

const itemToWire = (item: Native): Item =>
  Object.fromEntries(
    Object.entries(item)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, toWire(value)]),
  );

const fromWire = (value: Value): unknown => {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL === true) return null;
  if (value.M !== undefined) return itemFromWire(value.M);
  if (value.L !== undefined) return value.L.map(fromWire);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(Number));
  if (value.BS !== undefined) return new Set(value.BS.map((bytes) => Buffer.from(bytes, "base64")));
  return Buffer.from(value.B ?? "", "base64");
};

const itemFromWire = (item: Item): Native =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, fromWire(value)]));

/** The SDK's own shape of a value: bytes are bytes. */
const withBytes = (value: Value): Value => {
  if (value.B !== undefined) return { B: Buffer.from(value.B, "base64") } as unknown as Value;
  if (value.BS !== undefined) return { BS: value.BS.map((bytes) => Buffer.from(bytes, "base64")) } as unknown as Value;
  if (value.L !== undefined) return { L: value.L.map(withBytes) };
  return value.M === undefined ? value : { M: itemWithBytes(value.M) };
};
const itemWithBytes = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, withBytes(value)]));

type Batch = Record<string, { Keys: Native[]; ConsistentRead?: boolean }>;

const requestOf = (input: Native): Request => {
  const { Key, Item, ExpressionAttributeValues, ExclusiveStartKey, RequestItems, ...rest } = input;
  const wired = Object.entries({ Key, Item, ExpressionAttributeValues, ExclusiveStartKey }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, itemToWire(value as Native)] as const],
  );
  const batches = Object.entries((RequestItems ?? {}) as Batch).map(
    ([table, { Keys, ...options }]) => [table, { ...options, Keys: Keys.map(itemToWire) }] as const,
  );
  return {
    ...rest,
    ...Object.fromEntries(wired),
    ...(batches.length > 0 ? { RequestItems: Object.fromEntries(batches) } : {}),
  };
};

type WireBody = {
  Item?: Item;
  Attributes?: Item;
  Items?: Item[];
  LastEvaluatedKey?: Item;
  Responses?: Record<string, Item[]>;
};

const answerOf = ({ Item, Attributes, Items, LastEvaluatedKey, Responses }: WireBody): Native => ({
  ...(Item === undefined ? {} : { Item: itemFromWire(Item) }),
  ...(Attributes === undefined ? {} : { Attributes: itemFromWire(Attributes) }),
  ...(Items === undefined ? {} : { Items: Items.map(itemFromWire) }),
  ...(LastEvaluatedKey === undefined ? {} : { LastEvaluatedKey: itemFromWire(LastEvaluatedKey) }),
  ...(Responses === undefined
    ? {}
    : {
        Responses: Object.fromEntries(
          Object.entries(Responses).map(([table, items]) => [table, items.map(itemFromWire)]),
        ),
      }),
});

type Command = { constructor: { name: string }; input: Native };

const operationOf = ({ constructor }: Command): string => constructor.name.replace(/Command$/, "");
const dynamoNames: Readonly<Record<string, string>> = {
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  BatchGet: "BatchGetItem",
};

/** Sends a command of the document client, or of the client of SQS. */
export const createDirect = (network: Network) => {
  const toTable = async (command: Command, invocation: Invocation | undefined): Promise<Native> => {
    const name = operationOf(command);
    const operation = dynamoNames[name] ?? name;
    const answer = await network.call(
      { service: "dynamodb", operation, body: requestOf(command.input) },
      invocation,
      1,
      undefined,
    );
    if (answer.status === 200) return answerOf(answer.body);
    const { __type, message, Item } = answer.body as { __type: string; message?: string; Item?: Item };
    if (!__type.endsWith("ConditionalCheckFailedException"))
      throw new Error(`${operation}: ${__type} ${message ?? ""}`);
    const shown = Item === undefined ? {} : { Item: itemWithBytes(Item) };
    throw new ConditionalCheckFailedException({ message: "refused", $metadata: {}, ...(shown as object) });
  };
  const toQueue = async (command: Command, invocation: Invocation | undefined): Promise<Native> => {
    const body = command.input as SqsRequest;
    const answer = await network.call(
      { service: "sqs", operation: operationOf(command), body },
      invocation,
      1,
      undefined,
    );
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  return { toTable, toQueue };
};
