import type { Deps } from "../deps.ts";
import { EVENT_NOTIFICATIONS_MAX } from "../domain/basics/limits.ts";
import type { People } from "../domain/people/people.ts";
import { mostToldBy, mostToldByAnEvent, type MostTold } from "../domain/rules/most-told.ts";
import type { RoutingRule } from "../domain/rules/routing-rule.ts";
import { loadPeople } from "../store/config.ts";
import { growTold, readRuleCount } from "../store/counts.ts";
import { listRules } from "../store/rules.ts";

/*
 * One event leads to at most so many notifications. The end is met by whoever writes the rule or fills the group, never by
 * an event: a plan is frozen by one invocation, which has 20 seconds. Two who write at the same moment may pass together.
 */

type BoundDeps = Pick<Deps, "table">;

const grow = async (
  deps: BoundDeps,
  ws: string,
  { by, count }: { by: number; count: () => Promise<MostTold> },
): Promise<void> => {
  if (by === 0) return;
  let most: MostTold | undefined;
  await growTold(deps, ws, {
    by,
    countAfter: async () => {
      most = await count();
      return most.notifications;
    },
    refusal: (after) =>
      `One event leads to at most ${EVENT_NOTIFICATIONS_MAX} notifications; by this change, one with the key ` +
      `${most?.eventKey} could lead to ${after}. Let fewer rules name groups of that size.`,
  });
};

/** Throws Refusal `limit_reached` where one event could tell too many with this rule, new or in the place of an old one. */
export const boundByRule = (
  deps: BoundDeps,
  ws: string,
  rule: Pick<RoutingRule, "enabled" | "eventKey" | "targets"> & { id?: string },
  people: People,
): Promise<void> =>
  grow(deps, ws, {
    by: mostToldBy(rule, people),
    count: async () => {
      const others = (await listRules(deps, ws)).filter(({ id }) => id !== rule.id);
      return mostToldByAnEvent([...others, rule], people);
    },
  });

/** The same for somebody who joins a group: every rule may name it. */
export const boundByGroupMember = async (
  deps: BoundDeps,
  ws: string,
  { groupId, userId }: { groupId: string; userId: string },
): Promise<void> =>
  grow(deps, ws, {
    by: await readRuleCount(deps, ws),
    count: async () => {
      const [rules, people] = await Promise.all([listRules(deps, ws), loadPeople(deps, ws)]);
      const joined = people.groups.get(groupId);
      if (joined === undefined) return mostToldByAnEvent(rules, people);
      const groups = new Map(people.groups).set(groupId, { ...joined, memberIds: [...joined.memberIds, userId] });
      return mostToldByAnEvent(rules, { ...people, groups });
    },
  });
