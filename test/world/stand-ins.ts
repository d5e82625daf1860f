import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { createServer } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll } from "vitest";
import { createAwsServer } from "../../local/aws/front.ts";
import { createMeters } from "../../local/aws/meters.ts";
import { createPolicies, OPERATOR } from "../../local/aws/policies.ts";
import { createEngine } from "../../local/dynamodb/engine.ts";
import { createDynamoDbService } from "../../local/dynamodb/service.ts";
import { openFileStore } from "../../local/dynamodb/item-store.ts";
import { listenLocally } from "../../local/listen.ts";
import { createQueues } from "../../local/sqs/queues.ts";
import { createWorld as createExplored } from "../faults/engine/world.ts";
import { stockClients } from "../faults/engine/wire.ts";
import { createTestQueues } from "./queues.ts";
import { startTable } from "./table.ts";

export type Send = (command: object) => Promise<Record<string, unknown>>;
type StandIn = { name: string; send: Send; url: string };

/** Starts the stand-ins for AWS for the tests of one file. Each has the name of the code that uses it. */
export const startStandIns = () => {
  const credentials = { accessKeyId: OPERATOR, secretAccessKey: "local" };
  const dir = mkdtempSync(join(tmpdir(), "contract-"));
  const tables: Record<string, StandIn> = {};
  const queues: Record<string, StandIn> = {};
  const closers: (() => unknown)[] = [];

  const addLocalStands = async () => {
    const meters = createMeters();
    const arn = "arn:aws:dynamodb:us-east-1:000000000000:table/events";
    const engine = createEngine({ tableName: "events", store: openFileStore(join(dir, "table"), { waitMs: 0 }) });
    const work = {
      name: "events",
      arn: "arn:aws:sqs:us-east-1:000000000000:events",
      url: "http://x/0/events",
      attributes: {},
    };
    const front = createAwsServer({
      services: {
        dynamodb: createDynamoDbService(engine, meters, { name: "events", arn }),
        sqs: createQueues([work], meters).service,
      },
      policies: createPolicies([]),
      onDenied: () => {},
    });
    const listener = await listenLocally(createServer(front), 0);
    const config = { endpoint: listener.url, region: "us-east-1", credentials, maxAttempts: 1 };
    const documents = DynamoDBDocumentClient.from(new DynamoDBClient(config));
    const sqs = new SQSClient(config);
    closers.push(listener.close, engine.close);
    tables["local service"] = { name: "events", url: "", send: documents.send.bind(documents) as never };
    queues["local service"] = { name: "", url: work.url, send: sqs.send.bind(sqs) as never };
  };

  const addExplorerStands = async () => {
    await stockClients();
    for (const [name, throughSdk] of [
      ["fault explorer", false],
      ["fault explorer with the SDK", true],
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
    await addLocalStands();
    await addExplorerStands();
    const { table } = await startTable();
    tables["unit tests"] = { name: table.name, url: "", send: table.client.send as never };
    const { events } = createTestQueues(Date.now).queues;
    queues["unit tests"] = { name: "", url: events.queue.url, send: events.queue.client.send as never };
  });
  afterAll(async () => {
    for (const close of closers) await close();
    rmSync(dir, { recursive: true, force: true });
  });
  return { tables, queues };
};

/** Returns `taken` if the request was accepted; otherwise the error's name. */
export const readOutcome = async (asked: Promise<unknown>): Promise<string> => {
  try {
    await asked;
    return "taken";
  } catch (error) {
    const { name, message } = error as Error;
    return /\w+Exception|^Invalid\w+$/.exec(`${name} ${message}`)?.[0] ?? name;
  }
};
export const KB = 1024;
export const createText = (length: number) => "x".repeat(length);
