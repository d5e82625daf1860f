import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import {
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand, paginateScan } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import type { Table } from "../../core/deps.ts";

const dynalite = createRequire(import.meta.url)("dynalite") as (options: object) => Server;

type Input = {
  TableName?: string;
  Key?: Record<string, unknown>;
  Item?: Record<string, unknown>;
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnConsumedCapacity?: string;
};
type Output = { ConsumedCapacity?: { CapacityUnits?: number } | { CapacityUnits?: number }[] };

export type TestTable = {
  table: Table;
  /** Read and write units together since the last call, as DynamoDB would bill them. */
  usedUnits: () => number;
  /** Which kinds of calls were made since the last time it was asked, such as `GetItem`. */
  usedActions: () => Set<string>;
  /** All that is stored. */
  everything: () => Promise<Record<string, unknown>[]>;
  close: () => Promise<void>;
};

const unitsOf = (output: Output): number =>
  [output.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits }) => sum + (CapacityUnits ?? 0), 0);

/** `Get` of a GetCommand is `GetItem` to a policy; a Query is a Query. */
const actionOf = (command: object): string => {
  const name = command.constructor.name.replace(/Command$/, "");
  if (name === "BatchGet") return "BatchGetItem";
  return name === "Query" ? name : `${name}Item`;
};

/** DynamoDB Local where `npm run test:dynamodb-local` has started it; a stand-in of one's own, in memory, elsewhere. */
const startServer = async (): Promise<{ endpoint: string; stop: () => Promise<void> }> => {
  const running = process.env["DYNAMODB_LOCAL_URL"];
  if (running !== undefined) return { endpoint: running, stop: async () => {} };
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  // A connection that has been idle for so long as a push may stall would be closed while the next call takes it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  return { endpoint: `http://127.0.0.1:${port}`, stop };
};

/** A fresh table. */
export const startTable = async (): Promise<TestTable> => {
  const server = await startServer();
  const low = new DynamoDBClient({
    endpoint: server.endpoint,
    region: "local",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });
  const name = `events-${randomUUID()}`;
  await low.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: [
        { AttributeName: "pk", AttributeType: "S" },
        { AttributeName: "sk", AttributeType: "S" },
      ],
      KeySchema: [
        { AttributeName: "pk", KeyType: "HASH" },
        { AttributeName: "sk", KeyType: "RANGE" },
      ],
    }),
  );
  // The stand-in, too, answers before the table can be used.
  for (let status; status !== "ACTIVE";)
    status = (await low.send(new DescribeTableCommand({ TableName: name }))).Table?.TableStatus;
  const client = DynamoDBDocumentClient.from(low, { marshallOptions: { removeUndefinedValues: true } });
  let units = 0;
  let actions = new Set<string>();

  // The stand-in does not say which item refused a write: it is read here, a moment later.
  const send: Table["client"]["send"] = async (command: { input: Input }) => {
    command.input.ReturnConsumedCapacity = "TOTAL";
    actions.add(actionOf(command));
    try {
      const output = await client.send(command as unknown as GetCommand);
      units += unitsOf(output as Output);
      return output;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || error.Item !== undefined) throw error;
      const { Key, Item, ReturnValuesOnConditionCheckFailure } = command.input;
      if (ReturnValuesOnConditionCheckFailure !== "ALL_OLD") throw error;
      const key = Key ?? { pk: Item?.["pk"], sk: Item?.["sk"] };
      const found = await client.send(new GetCommand({ TableName: name, Key: key, ConsistentRead: true }));
      throw found.Item === undefined ? error : Object.assign(error, { Item: marshall(found.Item) });
    }
  };

  return {
    table: { name, client: { send } },
    usedUnits: () => {
      const used = units;
      units = 0;
      return used;
    },
    usedActions: () => {
      const used = actions;
      actions = new Set();
      return used;
    },
    everything: async () => {
      const items: Record<string, unknown>[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName: name, ConsistentRead: true }))
        items.push(...Items);
      return items;
    },
    close: async () => {
      await low.send(new DeleteTableCommand({ TableName: name }));
      low.destroy();
      await server.stop();
    },
  };
};
