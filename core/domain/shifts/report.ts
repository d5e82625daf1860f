import * as v from "valibot";
import { Somebody } from "../basics/authored.ts";
import { isNightAt, NIGHT_BOUNDS } from "../basics/clock/night.ts";
import { type Zone, getZone } from "../basics/clock/zone.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../basics/units.ts";
import { REST_HOURS_DEFAULT, listStretches } from "../on-call/index.ts";
import type { People } from "../people/people.ts";
import { type Phase, listGroupPhases } from "./past.ts";
import { type HourClass, hourClasses, Pay, reportedBy } from "./pay.ts";

/* Reports hours on call, pages, short rests and covers. Later changes do not affect a past month's report, which is stored. */

/** A person's pages of a day (UTC). `groupId`: empty if none. `resolvedMs`: the sum of times from page to event end. */
const PagesOfDay = v.object({
  groupId: v.string(),
  userId: v.string(),
  date: v.string(),
  pages: v.number(),
  atNight: v.number(),
  resolved: v.number(),
  resolvedMs: v.number(),
});
export type PagesOfDay = v.InferOutput<typeof PagesOfDay>;

/** A group's shifts and covers, without people on call who were unreachable or not in the group. Times are in are in ms. */
const RecordedGroup = v.object({
  groupId: v.string(),
  name: v.string(),
  timeZone: v.string(),
  holidays: v.array(v.string()),
  restHours: v.number(),
  shifts: v.array(v.tuple([v.number(), v.number(), v.array(v.string())])),
  covers: v.array(v.object({ at: v.number(), by: v.string(), insteadOf: v.string() })),
});

export const RecordedMonth = v.object({
  people: v.array(v.object({ userId: v.string(), name: v.string() })),
  pay: Pay,
  groups: v.array(RecordedGroup),
  pages: v.array(PagesOfDay),
});
export type RecordedMonth = v.InferOutput<typeof RecordedMonth>;

/** The span of time of a report, in milliseconds. `to` is exclusive. */
export type Span = { from: number; to: number };

/** Collects what a report needs of the group: its shifts and covers in the `phases` between changes, and its current schedule. */
const collectGroupData = (
  people: People,
  groupId: string,
  phases: readonly Phase[],
): v.InferOutput<typeof RecordedGroup> => {
  const { timeZone, holidays = [], restHours = REST_HOURS_DEFAULT } = people.duty(groupId).group.schedule;
  const shifts = phases.flatMap(({ group, from, to }) =>
    [...listStretches(group, from, to)].flatMap(({ start, end, people: onCall }) => {
      const userIds = onCall.filter(({ blocked }) => blocked === undefined).map(({ userId }) => userId);
      return userIds.length === 0 ? [] : [[start, end, userIds] satisfies [number, number, string[]]];
    }),
  );
  const covers = phases.flatMap(({ group, from, to }) =>
    group.overrides.flatMap(({ userId: by, insteadOf, start }) => {
      const at = fromIso(start) ?? 0;
      return insteadOf === undefined || at < from || at >= to ? [] : [{ at, by, insteadOf }];
    }),
  );
  const name = people.groups.get(groupId)?.group.name ?? "";
  return { groupId, name, timeZone, holidays, restHours, shifts, covers };
};

/** Collects what a report of the span needs. `changes`: the changes since the span's start, the newest first. */
export const collectReportData = (
  people: People,
  pages: readonly PagesOfDay[],
  pay: Pay,
  span: Span,
  changes: Parameters<typeof listGroupPhases>[2] = [],
): RecordedMonth => {
  const groups = [...people.groups.keys()].map((groupId) =>
    collectGroupData(people, groupId, listGroupPhases(people, groupId, changes, span)),
  );
  const named = new Set([
    ...groups.flatMap(({ shifts, covers }) => [
      ...shifts.flatMap(([, , userIds]) => userIds),
      ...covers.flatMap(({ by, insteadOf }) => [by, insteadOf]),
    ]),
    ...pages.map(({ userId }) => userId),
  ]);
  return {
    people: [...named].map((userId) => ({ userId, name: people.members.get(userId)?.name ?? "" })),
    pay,
    groups: groups.filter(({ groupId, shifts }) => shifts.length > 0 || pages.some((one) => one.groupId === groupId)),
    pages: [...pages],
  };
};

type Hours = Record<HourClass, number>;

const createEmptyHours = (): Hours => ({ weekday: 0, night: 0, weekend: 0, holiday: 0 });

