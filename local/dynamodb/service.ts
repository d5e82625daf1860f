import * as v from "valibot";
import { awsError, type AwsService } from "../aws/front.ts";
import type { Meters } from "../aws/meters.ts";
import { OPERATOR } from "../aws/policies.ts";
import { type Engine, isOperation } from "./engine.ts";

const Request = v.looseObject({
  TableName: v.optional(v.string()),
  RequestItems: v.optional(v.record(v.string(), v.unknown())),
});

/** DynamoDB's side of the endpoint: one table, whose units are metered to the calling function. */
export const dynamoDbService = (engine: Engine, meters: Meters, table: { name: string; arn: string }): AwsService => ({
  permissionOf: (operation, input) => {
    if (!isOperation(operation)) return undefined;
    const { TableName, RequestItems = {} } = v.parse(Request, input);
    const names = TableName === undefined ? Object.keys(RequestItems) : [TableName];
    const other = names.find((name) => name !== table.name);
    const resource = other === undefined ? table.arn : table.arn.replace(table.name, other);
    return { action: `dynamodb:${operation}`, resource };
  },
  handle: async ({ operation, input, functionName }) => {
    const answer = engine.execute(operation, v.parse(v.looseObject({}), input));
    const { readUnits, writeUnits } = answer;
    if (functionName !== OPERATOR) meters.add(functionName, { readUnits, writeUnits });
    return { status: answer.status, body: JSON.stringify(answer.body) };
  },
  refuse: (code, message) => awsError(400, code, message),
});
