import ICAL from "ical.js";
import { toUtcMs } from "../../../core/domain/basics/time.ts";
import { TimeZone } from "../../../core/domain/basics/clock/week.ts";
import { getZone } from "../../../core/domain/basics/clock/zone.ts";
import * as v from "valibot";
import { CommandError } from "../../command.ts";
import type { ExportFile } from "../export-files.ts";
import type { OnCallPeriod } from "../periods.ts";

/** `level`: the number at the start of the title (`[L2]`), by default 0. */
export type CalendarEvent = { start: number; end: number; level: number; names: string[] };

const EVENTS_MAX = 20_000;

/** Returns a time in ms since 1970. `tzid`: the IANA name of the time's zone; for any other value, the time is in `timeZone`. */
const toInstant = (time: ICAL.Time, tzid: unknown, timeZone: string): number => {
  const local = toUtcMs(time.year, time.month, time.day, time.hour, time.minute) + time.second * 1_000;
  if (!time.isDate && (time.zone === ICAL.Timezone.utcTimezone || tzid === "UTC")) return local;
  const named = v.safeParse(TimeZone, tzid);
  return getZone(named.success && !time.isDate ? named.output : timeZone).instantOf(local);
};

/** Returns the names, in lower case, and the level in an event's summary, such as `[L1] anna, ben`; the default level is 0. */
const parseNames = (summary: string): Pick<CalendarEvent, "level" | "names"> => {
  const level = /\[L(\d+)\]/i.exec(summary)?.[1];
  const names = summary
    .replaceAll(/\[L\d+\]/gi, "")
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== "");
  return { level: Number(level ?? 0), names };
};

/** Returns a calendar file's events between two times, with repetitions. Times without a zone are in `timeZone`. */
export const readEvents = (
  { path, text }: ExportFile,
  timeZone: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): CalendarEvent[] => {
  let components: ICAL.Component[];
  try {
    components = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents("vevent");
  } catch (error) {
    throw new CommandError(`${path} is not a calendar: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const exceptions = components.filter((component) => component.hasProperty("recurrence-id"));
  const masters = components.filter((component) => !component.hasProperty("recurrence-id"));
  return masters.flatMap((component) => {
    const uid = component.getFirstPropertyValue("uid");
    const event = new ICAL.Event(component, {
      exceptions: exceptions.filter((other) => other.getFirstPropertyValue("uid") === uid),
    });
    const found: CalendarEvent[] = [];
    // Adds an occurrence if it overlaps the requested period. Returns false for an occurrence after the period.
    const addOccurrence = (item: ICAL.Event, start: ICAL.Time, end: ICAL.Time): boolean => {
      const tzid = item.component.getFirstProperty("dtstart")?.getParameter("tzid");
      const period = { start: toInstant(start, tzid, timeZone), end: toInstant(end, tzid, timeZone) };
      if (period.end > fromMs && period.start < toMs && period.end > period.start)
        found.push({ ...period, ...parseNames(item.summary ?? "") });
      return period.start < toMs;
    };
    if (!event.isRecurring()) {
      addOccurrence(event, event.startDate, event.endDate);
      return found;
    }
    const times = event.iterator();
    for (let count = 0; count < EVENTS_MAX; count += 1) {
      const next = times.next();
      if (next === undefined || next === null) break;
      const { item, startDate, endDate } = event.getOccurrenceDetails(next);
      if (!addOccurrence(item, startDate, endDate)) break;
    }
    return found;
  });
};

/** Converts events to periods that do not overlap. Of events at the same time, only the events of the highest level count. */
export const toPeriods = (
  events: readonly CalendarEvent[],
  peopleOf: (name: string) => readonly string[],
): OnCallPeriod[] => {
  const edges = [...new Set(events.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
  return edges.flatMap((start, index): OnCallPeriod[] => {
    const end = edges[index + 1];
    const inside = events.filter((event) => event.start <= start && event.end > start);
    if (end === undefined || inside.length === 0) return [];
    const top = Math.max(...inside.map(({ level }) => level));
    const names = inside.filter(({ level }) => level === top).flatMap((event) => event.names);
    return [{ start, end, people: [...new Set(names.flatMap(peopleOf))].sort() }];
  });
};
