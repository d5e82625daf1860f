export { everOnCall, gaps, nextChange, stretches, type Stretch } from "./ahead.ts";
export { keepingTurns, withoutParticipant } from "./edit.ts";
export * from "./limits.ts";
export { OnCallOverrideInput, timestamp, type OverridePeriod } from "./override.ts";
export { OnCallSchedule, type Day, type Layer, type Restriction } from "./schedule.ts";
export { compileOnCall, onCallAt, type OnCallPerson, type OnCallState } from "./who.ts";
