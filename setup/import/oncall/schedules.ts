import { getZone } from "../../../core/domain/basics/clock/zone.ts";
import { createEmailReader, takeFittingLayers, type Draft } from "../draft.ts";
import { ALWAYS, EVERY_DAY, createDailyHours, WEEK_MINUTES, type WeekSpan } from "../hours.ts";
import { splitIntoLanes, type OnCallHours } from "../lanes.ts";
import { convertPeriods, splitOverlaps, type OnCallPeriod } from "../periods.ts";
import type { FileLayer, Rotation } from "../rotation.ts";
import { findExceededLimit, modulo, rotationToLayers, toLocal, unitMs } from "../rotation.ts";
import { isSupportedShift, createOnCallReader } from "./reading.ts";
import type { Schedule, Shift, User } from "./shape.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";

const UNITS = { hourly: "hour", daily: "day", weekly: "week" } as const;
/** Monday, 1970-01-05, in ms since 1970. */
const MONDAY = 4 * unitMs.day;

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);
/** Returns the day of the week; 0 is Monday. */
const toWeekday = (localMs: number): number => modulo(Math.floor((localMs - MONDAY) / unitMs.day), 7);
const toMinuteOfDay = (localMs: number): number => modulo(localMs, unitMs.day) / MINUTE_MS;

type Turns = readonly (readonly string[])[];
type Cadence = Pick<Rotation, "anchor" | "every" | "unit" | "turns" | "hours"> & { duty?: boolean };

/** Adds `interval` - 1 empty turns after each turn. */
const addEmptyTurns = (turns: Turns, interval: number): Turns =>
  turns.flatMap((turn) => [turn, ...Array.from({ length: interval - 1 }, () => [])]);

/** Returns slots of equal length with the people of all turns that overlap the slots; undefined if slots are not whole hours. */
const alignTurns = (anchor: number, turns: Turns, everyMs: number, durationMs: number): Cadence | undefined => {
  const step = greatestCommonDivisor(everyMs, durationMs);
  if (step % unitMs.hour !== 0) return undefined;
  const slots = (turns.length * everyMs) / step;
  const [perTurn, long] = [everyMs / step, durationMs / step];
  const listUsersInSlot = (slot: number) =>
    turns.flatMap((users, turn) => (modulo(slot - turn * perTurn, slots) < long || long >= slots ? users : []));
  return {
    anchor,
    every: step / unitMs.hour,
    unit: "hour",
    turns: Array.from({ length: slots }, (_, slot) => [...new Set(listUsersInSlot(slot))]),
    hours: ALWAYS,
  };
};

const toShiftHours = ({ start, duration }: Shift, days: readonly number[]): WeekSpan[] =>
  createDailyHours(days, toMinuteOfDay(start), Math.min(WEEK_MINUTES, Math.round(duration / 60)));

/** Returns the turns, handoffs and hours of a shift whose events are on `days` of the week. */
const toCadenceByDays = (shift: Shift, turns: Turns, days: readonly number[]): Cadence => {
  const { type, start, frequency, interval, week_start } = shift;
  const inWeek = [0, 1, 2, 3, 4, 5, 6].map((day) => (day + week_start) % 7).filter((day) => days.includes(day));
  const first = inWeek[0] ?? 0;
  // A rotation that starts on another day than `days` begins on the week's first such day.
  const waits = days.includes(toWeekday(start)) || type !== "rolling_users" ? 0 : modulo(first - toWeekday(start), 7);
  const begin = start + waits * unitMs.day;
  const hours = toShiftHours(shift, days);
  if (frequency === "weekly") {
    // Handoffs are at the first event of a week, so that an event that lasts into the next week is not split.
    const sinceFirst = modulo(toWeekday(begin) - week_start, 7) - modulo(first - week_start, 7);
    return {
      anchor: begin - sinceFirst * unitMs.day,
      every: 1,
      unit: "week",
      turns: addEmptyTurns(turns, interval),
      hours,
    };
  }
  if (type !== "rolling_users")
    return { anchor: begin, every: 1, unit: "day", turns: addEmptyTurns(turns, interval), hours };
  const each = turns.flatMap((turn) => Array.from({ length: interval }, () => turn));
  return { anchor: begin, every: 1, unit: "day", turns: each, hours, duty: true };
};

