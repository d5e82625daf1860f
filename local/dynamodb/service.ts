import * as v from "valibot";
import { createAwsError, type AwsService, type Permission } from "../aws/front.ts";
import type { Meters } from "../aws/meters.ts";
import { OPERATOR } from "../aws/policies.ts";
import { type Engine, isSupportedOperation } from "./engine.ts";

const Keyed = v.object({ pk: v.object({ S: v.string() }) });

const Write = v.object({ TableName: v.string(), Key: v.optional(Keyed), Item: v.optional(Keyed) });

const Request = v.looseObject({
  /** The writes of a transaction. Each entry maps the kind of one write, such as `Put`, to the write. */
  TransactItems: v.optional(v.array(v.record(v.string(), Write)), []),
  TableName: v.optional(v.string()),
  RequestItems: v.optional(v.record(v.string(), v.object({ Keys: v.array(Keyed) }))),
  Key: v.optional(Keyed),
  Item: v.optional(Keyed),
  KeyConditionExpression: v.optional(v.string()),
  ExpressionAttributeNames: v.optional(v.record(v.string(), v.string())),
  ExpressionAttributeValues: v.optional(v.record(v.string(), v.unknown())),
});
type Request = v.InferOutput<typeof Request>;

/** Returns the partition key that a query's condition requires; empty if the condition requires no key. */
const readQueriedKeys = ({
  KeyConditionExpression: condition = "",
  ExpressionAttributeNames: names = {},
  ExpressionAttributeValues: values = {},
}: Partial<Request>): string[] =>
  [...condition.matchAll(/([#\w]+)\s*=\s*(:\w+)/g)].flatMap(([, name = "", value = ""]) => {
    const found = v.safeParse(v.object({ S: v.string() }), values[value]);
    return (names[name] ?? name) === "pk" && found.success ? [found.output.S] : [];
  });

/** Returns the request's partition keys, which DynamoDB passes to IAM as `dynamodb:LeadingKeys`. */
const listLeadingKeys = (request: Partial<Request>): string[] =>
  [request.Key, request.Item, ...Object.values(request.RequestItems ?? {}).flatMap(({ Keys }) => Keys)]
    .flatMap((one) => (one === undefined ? [] : [one.pk.S]))
    .concat(readQueriedKeys(request));

export const createDynamoDbService = (
  engine: Engine,
  meters: Meters,
  table: { name: string; arn: string },
): AwsService => ({
  permissionsOf: (operation, input) => {
    if (!isSupportedOperation(operation)) return undefined;
    const request = v.parse(Request, input);
    const createRequiredPermission = (action: string, callRequest: Partial<Request>): Permission => {
      const names =
        callRequest.TableName === undefined ? Object.keys(callRequest.RequestItems ?? {}) : [callRequest.TableName];
      const other = names.find((name) => name !== table.name);
      const resource = other === undefined ? table.arn : table.arn.replace(table.name, other);
      return { action: `dynamodb:${action}`, resource, keys: listLeadingKeys(callRequest) };
    };
    // A transaction only needs the permissions of its writes.
    const writes = request.TransactItems.flatMap((one) => Object.entries(one));
    return writes.length === 0
      ? [createRequiredPermission(operation, request)]
      : writes.map(([kind, one]) => createRequiredPermission(`${kind}Item`, one));
  },
  handle: async ({ operation, input, functionName }) => {
    const answer = engine.execute(operation, v.parse(v.looseObject({}), input));
    const { readUnits, writeUnits } = answer;
    if (functionName !== OPERATOR) meters.add(functionName, { readUnits, writeUnits });
    return { status: answer.status, body: JSON.stringify(answer.body) };
  },
  refuse: (code, message) => createAwsError(400, code, message),
});
