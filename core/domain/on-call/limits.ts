export const LAYERS_MAX = 10;
/** The maximum number of turns in a rotation. */
export const TURNS_MAX = 100;
export const TURN_PEOPLE_MAX = 10;
/** The maximum number of people in all turns of a schedule; each turn counts a person again. */
export const SCHEDULE_PEOPLE_MAX = 1_000;
export const RESTRICTIONS_MAX = 10;
/** The maximum length of a shift, in the shift's unit: hours, days, weeks or months. */
export const EVERY_MAX = 1_000;
export const OVERRIDE_MAX_DAYS = 366;
/** The maximum number of overrides per group. Past overrides count until they are deleted. */
export const OVERRIDES_MAX = 200;
/** How far ahead gaps are searched: four weeks, because most schedules repeat weekly. */
export const GAP_HORIZON_DAYS = 28;
export const HOLIDAYS_MAX = 200;
/** The minimum rest that covers must leave between shifts. Reports count shorter rests. */
export const REST_HOURS_DEFAULT = 11;
export const REST_HOURS_MAX = 48;
export const REMIND_HOURS_MAX = 14 * 24;
/** The maximum number of covers per group that are not over. */
export const COVERS_MAX = 100;
