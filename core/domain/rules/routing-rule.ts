import * as v from "valibot";
import { Authored, versionedEntries } from "../basics/authored.ts";
import { isId, WorkspaceId } from "../basics/ids.ts";
import { wholeNumberSchema } from "../basics/number.ts";
import { Restriction } from "../basics/clock/week.ts";
import { type Condition, ConditionMatch, PrioritySpelling, StoredConditions } from "./matching/index.ts";

const KeptConditions: v.GenericSchema<unknown, Condition[]> = StoredConditions;

const PROBE_HOURS_MIN = 24;
export const PROBE_HOURS_MAX = 168;

/** How often a rule is probed; null for no probes. */
export const RuleProbe = v.nullable(
  v.strictObject(
    { everyHours: wholeNumberSchema("everyHours", PROBE_HOURS_MIN, PROBE_HOURS_MAX) },
    "probe must be null or an object: {everyHours}.",
  ),
);
export type RuleProbe = v.InferOutput<typeof RuleProbe>;

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
  /** Rules that were stored before fallback rules existed lack these three fields. */
  fallback: v.optional(v.boolean(), false),
  activeHours: v.optional(v.nullable(v.array(Restriction)), null),
  timeZone: v.optional(v.nullable(v.string()), null),
  /** Rules that were stored before groups of events existed lack these three fields. */
  groupBy: v.optional(v.nullable(v.array(v.string())), null),
  groupMinutes: v.optional(v.nullable(v.number()), null),
  atLeast: v.optional(v.nullable(v.object({ count: v.number(), withinMinutes: v.number() })), null),
  /** Rules that were stored before chains existed lack both fields. */
  chain: v.optional(v.nullable(v.string()), null),
  position: v.optional(v.nullable(v.number()), null),
  /** How often the rule is probed; by default, `getProbeSetting` decides. */
  probe: v.optional(RuleProbe),
  ...versionedEntries,
  ...Authored.entries,
});
export type RoutingRule = v.InferOutput<typeof RoutingRule>;

/** Returns the rule's id; null for a new draft, which has no id yet. */
export const toRuleIdOrNull = (id: string): string | null => (isId("rule", id) ? id : null);

type ProbedRule = { probe?: RuleProbe | undefined; requiresAck: boolean };

/** Returns how often the rule is probed; null for never. By default, rules that require an acknowledgement are probed weekly. */
export const getProbeSetting = ({ probe, requiresAck }: ProbedRule): RuleProbe =>
  probe === undefined ? (requiresAck ? { everyHours: PROBE_HOURS_MAX } : null) : probe;

/** Returns the rule without a `probe` that equals the default, so that the default follows later changes of `requiresAck`. */
export const omitDefaultProbe = <Rule extends ProbedRule>(rule: Rule): Rule => {
  const kept = { ...rule };
  if (getProbeSetting({ requiresAck: rule.requiresAck })?.everyHours === rule.probe?.everyHours) delete kept.probe;
  return kept;
};
