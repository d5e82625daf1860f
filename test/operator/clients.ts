import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import type { Clients } from "../../operator/clients.ts";
import type { createTestClock } from "../world/clock.ts";
import type { TestTable } from "../world/table.ts";

/** Creates the dependencies of the operator's commands: a test's table and clock, and mocked AWS clients. */
export const mockedClients = (
  { table }: Pick<TestTable, "table">,
  { now, newId }: Pick<ReturnType<typeof createTestClock>["deps"], "now" | "newId">,
) => {
  const aws = {
    cloudFormation: new CloudFormationClient({}),
    cognito: new CognitoIdentityProviderClient({}),
    lambda: new LambdaClient({}),
    secrets: new SecretsManagerClient({}),
    sqs: new SQSClient({}),
  };
  const refuseHttp = () => Promise.reject(new Error("nothing here is asked over HTTP"));
  const clients: Clients = { ...aws, askAws: refuseHttp, dynamo: table.client, now, newId };
  const mocks = {
    cloudFormation: mockClient(aws.cloudFormation),
    cognito: mockClient(aws.cognito),
    lambda: mockClient(aws.lambda),
    secrets: mockClient(aws.secrets),
    sqs: mockClient(aws.sqs),
  };
  return { clients, mocks };
};

/** Creates an AWS client that returns the given answers in order, and records the requests. */
export const createAnsweringClient = (...answers: (object | Error)[]) => {
  const asked: [string, object][] = [];
  const send = async ({ constructor, input }: { constructor: { name: string }; input: object }) => {
    asked.push([constructor.name.replace(/Command$/, ""), { ...input }]);
    const answer = answers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, client: { send: send as never } };
};

export const createStackDescription = (outputs: Record<string, string>) => ({
  Stacks: [
    {
      StackName: "EventAlerting-prod",
      CreationTime: new Date(0),
      StackStatus: "CREATE_COMPLETE" as const,
      Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
    },
  ],
});
