import type { Shift } from "./shape.ts";
import { DAY_MS } from "../../../core/domain/basics/units.ts";

/*
 * In OnCall, each shift is a series of events, as in a calendar. This file shares no code with the
 * conversion into layers, so that a comparison of both finds errors.
 */

/** Monday, 1970-01-05, in ms since 1970. */
const MONDAY = 4 * DAY_MS;
const UNITS = { hourly: DAY_MS / 24, daily: DAY_MS, weekly: 7 * DAY_MS } as const;

/** Returns whether `generateEvents` can compute the events of a shift; other shifts count as shifts without events. */
export const isSupportedShift = ({ frequency, by_day, by_month, by_monthday }: Shift): boolean =>
  frequency !== "monthly" &&
  by_month === null &&
  by_monthday === null &&
  (by_day === null || frequency === "daily" || frequency === "weekly");

type ShiftEvent = { start: number; users: readonly string[] };

/** Returns the day of the week; 0 is Monday. */
const toWeekday = (localMs: number): number => ((Math.floor((localMs - MONDAY) / DAY_MS) % 7) + 7) % 7;

/** Returns the users of each turn. A shift that is not `rolling_users` has one turn with everybody. */
const listTurns = ({ type, rolling_users, users, start_rotation_from_user_index: first }: Shift) => {
  if (type !== "rolling_users") return [users.length > 0 ? users : (rolling_users[0] ?? [])];
  return [...rolling_users.slice(first), ...rolling_users.slice(0, first)];
};

/** Returns the start of the first event: `start` or, if `by_day` lacks its weekday, the next first day of `by_day` in a week. */
const findFirstEventTime = ({ type, start, by_day, week_start }: Shift): number => {
  if (by_day === null || type !== "rolling_users" || by_day.includes(toWeekday(start))) return start;
  const first = [0, 1, 2, 3, 4, 5, 6].map((day) => (day + week_start) % 7).find((day) => by_day.includes(day)) ?? 0;
  return start + ((first - toWeekday(start) + 7) % 7) * DAY_MS;
};

/** Yields the calendar entries of a shift until `toLocal`, in local times of the shift's zone. */
function* generateEvents(shift: Shift, toLocal: number): Generator<ShiftEvent> {
  const { frequency, interval, by_day, week_start, type } = shift;
  const turns = listTurns(shift);
  const begin = findFirstEventTime(shift);
  const listUsersInTurn = (turn: number) => turns[turn % turns.length] ?? [];
  if (turns.length === 0) return;
  if (frequency === null || frequency === "monthly") {
    yield { start: begin, users: listUsersInTurn(0) };
    return;
  }
  if (by_day === null) {
    for (let turn = 0; ; turn += 1) {
      const start = begin + turn * interval * UNITS[frequency];
      if (start > toLocal) return;
      yield { start, users: listUsersInTurn(turn) };
    }
  }
  const toWeekNumber = (localMs: number) => Math.floor((localMs - MONDAY - week_start * DAY_MS) / (7 * DAY_MS));
  let chosen = 0;
  for (let start = begin; start <= toLocal; start += DAY_MS) {
    if (!by_day.includes(toWeekday(start))) continue;
    const weeks = toWeekNumber(start) - toWeekNumber(begin);
    const days = Math.round((start - begin) / DAY_MS);
    if (frequency === "weekly") {
      if (weeks % interval === 0) yield { start, users: listUsersInTurn(weeks / interval) };
    } else if (type === "rolling_users") yield { start, users: listUsersInTurn(Math.floor(chosen / interval)) };
    else if (days % interval === 0) yield { start, users: listUsersInTurn(0) };
    chosen += 1;
  }
}

type LocalClock = { localOf: (ms: number) => number; instantOf: (local: number) => number };

type BusyShift = { level: number; start: number; end: number; users: readonly string[] };

/** The level of overrides, which take precedence over all rotations. */
const OVERRIDE = Infinity;

/** Returns a function that lists who is on call: the people of the highest level that has somebody on call. */
export const createOnCallReader = (
  shifts: readonly Shift[],
  clockOf: (shift: Shift) => LocalClock,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  describeUser: (user: string) => string,
): ((ms: number) => string[]) => {
  const busy = shifts
    .filter((shift) => isSupportedShift(shift))
    .flatMap((shift): BusyShift[] => {
      const { localOf, instantOf } = clockOf(shift);
      const rotationStart = shift.rotation_start ?? -Infinity;
      const until = shift.until ?? Infinity;
      return [...generateEvents(shift, localOf(toMs))].flatMap(({ start, users }) => {
        const end = start + shift.duration * 1_000;
        if (end <= rotationStart) return [];
        const period = {
          level: shift.type === "override" ? OVERRIDE : shift.level,
          start: instantOf(Math.max(start, rotationStart)),
          end: Math.min(instantOf(end), until),
          users,
        };
        return period.end > fromMs && period.start < toMs && period.end > period.start && users.length > 0
          ? [period]
          : [];
      });
    });
  return (ms) => {
    const active = busy.filter(({ start, end }) => start <= ms && ms < end);
    const top = Math.max(...active.map(({ level }) => level));
    return active.filter(({ level }) => level === top).flatMap(({ users }) => users.map(describeUser));
  };
};
