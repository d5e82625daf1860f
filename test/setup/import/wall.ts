const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const QUARTER = HOUR / 4;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Reads the wall clock from Intl, without arithmetic with offsets; returns milliseconds as if the reading were UTC. */
export const readWallClock = (zone: string, at: number): number => {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const readPart = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return Date.UTC(readPart("year"), readPart("month") - 1, readPart("day"), readPart("hour"), readPart("minute"));
};

/** A reading of the clock. `wall`: the latest reading of the wall clock so far, which never goes back. */
export type Tick = { ms: number; wall: number };

const walks = new Map<string, Tick[]>();

export const listHours = (zone: string, fromMs: number): Tick[] => {
  const key = `${zone} ${fromMs}`;
  const known = walks.get(key);
  if (known !== undefined) return known;
  let wall = -Infinity;
  const ticks: Tick[] = [];
  for (let ms = fromMs - DAY; ms < fromMs + 28 * DAY; ms += QUARTER) {
    wall = Math.max(wall, readWallClock(zone, ms));
    if (ms >= fromMs && (ms - fromMs) % HOUR === 0) ticks.push({ ms, wall });
  }
  walks.set(key, ticks);
  return ticks;
};

export const minuteOfWeek = (wall: number): number => {
  const date = new Date(wall);
  return ((date.getUTCDay() + 6) % 7) * 1_440 + date.getUTCHours() * 60 + date.getUTCMinutes();
};

/** Periods of 28 days, by zone and first day. Each contains a clock change if the zone has any. */
export const windows: readonly { zone: string; from: string }[] = [
  { zone: "Europe/Berlin", from: "2026-03-16T00:00:00Z" },
  { zone: "Europe/Berlin", from: "2026-10-12T00:00:00Z" },
  { zone: "America/New_York", from: "2026-02-23T00:00:00Z" },
  { zone: "America/New_York", from: "2026-10-20T00:00:00Z" },
  { zone: "Australia/Lord_Howe", from: "2026-03-25T00:00:00Z" },
  { zone: "America/Santiago", from: "2026-08-25T00:00:00Z" },
  { zone: "Asia/Kolkata", from: "2026-05-04T00:00:00Z" },
  { zone: "UTC", from: "2026-05-04T00:00:00Z" },
];
