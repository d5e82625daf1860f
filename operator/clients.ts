import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Deps } from "../core/deps.ts";
import { newId } from "../core/new-id.ts";

/** The clients of everything that the operator's commands use. */
export type Clients = {
  cloudFormation: Pick<CloudFormationClient, "send">;
  cognito: Pick<CognitoIdentityProviderClient, "send">;
  dynamo: Deps["table"]["client"];
  lambda: Pick<LambdaClient, "send">;
  secrets: Pick<SecretsManagerClient, "send">;
  sqs: Pick<SQSClient, "send">;
  now: Deps["now"];
  newId: Deps["newId"];
};

/** With the credentials and the region that the AWS command line would use. */
export const liveClients = (): Clients => ({
  cloudFormation: new CloudFormationClient({}),
  cognito: new CognitoIdentityProviderClient({}),
  dynamo: DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } }),
  lambda: new LambdaClient({}),
  secrets: new SecretsManagerClient({}),
  sqs: new SQSClient({}),
  now: Date.now,
  newId,
});
