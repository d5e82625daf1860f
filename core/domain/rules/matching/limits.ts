/* Limits that the service sets itself. */

export const CONDITIONS_MAX = 50;
export const REGEX_MAX_CODE_POINTS = 512;
/** The maximum number of steps of a compiled pattern. Literal characters are no steps; a repetition multiplies its steps. */
export const REGEX_STEPS_MAX = 256;
export const OPERAND_MAX_CODE_POINTS = 2_048;
export const LIST_OPERANDS_MAX = 200;
export const FIELD_MAX_CODE_POINTS = 256;
export const FIELD_MAX_DEPTH = 16;

/** The budget of `match` for one event: about 0.2 s. One unit is the time to scan one character. */
export const EVENT_BUDGET_UNITS = 20_000_000;

/** The budget for compiling all patterns of a workspace: about 0.2 s. */
export const PATTERNS_UNITS_MAX = 20_000_000;
