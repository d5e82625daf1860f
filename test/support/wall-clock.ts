/**
 * Time zones of every kind: offsets in whole, half and quarter hours, both hemispheres, and clock changes by thirty minutes
 * and by two hours.
 */
export const zones = [
  "UTC",
  "Europe/Berlin",
  "Europe/London",
  "Europe/Dublin",
  "Europe/Moscow",
  "America/New_York",
  "America/Los_Angeles",
  "America/St_Johns",
  "America/Santiago",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Africa/Casablanca",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Asia/Tokyo",
  "Asia/Beirut",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "Antarctica/Troll",
  "Pacific/Chatham",
] as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Reads Intl's calendar fields day by day, whereas the service reads the name of the offset and bisects. Readings are
 * milliseconds as if they were UTC.
 */
export const createWallClock = (timeZone: string, from: number, to: number) => {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  });
  const readOffset = (ms: number): number => {
    const part = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 0, ...rest] = (["year", "month", "day", "hour", "minute", "second"] as const).map(
      (name) => part.get(name) ?? 0,
    );
    return Date.UTC(year, month - 1, ...rest) - ms;
  };
  const stretches = [{ start: from, offset: readOffset(from) }];
  /** Searches for clock changes in ever finer steps, which find all: no zone changes its clocks and back within a day. */
  const searchChanges = (start: number, end: number, step: number): void => {
    for (let ms = start; ms < end; ms += step) {
      const offset = readOffset(ms + step);
      if (offset === stretches.at(-1)!.offset) continue;
      if (step === MINUTE) stretches.push({ start: ms + step, offset });
      else searchChanges(ms, ms + step, step === DAY ? HOUR : MINUTE);
    }
  };
  searchChanges(from, to, DAY);
  const ended = stretches.map((stretch, index) => ({ ...stretch, end: stretches[index + 1]?.start ?? Infinity }));
  return {
    changes: stretches.slice(1).map(({ start }) => start),
    readingAt: (ms: number): number => ms + ended.findLast(({ start }) => start <= ms)!.offset,
    firstShowing: (reading: number): number =>
      Math.min(
        ...ended.flatMap(({ start, end, offset }) => {
          const ms = Math.max(start, reading - offset);
          return ms < end ? [ms] : [];
        }),
      ),
  };
};

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Hours = { days: readonly (typeof DAYS)[number][]; from: string; to: string };

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** Returns whether a time is within weekly hours, which begin and end when the clock first shows them. */
export const isWithinHours = (
  { readingAt, firstShowing }: ReturnType<typeof createWallClock>,
  { days, from, to }: Hours,
  ms: number,
): boolean => {
  const [begin, end] = [toMinutes(from), toMinutes(to)];
  const length = (end > begin ? end - begin : end - begin + 1_440) * MINUTE;
  const today = Math.floor(readingAt(ms) / DAY) * DAY;
  // Tries one day more on each side than hours can span, because a clock change may repeat or skip midnight.
  return [-2, -1, 0, 1].some((day) => {
    const midnight = today + day * DAY;
    if (!days.includes(DAYS[(new Date(midnight).getUTCDay() + 6) % 7]!)) return false;
    const reading = midnight + begin * MINUTE;
    return firstShowing(reading) <= ms && ms < firstShowing(reading + length);
  });
};
