import * as v from "valibot";
import { Authored } from "../basics/authored.ts";
import { isId, WorkspaceId } from "../basics/ids.ts";
import { Restriction } from "../basics/clock/week.ts";
import { RuleProbe } from "./probing.ts";
import { type Condition, ConditionMatch, PrioritySpelling, StoredConditions } from "./matching/index.ts";

const KeptConditions: v.GenericSchema<unknown, Condition[]> = StoredConditions;

/** A routing rule as stored and shown. Every change raises `version`. */
export const RoutingRule = v.object({
  id: v.string(),
  workspaceId: WorkspaceId,
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
  /** Applies only if no other rule does. Rules stored before fallback rules existed lack these three fields. */
  fallback: v.optional(v.boolean(), false),
  activeHours: v.optional(v.nullable(v.array(Restriction)), null),
  timeZone: v.optional(v.nullable(v.string()), null),
  /** Decides which of the rule's events page. Rules stored before grouping existed lack these three fields. */
  groupBy: v.optional(v.nullable(v.array(v.string())), null),
  groupMinutes: v.optional(v.nullable(v.number()), null),
  atLeast: v.optional(v.nullable(v.object({ count: v.number(), withinMinutes: v.number() })), null),
  /** Only the first matching rule of a chain applies. Rules stored before chains existed lack both fields. */
  chain: v.optional(v.nullable(v.string()), null),
  position: v.optional(v.nullable(v.number()), null),
  /** Absent if the default applies. */
  probe: v.optional(RuleProbe),
  version: v.number(),
  createdAt: v.string(),
  updatedAt: v.string(),
  ...Authored.entries,
});
export type RoutingRule = v.InferOutput<typeof RoutingRule>;

/** Returns the id of a rule as the API shows it; null for a draft without one. */
export const ruleIdOrNull = (id: string): string | null => (isId("rule", id) ? id : null);
