export const LAYERS_MAX = 10;
/** The limit for one cycle of a layer's rotation. */
export const TURNS_MAX = 100;
export const TURN_PEOPLE_MAX = 10;
/** The limit for all turns of a schedule; a person counts once for each turn. */
export const SCHEDULE_PEOPLE_MAX = 1_000;
export const RESTRICTIONS_MAX = 10;
/** In the unit of the shift: hours, days, weeks or months. */
export const EVERY_MAX = 1_000;
export const OVERRIDE_MAX_DAYS = 366;
/** The limit for one group. Past overrides count until they are deleted. */
export const OVERRIDES_MAX = 200;
/** Four weeks show everything that repeats weekly. */
export const GAP_HORIZON_DAYS = 28;
export const HOLIDAYS_MAX = 200;
/** Covers must keep this rest between shifts, and reports count shorter rests. */
export const REST_HOURS_DEFAULT = 11;
export const REST_HOURS_MAX = 48;
export const REMIND_HOURS_MAX = 14 * 24;
/** The limit for covers in one group that are not over. */
export const COVERS_MAX = 100;
