import type { TableDeps } from "../../deps.ts";
import { nextChange, onCallAt } from "../../domain/on-call/index.ts";
import { isProven, type ShiftProof } from "../../domain/shifts/proof.ts";
import { noSchedule, toOnCallMembers, type GroupOnCallNow, type OnCallNow } from "../../domain/on-call/views.ts";
import type { People } from "../../domain/people/people.ts";
import { notFound } from "../../domain/basics/refusal.ts";
import { toIso } from "../../domain/basics/time.ts";
import { loadPeople } from "../../store/people.ts";
import { listProofs } from "../../store/proofs.ts";

const onCallOf = (
  { people, proofs }: { people: People; proofs: readonly ShiftProof[] },
  groupId: string,
  memberIds: readonly string[],
  at: number,
): OnCallNow => {
  const { members, schedules, overrides } = people;
  const from = (moment: number) => (userId: string) => isProven(proofs, { groupId, userId, at: moment });
  const schedule = schedules.get(groupId) ?? noSchedule;
  const periods = overrides.get(groupId) ?? [];
  const next = nextChange(schedule, periods, at);
  return {
    groupId,
    at: toIso(at),
    onCall: toOnCallMembers(onCallAt(schedule, periods, at), members, memberIds, from(at)),
    next:
      next === undefined
        ? null
        : { at: toIso(next.at), onCall: toOnCallMembers(next.people, members, memberIds, from(next.at)) },
  };
};

const readKnown = async (deps: TableDeps, ws: string) => {
  const [people, proofs] = await Promise.all([loadPeople(deps, ws), listProofs(deps, ws, { consistent: false })]);
  return { people, proofs };
};

/** Who is on call in a group at an instant (milliseconds). Throws Refusal `not_found` for an unknown group. */
export const whoIsOnCall = async (deps: TableDeps, ws: string, groupId: string, at: number): Promise<OnCallNow> => {
  const known = await readKnown(deps, ws);
  const group = known.people.groups.get(groupId);
  if (group === undefined) throw notFound("group");
  return onCallOf(known, groupId, group.memberIds, at);
};

/** Who is on call in every group of a workspace, the oldest group first. A group without a schedule has nobody. */
export const whoIsOnCallEverywhere = async (deps: TableDeps, ws: string, at: number): Promise<GroupOnCallNow[]> => {
  const known = await readKnown(deps, ws);
  return [...known.people.groups.values()]
    .toSorted(({ group: one }, { group: other }) =>
      one.createdAt === other.createdAt ? (one.id < other.id ? -1 : 1) : one.createdAt < other.createdAt ? -1 : 1,
    )
    .map(({ group, memberIds }) => ({ groupName: group.name, ...onCallOf(known, group.id, memberIds, at) }));
};