const SATURDAY = 6;
/** The weekday of 1970-01-01, a Thursday; Sunday is 0. */
const FIRST_WEEKDAY = 4;
const formatDate = (ms: number): string => toIso(ms).slice(0, "2026-01-05".length);

const getHourClass = (localMs: number, holidays: ReadonlySet<string>): HourClass => {
  if (holidays.has(formatDate(localMs))) return "holiday";
  const weekday = (Math.floor(localMs / DAY_MS) + FIRST_WEEKDAY) % 7;
  if (weekday === 0 || weekday === SATURDAY) return "weekend";
  return isNightAt(localMs) ? "night" : "weekday";
};

/** Returns the time of the next clock change, or `to` if the clocks do not change before. */
const findNextClockChange = (zone: Zone, from: number, to: number): number => {
  const offset = zone.offsetAt(from);
  if (zone.offsetAt(to) === offset) return to;
  let [low, high] = [from, to];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle) === offset) low = middle;
    else high = middle;
  }
  return high;
};

/** Returns the milliseconds of each class of hours in the span, by local time. */
export const sumHoursByClass = (timeZone: string, holidays: readonly string[], { from, to }: Span): Hours => {
  const zone = getZone(timeZone);
  const free = new Set(holidays);
  const hours = createEmptyHours();
  let at = from;
  while (at < to) {
    const local = at + zone.offsetAt(at);
    const midnight = Math.floor(local / DAY_MS) * DAY_MS;
    const bound = NIGHT_BOUNDS.map((hour) => midnight + hour * HOUR_MS).find((one) => one > local) ?? local;
    const until = findNextClockChange(zone, at, Math.min(to, at + bound - local));
    hours[getHourClass(local, free)] += until - at;
    at = until;
  }
  return hours;
};

type ReportedBy = (typeof reportedBy)[number];

type Sum = Omit<PagesOfDay, "groupId" | "userId" | "date"> & {
  hours: Hours;
  shortRests: number;
  given: number;
  taken: number;
  cents: number;
};

const createEmptySum = (): Sum => ({
  hours: createEmptyHours(),
  pages: 0,
  atNight: 0,
  resolved: 0,
  resolvedMs: 0,
  shortRests: 0,
  given: 0,
  taken: 0,
  cents: 0,
});

const ReportRow = v.object({
  /** A row of the report is about a person or a group; the other field is null. */
  person: v.nullable(Somebody),
  group: v.nullable(Somebody),
  /** Hours on call in the time zone of each schedule; for a group, the sum of its people's hours. */
  hours: v.object({ ...v.entriesFromList([...hourClasses, "total"], v.number()) }),
  pages: v.number(),
  pagesAtNight: v.number(),
  /** The mean time from a page to the end of its event; null if no event has ended. */
  minutesToResolve: v.nullable(v.number()),
  /** How many rests between shifts were shorter than `restHours`. */
  shortRests: v.number(),
  coversGiven: v.number(),
  coversTaken: v.number(),
  /** The pay in cents, only for owners, and only if rates are set. */
  pay: v.exactOptional(v.number()),
});
export type ReportRow = v.InferOutput<typeof ReportRow>;

/** `closed`: the stored months, each with the time of storing, and with the digest of the last audit entry at that time. */
export const OnCallReport = v.object({
  from: v.string(),
  to: v.string(),
  by: v.picklist(reportedBy),
  items: v.array(ReportRow),
  closed: v.array(v.object({ month: v.string(), at: v.string(), digest: v.string() })),
});
export type OnCallReport = v.InferOutput<typeof OnCallReport>;

/** Returns hours, rounded to about a thousandth of a minute, so that sums stay exact enough. */
const toRoundedHours = (durationMs: number): number => Math.round((durationMs / HOUR_MS) * 1e5) / 1e5;

const toReportRow = (by: ReportedBy, subject: Somebody, sum: Sum, showsPay: boolean): ReportRow => ({
  person: by === "person" ? subject : null,
  group: by === "group" ? subject : null,
  hours: {
    weekday: toRoundedHours(sum.hours.weekday),
    night: toRoundedHours(sum.hours.night),
    weekend: toRoundedHours(sum.hours.weekend),
    holiday: toRoundedHours(sum.hours.holiday),
    total: toRoundedHours(hourClasses.reduce((total, name) => total + sum.hours[name], 0)),
  },
  pages: sum.pages,
  pagesAtNight: sum.atNight,
  minutesToResolve: sum.resolved === 0 ? null : Math.round(sum.resolvedMs / sum.resolved / (MINUTE_MS / 10)) / 10,
  shortRests: sum.shortRests,
  coversGiven: sum.given,
  coversTaken: sum.taken,
  ...(showsPay ? { pay: Math.round(sum.cents) } : {}),
});

