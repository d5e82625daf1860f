import { compileDuty, type DutyGroup } from "./duty.ts";

/** Returns the groups in which the user is on call at `at`, and until when these groups cannot change. Times are in ms. */
export const findOnCallGroups = (
  groups: ReadonlyMap<string, DutyGroup>,
  userId: string,
  at: number,
  candidateIds: Iterable<string> = groups.keys(),
): { groupIds: string[]; until: number } => {
  const states = [...candidateIds].flatMap((groupId) => {
    const group = groups.get(groupId);
    return group === undefined ? [] : { groupId, ...compileDuty(group)(at) };
  });
  return {
    groupIds: states
      .filter(({ people }) => people.some((person) => person.userId === userId))
      .map(({ groupId }) => groupId),
    until: Math.min(...states.map(({ until }) => until)),
  };
};
