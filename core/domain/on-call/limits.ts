/** The limits of on-call schedules. The API sets none of them; all are ours. */

export const LAYERS_MAX = 10;
/** Turns that a layer may have before the rotation starts again. */
export const TURNS_MAX = 100;
/** People who may be on call together in one turn. */
export const TURN_PEOPLE_MAX = 10;
/** People in all turns of a schedule, each counted once per turn. */
export const SCHEDULE_PEOPLE_MAX = 1_000;
export const RESTRICTIONS_MAX = 10;
/** How many hours, days, weeks or months a shift may have. */
export const EVERY_MAX = 1_000;
export const OVERRIDE_MAX_DAYS = 366;
/** Overrides that one group may have at a time. Past ones count until they are deleted. */
export const OVERRIDES_MAX = 200;
/** How far ahead gaps are searched for: anything that repeats weekly shows up within four weeks. */
export const GAP_HORIZON_DAYS = 28;
/** Days that the settings of a schedule may name as holidays. */
export const HOLIDAYS_MAX = 200;
/** The hours of rest between two shifts where the schedule sets none: covers keep them, and reports count shorter ones. */
export const REST_HOURS_DEFAULT = 11;
/** Of a schedule's `restHours` and `remindHours`. */
export const REST_HOURS_MAX = 48;
export const REMIND_HOURS_MAX = 14 * 24;
/** Covers of one group whose time is not over, whatever their status. */
export const COVERS_MAX = 100;
