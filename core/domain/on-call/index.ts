export { findGaps, nextOnCallChange, onCallSince, onCallUntil, listStretches } from "./stretches.ts";
export { keepTurns, removeFromSchedule } from "./edit.ts";
export * from "./limits.ts";
export { DraftOverride, checkTimeOrder, OnCallOverrideInput, overrideTimes, type OverridePeriod } from "./override.ts";
export {
  checkEndAfterStart,
  OnCallSchedule,
  peopleOfSchedule,
  scheduleEntries,
  type Turn,
  usersOfTurn,
} from "./schedule.ts";
export { compileOnCallTimes } from "./serving.ts";
export { blocks, compileDuty, type DutyGroup, dutyOf, type OnCallPerson } from "./duty.ts";
