/* In core, only this file uses `Date`. */

/** Formats a time as ISO 8601 in UTC, the format of every timestamp of the API. */
export const toIso = (ms: number): string => new Date(ms).toISOString();

export const toIsoOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : toIso(ms));

/** Parses a text that `toIso` wrote, into milliseconds; undefined for a text that is no time. May accept other formats. */
export const fromIso = (iso: string): number | undefined => {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? undefined : ms;
};

/** Converts a UTC time to milliseconds since 1970. `month`: 1 is January, 13 the next January. */
export const toUtcMs = (year: number, month: number, day: number, hour = 0, minute = 0): number =>
  Date.UTC(year, month - 1, day, hour, minute);

/** Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` into milliseconds; undefined for a text that does not end with GMT. */
export const parseHttpDate = (text: string): number | undefined => (text.endsWith(" GMT") ? fromIso(text) : undefined);

/** Returns the next multiple of the interval, so that all checks with the same interval run at the same times. */
export const computeStartOfNextInterval = (now: number, intervalMs: number): number =>
  (Math.floor(now / intervalMs) + 1) * intervalMs;
