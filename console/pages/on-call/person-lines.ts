import type { Shift } from "./shifts.ts";

export type GroupShifts = { id: string; name: string; shifts: readonly Shift[] };
export type PersonLine = { userId: string; groups: readonly GroupShifts[] };

/** Lists each person's shifts by group. People in `userIds` come first. Leaves out people without shifts. */
export const listPersonShifts = (groups: readonly GroupShifts[], userIds: readonly string[]): PersonLine[] => {
  const everybody = new Set([...userIds, ...groups.flatMap(({ shifts }) => shifts.flatMap((shift) => shift.userIds))]);
  return [...everybody].flatMap((userId) => {
    const own = groups
      .map((group) => ({ ...group, shifts: group.shifts.filter((shift) => shift.userIds.includes(userId)) }))
      .filter(({ shifts }) => shifts.length > 0);
    return own.length === 0 ? [] : [{ userId, groups: own }];
  });
};
