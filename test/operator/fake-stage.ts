import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { ListUsersCommand } from "@aws-sdk/client-cognito-identity-provider";
import { beforeEach } from "vitest";
import { commands } from "../../operator/commands.ts";
import type { Options } from "../../operator/options.ts";
import { createTestClock } from "../world/clock.ts";
import { useTable } from "../world/use-table.ts";
import { mockedClients, createStackDescription } from "./clients.ts";

export const SUB = "0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9";
export const USER = "usr_0a1b2c3d4e5f60718293a4b5c6d7e8f9";
export const alice = { email: "alice@acme.example", name: "Alice" };
export const bob = { userId: "usr_b", name: "Bob", email: "bob@acme.example" };

/** Creates, for the tests of one file, a stage with a table, whose other services are mocks without data. */
export const aStage = async () => {
  const stand = await useTable();

  const { deps: clock, advance } = createTestClock();
  const { clients, mocks } = mockedClients(stand, clock);
  const { cloudFormation, cognito, lambda, secrets, sqs } = mocks;

  const outputs = {
    UserPoolId: "eu-central-1_pool",
    UserPoolClientId: "client",
    FcmSecretArn: "arn:fcm",
    VapidSecretArn: "arn:vapid",
    ReceiptSecretArn: "arn:receipts",
    PushesDeadLetterQueueArn: "arn:pushes-dead",
  };

  beforeEach(() => {
    for (const mock of Object.values(mocks)) mock.reset();
    cognito.on(ListUsersCommand).resolves({});
    cloudFormation
      .on(DescribeStacksCommand, { StackName: "EventAlerting-prod" })
      .resolves(createStackDescription({ ...outputs, TableName: stand.table.name }));
  });

  const run = (command: string, options: Options): Promise<unknown> =>
    commands[command]!.run(clients, { stage: "prod", ...options });
  const deps = { ...clock, table: stand.table };
  return { stand, clock, advance, deps, cloudFormation, cognito, lambda, secrets, sqs, run };
};
