import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Clients } from "../../operator/clients.ts";
import type { testClock } from "../world/clock.ts";
import type { useTable } from "../world/use-table.ts";

/** What the operator's commands work with: a test's table and clock, and clients that a test mocks. */
export const testClients = (
  { table }: Pick<Awaited<ReturnType<typeof useTable>>, "table">,
  { now, newId }: Pick<ReturnType<typeof testClock>["deps"], "now" | "newId">,
): Clients => ({
  cloudFormation: new CloudFormationClient({}),
  cognito: new CognitoIdentityProviderClient({}),
  dynamo: table.client,
  lambda: new LambdaClient({}),
  secrets: new SecretsManagerClient({}),
  sqs: new SQSClient({}),
  now,
  newId,
});
