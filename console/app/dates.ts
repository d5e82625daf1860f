/* Converts between times and the values of input fields, in the reader's time zone. */

const padTwoDigits = (number: number): string => String(number).padStart(2, "0");

/** Returns `2026-03-02` in the reader's time zone. */
export const formatDay = (at: number): string => {
  const date = new Date(at);
  return `${String(date.getFullYear()).padStart(4, "0")}-${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}`;
};

/** Returns `2026-03-02T09:00` in the reader's time zone. */
export const formatMinute = (at: number): string => {
  const date = new Date(at);
  return `${formatDay(at)}T${padTwoDigits(date.getHours())}:${padTwoDigits(date.getMinutes())}`;
};

/** Returns an invalid time unchanged, for the API to refuse. */
export const toTimestamp = (typed: string): string => {
  const date = new Date(typed);
  return Number.isNaN(date.getTime()) ? typed : date.toISOString();
};

/** Returns the midnights at which the days begin, and the end of the last day, in milliseconds. A day lasts 23 to 25 hours. */
export const listMidnights = (first: string, days: number): number[] => {
  const [year = 1970, month = 1, day = 1] = first.split("-").map(Number);
  return Array.from({ length: days + 1 }, (_, index) => new Date(year, month - 1, day + index).getTime());
};

export const readerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
