export { everOnCall, gaps, nextChange, stretches } from "./ahead.ts";
export { keepingTurns, withParticipants } from "./edit.ts";
export * from "./limits.ts";
export { OnCallOverrideInput, timestamp, type OverridePeriod } from "./override.ts";
export { OnCallSchedule } from "./schedule.ts";
export { compileOnCall, onCallAt } from "./who.ts";
