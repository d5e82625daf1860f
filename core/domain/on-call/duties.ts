import { compileDuty, type DutyGroup } from "./duty.ts";

/**
 * The groups in which a person is on call at an instant, of those named or of all, and until when nothing can change in
 * any of them (milliseconds).
 */
export const groupsOnDuty = (
  groups: ReadonlyMap<string, DutyGroup>,
  userId: string,
  at: number,
  among: Iterable<string> = groups.keys(),
): { groupIds: string[]; until: number } => {
  const states = [...among].flatMap((groupId) => {
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
