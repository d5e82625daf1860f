/** The one file in core that turns milliseconds into text and back: no other may touch `Date`. */

/** ISO 8601 in UTC with milliseconds, the format of every timestamp of the interface. */
export const toIso = (ms: number): string => new Date(ms).toISOString();

/**
 * Milliseconds since the epoch of a text as `toIso` writes it, or undefined if it is not a time. Input of people is
 * checked by `clock/clock-text.ts`, not here.
 */
export const fromIso = (iso: string): number | undefined => {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) ? undefined : ms;
};

/** Milliseconds since the epoch of a UTC wall-clock reading (month 1 to 12). */
export const utcMs = (year: number, month: number, day: number, hour = 0, minute = 0): number =>
  Date.UTC(year, month - 1, day, hour, minute);

/** Milliseconds since the epoch of an HTTP date (`Sun, 06 Nov 1994 08:49:37 GMT`); undefined for any other text. */
export const fromHttpDate = (text: string): number | undefined => (text.endsWith(" GMT") ? fromIso(text) : undefined);