/** Returns the turns, handoffs and hours of a shift; undefined if no layer can express the shift. */
const toCadence = (shift: Shift, turns: Turns): Cadence | undefined => {
  const { start, duration, frequency, interval, by_day } = shift;
  if (frequency === null || frequency === "monthly") return undefined;
  if (by_day !== null) return toCadenceByDays(shift, turns, by_day);
  const unit = UNITS[frequency];
  const [period, lasts] = [interval * unitMs[unit], duration * 1_000];
  if (lasts === period) return { anchor: start, every: interval, unit, turns, hours: ALWAYS };
  if (unit !== "hour" && lasts <= unitMs[unit]) {
    const days = unit === "day" ? EVERY_DAY : [toWeekday(start)];
    return { anchor: start, every: 1, unit, turns: addEmptyTurns(turns, interval), hours: toShiftHours(shift, days) };
  }
  return alignTurns(start, turns, period, lasts);
};

/** Returns whether events of a turn on selected days overlap events of the next turn. */
const overlapsNextTurn = ({ by_day, frequency, week_start, duration }: Shift, turns: Turns): boolean => {
  if (by_day === null || turns.length < 2) return false;
  if (frequency === "daily") return duration > unitMs.day / 1_000;
  const offsets = by_day.map((day) => modulo(day - week_start, 7));
  return (Math.max(...offsets) - Math.min(...offsets)) * unitMs.day + duration * 1_000 > unitMs.week;
};

const moveHours = (hours: readonly WeekSpan[], minutes: number): WeekSpan[] =>
  hours.map(({ from, to }) => {
    const begin = modulo(from + minutes, WEEK_MINUTES);
    return { from: begin, to: begin + to - from };
  });

type ConvertedShift = OnCallHours & { level: number; layers: FileLayer[] };

const firstTurnOf = ({ users, rolling_users }: Shift): readonly string[] =>
  users.length > 0 ? users : (rolling_users[0] ?? []);

/** The periods of a calendar until `toMs`, which do not overlap, and take precedence over shifts. */
export type Calendar = { periods: readonly OnCallPeriod[]; toMs: number };

type ScheduleContext = {
  draft: Draft;
  what: string;
  nowMs: number;
  timeZone: string;
  zoneNameOf: (shift: Shift) => string;
  emailOf: (userId: string) => string | undefined;
  peopleOf: (userIds: readonly string[]) => string[];
};

const createScheduleContext = (
  draft: Draft,
  { name, time_zone }: Schedule,
  rotations: readonly Shift[],
  users: ReadonlyMap<string, User>,
  nowMs: number,
): ScheduleContext => {
  const emails = new Map(
    [...users].flatMap(([id, { email }]): [string, string][] => (email ? [[id, email.toLowerCase()]] : [])),
  );
  const person = createEmailReader(draft, emails);
  const zoneNameOf = (shift: Shift) => shift.time_zone ?? time_zone;
  const names = rotations.map(zoneNameOf);
  const countShiftsInZone = (zone: string) => names.filter((other) => other === zone).length;
  return {
    draft,
    what: draft.count("schedules", `Schedule ${name}`),
    nowMs,
    timeZone: names.toSorted((one, other) => countShiftsInZone(other) - countShiftsInZone(one))[0] ?? time_zone,
    zoneNameOf,
    emailOf: (id) => emails.get(id),
    peopleOf: (ids) => [...new Set(ids.flatMap((id) => person(id, users.get(id)?.username ?? id) ?? []))],
  };
};

