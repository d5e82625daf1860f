/** Numbers of on-call schedules. The interface names none of them: all are ours. */

export const LAYERS_MAX = 10;
/** Turns that a layer may have before they begin again. */
export const TURNS_MAX = 100;
/** People who may be on duty together in one turn. */
export const TURN_PEOPLE_MAX = 10;
/** People in all turns of a schedule, each counted as often as they come. */
export const SCHEDULE_PEOPLE_MAX = 1_000;
export const RESTRICTIONS_MAX = 10;
/** How many hours, days, weeks or months a shift may have. */
export const EVERY_MAX = 1_000;
export const TIME_ZONE_MAX_CHARACTERS = 64;
export const OVERRIDE_MAX_DAYS = 366;
/** Overrides that one group may have at a time, those that are over included until they are deleted. */
export const OVERRIDES_MAX = 200;
/** Dates outside of these years are refused: they are mistyped, and time zones have no rules for them. */
export const YEAR_MIN = 1970;
export const YEAR_MAX = 2099;
/** How far ahead gaps are looked for: what repeats by the week shows up within four of them. */
export const GAP_HORIZON_DAYS = 28;
