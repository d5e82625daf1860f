import type { Deps } from "../../deps.ts";
import { nextChange, onCallAt } from "../../domain/on-call/index.ts";
import { noSchedule, toOnCallMembers, type GroupOnCallNow, type OnCallNow } from "../../domain/on-call/views.ts";
import type { People } from "../../domain/people/people.ts";
import { notFound } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { loadPeople } from "../../store/people.ts";

const onCallOf = (people: People, groupId: string, memberIds: readonly string[], at: number): OnCallNow => {
  const { members, schedules, overrides } = people;
  const schedule = schedules.get(groupId) ?? noSchedule;
  const periods = overrides.get(groupId) ?? [];
  const next = nextChange(schedule, periods, at);
  return {
    groupId,
    at: toIso(at),
    onCall: toOnCallMembers(onCallAt(schedule, periods, at), members, memberIds),
    next: next === undefined ? null : { at: toIso(next.at), onCall: toOnCallMembers(next.people, members, memberIds) },
  };
};

/** Who is on call in a group at an instant (milliseconds). Throws Refusal `not_found` for an unknown group. */
export const whoIsOnCall = async (
  deps: Pick<Deps, "table">,
  ws: string,
  groupId: string,
  at: number,
): Promise<OnCallNow> => {
  const people = await loadPeople(deps, ws);
  const group = people.groups.get(groupId);
  if (group === undefined) throw notFound("group");
  return onCallOf(people, groupId, group.memberIds, at);
};

/** Who is on call in every group of a workspace, the oldest group first. A group without a schedule has nobody. */
export const whoIsOnCallEverywhere = async (
  deps: Pick<Deps, "table">,
  ws: string,
  at: number,
): Promise<GroupOnCallNow[]> => {
  const people = await loadPeople(deps, ws);
  return [...people.groups.values()]
    .toSorted(({ group: one }, { group: other }) =>
      one.createdAt === other.createdAt ? (one.id < other.id ? -1 : 1) : one.createdAt < other.createdAt ? -1 : 1,
    )
    .map(({ group, memberIds }) => ({ groupName: group.name, ...onCallOf(people, group.id, memberIds, at) }));
};
