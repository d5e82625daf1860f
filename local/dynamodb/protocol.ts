import * as v from "valibot";
import { Fault } from "../aws/front.ts";
import { Usage } from "../aws/meters.ts";
import { Statement } from "../template/resources.ts";

export const Start = v.object({
  kind: v.literal("start"),
  path: v.string(),
  table: v.object({ name: v.string(), arn: v.string() }),
  principals: v.array(v.object({ name: v.string(), statements: v.array(Statement) })),
});
export type Start = v.InferOutput<typeof Start>;

export const ToDynamoDb = v.variant("kind", [
  Start,
  v.object({ kind: v.literal("report"), id: v.number() }),
  v.object({ kind: v.literal("reset") }),
  v.object({ kind: v.literal("fault"), fault: Fault }),
  v.object({ kind: v.literal("stop") }),
]);
export type ToDynamoDb = v.InferOutput<typeof ToDynamoDb>;

export const Report = v.object({
  kind: v.literal("report"),
  id: v.number(),
  meters: v.record(v.string(), Usage),
  unusedGrants: v.array(v.object({ functionName: v.string(), action: v.string(), resource: v.string() })),
});
export type Report = v.InferOutput<typeof Report>;

export const FromDynamoDb = v.variant("kind", [
  v.object({ kind: v.literal("ready"), url: v.string() }),
  v.object({ kind: v.literal("failed"), reason: v.string() }),
  v.object({ kind: v.literal("denied"), functionName: v.string(), message: v.string() }),
  Report,
]);
export type FromDynamoDb = v.InferOutput<typeof FromDynamoDb>;
