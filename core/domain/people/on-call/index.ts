export { gaps, nextChange, stretches } from "./stretches.ts";
export { keepingTurns, withoutParticipant } from "./edit.ts";
export * from "./limits.ts";
export { OnCallOverrideInput, timestamp, type OverridePeriod } from "./override.ts";
export {
  endsAfterStart,
  OnCallSchedule,
  peopleOfSchedule,
  Restriction,
  scheduleEntries,
  TimeZone,
  type Turn,
  usersOfTurn,
} from "./schedule.ts";
export { serving } from "./serving.ts";
export { isWholeWeek, withinWeek } from "./weekly.ts";
export { compileOnCall, onCallAt, type OnCallPerson } from "./who.ts";
export { zoneOf } from "./zone.ts";