const isSingleEvent = ({ type, frequency }: Shift): boolean => type === "single_event" || frequency === null;
const localEnd = ({ start, duration }: Shift): number => start + duration * 1_000;

const listTurns = (shift: Shift, peopleOf: ScheduleContext["peopleOf"]): Turns => {
  const { type, rolling_users: rolling, start_rotation_from_user_index: first } = shift;
  const ids = type === "rolling_users" ? [...rolling.slice(first), ...rolling.slice(0, first)] : [firstTurnOf(shift)];
  return ids.map(peopleOf);
};

const explainNotExpressible = (shift: Shift, turns: Turns): string => {
  if (turns.length === 0) return "The shift has no people.";
  const rule = [shift.frequency, shift.by_month && "by_month", shift.by_monthday && "by_monthday"];
  const said = rule.filter((part) => typeof part === "string" && part !== "").join(", ");
  const unread = isSupportedShift(shift) ? "" : "; the comparison leaves them out, too";
  return `No layer can express the events of the shift (${said}, ${shift.duration} s)${unread}.`;
};

/** Converts a shift to layers. Returns an empty list and reports why if the shift has ended or layers cannot express it. */
const toLayers = (context: ScheduleContext, shift: Shift): ConvertedShift[] => {
  const { draft, what, nowMs, timeZone } = context;
  const called = `${what}, shift ${shift.name ?? shift.id}`;
  const zoneName = context.zoneNameOf(shift);
  const own = getZone(zoneName);
  const untilMs = shift.until ?? Infinity;
  const endMs = own.instantOf(localEnd(shift));
  const reportLeftOut = (why: string): [] => {
    draft.left(called, why);
    return [];
  };
  if (untilMs <= nowMs || (isSingleEvent(shift) && endMs <= nowMs)) return reportLeftOut("The shift is over.");
  const turns = listTurns(shift, context.peopleOf);
  const cadence: Cadence | undefined = isSingleEvent(shift)
    ? { anchor: shift.start, every: 1, unit: "week", turns: turns.slice(0, 1), hours: ALWAYS }
    : toCadence(shift, turns);
  if (turns.length === 0 || cadence === undefined || !isSupportedShift(shift))
    return reportLeftOut(explainNotExpressible(shift, turns));
  if (zoneName !== timeZone)
    draft.different(
      called,
      `The times are in ${zoneName} and were converted to ${timeZone} with the zones' difference on the first day. When the difference changes, the times are wrong.`,
    );
  if (overlapsNextTurn(shift, turns))
    draft.different(
      called,
      "The last event of a turn overlaps the first event of the next turn: here the next turn takes precedence.",
    );
  // The schedule's local time minus the shift's local time, at the time of the import.
  const shiftedBy = getZone(timeZone).offsetAt(nowMs) - own.offsetAt(nowMs);
  const rotation: Rotation = {
    ...cadence,
    anchor: cadence.anchor + shiftedBy,
    hours: cadence.hours === ALWAYS ? ALWAYS : moveHours(cadence.hours, shiftedBy / MINUTE_MS),
    fromMs: own.instantOf(Math.max(shift.start, shift.rotation_start ?? shift.start)),
    untilMs: isSingleEvent(shift) ? Math.min(untilMs, endMs) : untilMs,
  };
  const limit = findExceededLimit(rotation);
  if (limit !== undefined) return reportLeftOut(`This shift exceeds a limit of this service: ${limit}.`);
  const { hours, fromMs } = rotation;
  const layers = rotationToLayers(rotation, timeZone, nowMs);
  return [{ level: shift.level, layers, hours, fromMs, untilMs: rotation.untilMs }];
};

/** Returns the periods of the override shifts that are not over and have people. */
const listOverrides = ({ zoneNameOf, peopleOf, nowMs }: ScheduleContext, shifts: readonly Shift[]): OnCallPeriod[] =>
  shifts
    .filter(({ type }) => type === "override")
    .map((shift): OnCallPeriod => {
      const { instantOf } = getZone(zoneNameOf(shift));
      return { start: instantOf(shift.start), end: instantOf(localEnd(shift)), people: peopleOf(firstTurnOf(shift)) };
    })
    .filter(({ end, people }) => end > nowMs && people.length > 0);

