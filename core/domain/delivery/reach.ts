import type { FrozenPolicy } from "./delivery-plan.ts";
import type { Target } from "../people/people.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import { fromIso } from "../basics/time.ts";
import { warn, type Warning } from "./warning.ts";

/** What is known of the people of a workspace when a rule or a policy is looked at. */
export type Reach = {
  members: { has: (userId: string) => boolean };
  groups: ReadonlyMap<string, { memberIds: readonly string[] }>;
  policies: ReadonlyMap<string, FrozenPolicy>;
  schedules: ReadonlyMap<string, { layers: readonly { participants: readonly string[] }[] }>;
  overrides: ReadonlyMap<string, readonly { userId: string; end: string }[]>;
};

/** The members of a group who have a turn in its schedule, or an override that is not over. */
const everOnCall = (groupId: string, { groups, schedules, overrides }: Reach, now: number): string[] => {
  const scheduled = new Set([
    ...(schedules.get(groupId)?.layers ?? []).flatMap(({ participants }) => participants),
    ...(overrides.get(groupId) ?? []).filter(({ end }) => (fromIso(end) ?? 0) > now).map(({ userId }) => userId),
  ]);
  return (groups.get(groupId)?.memberIds ?? []).filter((userId) => scheduled.has(userId));
};

/** Those whom a target can name at some time from now on: one at least should have a device. */
export const candidatesOf = (target: Target, reach: Reach, now: number): string[] => {
  if (target.type === "user") return reach.members.has(target.userId) ? [target.userId] : [];
  return target.onCallOnly === true
    ? everOnCall(target.groupId, reach, now)
    : [...(reach.groups.get(target.groupId)?.memberIds ?? [])];
};

/** What of a rule decides whom it reaches. */
export type ReachingRule = Pick<RoutingRule, "onCallOnly" | "targets" | "escalationPolicyId" | "requiresAck">;

export const targetsOfRule = ({ targets, onCallOnly }: ReachingRule): Target[] =>
  targets.map((target) => ({ ...target, onCallOnly }));

export const targetsOfPolicy = ({ steps }: Pick<FrozenPolicy, "steps">): Target[] =>
  steps.flatMap((step): Target[] => step.targets);

/** Says whether any of these people has a device. */
type WithDevice = (userIds: readonly string[]) => boolean;

/** Why a target reaches nobody, or undefined when it reaches somebody. */
const warningOf = (target: Target, reach: Reach, withDevice: WithDevice, now: number): Warning | undefined => {
  const candidates = candidatesOf(target, reach, now);
  if (target.type === "user") {
    if (candidates.length === 0) return warn("user_left", target.userId);
    return withDevice(candidates) ? undefined : warn("no_devices", target.userId);
  }
  const { groupId } = target;
  const group = reach.groups.get(groupId);
  if (group === undefined) return warn("group_deleted", groupId);
  if (group.memberIds.length === 0) return warn("group_empty", groupId);
  if (candidates.length === 0) return warn("nobody_on_call", groupId);
  return withDevice(candidates) ? undefined : warn("no_devices", groupId);
};

const targetWarnings = (targets: readonly Target[], reach: Reach, withDevice: WithDevice, now: number): Warning[] => {
  const warnings = targets.flatMap((target) => warningOf(target, reach, withDevice, now) ?? []);
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.id}`, warning])).values()];
};

const reachesSomebody = (policy: FrozenPolicy, reach: Reach, withDevice: WithDevice, now: number): boolean =>
  targetsOfPolicy(policy).some((target) => warningOf(target, reach, withDevice, now) === undefined);

/** Whom an escalation policy does not reach. */
export const policyWarnings = (policy: FrozenPolicy, reach: Reach, withDevice: WithDevice, now: number): Warning[] => [
  ...targetWarnings(targetsOfPolicy(policy), reach, withDevice, now),
  ...(reachesSomebody(policy, reach, withDevice, now) ? [] : [warn("policy_reaches_nobody", policy.id)]),
];

/** Why a rule reaches nobody, or less than it seems to. */
export const ruleWarnings = (rule: ReachingRule, reach: Reach, withDevice: WithDevice, now: number): Warning[] => {
  const warnings = targetWarnings(targetsOfRule(rule), reach, withDevice, now);
  const id = rule.escalationPolicyId;
  if (id === null) return warnings;
  const policy = reach.policies.get(id);
  if (policy === undefined) return [...warnings, warn("policy_deleted", id)];
  if (!reachesSomebody(policy, reach, withDevice, now)) warnings.push(warn("policy_reaches_nobody", id));
  if (!rule.requiresAck) warnings.push(warn("policy_not_armed", id));
  return warnings;
};
