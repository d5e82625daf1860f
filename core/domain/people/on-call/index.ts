export { everOnCall, gaps, nextChange, stretches } from "./ahead.ts";
export { keepingTurns, withoutParticipant } from "./edit.ts";
export * from "./limits.ts";
export { OnCallOverrideInput, timestamp, type OverridePeriod } from "./override.ts";
export { OnCallSchedule } from "./schedule.ts";
export { compileOnCall, onCallAt, type OnCallPerson } from "./who.ts";
