const padTwoDigits = (number: number): string => String(number).padStart(2, "0");

/** Returns a day such as `2026-03-02`, in the reader's time zone. */
export const formatDay = (timeMs: number): string => {
  const date = new Date(timeMs);
  return `${String(date.getFullYear()).padStart(4, "0")}-${padTwoDigits(date.getMonth() + 1)}-${padTwoDigits(date.getDate())}`;
};

/** Returns a minute such as `2026-03-02T09:00`, in the reader's time zone. */
export const formatMinute = (timeMs: number): string => {
  const date = new Date(timeMs);
  return `${formatDay(timeMs)}T${padTwoDigits(date.getHours())}:${padTwoDigits(date.getMinutes())}`;
};

/** Returns an input's value as an ISO timestamp. Returns an invalid value unchanged, for the API to refuse. */
export const toTimestamp = (inputValue: string): string => {
  const date = new Date(inputValue);
  return Number.isNaN(date.getTime()) ? inputValue : date.toISOString();
};

/** Returns the midnights at which the days begin, and the end of the last day, in milliseconds. A day lasts 23 to 25 hours. */
export const listMidnights = (firstDay: string, dayCount: number): number[] => {
  const [year = 1970, month = 1, day = 1] = firstDay.split("-").map(Number);
  return Array.from({ length: dayCount + 1 }, (_, index) => new Date(year, month - 1, day + index).getTime());
};

export const readReaderTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