export type ReportPart = Span & { recorded: RecordedMonth };

type OnDuty = Span & { groupId: string; restMs: number };

/** Calls `onFound` for each rest between shifts that was too short. `groupId`: the group of the shift after the rest. */
const forEachShortRest = (shifts: readonly OnDuty[], onFound: (groupId: string) => void): void => {
  let end = -Infinity;
  for (const { from, to, groupId, restMs } of shifts.toSorted((one, other) => one.from - other.from)) {
    if (from > end && from - end < restMs) onFound(groupId);
    end = Math.max(end, to);
  }
};

/** Returns the rows of an on-call report, one per person or group, by name. `parts`: the report's spans with their data. */
export const buildReportRows = (
  parts: readonly ReportPart[],
  by: ReportedBy,
  { showsPay }: { showsPay: boolean },
): ReportRow[] => {
  const sums = new Map<string, Sum>();
  const names = new Map<string, string>();
  const onDuty = new Map<string, OnDuty[]>();
  const findOrAddSum = (groupId: string, userId: string): Sum => {
    const id = by === "person" ? userId : groupId;
    const sum = sums.get(id) ?? createEmptySum();
    sums.set(id, sum);
    return sum;
  };
  for (const { from, to, recorded } of parts) {
    const { people, pay, groups, pages } = recorded;
    for (const { userId, name } of people) names.set(userId, name);
    for (const { groupId, name, timeZone, holidays, restHours, shifts, covers } of groups) {
      names.set(groupId, name);
      for (const [start, end, userIds] of shifts) {
        const shift = { from: Math.max(from, start), to: Math.min(to, end) };
        if (shift.from >= shift.to) continue;
        const hours = sumHoursByClass(timeZone, holidays, shift);
        for (const userId of userIds) {
          const sum = findOrAddSum(groupId, userId);
          for (const name of hourClasses) {
            sum.hours[name] += hours[name];
            sum.cents += (hours[name] / HOUR_MS) * (pay?.[name] ?? 0);
          }
          const before = onDuty.get(userId) ?? [];
          onDuty.set(userId, before);
          before.push({ ...shift, groupId, restMs: restHours * HOUR_MS });
        }
      }
      for (const { at, by: taker, insteadOf } of covers) {
        if (at < from || at >= to) continue;
        findOrAddSum(groupId, insteadOf).given += 1;
        findOrAddSum(groupId, taker).taken += 1;
      }
    }
    for (const { groupId, userId, date, ...counts } of pages) {
      if (date < formatDate(from) || date > formatDate(to - 1) || (by === "group" && groupId === "")) continue;
      const sum = findOrAddSum(groupId, userId);
      for (const name of ["pages", "atNight", "resolved", "resolvedMs"] as const) sum[name] += counts[name];
      sum.cents += counts.atNight * (pay?.nightPage ?? 0);
    }
  }
  for (const [userId, shifts] of onDuty)
    forEachShortRest(shifts, (groupId) => (findOrAddSum(groupId, userId).shortRests += 1));
  const isPaid = showsPay && parts.some(({ recorded }) => recorded.pay !== null);
  return [...sums]
    .map(([id, sum]) => ({ of: { id, name: names.get(id) ?? "" }, sum }))
    .toSorted(({ of: a }, { of: b }) => a.name.localeCompare(b.name, "en") || (a.id < b.id ? -1 : 1))
    .map(({ of, sum }) => toReportRow(by, of, sum, isPaid));
};

/** How long after its end in UTC a month is closed: by then, the month is over in all time zones, and all pages are counted. */
const CLOSES_AFTER_MS = DAY_MS;

/** Lists the months in UTC that overlap the span, in order. */
export const listMonths = ({ from, to }: Span): (Span & { month: string })[] => {
  const months: (Span & { month: string })[] = [];
  for (let at = from; at < to; at = months.at(-1)?.to ?? to) {
    const month = toIso(at).slice(0, "2026-01".length);
    const start = fromIso(`${month}-01T00:00:00.000Z`) ?? 0;
    const next = toIso(start + 32 * DAY_MS).slice(0, "2026-01".length);
    months.push({ month, from: start, to: fromIso(`${next}-01T00:00:00.000Z`) ?? 0 });
  }
  return months;
};

/** Returns whether the month of the span ended long enough ago that its report no longer changes. */
export const canStoreMonthReport = ({ to }: Span, now: number): boolean => to + CLOSES_AFTER_MS <= now;
