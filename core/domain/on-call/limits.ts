export const LAYERS_MAX = 10;
/** In one cycle of a layer's rotation. */
export const TURNS_MAX = 100;
export const TURN_PEOPLE_MAX = 10;
/** In all turns of a schedule; a person counts once for each turn. */
export const SCHEDULE_PEOPLE_MAX = 1_000;
export const RESTRICTIONS_MAX = 10;
/** In the shift's unit: hours, days, weeks or months. */
export const EVERY_MAX = 1_000;
export const OVERRIDE_MAX_DAYS = 366;
/** In one group. Past overrides count until they are deleted. */
export const OVERRIDES_MAX = 200;
/** Four weeks show everything that repeats weekly. */
export const GAP_HORIZON_DAYS = 28;
export const HOLIDAYS_MAX = 200;
/** Covers must keep these hours of rest between shifts, and reports count shorter rests. */
export const REST_HOURS_DEFAULT = 11;
export const REST_HOURS_MAX = 48;
export const REMIND_HOURS_MAX = 14 * 24;
/** Per group, in any status except over. */
export const COVERS_MAX = 100;
