import * as fc from "fast-check";
import ICAL from "ical.js";
import { renderFeed } from "../../../../core/domain/shifts/calendar.ts";
import { buildPeople } from "../../../../core/domain/people/people.ts";
import { isWithinHours, type createWallClock } from "../../../support/wall-clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
/** The ten years in which feeds are requested. */
export const [firstDay, lastDay] = [Date.UTC(2020, 0, 29), Date.UTC(2029, 11, 31)];
/** The numbers of days that a feed covers before and after the request. */
export const [BACK_DAYS, AHEAD_DAYS] = [28, 84];
export const groupId = "grp_ops";
const createdAt = "2020-01-01T00:00:00.000Z";

export type Layer = {
  start: string;
  every: number;
  unit: "hour" | "day" | "week";
  participants: (string | string[])[];
  until?: string;
  restrictions?: object[];
};
type Override = { userId: string; start: string; end: string };

export const peopleWith = (timeZone: string, layers: Layer[], overrides: Override[] = [], name = "Ops") =>
  buildPeople({
    members: ["usr_ann", "usr_bob"].map((userId) => ({ userId, name: userId.slice(4), email: "", createdAt })),
    groups: [{ id: groupId, name, workspaceId: "ws_1", createdAt }],
    groupMembers: ["usr_ann", "usr_bob"].map((userId) => ({ groupId, userId })),
    schedules: [{ timeZone, layers, groupId, updatedAt: createdAt } as never],
    overrides: overrides.map((override, index) => ({ id: `ovr_${index}`, groupId, createdAt, ...override })),
  });

export const daily: Layer = { start: "2020-01-06T09:00", every: 1, unit: "day", participants: ["usr_ann", "usr_bob"] };

export const readFeed = (text: string) => {
  ICAL.design.strict = true;
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  return {
    name: calendar.getFirstPropertyValue("x-wr-calname"),
    version: calendar.getFirstPropertyValue("version"),
    events: calendar.getAllSubcomponents("vevent").map((component) => {
      const event = new ICAL.Event(component);
      return {
        uid: event.uid,
        summary: event.summary,
        start: event.startDate.toUnixTime() * 1000,
        end: event.endDate.toUnixTime() * 1000,
        stamped: component.getFirstPropertyValue("dtstamp") !== null,
      };
    }),
  };
};

/** A schedule of two people with daily turns, restricted hours and an override. */
export const shape = fc.record({
  hour: fc.integer({ min: 0, max: 23 }),
  every: fc.integer({ min: 1, max: 3 }),
  days: fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 2 }),
  from: fc.integer({ min: 0, max: 1_439 }),
  to: fc.integer({ min: 0, max: 1_439 }),
  override: fc.record({ after: fc.integer({ min: 0, max: 60 * 24 }), hours: fc.integer({ min: 1, max: 90 }) }),
});
type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never;

const formatMinute = (minute: number) => new Date(minute * MINUTE).toISOString().slice(11, 16);
const iso = (ms: number) => new Date(ms).toISOString();

/** Returns the instants at which the feeds differ from an independent calendar, and all compared instants. */
export const compareWithCalendar = (
  timeZone: string,
  clock: ReturnType<typeof createWallClock>,
  about: number,
  { hour, every, days, from, to, override }: Shape,
) => {
  // The times in a feed are whole seconds.
  const now = Math.floor(about / 1000) * 1000;
  const anchor = Date.UTC(2020, 0, 6, hour);
  const period = every * DAY;
  const hours = { days, from: formatMinute(from), to: formatMinute(to) };
  const layer: Layer = { ...daily, start: iso(anchor).slice(0, 16), every, restrictions: [hours] };
  const [start, end] = [now + override.after * HOUR, now + (override.after + override.hours) * HOUR];
  const people = peopleWith(timeZone, [layer], [{ userId: "usr_bob", start: iso(start), end: iso(end) }]);
  const feeds = (["usr_ann", "usr_bob"] as const).map((userId) => ({
    userId,
    events: readFeed(renderFeed(people, { kind: "user", id: userId }, now)!).events,
  }));
  const expectedUser = (ms: number): string | undefined => {
    if (start <= ms && ms < end) return "usr_bob";
    if (ms < clock.firstShowing(anchor) || !isWithinHours(clock, hours, ms)) return undefined;
    const near = Math.floor((clock.readingAt(ms) - anchor) / period);
    const turn = [near + 1, near, near - 1].find((one) => clock.firstShowing(anchor + one * period) <= ms) ?? 0;
    return turn % 2 === 0 ? "usr_ann" : "usr_bob";
  };
  // Most of the compared instants are near the start or end of shifts in the feed.
  const edges = feeds.flatMap(({ events }) => events.slice(0, 12).flatMap((event) => [event.start, event.end]));
  const moments = [...edges, ...edges.map((ms) => ms - 1000), ...clock.changes]
    .concat(Array.from({ length: 40 }, (_, index) => now - 27 * DAY + index * 2.7 * DAY))
    .filter((ms) => ms > now - BACK_DAYS * DAY && ms < now + AHEAD_DAYS * DAY);
  const wrong = moments
    .map((ms) => {
      const shown = feeds.filter(({ events }) => events.some((event) => event.start <= ms && ms < event.end));
      return { at: iso(ms), told: shown.map(({ userId }) => userId).join(), expected: expectedUser(ms) ?? "" };
    })
    .filter(({ told, expected }) => told !== expected);
  return { wrong, moments };
};
