import { DAY_MS, HOUR_MS, SECOND_MS } from "../units.ts";

export const TIME_ZONE_MAX_CHARACTERS = 64;
/** A period in which no zone changes its clocks twice: the closest changes since 1970 are a week apart (Boa Vista, 2000). */
const PERIOD_MS = 4 * DAY_MS;
/** A time longer than any zone's offset from UTC plus the largest change of an offset (24 hours, Samoa in 2011). */
const REACH = 39 * HOUR_MS;
const PERIODS_KEPT_MAX = 4_096;
const ZONES_KEPT_MAX = 64;

/** `local` is a wall-clock time: the timestamp at which a clock in UTC shows the same time. */
export type Zone = {
  /** Local time minus UTC, in milliseconds. */
  offsetAt: (ms: number) => number;
  /** The first instant at which the zone's clocks show `local` or later. A later `local` never gives an earlier instant. */
  instantOf: (local: number) => number;
};

type Offsets = { before: number; change: number; after: number };

/** Returns the milliseconds of an offset as Intl formats it: `GMT`, `GMT-03:00`, `GMT+10:36:20`. */
const parseOffset = (text: string): number => {
  const [, sign = "+", hours = "0", minutes = "0", seconds = "0"] =
    /GMT([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
  const size = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return (sign === "-" ? -size : size) * SECOND_MS;
};

/** Returns the offsets at the start and the end of a four-day period, and when the offset changes (without a change, the end). */
const findOffsetsOfPeriod = (readOffset: (ms: number) => number, periodIndex: number): Offsets => {
  let low = periodIndex * PERIOD_MS;
  let high = low + PERIOD_MS;
  const before = readOffset(low);
  const after = readOffset(high);
  if (before === after) return { before, change: high, after };
  while (high - low > SECOND_MS) {
    const middle = low + Math.floor((high - low) / 2 / SECOND_MS) * SECOND_MS;
    if (readOffset(middle) === before) low = middle;
    else high = middle;
  }
  return { before, change: high, after };
};

const createZone = (timeZone: string): Zone => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  const periods = new Map<number, Offsets>();
  const readOffsetFromIntl = (ms: number): number => parseOffset(format.format(ms));

  const readOffsetsOfPeriodAt = (ms: number): Offsets => {
    const index = Math.floor(ms / PERIOD_MS);
    const known = periods.get(index);
    if (known !== undefined) return known;
    if (periods.size >= PERIODS_KEPT_MAX) periods.clear();
    const offsets = findOffsetsOfPeriod(readOffsetFromIntl, index);
    periods.set(index, offsets);
    return offsets;
  };

  const offsetAt = (ms: number): number => {
    const { before, change, after } = readOffsetsOfPeriodAt(ms);
    return ms < change ? before : after;
  };

  const instantOf = (local: number): number => {
    const earlier = offsetAt(local - REACH);
    if (offsetAt(local - earlier) === earlier) return local - earlier;
    const later = offsetAt(local + REACH);
    if (offsetAt(local - later) === later) return local - later;
    // Neither offset leads to the local time, so the clocks skip the local time.
    const period = readOffsetsOfPeriodAt(local - later);
    return period.before === period.after ? readOffsetsOfPeriodAt(local - earlier).change : period.change;
  };

  return { offsetAt, instantOf };
};

/** A zone's rules never change within a process, and reading them from Intl is slow. */
const zones = new Map<string, Zone>();

/** Returns the zone with an IANA name. Throws a RangeError for an unknown name. */
export const getZone = (timeZone: string): Zone => {
  const known = zones.get(timeZone);
  if (known !== undefined) return known;
  if (zones.size >= ZONES_KEPT_MAX) zones.clear();
  const zone = createZone(timeZone);
  zones.set(timeZone, zone);
  return zone;
};

/** Returns whether the name is in the IANA database; false for an offset such as `+01:00`, which ignores daylight saving. */
export const isTimeZone = (name: string): boolean => {
  if (name.length > TIME_ZONE_MAX_CHARACTERS || !/^[A-Za-z]/.test(name)) return false;
  try {
    getZone(name);
    return true;
  } catch {
    return false;
  }
};
