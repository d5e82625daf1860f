import { keyOfRequest } from "./dynamo.ts";
import type { CallKind } from "./modes.ts";
import type { SqsRequest, WireAnswer, WireRequest } from "./wire.ts";

type Named = string | { S?: string };
/** The parts of a call that decide its kind, with the same names in a request on the wire and in an SDK's command. */
export type CallParts = {
  service: "dynamodb" | "sqs" | "secretsmanager";
  operation: string;
  body: {
    SecretId?: string;
    VersionStage?: string;
    ConsistentRead?: boolean;
    RequestItems?: Record<string, { Keys?: Record<string, Named>[]; ConsistentRead?: boolean }>;
    Key?: Record<string, unknown>;
    Item?: Record<string, unknown>;
    /** A transaction's writes, each under the name of its operation. The first write decides the kind of the call. */
    TransactItems?: Record<string, CallParts["body"]>[];
    ExpressionAttributeValues?: Record<string, unknown>;
    UpdateExpression?: string;
    ConditionExpression?: string;
    QueueUrl?: string;
  };
};

export const kindOf = ({ service, operation, body }: CallParts): CallKind => {
  if (service === "secretsmanager") return "secret";
  if (service === "sqs") {
    if (operation === "ChangeMessageVisibility") return "visibility";
    return operation === "SendMessageBatch" ? "send-batch" : "send";
  }
  if (operation === "BatchGetItem")
    return Object.values(body.RequestItems ?? {}).every(({ ConsistentRead }) => ConsistentRead === true)
      ? "read"
      : "batch-read";
  if (operation === "GetItem" || operation === "Query") return body.ConsistentRead === true ? "read" : "stale-read";
  return "write";
};

export const textOf = (value: unknown): string =>
  typeof value === "string" ? value : ((value as { S?: string } | undefined)?.S ?? "");

const firstItemOf = (body: CallParts["body"]): CallParts["body"] =>
  (body.TransactItems ?? []).flatMap((one) => Object.values(one))[0] ?? body;

/** Returns a text that is equal for calls that do the same to different items, and for repetitions. */
export const likenessOf = (fn: string, { operation, body: whole }: CallParts): string => {
  const body = firstItemOf(whole);
  if (body.SecretId !== undefined) return [fn, operation, body.SecretId, body.VersionStage].join(" ");
  const [batch] = Object.values(body.RequestItems ?? {});
  const key = body.Key ?? body.Item ?? batch?.Keys?.[0];
  const pk = textOf(key?.["pk"] ?? body.ExpressionAttributeValues?.[":pk"]);
  const names = [body.QueueUrl, ...pk.split("#"), textOf(key?.["sk"])].filter((part) =>
    /^[A-Z_-]+$|^http/.test(part ?? ""),
  );
  const change = `${body.UpdateExpression ?? ""} ${body.ConditionExpression ?? ""}`.replaceAll(/\d+/g, "");
  return [fn, operation, body.ConsistentRead, ...names, change].join(" ");
};

export const pkOf = ({ body: whole }: CallParts): string | undefined => {
  const body = firstItemOf(whole);
  const pk = textOf((body.Key ?? body.Item)?.["pk"] ?? body.ExpressionAttributeValues?.[":pk"]);
  return pk === "" ? undefined : pk;
};

export const queueNameOf = (body: SqsRequest): string => body.QueueUrl?.split("/").at(-1) ?? "";

export const describeCall = (request: WireRequest): string => {
  if (request.service === "secretsmanager")
    return `secrets ${request.operation} ${request.body.SecretId} ${request.body.VersionStage}`;
  if (request.service === "sqs") {
    const size = request.body.Entries === undefined ? "" : ` ${request.body.Entries.length}`;
    return `sqs ${request.operation} ${queueNameOf(request.body)}${size}`;
  }
  const { pk, sk } = keyOfRequest(request.body);
  return `dynamodb ${request.operation} ${pk} ${sk}`;
};

export const shortType = (answer: WireAnswer): string => {
  const type = answer.body["__type"];
  return answer.status === 200 ? "ok" : typeof type === "string" ? (type.split("#").at(-1) ?? type) : "failed";
};

export const createConnectionReset = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
export const createTimeout = () => Object.assign(new Error("Connection timed out"), { name: "TimeoutError" });
export const createFaultAnswer = (status: number, type: string): WireAnswer => ({
  status,
  body: { __type: `com.amazonaws#${type}`, message: "injected" },
});
export const createThrottlingAnswer = (service: WireRequest["service"]) =>
  createFaultAnswer(400, service === "dynamodb" ? "ProvisionedThroughputExceededException" : "ThrottlingException");
