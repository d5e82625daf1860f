/** The limits of on-call schedules, which the service sets itself. */

export const LAYERS_MAX = 10;
/** The maximum number of turns in one cycle of a layer's rotation. */
export const TURNS_MAX = 100;
/** The maximum number of people in one turn, who are on call together. */
export const TURN_PEOPLE_MAX = 10;
/** The maximum number of people in all turns of a schedule, each counted once per turn. */
export const SCHEDULE_PEOPLE_MAX = 1_000;
export const RESTRICTIONS_MAX = 10;
/** The maximum length of a shift, in its unit: hours, days, weeks or months. */
export const EVERY_MAX = 1_000;
export const OVERRIDE_MAX_DAYS = 366;
/** The maximum number of overrides in one group. Past overrides count until they are deleted. */
export const OVERRIDES_MAX = 200;
/** How far ahead gaps are searched: four weeks show everything that repeats weekly. */
export const GAP_HORIZON_DAYS = 28;
/** The maximum number of holidays in a schedule's settings. */
export const HOLIDAYS_MAX = 200;
/** The hours of rest between two shifts unless the schedule sets others: covers must keep them, and reports count shorter rests. */
export const REST_HOURS_DEFAULT = 11;
/** The maxima of a schedule's `restHours` and `remindHours`. */
export const REST_HOURS_MAX = 48;
export const REMIND_HOURS_MAX = 14 * 24;
/** The maximum number of covers in one group that are not over yet, in any status. */
export const COVERS_MAX = 100;
