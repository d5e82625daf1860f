import type { FrozenPolicy } from "../escalation/escalation-policy.ts";
import { noSchedule } from "../on-call/views.ts";
import { endsAfter } from "../on-call/override.ts";
import { areAllLongUnseen, filterReachableDevices, type Device } from "../device/device.ts";
import { findEverOnCall } from "../on-call/index.ts";
import type { People, Target } from "../people/people.ts";
import type { RoutingRule } from "../rules/routing-rule.ts";
import type { Warning } from "../basics/warning.ts";
import { createWarning } from "../people/warning.ts";

/** Lists the group's members who are on call now or later, by the schedule or an override. */
const listMembersEverOnCall = (groupId: string, { groups, schedules, overrides }: People, now: number): string[] => {
  const scheduled = new Set([
    ...findEverOnCall(schedules.get(groupId) ?? noSchedule, now).ever,
    ...(overrides.get(groupId) ?? []).filter((override) => endsAfter(override, now)).map(({ userId }) => userId),
  ]);
  return (groups.get(groupId)?.memberIds ?? []).filter((userId) => scheduled.has(userId));
};

const isKnownTarget = (target: Target, { groups, members }: People): boolean =>
  target.type === "group" ? groups.has(target.groupId) : members.has(target.userId);

/** Returns all people that a target can lead to, now or later. */
export const listPossiblePeople = (target: Target, people: People, now: number): string[] => {
  if (target.type === "user") return people.members.has(target.userId) ? [target.userId] : [];
  return target.onCallOnly === true
    ? listMembersEverOnCall(target.groupId, people, now)
    : [...(people.groups.get(target.groupId)?.memberIds ?? [])];
};

/** Warns that a push to a person with the given devices will fail or may fail. */
export const checkDevices = (userId: string, devices: readonly Device[], now: number): Warning | undefined => {
  if (devices.length === 0) return createWarning("no_device", userId);
  if (filterReachableDevices(devices).length === 0) return createWarning("devices_must_renew", userId);
  return areAllLongUnseen(devices, now) ? createWarning("devices_silent", userId) : undefined;
};

export type ReachingRule = Pick<RoutingRule, "onCallOnly" | "targets" | "escalationPolicyId" | "requiresAck">;

export const toRuleTargets = ({ targets, onCallOnly }: ReachingRule): Target[] =>
  targets.map((target) => ({ ...target, onCallOnly }));

export const toPolicyTargets = ({ steps }: Pick<FrozenPolicy, "steps">): Target[] =>
  steps.flatMap((step): Target[] => step.targets);

type HasAnyDevice = (userIds: readonly string[]) => boolean;

/** Warns of a target that notifies nobody, or nobody with a device. */
const checkTarget = (target: Target, people: People, hasAnyDevice: HasAnyDevice, now: number): Warning | undefined => {
  const candidates = listPossiblePeople(target, people, now);
  if (target.type === "user") {
    if (candidates.length === 0) return createWarning("user_left", target.userId);
    return hasAnyDevice(candidates) ? undefined : createWarning("no_devices", target.userId);
  }
  const { groupId } = target;
  const group = people.groups.get(groupId);
  if (group === undefined) return createWarning("group_deleted", groupId);
  if (group.memberIds.length === 0) return createWarning("group_empty", groupId);
  if (candidates.length === 0) return createWarning("nobody_on_call", groupId);
  return hasAnyDevice(candidates) ? undefined : createWarning("no_devices", groupId);
};

/** Returns a function that warns of a target as `checkTarget` does, but checks each target only once. */
const createTargetCheck = (
  people: People,
  hasAnyDevice: HasAnyDevice,
  now: number,
): ((target: Target) => Warning | undefined) => {
  const seen = new Map<string, Warning | undefined>();
  return (target) => {
    const name =
      target.type === "user" ? target.userId : `${target.groupId} ${target.onCallOnly === true ? "on call" : "all"}`;
    if (!seen.has(name)) seen.set(name, checkTarget(target, people, hasAnyDevice, now));
    return seen.get(name);
  };
};
type CheckOnce = ReturnType<typeof createTargetCheck>;

const checkTargets = (targets: readonly Target[], checkOnce: CheckOnce): Warning[] => {
  const warnings = targets.flatMap((target) => checkOnce(target) ?? []);
  return [...new Map(warnings.map((warning) => [`${warning.code} ${warning.id}`, warning])).values()];
};

/** Returns whether at least one target of the policy gets no warning. */
const isAnyTargetReached = (policy: Pick<FrozenPolicy, "steps">, checkOnce: CheckOnce): boolean =>
  toPolicyTargets(policy).some((target) => checkOnce(target) === undefined);

/** Returns a function that warns of a policy's targets that notify nobody, and of a policy that reaches nobody at all. */
export const createPolicyChecker = (
  people: People,
  hasAnyDevice: HasAnyDevice,
  now: number,
): ((policy: Pick<FrozenPolicy, "id" | "steps">) => Warning[]) => {
  const checkOnce = createTargetCheck(people, hasAnyDevice, now);
  return (policy) => [
    ...checkTargets(toPolicyTargets(policy), checkOnce),
    ...(isAnyTargetReached(policy, checkOnce) ? [] : [createWarning("policy_reaches_nobody", policy.id)]),
  ];
};

/** Warns of the policy's targets that notify nobody, and of a policy that reaches nobody at all. */
export const checkPolicy = (policy: FrozenPolicy, people: People, hasAnyDevice: HasAnyDevice, now: number): Warning[] =>
  createPolicyChecker(people, hasAnyDevice, now)(policy);

/** Returns a function that warns of a rule that reaches nobody or fewer people than it seems. */
export const createRuleChecker = (
  people: People,
  hasAnyDevice: HasAnyDevice,
  now: number,
): ((rule: ReachingRule) => Warning[]) => {
  const checkOnce = createTargetCheck(people, hasAnyDevice, now);
  return (rule) => {
    const warnings = checkTargets(toRuleTargets(rule), checkOnce);
    const id = rule.escalationPolicyId;
    if (id === null) return warnings;
    const policy = people.policies.get(id);
    if (policy === undefined) return [...warnings, createWarning("policy_deleted", id)];
    if (toPolicyTargets(policy).some((target) => !isKnownTarget(target, people)))
      warnings.push(createWarning("policy_step_gone", id));
    if (!isAnyTargetReached(policy, checkOnce)) warnings.push(createWarning("policy_reaches_nobody", id));
    if (!rule.requiresAck) warnings.push(createWarning("policy_not_armed", id));
    return warnings;
  };
};

/** Warns of a rule that reaches nobody or fewer people than it seems. */
export const checkRule = (rule: ReachingRule, people: People, hasAnyDevice: HasAnyDevice, now: number): Warning[] =>
  createRuleChecker(people, hasAnyDevice, now)(rule);

/** Warns of groups that a change leaves without members or without anybody on call. `at`: in milliseconds. */
export const checkUnattendedGroups = (before: People, after: People, at: number): Warning[] => {
  const isAnyoneOnCall = (people: People, groupId: string): boolean => !people.duty(groupId).at(at).isGap;
  return [...after.groups].flatMap(([groupId, { memberIds }]) => {
    const hadMembers = (before.groups.get(groupId)?.memberIds.length ?? 0) > 0;
    if (hadMembers && memberIds.length === 0) return [createWarning("group_empty", groupId)];
    return isAnyoneOnCall(before, groupId) && !isAnyoneOnCall(after, groupId)
      ? [createWarning("nobody_on_duty", groupId)]
      : [];
  });
};
