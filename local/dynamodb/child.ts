/** The process of the local table, which ends if its channel to the service breaks, so that the directory is free at once. */
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import * as v from "valibot";
import { createAwsServer, type Fault } from "../aws/front.ts";
import { createMeters } from "../aws/meters.ts";
import { createPolicies } from "../aws/policies.ts";
import { listenLocally } from "../listen.ts";
import { createEngine } from "./engine.ts";
import { type FromDynamoDb, type Start, ToDynamoDb } from "./protocol.ts";
import { createDynamoDbService } from "./service.ts";
import { openFileStore } from "./item-store.ts";

const sendToParent = (message: FromDynamoDb): void => {
  if (process.connected) process.send?.(message);
};

/** The maximum time to wait for the lock of the previous process, which may still be ending. */
const LOCK_WAIT_MS = 3000;

/** Opens the stored table, starts a server for requests to it, and returns the functions that the parent's messages call. */
const startEngine = async ({ path, table, principals }: Start) => {
  mkdirSync(path, { recursive: true });
  const store = openFileStore(join(path, "table.sqlite"), { waitMs: LOCK_WAIT_MS });
  const engine = createEngine({ tableName: table.name, store });
  const meters = createMeters();
  const policies = createPolicies(principals);
  let fault: Fault = "up";
  const front = createAwsServer({
    services: { dynamodb: createDynamoDbService(engine, meters, table) },
    policies,
    onDenied: (functionName, message) => sendToParent({ kind: "denied", functionName, message }),
    faultOf: () => fault,
  });
  const listener = await listenLocally(createServer(front), 0);
  sendToParent({ kind: "ready", url: listener.url });
  return {
    report: (id: number) =>
      sendToParent({ kind: "report", id, meters: meters.read(), unusedGrants: policies.unusedGrants("dynamodb") }),
    reset: () => meters.reset(),
    setFault: (newFault: Fault) => {
      fault = newFault;
    },
    close: async () => {
      await listener.close();
      engine.close();
    },
  };
};

let running: Awaited<ReturnType<typeof startEngine>> | undefined;

const handleMessage = async (message: ToDynamoDb): Promise<void> => {
  switch (message.kind) {
    case "start":
      running = await startEngine(message);
      return;
    case "report":
      running?.report(message.id);
      return;
    case "reset":
      running?.reset();
      return;
    case "fault":
      running?.setFault(message.fault);
      return;
    case "stop":
      await running?.close();
      process.disconnect();
  }
};

process.on("message", (raw) => {
  handleMessage(v.parse(ToDynamoDb, raw)).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
    sendToParent({ kind: "failed", reason: (error instanceof Error ? error.message : String(error)) + cause });
  });
});
process.on("disconnect", () => process.exit(0));
// Ctrl-C reaches all processes of the group, but the service decides when to stop.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
