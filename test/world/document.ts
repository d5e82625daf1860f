import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { Request } from "../../local/dynamodb/dynalite.ts";
import type { Item, Value } from "../../local/dynamodb/item.ts";

/*
 * Converts values like the SDK's document client, but much faster. For failures other than refused conditions, the SDK creates
 * the error.
 */

export type Native = Record<string, unknown>;

const toSet = (values: readonly unknown[]): Value => {
  const [first] = values;
  if (first instanceof Uint8Array)
    return { BS: values.map((value) => Buffer.from(value as Uint8Array).toString("base64")) };
  return typeof first === "number" ? { NS: values.map(String) } : { SS: values.map(String) };
};

const toWire = (value: unknown): Value => {
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") {
    // The SDK's marshaller refuses the same numbers.
    if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw new Error(`${value} is not exact`);
    return { N: String(value) };
  }
  if (typeof value === "boolean") return { BOOL: value };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString("base64") };
  if (value instanceof Set) return toSet([...value]);
  if (Array.isArray(value)) return { L: value.map(toWire) };
  if (value === null) return { NULL: true };
  if (typeof value === "object") return { M: itemToWire(value as Native) };
  throw new Error(`no attribute value is of type ${typeof value}`);
};

const itemToWire = (item: Native): Item => {
  const wire: Item = {};
  for (const [name, value] of Object.entries(item)) if (value !== undefined) wire[name] = toWire(value);
  return wire;
};

const decodeBase64 = (text: string) => new Uint8Array(Buffer.from(text, "base64"));

const fromWire = (value: Value): unknown => {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.NULL === true) return null;
  if (value.M !== undefined) return itemFromWire(value.M);
  if (value.L !== undefined) return value.L.map(fromWire);
  if (value.SS !== undefined) return new Set(value.SS);
  if (value.NS !== undefined) return new Set(value.NS.map(Number));
  if (value.BS !== undefined) return new Set(value.BS.map(decodeBase64));
  return decodeBase64(value.B ?? "");
};

/** Converts a stored item, in which bytes are in Base64. */
export const itemFromWire = (item: Item): Native => {
  const native: Native = {};
  for (const [name, value] of Object.entries(item)) native[name] = fromWire(value);
  return native;
};

const decodeBytes = (value: Value): Value => {
  if (value.B !== undefined) return { B: decodeBase64(value.B) } as unknown as Value;
  if (value.BS !== undefined) return { BS: value.BS.map(decodeBase64) } as unknown as Value;
  if (value.L !== undefined) return { L: value.L.map(decodeBytes) };
  return value.M === undefined ? value : { M: decodeItemBytes(value.M) };
};
const decodeItemBytes = (item: Item): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, decodeBytes(value)]));

type Batch = Record<string, { Keys: Native[]; ConsistentRead?: boolean }>;

export const toRequest = (input: Native): Request => {
  const { Key, Item, ExpressionAttributeValues, ExclusiveStartKey, RequestItems, TransactItems, ...rest } = input;
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
    ...(TransactItems === undefined
      ? {}
      : {
          TransactItems: (TransactItems as Record<string, Native>[]).map((one) =>
            Object.fromEntries(Object.entries(one).map(([kind, write]) => [kind, toRequest(write)])),
          ),
        }),
  };
};

type WireBody = {
  Item?: Item;
  Attributes?: Item;
  Items?: Item[];
  LastEvaluatedKey?: Item;
  Responses?: Record<string, Item[]>;
  UnprocessedKeys?: Record<string, { Keys: Item[] }>;
};

const answerOf = ({
  Item,
  Attributes,
  Items,
  LastEvaluatedKey,
  Responses,
  UnprocessedKeys,
  ...rest
}: WireBody): Native => ({
  ...rest,
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
  ...(UnprocessedKeys === undefined
    ? {}
    : {
        UnprocessedKeys: Object.fromEntries(
          Object.entries(UnprocessedKeys).map(([table, { Keys, ...options }]) => [
            table,
            { ...options, Keys: Keys.map(itemFromWire) },
          ]),
        ),
      }),
});

type RefusedBody = { __type: string; Item?: Item; CancellationReasons?: { Code: string; Item?: Item }[] };
export type Command = { constructor: { name: string }; input: Native };

const dynamoNames: Readonly<Record<string, string>> = {
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  BatchGet: "BatchGetItem",
  TransactWrite: "TransactWriteItems",
};

export const toTableOperation = ({ constructor }: Command): string => {
  const name = constructor.name.replace(/Command$/, "");
  return dynamoNames[name] ?? name;
};

/** Throws the refusal of a condition like the SDK; returns undefined for any other failure. */
export const toOutput = ({ status, body }: { status: number; body: Native }): Native | undefined => {
  if (status === 200) return answerOf(body);
  const { __type, Item, CancellationReasons } = body as RefusedBody;
  if (CancellationReasons !== undefined)
    throw new TransactionCanceledException({
      message: "cancelled",
      $metadata: {},
      CancellationReasons: CancellationReasons.map(({ Code, Item: seen }) => ({
        Code,
        ...(seen === undefined ? {} : { Item: decodeItemBytes(seen) as never }),
      })),
    });
  if (!__type.endsWith("ConditionalCheckFailedException")) return undefined;
  const shown = Item === undefined ? {} : { Item: decodeItemBytes(Item) };
  throw new ConditionalCheckFailedException({ message: "refused", $metadata: {}, ...(shown as object) });
};