/** Adds one group, or several if a level has several shifts at the same time. Returns the names of the groups. */
const addGroups = (
  { draft, what, timeZone }: ScheduleContext,
  name: string,
  members: readonly ConvertedShift[],
  overrides: readonly FileLayer[][],
): string[] => {
  const levels = [...new Set(members.map(({ level }) => level))].sort((one, other) => one - other);
  const lanes = levels.map((level) => splitIntoLanes(members.filter((member) => member.level === level)));
  const lanesMax = Math.max(1, ...lanes.map(({ length }) => length));
  const groups = Array.from({ length: lanesMax }, (_, number) => {
    const layers = lanes.flatMap((lane) => {
      const last = number % lane.length;
      return [...lane.filter((_, index) => index !== last), lane[last] ?? []].flat().flatMap((member) => member.layers);
    });
    return draft.addGroup(lanesMax === 1 ? name : `${name}: ${number + 1}`, [], {
      timeZone,
      layers: takeFittingLayers(draft, what, layers, ...overrides),
    });
  });
  draft.taken(what, groups.length === 1 ? `group ${groups.join("")}` : `groups ${groups.join(", ")}`);
  return groups;
};

/**
 * Adds the groups of a schedule, and returns their names. In OnCall, all shifts of a level are on call together, but in a group
 * only the last layer decides. Therefore, a schedule may need several groups. Each group has all shifts, but in another order.
 */
export const addSchedule = (
  draft: Draft,
  schedule: Schedule,
  shifts: readonly Shift[],
  calendar: Calendar | undefined,
  users: ReadonlyMap<string, User>,
  period: { fromMs: number; toMs: number },
): string[] => {
  const { name, type } = schedule;
  const rotations = shifts.filter((shift) => shift.type !== "override");
  const context = createScheduleContext(draft, schedule, rotations, users, period.fromMs);
  const { what, timeZone, zoneNameOf, emailOf } = context;
  const members = rotations.flatMap((shift) => toLayers(context, shift));
  const overrides = listOverrides(context, shifts);
  const ofCalendar = convertPeriods(calendar?.periods ?? [], timeZone);
  const groups = addGroups(context, name, members, [ofCalendar, convertPeriods(splitOverlaps(overrides), timeZone)]);
  if (overrides.length > 0)
    draft.taken(`${what}: ${overrides.length} overrides`, "layers that end when the overrides end");
  if (calendar === undefined && type === "ical")
    draft.left(
      `${what}: its calendar`,
      `Save the calendar as "${name}.ics" beside the export and import again, so that its events are imported.`,
    );

  const describeUser = (id: string) => emailOf(id) ?? `${users.get(id)?.username ?? id} (not in the export)`;
  const createTimeConverter = (shift: Shift) => {
    const own = getZone(zoneNameOf(shift));
    return { localOf: (ms: number) => toLocal(ms, own), instantOf: own.instantOf };
  };
  const byShifts = createOnCallReader(shifts, createTimeConverter, period, describeUser);
  const isOverriddenAt = (ms: number) => overrides.some(({ start, end }) => start <= ms && ms < end);
  const listCalendarPeople = (ms: number) =>
    calendar?.periods.find(({ start, end }) => start <= ms && ms < end)?.people ?? [];
  draft.checks.push({
    schedule: name,
    groups,
    timeZone,
    source: calendar === undefined ? "its shifts, evaluated by OnCall's rules" : "its shifts and its calendar",
    reading: (ms) => (listCalendarPeople(ms).length > 0 && !isOverriddenAt(ms) ? listCalendarPeople(ms) : byShifts(ms)),
  });
  return groups;
};
