export { findGaps, findNextOnCallChange, findOnCallStart, findOnCallEnd, listStretches } from "./stretches.ts";
export { keepTurns, removeFromSchedule } from "./edit.ts";
export * from "./limits.ts";
export { DraftOverride, checkTimeOrder, OnCallOverrideInput, overrideTimes, type OverridePeriod } from "./override.ts";
export {
  checkEndAfterStart,
  OnCallSchedule,
  listScheduleUsers,
  scheduleFields,
  type Turn,
  toUserIds,
} from "./schedule.ts";
export { findEverOnCall } from "./serving.ts";
export { blocks, compileDuty, type DutyGroup, findDutyAt, type OnCallPerson } from "./duty.ts";
