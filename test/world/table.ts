import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, paginateScan, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { RecordingTable, Table } from "../../core/deps.ts";
import { createOperatorAuthor } from "../../core/domain/workspace/audit.ts";
import { tableKeys } from "../../local/dynamodb/dynalite.ts";
import { createEngine } from "../../local/dynamodb/engine.ts";
import type { Item } from "../../local/dynamodb/item.ts";
import { createMemoryStore } from "../../local/dynamodb/item-store.ts";
import { toOutput, type Command, itemFromWire, toRequest, toTableOperation } from "./document.ts";
import { createPartitionLimit, type PartitionLimit } from "./partition-limit.ts";
import { createStepLimit, REFUSED_STEPS } from "./step-limit.ts";

type Native = Record<string, unknown>;
type Input = Written & { ReturnConsumedCapacity?: string };
type Output = { ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[] };

export type TestTable = {
  table: RecordingTable;
  /** Returns the sum of read and write units since the last call, as DynamoDB would bill them. */
  usedUnits: () => number;
  used: () => Used;
  /** Returns the actions since the last call, such as `GetItem`. */
  usedActions: () => Set<string>;
  /** The same table, for calls that are not counted. */
  aside: RecordingTable;
  /** Stores the items without any checks. */
  fill: (items: readonly Native[]) => Promise<void>;
  listItems: () => Promise<Native[]>;
  close: () => Promise<void>;
};

export type TableOptions = PartitionLimit & {
  now?: () => number;
  /** Whether AWS's throughput limits for the table and its partitions currently apply. */
  throttled?: () => boolean;
  /** Whether reads that may be stale return the state before the last write, if that is recent. */
  stale?: () => boolean;
  /** A call fails after too many calls with the same `turn`, so that an endless loop ends. */
  turn?: () => number;
};

type Server = Pick<TestTable, "listItems" | "close"> & { client: Table["client"] };

const credentials = { accessKeyId: "test", secretAccessKey: "test" };
const asDocuments = (client: DynamoDBClient) =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

type Answer = { status: number; body: Record<string, unknown> };

/** The answer to a failed call, from which the SDK creates the error. */
const failed = new AsyncLocalStorage<Answer>();
const requestHandler = {
  handle: async () => {
    const { status, body } = failed.getStore()!;
    const type = { "content-type": "application/x-amz-json-1.0" };
    return { response: { statusCode: status, headers: type, body: Buffer.from(JSON.stringify(body)) } };
  },
};
const sdk = asDocuments(
  new DynamoDBClient({
    region: "local",
    endpoint: "http://aws.local",
    credentials,
    signer: { sign: async <Signed>(request: Signed) => request },
    maxAttempts: 1,
    requestHandler: requestHandler as never,
  }),
);

const known = new WeakMap<Item, Native>();
/** Converts a stored item, each only at its first use, because stored items never change. */
const readOnce = (item: Item): Native => {
  const found = known.get(item) ?? itemFromWire(item);
  known.set(item, found);
  return found;
};

/** Starts a stand-in in this process, without network and SDK. */
const startStandIn = (name: string, { now, throttled, stale = () => false, ...limit }: TableOptions): Server => {
  const store = createMemoryStore();
  const throttle =
    now === undefined || throttled === undefined ? {} : { throttle: createPartitionLimit(now, throttled, limit) };
  const engine = createEngine({ tableName: name, store, ...throttle, ...(now === undefined ? {} : { now }) });
  const send = async (command: Command) => {
    const operation = toTableOperation(command);
    const answer = engine.execute(operation, toRequest(command.input), { stale: stale() });
    return toOutput(answer) ?? failed.run(answer, () => sdk.send(command as never));
  };
  return {
    client: { send: send as never },
    listItems: async () => store.partitions().flatMap((pk) => store.list(pk).map(readOnce)),
    close: async () => {},
  };
};

