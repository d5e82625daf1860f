import type { Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { ConditionalCheckFailedException, CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
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
  close: () => Promise<void>;
};

const unitsOf = (output: Output): number =>
  [output.ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits }) => sum + (CapacityUnits ?? 0), 0);

/** A fresh table in memory, on a DynamoDB stand-in of its own. */
export const startTable = async (): Promise<TestTable> => {
  const server = dynalite({ createTableMs: 0, deleteTableMs: 0 });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const low = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "local",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    maxAttempts: 1,
  });
  const name = "events";
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
  const client = DynamoDBDocumentClient.from(low, { marshallOptions: { removeUndefinedValues: true } });
  let units = 0;

  // The stand-in does not say which item refused a write: it is read here, a moment later.
  const send: Table["client"]["send"] = async (command: { input: Input }) => {
    command.input.ReturnConsumedCapacity = "TOTAL";
    try {
      const output = await client.send(command as unknown as GetCommand);
      units += unitsOf(output as Output);
      return output;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
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
    close: async () => {
      low.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};
