import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { DynamoDBDocumentClient, GetCommand } from "@aws-sdk/lib-dynamodb";
import { secretsClientOptions } from "../../../core/live-secrets.ts";
import type { Request } from "./dynamo.ts";
import { running, type Invocation } from "./kernel.ts";

/* Below the SDK, requests go to the current run instead of the network. */

export type SqsRequest = {
  QueueUrl?: string;
  MessageBody?: string;
  DelaySeconds?: number;
  Entries?: { Id: string; MessageBody: string; DelaySeconds?: number }[];
  ReceiptHandle?: string;
  VisibilityTimeout?: number;
};

export type SecretRequest = { SecretId?: string; VersionStage?: string };

export type WireRequest =
  | { service: "dynamodb"; operation: string; body: Request }
  | { service: "secretsmanager"; operation: string; body: SecretRequest }
  | { service: "sqs"; operation: string; body: SqsRequest };

export type WireAnswer = { status: number; body: Record<string, unknown> };

/** A request without an invocation (setup and checks) is answered at once. */
export type Network = {
  call: (
    request: WireRequest,
    invocation: Invocation | undefined,
    attempt: number,
    signal: AbortSignal | undefined,
  ) => Promise<WireAnswer>;
};

type HttpRequest = { headers: Record<string, string>; body: Uint8Array | string };
type HttpOptions = { abortSignal?: AbortSignal };

const CONTENT_TYPE = "application/x-amz-json-1.0";

const parseRequest = ({ headers, body }: HttpRequest): WireRequest => {
  const [target = "", operation = ""] = (headers["x-amz-target"] ?? "").split(".");
  const json: unknown = JSON.parse(typeof body === "string" ? body : decoder.decode(body));
  if (target.startsWith("secretsmanager")) return { service: "secretsmanager", operation, body: json as SecretRequest };
  return target.startsWith("DynamoDB")
    ? { service: "dynamodb", operation, body: json as Request }
    : { service: "sqs", operation, body: json as SqsRequest };
};

const decoder = new TextDecoder();

let network: Network | undefined;

/** Connects the SDK to one run; `undefined` disconnects it. */
export const connect = (to: Network | undefined): void => {
  network = to;
};

const requestHandler = {
  handle: async (request: HttpRequest, options: HttpOptions = {}) => {
    if (network === undefined) throw new Error("no run is in progress");
    const attempt = Number(/attempt=(\d+)/.exec(request.headers["amz-sdk-request"] ?? "")?.[1] ?? 1);
    const { status, body } = await network.call(
      parseRequest(request),
      running.getStore(),
      attempt,
      options.abortSignal,
    );
    return {
      response: {
        statusCode: status,
        headers: { "content-type": CONTENT_TYPE },
        body: Buffer.from(JSON.stringify(body)),
      },
    };
  },
  updateHttpClientConfig: () => {},
  httpHandlerConfigs: () => ({}),
  destroy: () => {},
};

export type Clients = {
  table: Pick<DynamoDBDocumentClient, "send">;
  sqs: Pick<SQSClient, "send">;
  secrets: Pick<SecretsManagerClient, "send">;
  /** Refills the retry budget, which is all that a client remembers about failures. */
  renew: () => Promise<void>;
};

/** The tokens that refill a retry budget: more than a client's initial budget. */
const RETRY_TOKENS = 1000;
const repaid = { getRetryCost: () => RETRY_TOKENS, getRetryCount: () => 0, getRetryDelay: () => 0 };

const refillRetryBudget = async ({ config }: DynamoDBClient | SQSClient | SecretsManagerClient): Promise<void> => {
  const strategy = await config.retryStrategy();
  if (!("recordSuccess" in strategy))
    throw new Error(`a client's retries are ${strategy.mode}, not those of standard mode`);
  strategy.recordSuccess(repaid);
};

const createClients = (): Clients => {
  const config = {
    region: "local",
    endpoint: "http://aws.local",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    signer: { sign: async <Signed>(request: Signed) => request },
    maxAttempts: 3,
    retryMode: "standard",
    requestHandler: requestHandler as unknown as never,
  };
  const low = new DynamoDBClient(config);
  const sqs = new SQSClient({ ...config, md5: false });
  const secrets = new SecretsManagerClient({ ...config, maxAttempts: secretsClientOptions.maxAttempts });
  return {
    table: DynamoDBDocumentClient.from(low, { marshallOptions: { removeUndefinedValues: true } }),
    sqs,
    secrets,
    renew: async () => {
      await refillRetryBudget(low);
      await refillRetryBudget(sqs);
      await refillRetryBudget(secrets);
    },
  };
};

/** Creating clients is slow, so they are reused in later runs. */
const spare: Clients[] = [];
const used: Clients[] = [];

/** The number of clients to create in advance: more than the instances of most runs. */
const STOCK = 64;

/**
 * Creates clients in advance, each of which makes one call. A client's first call needs more turns of the event loop than later
 * ones, which could reverse the order of two calls.
 */
export const stockClients = async (): Promise<void> => {
  const before = network;
  network = { call: async () => ({ status: 200, body: {} }) };
  while (spare.length < STOCK) {
    const clients = used.pop() ?? createClients();
    await clients.table.send(new GetCommand({ TableName: "none", Key: { pk: "", sk: "" } }));
    await clients.sqs.send(
      new SendMessageCommand({ QueueUrl: "http://aws.local/1/none", MessageBody: "none", MessageGroupId: "none" }),
    );
    await clients.secrets.send(new GetSecretValueCommand({ SecretId: "none" }));
    await clients.renew();
    spare.push(clients);
  }
  network = before;
};

export const takeClients = (): Clients => spare.pop() ?? createClients();
export const giveBackClients = (clients: readonly Clients[]): void => {
  used.push(...clients);
};
