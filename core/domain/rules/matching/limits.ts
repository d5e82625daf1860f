/** The limits of the rule engine. The API sets none of them; all are ours. */

export const CONDITIONS_MAX = 50;
export const REGEX_MAX_CODE_POINTS = 512;
/** Steps of a compiled pattern without its literal characters: repetitions, classes and alternatives multiply them. */
export const REGEX_STEPS_MAX = 256;
export const OPERAND_MAX_CODE_POINTS = 2_048;
export const LIST_OPERANDS_MAX = 200;
export const FIELD_MAX_CODE_POINTS = 256;
export const FIELD_MAX_DEPTH = 16;

/** How much `match` may spend on one event before it stops deciding: about 0.2 s. One unit is a character scanned. */
export const EVENT_BUDGET_UNITS = 20_000_000;

/** The compile budget of all patterns of a workspace, in the same units: about 0.2 s, too. */
export const PATTERNS_UNITS_MAX = 20_000_000;
