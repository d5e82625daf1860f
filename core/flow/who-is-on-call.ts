import type { Deps } from "../deps.ts";
import { nextChange, onCallAt } from "../domain/people/on-call/index.ts";
import { noSchedule, toOnCallMembers, type OnCallNow } from "../domain/people/on-call-views.ts";
import { notFound } from "../domain/basics/refusal.ts";
import { toIso } from "../domain/basics/time.ts";
import { loadPeople } from "../store/config.ts";

/** Who is on call in a group at an instant (milliseconds). Throws Refusal `not_found` for an unknown group. */
export const whoIsOnCall = async (
  deps: Pick<Deps, "table">,
  ws: string,
  groupId: string,
  at: number,
): Promise<OnCallNow> => {
  const { groups, members, schedules, overrides } = await loadPeople(deps, ws);
  const group = groups.get(groupId);
  if (group === undefined) throw notFound("group");
  const schedule = schedules.get(groupId) ?? noSchedule;
  const periods = overrides.get(groupId) ?? [];
  const next = nextChange(schedule, periods, at);
  return {
    groupId,
    at: toIso(at),
    onCall: toOnCallMembers(onCallAt(schedule, periods, at), members, group.memberIds),
    next:
      next === undefined
        ? null
        : { at: toIso(next.at), onCall: toOnCallMembers(next.people, members, group.memberIds) },
  };
};