/** Uses AWS's own DynamoDB Local, which `npm run test:dynamodb-local` starts. */
const useDynamoDbLocal = async (name: string, endpoint: string): Promise<Server> => {
  const low = new DynamoDBClient({ endpoint, region: "local", credentials, maxAttempts: 1 });
  await low.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      ...tableKeys,
    }),
  );
  const client = asDocuments(low);
  return {
    client,
    listItems: async () => {
      const items: Native[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true }))
        items.push(...Items);
      return items;
    },
    close: async () => {
      await low.send(new DeleteTableCommand({ TableName: name }));
      low.destroy();
    },
  };
};

export type Used = { calls: number; reads: number; writes: number };

const sumUnits = (output: Output): number =>
  [output.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits }) => sum + (CapacityUnits ?? 0), 0);

/** Returns the actions of a command: `GetItem` for a GetCommand, the actions of its writes for a transaction. */
const listActions = (command: { input: object }): string[] => {
  const writes = (command.input as { TransactItems?: object[] }).TransactItems;
  if (writes !== undefined) return writes.flatMap((one) => Object.keys(one).map((kind) => `${kind}Item`));
  return [toAction(command)];
};

const toAction = (command: object): string => {
  const name = command.constructor.name.replace(/Command$/, "");
  if (name === "BatchGet") return "BatchGetItem";
  return name === "Query" ? name : `${name}Item`;
};

type Written = {
  Item?: { ttl?: unknown };
  ExpressionAttributeValues?: { ":ttl"?: unknown };
  TransactItems?: Record<string, Written>[];
};

/**
 * Throws unless deletion times are in seconds: with milliseconds, DynamoDB would keep the item for ever; with a duration, it
 * would delete the item at once.
 */
const requireSeconds = ({ Item, ExpressionAttributeValues: values, TransactItems = [] }: Written): void => {
  const ttl: unknown = Item?.ttl ?? values?.[":ttl"];
  const isTime = typeof ttl === "number" && Number.isInteger(ttl) && ttl > TTL_MIN && ttl < TTL_MAX;
  if (ttl !== undefined && !isTime) throw new Error(`the ttl ${JSON.stringify(ttl)} is not a time in whole seconds`);
  for (const one of TransactItems.flatMap((write) => Object.values(write))) requireSeconds(one);
};
const [TTL_MIN, TTL_MAX] = [Date.UTC(2020) / 1000, Date.UTC(2100) / 1000];

export const startTable = async (options: TableOptions = {}): Promise<TestTable> => {
  const endpoint = process.env["DYNAMODB_LOCAL_URL"];
  const name = endpoint === undefined ? "events" : `events-${randomUUID()}`;
  const { client, ...server } =
    endpoint === undefined ? startStandIn(name, options) : await useDynamoDbLocal(name, endpoint);
  const countCall = options.turn === undefined ? () => {} : createStepLimit(options.turn);
  let used: Used = { calls: 0, reads: 0, writes: 0 };
  const readAndResetUsage = (): Used => {
    const taken = used;
    used = { calls: 0, reads: 0, writes: 0 };
    return taken;
  };
  let actions = new Set<string>();
  const send: Table["client"]["send"] = async (command: { input: Input }) => {
    command.input.ReturnConsumedCapacity = "TOTAL";
    for (const action of listActions(command)) actions.add(action);
    countCall();
    requireSeconds(command.input);
    const output = await client.send(command as never).catch((error: unknown) => {
      countCall(REFUSED_STEPS);
      throw error;
    });
    used.calls += 1;
    used[/^(?:Get|BatchGet|Query)/.test(command.constructor.name) ? "reads" : "writes"] += sumUnits(output as Output);
    return output;
  };
  return {
    ...server,
    fill: async (items) => {
      for (const Item of items) await client.send(new PutCommand({ TableName: name, Item }));
    },
    table: { name, client: { send }, author: createOperatorAuthor("req_test") },
    aside: { name, client, author: createOperatorAuthor("req_test") },
    usedUnits: () => {
      const { reads, writes } = readAndResetUsage();
      return reads + writes;
    },
    used: readAndResetUsage,
    usedActions: () => {
      const used = actions;
      actions = new Set();
      return used;
    },
  };
};
