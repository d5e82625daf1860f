import { buildApp } from "fauxqs";
import * as v from "valibot";
import { awsError, type AwsService } from "../aws/front.ts";
import type { Meters } from "../aws/meters.ts";
import { OPERATOR } from "../aws/policies.ts";
import type { QueueModel } from "../template/model.ts";

/** What a request to SQS needs: a batch needs what each of its entries would. */
const permissions: Record<string, string> = {
  SendMessage: "sqs:SendMessage",
  SendMessageBatch: "sqs:SendMessage",
  ReceiveMessage: "sqs:ReceiveMessage",
  DeleteMessage: "sqs:DeleteMessage",
  DeleteMessageBatch: "sqs:DeleteMessage",
  ChangeMessageVisibility: "sqs:ChangeMessageVisibility",
  ChangeMessageVisibilityBatch: "sqs:ChangeMessageVisibility",
  GetQueueAttributes: "sqs:GetQueueAttributes",
  GetQueueUrl: "sqs:GetQueueUrl",
  PurgeQueue: "sqs:PurgeQueue",
};

const Request = v.looseObject({ QueueUrl: v.string() });
const Received = v.looseObject({ Messages: v.optional(v.array(v.unknown()), []) });
const Attributes = v.object({ Attributes: v.record(v.string(), v.string()) });

export type Depth = { visible: number; inFlight: number; delayed: number };

/** The queues in memory: what is in them is gone after a restart, as the service must be able to bear. */
export const createQueues = async (models: readonly QueueModel[], meters: Meters) => {
  const app = buildApp({ logger: false });
  await app.ready();

  const call = async (operation: string, input: object): Promise<{ status: number; body: string }> => {
    const { statusCode, body } = await app.inject({
      method: "POST",
      url: "/",
      headers: { "content-type": "application/x-amz-json-1.0", "x-amz-target": `AmazonSQS.${operation}` },
      payload: JSON.stringify(input),
    });
    return { status: statusCode, body };
  };

  // Those that others name as their dead-letter queue come first.
  const inOrder = [...models].sort(
    (a, b) => Number("RedrivePolicy" in a.attributes) - Number("RedrivePolicy" in b.attributes),
  );
  for (const { name, attributes } of inOrder) {
    const { status, body } = await call("CreateQueue", { QueueName: name, Attributes: attributes });
    if (status !== 200) throw new Error(`the queue ${name} cannot be made: ${body}`);
  }

  const arnOf = (url: string): string => models.find((queue) => queue.url === url)?.arn ?? url;

  const service: AwsService = {
    permissionOf: (operation, input) => {
      const action = permissions[operation];
      return action === undefined ? undefined : { action, resource: arnOf(v.parse(Request, input).QueueUrl) };
    },
    handle: async ({ operation, input, functionName }) => {
      const answer = await call(operation, v.parse(Request, input));
      const empty =
        operation === "ReceiveMessage" &&
        answer.status === 200 &&
        v.parse(Received, JSON.parse(answer.body)).Messages.length === 0;
      if (functionName !== OPERATOR && !empty) meters.add(functionName, { sqsRequests: 1 });
      return answer;
    },
    refuse: (code, message) => awsError(403, code === "AccessDeniedException" ? "AccessDenied" : code, message),
  };

  /** How many messages wait, are being worked on, or are delayed. */
  const depths = async (): Promise<Record<string, Depth>> => {
    const entries = await Promise.all(
      models.map(async ({ name, url }) => {
        const { body } = await call("GetQueueAttributes", { QueueUrl: url, AttributeNames: ["All"] });
        const { Attributes: found } = v.parse(Attributes, JSON.parse(body));
        const depth: Depth = {
          visible: Number(found["ApproximateNumberOfMessages"]),
          inFlight: Number(found["ApproximateNumberOfMessagesNotVisible"]),
          delayed: Number(found["ApproximateNumberOfMessagesDelayed"]),
        };
        return [name, depth] as const;
      }),
    );
    return Object.fromEntries(entries);
  };

  return { service, depths, close: () => app.close() };
};
export type Queues = Awaited<ReturnType<typeof createQueues>>;
