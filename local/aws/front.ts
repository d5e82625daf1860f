import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import * as v from "valibot";
import { parseJson, readText } from "../body.ts";
import { OPERATOR, type Policies } from "./policies.ts";

export type AwsRequest = { operation: string; input: unknown; functionName: string };
/** The answer to a request. `breaks`: breaks the connection instead of answering. */
export type AwsResponse = { status: number; body: string; headers?: Record<string, string>; breaks?: boolean };

/** A permission that a call needs. `keys`: partition keys that the call accesses. */
export type Permission = { action: string; resource: string; keys?: readonly string[] };

export type AwsService = {
  /** Lists all permissions that a request needs; undefined if the stand-in does not support the operation. */
  permissionsOf: (operation: string, input: unknown, region: string) => readonly Permission[] | undefined;
  handle: (request: AwsRequest) => Promise<AwsResponse>;
  refuse: (code: string, message: string) => AwsResponse;
};

/** The state of a service. `up`: no fault; `down`: connections break; `hang`: no answer. */
export const Fault = v.picklist(["up", "down", "hang"]);
export type Fault = v.InferOutput<typeof Fault>;

type FrontOptions = {
  services: Readonly<Record<string, AwsService>>;
  policies: Policies;
  onDenied: (functionName: string, message: string) => void;
  faultOf?: (service: string) => Fault;
};

export const createAwsError = (status: number, code: string, message: string): AwsResponse => ({
  status,
  body: JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message, Message: message }),
  headers: { "x-amzn-query-error": `${code};Sender` },
});

const CREDENTIAL =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[^/]+)\/\d{8}\/(?<region>[^/]+)\/(?<service>[^/]+)\/aws4_request/;

/** Returns the answer of the AWS service's stand-in, or AWS's error; undefined if a simulated fault prevents an answer. */
const answerRequest = async (
  { services, policies, onDenied, faultOf }: FrontOptions,
  request: IncomingMessage,
  body: string,
): Promise<AwsResponse | undefined> => {
  const {
    key = "",
    region = "",
    service: name = "",
  } = CREDENTIAL.exec(request.headers.authorization ?? "")?.groups ?? {};
  const service = services[name];
  if (service === undefined) {
    onDenied(key, `there is no stand-in for the AWS service ${name || "that an unsigned request calls"}`);
    return createAwsError(400, "UnknownOperationException", `There is no local stand-in for ${name}.`);
  }
  const fault = key === OPERATOR ? "up" : (faultOf?.(name) ?? "up");
  if (fault !== "up") {
    if (fault === "down") request.socket.destroy();
    return undefined;
  }
  if (!policies.isKnown(key))
    return service.refuse("UnrecognizedClientException", "The security token included in the request is invalid.");
  const target = request.headers["x-amz-target"];
  // Services with a REST protocol identify an operation by method and path.
  const operation =
    typeof target === "string" ? target.slice(target.lastIndexOf(".") + 1) : `${request.method} ${request.url}`;
  const input = parseJson(body);
  if (input === undefined) return service.refuse("SerializationException", "The body is not JSON.");
  const permissions = service.permissionsOf(operation, input, region);
  if (permissions === undefined) {
    onDenied(key, `the stand-in of ${name} has no operation ${operation}`);
    return service.refuse("UnknownOperationException", `Not supported locally: ${operation}.`);
  }
  for (const { action, resource, keys } of permissions) {
    const verdict = policies.authorize(key, action, resource, keys);
    if (verdict.allowed) continue;
    onDenied(key, verdict.message);
    return service.refuse("AccessDeniedException", verdict.message);
  }
  const answered = await service.handle({ operation, input, functionName: key });
  if (answered.breaks !== true) return answered;
  request.socket.destroy();
  return undefined;
};

/**
 * Creates a server for requests to AWS. The access key id identifies the calling function. Signatures are not checked, because
 * only functions on this machine send requests. Every request needs a grant in its function's policies.
 */
export const createAwsServer = (options: FrontOptions) => {
  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answered = await answerRequest(options, request, await readText(request));
    if (answered === undefined) return;
    response.writeHead(answered.status, {
      "content-type": "application/x-amz-json-1.0",
      "content-length": Buffer.byteLength(answered.body),
      "x-amzn-requestid": randomUUID(),
      ...answered.headers,
    });
    response.end(answered.body);
  };

  return (request: IncomingMessage, response: ServerResponse): void => {
    onRequest(request, response).catch((error: unknown) => {
      if (!request.destroyed && !response.destroyed) options.onDenied("", `the stand-in failed: ${String(error)}`);
      response.destroy();
    });
  };
};
