import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { LambdaClient } from "@aws-sdk/client-lambda";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import type { Deps } from "../core/deps.ts";
import { signRequestHeaders } from "../core/push/sign.ts";
import { newId } from "../core/new-id.ts";

type AwsQuestion = {
  service: string;
  host: string;
  method: "GET" | "POST";
  path: string;
  /** The AWS region; by default, the region of the environment. */
  region: string | undefined;
  target?: string;
  /** The version of AWS's JSON protocol; by default 1.0. */
  version?: "1.0" | "1.1";
  input?: object;
};

/** Calls a service of AWS, and returns the JSON of its answer. Throws if the service refuses the call. */
type AskAws = (question: AwsQuestion) => Promise<unknown>;

const createAwsCaller =
  ({ config }: LambdaClient): AskAws =>
  async ({ service, host, method, path, region: asked, target, version = "1.0", input = {} }) => {
    const region = asked ?? (await config.region());
    const { accessKeyId: keyId, secretAccessKey: secret, sessionToken: token } = await config.credentials();
    const url = new URL(`https://${host}.${region}.amazonaws.com${path}`);
    const body = Buffer.from(method === "GET" ? "" : JSON.stringify(input));
    const headers = {
      "content-type": `application/x-amz-json-${version}`,
      ...(target === undefined ? {} : { "x-amz-target": target }),
    };
    const signed = signRequestHeaders(
      { method, url, body, headers },
      { keyId, secret, token },
      { region, service, nowMs: Date.now() },
    );
    const answer = await fetch(url, { method, headers: signed, ...(method === "GET" ? {} : { body }) });
    if (!answer.ok) throw new Error(`${service} answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
    return answer.json();
  };

export type Clients = {
  cloudFormation: Pick<CloudFormationClient, "send">;
  cognito: Pick<CognitoIdentityProviderClient, "send">;
  dynamo: Deps["table"]["client"];
  lambda: Pick<LambdaClient, "send">;
  secrets: Pick<SecretsManagerClient, "send">;
  sqs: Pick<SQSClient, "send">;
  askAws: AskAws;
  now: Deps["now"];
  newId: Deps["newId"];
};

/** Creates clients with the credentials and the region that the AWS command line would use. */
export const liveClients = (): Clients => ({
  cloudFormation: new CloudFormationClient({}),
  cognito: new CognitoIdentityProviderClient({}),
  dynamo: DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } }),
  lambda: new LambdaClient({}),
  secrets: new SecretsManagerClient({}),
  sqs: new SQSClient({}),
  askAws: createAwsCaller(new LambdaClient({})),
  now: Date.now,
  newId,
});
