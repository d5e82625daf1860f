import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import type { RecordingTable } from "../core/deps.ts";
import { createOperatorAuthor } from "../core/domain/workspace/audit.ts";
import { Session } from "../local/session.ts";

/** Returns the session of the local service in `dir`, and the service's table with a client that writes as the operator. */
export const connectToLocalService = (dir: string, requestId: string): { session: Session; table: RecordingTable } => {
  const session = v.parse(Session, JSON.parse(readFileSync(join(dir, "session.json"), "utf8")));
  const { endpoint, name, accessKeyId } = session.table;
  const credentials = { accessKeyId, secretAccessKey: "local" };
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: "us-east-1", credentials }), {
    marshallOptions: { removeUndefinedValues: true },
  });
  return { session, table: { name, client, author: createOperatorAuthor(requestId) } };
};

export const localOption = { local: "the directory of a running local service, to work on that service instead" };
