import type { AuditDeps, TableDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { EVENT_NOTIFICATIONS_MAX } from "../../domain/basics/limits.ts";
import type { GroupMember, MemberOfGroup } from "../../domain/people/group.ts";
import type { People } from "../../domain/people/people.ts";
import {
  countMaxNotifiedByRule,
  findMostNotifyingEventKey,
  type MostNotified,
} from "../../domain/planning/most-notified.ts";
import type { RoutingRule } from "../../domain/rules/routing-rule.ts";
import { loadPeople, readGroupMember } from "../../store/people/people.ts";
import {
  refuseAtLimit,
  reserveCounts,
  createIncreaseOfNotified,
  createIncreaseOfGroupMembers,
  readRuleCount,
  type Increase,
} from "../../store/configuration/counts.ts";
import { addGroupMember } from "../../store/people/groups.ts";
import { listRules } from "../../store/rules/rules.ts";

/* A change of rules or groups is refused if, after it, an event could notify too many people to store its plan in 20 seconds. */

/** Describes a change by which one event may cause `added` more notifications. `countAfter`: counts the new maximum. */
const createNotificationIncrease = (added: number, countAfter: () => Promise<MostNotified>): Increase => {
  let most: MostNotified | undefined;
  return createIncreaseOfNotified({
    by: added,
    countAfter: async () => {
      most = await countAfter();
      return most.notifications;
    },
    refusal: (after) =>
      refuseAtLimit(
        `One event may cause at most ${EVENT_NOTIFICATIONS_MAX} notifications. After this change, an event with the key ` +
          `${most?.eventKey} could cause ${after}. Use fewer rules for this event key, or smaller groups.`,
      ),
  });
};

/** Throws Refusal `limit_reached` if, with this rule, one event could cause too many notifications. */
export const checkRuleLimit = (
  deps: TableDeps,
  ws: WorkspaceId,
  rule: Pick<RoutingRule, "enabled" | "eventKey" | "targets"> & { id?: string },
  people: People,
): Promise<void> =>
  reserveCounts(
    deps,
    ws,
    createNotificationIncrease(countMaxNotifiedByRule(rule, people), async () => {
      const otherRules = (await listRules(deps, ws)).filter(({ id }) => id !== rule.id);
      return findMostNotifyingEventKey([...otherRules, rule], people);
    }),
  );

/** Adds a member to a group, if necessary. Throws Refusal `limit_reached`, such as if an event could notify too many people. */
export const addToGroup = async (
  deps: AuditDeps,
  ws: WorkspaceId,
  { groupId, userId }: MemberOfGroup,
): Promise<{ kind: "created" | "exists"; member: GroupMember }> => {
  if ((await readGroupMember(deps, ws, { groupId, userId })) === undefined) {
    const countNotificationsAfterJoining = async () => {
      const [rules, people] = await Promise.all([listRules(deps, ws), loadPeople(deps, ws)]);
      const joined = people.groups.get(groupId);
      const groups = new Map(people.groups);
      if (joined !== undefined) groups.set(groupId, { ...joined, memberIds: [...joined.memberIds, userId] });
      return findMostNotifyingEventKey(rules, { ...people, groups });
    };
    await reserveCounts(
      deps,
      ws,
      createIncreaseOfGroupMembers(deps, ws),
      createNotificationIncrease(await readRuleCount(deps, ws), countNotificationsAfterJoining),
    );
  }
  return addGroupMember(deps, ws, { groupId, userId });
};
