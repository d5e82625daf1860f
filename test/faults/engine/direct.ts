import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import type { Item, Request, Value } from "./dynamo.ts";
import type { Invocation } from "./kernel.ts";
import { inTurn, type Calls } from "./calls.ts";
import type { SecretRequest, SqsRequest, WireAnswer, WireRequest } from "./wire.ts";

/*
 * Sends commands to the network without the SDK, which would take most of a run's time. This is only for calls without
 * a fault, because runs must show how the SDK handles failures.
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

/** A value in the SDK's own form, with binary data as bytes. */
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
            Object.fromEntries(Object.entries(one).map(([kind, write]) => [kind, requestOf(write)])),
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

type RefusedBody = { __type: string; Item?: Item; CancellationReasons?: { Code: string; Item?: Item }[] };
type Command = { constructor: { name: string }; input: Native };

const operationOf = ({ constructor }: Command): string => constructor.name.replace(/Command$/, "");
const dynamoNames: Readonly<Record<string, string>> = {
  Get: "GetItem",
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  BatchGet: "BatchGetItem",
  TransactWrite: "TransactWriteItems",
};

/** Sends a command through the client that contains the SDK. */
type ThroughSdk = () => Promise<unknown>;

/**
 * Sends commands of the document client, or of the SQS client. `always`: calls without a fault also go through the SDK.
 */
export const createDirect = (calls: Calls, { always }: { always: boolean }) => {
  const { take, make, perform } = calls;

  /** Sends one request; through the SDK if a fault is planned for it or has hit it. */
  const send = async (
    request: () => WireRequest,
    asked: Parameters<Calls["take"]>[0],
    invocation: Invocation | undefined,
    throughSdk: ThroughSdk,
    answerTo: (answer: WireAnswer) => Native | undefined,
  ): Promise<Native> => {
    if (always) return (await throughSdk()) as Native;
    if (invocation?.state === "dead") return new Promise(() => {});
    const turn = invocation === undefined ? undefined : take(asked, invocation);
    if (turn?.mode !== undefined) return (await inTurn(turn, throughSdk)) as Native;
    const answer =
      invocation === undefined || turn === undefined
        ? perform(request())
        : await make(turn, request(), invocation, 1, undefined);
    const given = answerTo(answer);
    if (given !== undefined) return given;
    if (turn === undefined) throw new Error(`${asked.operation}: ${JSON.stringify(answer.body)}`);
    return (await inTurn({ ...turn, answer }, throughSdk)) as Native;
  };

  const answerOfTable = ({ status, body }: WireAnswer): Native | undefined => {
    if (status === 200) return answerOf(body);
    const { __type, Item, CancellationReasons } = body as RefusedBody;
    if (CancellationReasons !== undefined)
      throw new TransactionCanceledException({
        message: "cancelled",
        $metadata: {},
        CancellationReasons: CancellationReasons.map(({ Code, Item: seen }) => ({
          Code,
          ...(seen === undefined ? {} : { Item: itemWithBytes(seen) as never }),
        })),
      });
    if (!__type.endsWith("ConditionalCheckFailedException")) return undefined;
    const shown = Item === undefined ? {} : { Item: itemWithBytes(Item) };
    throw new ConditionalCheckFailedException({ message: "refused", $metadata: {}, ...(shown as object) });
  };

  return {
    toTable: (command: Command, invocation: Invocation | undefined, throughSdk: ThroughSdk): Promise<Native> => {
      const name = operationOf(command);
      const asked = { service: "dynamodb", operation: dynamoNames[name] ?? name } as const;
      const request = () => ({ ...asked, body: requestOf(command.input) });
      return send(request, { ...asked, body: command.input }, invocation, throughSdk, answerOfTable);
    },
    toSecrets: (command: Command, invocation: Invocation | undefined, throughSdk: ThroughSdk): Promise<Native> => {
      const asked = {
        service: "secretsmanager",
        operation: operationOf(command),
        body: command.input as SecretRequest,
      } as const;
      return send(
        () => asked,
        asked,
        invocation,
        throughSdk,
        ({ status, body }) =>
          status === 200 ? { ...body, CreatedDate: new Date(Number(body["CreatedDate"])) } : undefined,
      );
    },
    toQueue: (command: Command, invocation: Invocation | undefined, throughSdk: ThroughSdk): Promise<Native> => {
      const asked = { service: "sqs", operation: operationOf(command), body: command.input as SqsRequest } as const;
      return send(
        () => asked,
        { ...asked, body: { QueueUrl: (command.input as SqsRequest).QueueUrl ?? "" } },
        invocation,
        throughSdk,
        ({ status, body }) => (status === 200 ? body : undefined),
      );
    },
  };
};
