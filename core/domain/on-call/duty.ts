import type { GroupSchedule, OnCallOverride } from "./views.ts";
import { noSchedule } from "./views.ts";
import { compileOnCall } from "./index.ts";

export type Schedules = {
  schedules: readonly Omit<GroupSchedule, "version">[];
  overrides: readonly OnCallOverride[];
};

/**
 * The groups in which a person is on call at an instant, of those named or of all, and until when nothing can change in
 * any of them (milliseconds).
 */
export const dutyOf = (
  { schedules, overrides }: Schedules,
  userId: string,
  at: number,
  among?: readonly string[],
): { groupIds: string[]; until: number } => {
  const groupIds = among ?? [...new Set([...schedules, ...overrides].map(({ groupId }) => groupId))];
  const states = groupIds.map((groupId) => {
    const schedule = schedules.find((one) => one.groupId === groupId) ?? noSchedule;
    const periods = overrides.filter((one) => one.groupId === groupId);
    return { groupId, ...compileOnCall(schedule, periods)(at) };
  });
  return {
    groupIds: states
      .filter(({ people }) => people.some((person) => person.userId === userId))
      .map(({ groupId }) => groupId),
    until: Math.min(...states.map(({ until }) => until)),
  };
};
