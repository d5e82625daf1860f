import * as v from "valibot";
import { type Condition, ConditionMatch, PrioritySpelling, StoredConditions } from "./matching/index.ts";

const KeptConditions: v.GenericSchema<unknown, Condition[]> = StoredConditions;

/** A routing rule as it is stored and shown. `version` counts its changes. */
export const RoutingRule = v.object({
  id: v.string(),
  workspaceId: v.string(),
  name: v.string(),
  eventKey: v.string(),
  targets: v.array(v.object({ type: v.literal("group"), groupId: v.string() })),
  conditions: KeptConditions,
  conditionMatch: ConditionMatch,
  requiresAck: v.boolean(),
  priorityOverride: v.nullable(PrioritySpelling),
  onCallOnly: v.boolean(),
  escalationPolicyId: v.nullable(v.string()),
  enabled: v.boolean(),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
});
export type RoutingRule = v.InferOutput<typeof RoutingRule>;
