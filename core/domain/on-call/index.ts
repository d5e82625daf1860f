export { gaps, nextChange, onCallSince, onCallUntil, stretches } from "./stretches.ts";
export { keepingTurns, withoutParticipant } from "./edit.ts";
export * from "./limits.ts";
export { DraftOverride, isInOrder, OnCallOverrideInput, overrideTimes, type OverridePeriod } from "./override.ts";
export {
  endsAfterStart,
  OnCallSchedule,
  peopleOfSchedule,
  scheduleEntries,
  type Turn,
  usersOfTurn,
} from "./schedule.ts";
export { serving } from "./serving.ts";
export { blocks, compileDuty, type DutyGroup, dutyOf, type OnCallPerson } from "./duty.ts";
