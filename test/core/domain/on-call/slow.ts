import type { OnCallSchedule, OverridePeriod } from "../../../../core/domain/on-call/index.ts";

/**
 * A second, independent implementation of on-call schedules, which reads the wall clock at every minute, and never converts
 * a local time into an instant. A handoff or the end of a restriction has passed once the clock has shown that time, even if
 * the clock is set back afterwards.
 */

export const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the local time of a zone as the milliseconds at which UTC has the same local time. */
const readWallClock = (timeZone: string, at: number): number => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat("en-GB", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  formats.set(timeZone, format);
  const text = format.format(at);
  const numberAt = (from: number, to: number) => Number(text.slice(from, to));
  return Date.UTC(
    numberAt(6, 10),
    numberAt(3, 5) - 1,
    numberAt(0, 2),
    numberAt(12, 14),
    numberAt(15, 17),
    numberAt(18, 20),
  );
};

/** Calls the slow Intl for the minutes of an hour only if the UTC offset differs between the hour's start and end. */
function* readClockEveryMinute(timeZone: string, from: number, to: number): Generator<number, void> {
  for (let hour = from; hour <= to; hour += HOUR) {
    const offset = readWallClock(timeZone, hour) - hour;
    const changes = readWallClock(timeZone, hour + HOUR) - (hour + HOUR) !== offset;
    for (let ms = hour; ms < hour + HOUR && ms <= to; ms += MINUTE)
      yield changes ? readWallClock(timeZone, ms) : ms + offset;
  }
}

/** For every minute, the latest local time that the clock has shown so far. */
export type Walk = { from: number; shown: Float64Array };

export const walkTime = (timeZone: string, from: number, to: number): Walk => {
  let latest = -Infinity;
  const shown = Float64Array.from(
    readClockEveryMinute(timeZone, from, to),
    (reading) => (latest = Math.max(latest, reading)),
  );
  return { from, shown };
};

export const listClockChanges = (timeZone: string, from: number, to: number): number[] => {
  const offset = (ms: number) => readWallClock(timeZone, ms) - ms;
  const found: number[] = [];
  for (let day = from; day < to; day += DAY) {
    if (offset(day) === offset(day + DAY)) continue;
    let minute = day;
    while (offset(minute) === offset(day)) minute += MINUTE;
    found.push(minute);
  }
  return found;
};

const unitMs = { hour: 60 * MINUTE, day: DAY, week: 7 * DAY };
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

const minutes = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
};

type Layer = OnCallSchedule["layers"][number];

const isWithinRestrictions = ({ restrictions = [] }: Layer, shown: number): boolean =>
  restrictions.length === 0 ||
  restrictions.some(({ days, from, to }) =>
    [0, 1, 2].some((daysAgo) => {
      const midnight = Math.floor(shown / DAY) * DAY - daysAgo * DAY;
      if (!days.includes(weekdays[new Date(midnight).getUTCDay()]!)) return false;
      const length = minutes(to) > minutes(from) ? minutes(to) - minutes(from) : minutes(to) - minutes(from) + 24 * 60;
      const begin = midnight + minutes(from) * MINUTE;
      return begin <= shown && shown < begin + length * MINUTE;
    }),
  );

/** A turn of months begins on the same day of the month as the rotation. */
const turnStart = ({ every, unit }: Layer, anchor: number, turn: number): number => {
  if (unit !== "month") return anchor + turn * every * unitMs[unit];
  const first = new Date(anchor);
  const time = anchor % DAY;
  for (let day = first.getUTCDate(); ; day -= 1) {
    const begin = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + turn * every, day));
    if (begin.getUTCDate() === day) return begin.getTime() + time;
  }
};

const hasDuty = (layer: Layer, begin: number, end: number): boolean => {
  for (let minute = begin; minute < end; minute += MINUTE) if (isWithinRestrictions(layer, minute)) return true;
  return false;
};

/** By rotation: for each turn, how many of the turns before it have time on call. */
const counted = new WeakMap<Layer, number[]>();

const countTurnsBefore = (layer: Layer, anchor: number, turn: number): number => {
  if (layer.turns !== "duty") return turn;
  const counts = counted.get(layer) ?? [0];
  counted.set(layer, counts);
  for (let last = counts.length - 1; last < turn; last += 1) {
    const worked = hasDuty(layer, turnStart(layer, anchor, last), turnStart(layer, anchor, last + 1));
    counts.push(counts[last]! + (worked ? 1 : 0));
  }
  return counts[turn]!;
};

const walls = new Map<string, number>();

const clockOf = (text: string, timeZone: string): { isInstant: boolean; wall: number } => {
  if (!text.endsWith("Z")) return { isInstant: false, wall: Date.parse(`${text}Z`) };
  const known = walls.get(`${timeZone} ${text}`) ?? readWallClock(timeZone, Date.parse(text));
  walls.set(`${timeZone} ${text}`, known);
  return { isInstant: true, wall: known };
};

const isTimeReached = (text: string, timeZone: string, at: number, shown: number): boolean => {
  const { isInstant, wall } = clockOf(text, timeZone);
  return isInstant ? at >= Date.parse(text) : shown >= wall;
};

const turnOf = (layer: Layer, timeZone: string, at: number, shown: number): readonly string[] => {
  const { participants, first = 0, start, until } = layer;
  if (participants.length === 0 || !isWithinRestrictions(layer, shown)) return [];
  if (!isTimeReached(start, timeZone, at, shown)) return [];
  if (until !== undefined && isTimeReached(until, timeZone, at, shown)) return [];
  const anchor = clockOf(start, timeZone).wall;
  let turn = 0;
  while (turnStart(layer, anchor, turn + 1) <= shown) turn += 1;
  return [participants[(countTurnsBefore(layer, anchor, turn) + first) % participants.length]!].flat();
};

export const computeOnCall = (
  schedule: OnCallSchedule,
  overrides: readonly OverridePeriod[],
  { from, shown }: Walk,
  ms: number,
): string[] => {
  const overriding = overrides.filter(({ start, end }) => Date.parse(start) <= ms && ms < Date.parse(end));
  if (overriding.length > 0) return [...new Set(overriding.map(({ userId }) => userId))].sort();
  for (const layer of [...schedule.layers].reverse()) {
    const users = turnOf(layer, schedule.timeZone, ms, shown[(ms - from) / MINUTE]!);
    if (users.length > 0) return users.toSorted();
  }
  return [];
};
