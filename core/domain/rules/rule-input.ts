import * as v from "valibot";
import { patchSchema } from "../basics/changes.ts";
import { isId } from "../basics/ids.ts";
import { NAME_MAX_CODE_POINTS, TARGETS_MAX } from "../basics/limits.ts";
import type { Fault } from "../basics/refusal.ts";
import { nameSchema } from "../basics/text.ts";
import { TimeZone } from "../basics/clock/week.ts";
import { ActiveHours, findHoursFaults, type Hours } from "./active-hours.ts";
import { Chain, findChainFaults, Position, type ChainPlace } from "./chain.ts";
import { AtLeast, GroupBy, findGroupingFaults, GroupMinutes, type Grouping } from "./grouping.ts";
import { RuleProbe } from "./routing-rule.ts";
import { ConditionMatch, Conditions, EventKeyPattern, PrioritySpelling } from "./matching/index.ts";

const booleanSchema = (field: string) => v.boolean(`${field} must be true or false.`);

const Target = v.strictObject(
  {
    type: v.literal("group", 'type must be "group".'),
    groupId: v.pipe(
      v.string("groupId must be a string."),
      v.check((id) => isId("grp", id), "groupId must be the id of a group of this workspace."),
    ),
  },
  "A target must be an object: {type, groupId}.",
);

const entries = {
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  eventKey: EventKeyPattern,
  targets: v.pipe(
    v.array(Target, "targets must be an array."),
    v.minLength(1, "targets must have at least one group."),
    v.maxLength(TARGETS_MAX, `targets must have at most ${TARGETS_MAX} groups.`),
  ),
  conditions: Conditions,
  conditionMatch: ConditionMatch,
  requiresAck: booleanSchema("requiresAck"),
  priorityOverride: v.nullable(PrioritySpelling),
  onCallOnly: booleanSchema("onCallOnly"),
  escalationPolicyId: v.nullable(
    v.pipe(
      v.string("escalationPolicyId must be a string or null."),
      v.check((id) => isId("pol", id), "escalationPolicyId must be the id of an escalation policy of this workspace."),
    ),
  ),
  enabled: booleanSchema("enabled"),
  fallback: booleanSchema("fallback"),
  activeHours: ActiveHours,
  timeZone: v.nullable(TimeZone),
  groupBy: GroupBy,
  groupMinutes: GroupMinutes,
  atLeast: AtLeast,
  chain: Chain,
  position: Position,
  probe: RuleProbe,
};

export const RuleInput = v.strictObject({
  name: entries.name,
  eventKey: entries.eventKey,
  targets: entries.targets,
  conditions: v.optional(entries.conditions, []),
  conditionMatch: v.optional(entries.conditionMatch, "all"),
  requiresAck: v.optional(entries.requiresAck, false),
  priorityOverride: v.optional(entries.priorityOverride, null),
  onCallOnly: v.optional(entries.onCallOnly, false),
  escalationPolicyId: v.optional(entries.escalationPolicyId, null),
  enabled: v.optional(entries.enabled, true),
  fallback: v.optional(entries.fallback, false),
  activeHours: v.optional(entries.activeHours, null),
  timeZone: v.optional(entries.timeZone, null),
  groupBy: v.optional(entries.groupBy, null),
  groupMinutes: v.optional(entries.groupMinutes, null),
  atLeast: v.optional(entries.atLeast, null),
  chain: v.optional(entries.chain, null),
  position: v.optional(entries.position, null),
  probe: v.exactOptional(entries.probe),
});
export type RuleInput = v.InferOutput<typeof RuleInput>;

export const RulePatch = patchSchema(entries);
export type RulePatch = v.InferOutput<typeof RulePatch>;

/** Returns a fault for each missing field that another field requires, such as `position` if only `chain` is set. */
export const findRuleFaults = (rule: Hours & Grouping & ChainPlace): Fault[] => [
  ...findHoursFaults(rule),
  ...findGroupingFaults(rule),
  ...findChainFaults(rule),
];
