import type { RoutingRule } from "./routing-rule.ts";
import { fromIso } from "./time.ts";
import type { Warning } from "./warning.ts";

/** What is known of the people of a workspace when a rule is looked at. */
export type Reach = {
  groups: ReadonlyMap<string, { memberIds: readonly string[] }>;
  policies: { has: (id: string) => boolean };
  schedules: ReadonlyMap<string, { layers: readonly { participants: readonly string[] }[] }>;
  overrides: ReadonlyMap<string, readonly { userId: string; end: string }[]>;
};

/** The members of a group who are on call at some time from now on. */
const everOnCall = (groupId: string, { groups, schedules, overrides }: Reach, now: number): string[] => {
  const scheduled = new Set([
    ...(schedules.get(groupId)?.layers ?? []).flatMap(({ participants }) => participants),
    ...(overrides.get(groupId) ?? []).filter(({ end }) => (fromIso(end) ?? 0) > now).map(({ userId }) => userId),
  ]);
  return (groups.get(groupId)?.memberIds ?? []).filter((userId) => scheduled.has(userId));
};

/** Those whom a rule can reach in a group: of whom one at least should have a device. */
export const reachedIn = (
  rule: Pick<RoutingRule, "onCallOnly">,
  groupId: string,
  reach: Reach,
  now: number,
): string[] => (rule.onCallOnly ? everOnCall(groupId, reach, now) : [...(reach.groups.get(groupId)?.memberIds ?? [])]);

const warningOf = (
  rule: Pick<RoutingRule, "onCallOnly">,
  groupId: string,
  reach: Reach,
  withDevice: ReadonlySet<string>,
  now: number,
): Warning[] => {
  const group = reach.groups.get(groupId);
  const about = (code: string, message: string): Warning[] => [{ code, message, id: groupId }];
  if (group === undefined) return about("group_deleted", "A target group was deleted: nobody in it is told.");
  if (group.memberIds.length === 0) return about("group_empty", "A target group has no members: nobody in it is told.");
  if (reachedIn(rule, groupId, reach, now).length === 0)
    return about("nobody_on_call", "Nobody in a target group is ever on call: the rule tells nobody in it.");
  if (!withDevice.has(groupId))
    return about("no_devices", "Nobody in a target group has a registered device: notifications to it will fail.");
  return [];
};

/** Why a rule reaches nobody, or less than it seems to. `withDevice`: the groups in which somebody has a device. */
export const ruleWarnings = (
  rule: Pick<RoutingRule, "onCallOnly" | "targets" | "escalationPolicyId">,
  reach: Reach,
  withDevice: ReadonlySet<string>,
  now: number,
): Warning[] => [
  ...[...new Set(rule.targets.map(({ groupId }) => groupId))].flatMap((groupId) =>
    warningOf(rule, groupId, reach, withDevice, now),
  ),
  ...(rule.escalationPolicyId === null || reach.policies.has(rule.escalationPolicyId)
    ? []
    : [
        {
          code: "policy_deleted",
          message: "The escalation policy was deleted: nothing is escalated.",
          id: rule.escalationPolicyId,
        },
      ]),
];
