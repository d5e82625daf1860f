import * as fc from "fast-check";
import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { newCalendarSecret, workspaceOfCalendar, writeCalendar } from "../../../../core/domain/people/calendar.ts";
import { toPeople } from "../../../../core/domain/people/people.ts";
import { toShiftViews } from "../../../../core/domain/people/shifts.ts";
import { wallClock, zones } from "../../../support/wall-clock.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const [first, last] = [Date.UTC(2020, 3, 1), Date.UTC(2029, 9, 1)];
const groupId = "grp_ops";
const createdAt = "2020-01-01T00:00:00.000Z";

type Layer = {
  start: string;
  every: number;
  unit: "hour" | "day" | "week";
  participants: (string | string[])[];
  until?: string;
  restrictions?: object[];
};
type Override = { userId: string; start: string; end: string };

const peopleWith = (timeZone: string, layers: Layer[], overrides: Override[] = [], name = "Ops") =>
  toPeople({
    members: ["usr_ann", "usr_bob"].map((userId) => ({ userId, name: userId.slice(4), email: "", createdAt })),
    groups: [{ id: groupId, name, workspaceId: "ws_1", createdAt }],
    groupMembers: [{ groupId, userId: "usr_ann" }],
    schedules: [{ timeZone, layers, groupId, updatedAt: createdAt } as never],
    overrides: overrides.map((override, index) => ({ id: `ovr_${index}`, groupId, createdAt, ...override })),
  });

const daily: Layer = { start: "2020-01-06T09:00", every: 1, unit: "day", participants: ["usr_ann", "usr_bob"] };

/** What a strict parser makes of a feed; it throws on a feed that it does not understand. */
const read = (text: string) => {
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

describe("a calendar feed", () => {
  test("has an event for each person of a shared turn, none for a turn of nobody, and ends with its layer", () => {
    const from = Date.UTC(2026, 2, 2, 9);
    const layer: Layer = {
      start: "2026-03-02T09:00",
      until: "2026-03-06T12:00",
      every: 1,
      unit: "day",
      participants: [["usr_ann", "usr_bob"], "usr_bob", []],
    };
    const people = peopleWith("UTC", [layer]);

    const { events } = read(writeCalendar(people, { kind: "group", id: groupId }, from)!);

    const days = (ms: number) => (ms - from) / DAY;
    expect(events.map(({ summary, start, end }) => [summary, days(start), days(end)])).toEqual([
      ["ann (Ops)", 0, 1],
      ["bob (Ops)", 0, 2],
      ["ann (Ops)", 3, 4],
      ["bob (Ops)", 3, 4.125],
    ]);
    expect(read(writeCalendar(people, { kind: "user", id: "usr_ann" }, from)!).events).toHaveLength(2);
  });

  test("is understood by a strict parser, with names that mean something to the format", () => {
    const name = "Käufer; Zürich, 東京\\京都 \n👩‍👩‍👧 BEGIN:VEVENT ".repeat(3);
    const text = writeCalendar(peopleWith("Europe/Berlin", [daily], [], name), { kind: "group", id: groupId }, first)!;
    const lines = text.split("\r\n");
    const { version, events } = read(text);

    expect(version).toBe("2.0");
    expect(lines.at(-1)).toBe("");
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/\p{Cc}|\ufffd/u);
    expect(events).toHaveLength(113);
    expect(events.map(({ summary }) => summary)).toContain(`ann (${name.replaceAll("\n", " ")})`);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(113);
    expect(events.every(({ start, end, stamped }) => start < end && stamped)).toBe(true);
  });

  test("keeps the identity of a shift from one reading to the next", () => {
    const people = peopleWith("Europe/Berlin", [{ ...daily, unit: "week" }]);
    const uids = (now: number) =>
      read(writeCalendar(people, { kind: "user", id: "usr_ann" }, now)!).events.map(({ uid }) => uid);

    expect(uids(first + 3 * DAY).filter((uid) => uids(first).includes(uid))).toHaveLength(9);
  });

  test("fits into one answer, however many shifts there are and however long the names", () => {
    const name = "\u{1F525}".repeat(100);
    const at = (minute: number) => new Date(minute * MINUTE).toISOString().slice(11, 16);
    const layers = Array.from({ length: 10 }, (_, layer) => ({
      ...daily,
      restrictions: Array.from({ length: 10 }, (__, nr) => {
        const minute = (layer * 10 + nr) * 14;
        return { days: [...DAYS], from: at(minute), to: at(minute + 2) };
      }),
    }));
    const people = peopleWith("UTC", layers, [], name);
    for (const member of people.members.values()) Object.assign(member, { name });

    const text = writeCalendar(people, { kind: "group", id: groupId }, first)!;

    expect(text.split("BEGIN:VEVENT")).toHaveLength(4_001);
    expect(Buffer.byteLength(JSON.stringify({ body: text }))).toBeLessThan(6 * 1024 * 1024);
  });

  test("is none for who or what is gone", () => {
    const people = peopleWith("UTC", [daily]);

    expect(writeCalendar(people, { kind: "user", id: "usr_cyd" }, first)).toBeUndefined();
    expect(writeCalendar(people, { kind: "group", id: "grp_other" }, first)).toBeUndefined();
  });

  test("has an address that names its workspace and 256 bits more", async () => {
    let count = 0;
    const secret = await newCalendarSecret(() => `req_${(count += 1)}`, "ws_1abc");

    expect(secret).toMatch(/^cal_1abc_[\w-]{43}$/);
    expect(workspaceOfCalendar(secret)).toBe("ws_1abc");
    expect(["", "cal_1abc_", `${secret}x`, `x${secret}`, "cal_a#b_" + "x".repeat(43)].map(workspaceOfCalendar)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  test.each(zones)("has everybody's hours as an independent calendar through ten years in %s", (timeZone) => {
    const clock = wallClock(timeZone, first - 100 * DAY, last + 200 * DAY);
    const text = (minute: number) => new Date(minute * MINUTE).toISOString().slice(11, 16);
    const shape = fc.record({
      now: fc.oneof(fc.integer({ min: first, max: last }), fc.constantFrom(...clock.changes, first)),
      hour: fc.integer({ min: 0, max: 23 }),
      every: fc.integer({ min: 1, max: 3 }),
      days: fc.uniqueArray(fc.constantFrom(...DAYS), { minLength: 2 }),
      from: fc.integer({ min: 0, max: 1_439 }),
      to: fc.integer({ min: 0, max: 1_439 }),
      override: fc.record({ after: fc.integer({ min: 0, max: 60 * 24 }), hours: fc.integer({ min: 1, max: 90 }) }),
    });
    fc.assert(
      fc.property(shape, ({ now: about, hour, every, days, from, to, override }) => {
        // A feed counts in whole seconds.
        const now = Math.floor(about / 1000) * 1000;
        const anchor = Date.UTC(2020, 0, 6, hour);
        const period = every * DAY;
        const restrictions = [{ days, from: text(from), to: text(to) }];
        const layer: Layer = { ...daily, start: new Date(anchor).toISOString().slice(0, 16), every, restrictions };
        const [start, end] = [now + override.after * HOUR, now + (override.after + override.hours) * HOUR];
        const iso = (ms: number) => new Date(ms).toISOString();
        const people = peopleWith(timeZone, [layer], [{ userId: "usr_bob", start: iso(start), end: iso(end) }]);
        const feeds = (["usr_ann", "usr_bob"] as const).map((userId) => ({
          userId,
          events: read(writeCalendar(people, { kind: "user", id: userId }, now)!).events,
        }));
        const length = to > from ? to - from : to - from + 1_440;
        const slow = (ms: number): string | undefined => {
          if (start <= ms && ms < end) return "usr_bob";
          const today = Math.floor(clock.readingAt(ms) / DAY) * DAY;
          const onDuty = [-2, -1, 0, 1].some((day) => {
            const begin = today + day * DAY + from * MINUTE;
            const weekday = DAYS[(new Date(today + day * DAY).getUTCDay() + 6) % 7]!;
            const within = clock.firstShowing(begin) <= ms && ms < clock.firstShowing(begin + length * MINUTE);
            return days.includes(weekday) && within;
          });
          if (!onDuty) return undefined;
          const near = Math.floor((clock.readingAt(ms) - anchor) / period);
          const turn = [near + 1, near, near - 1].find((one) => clock.firstShowing(anchor + one * period) <= ms) ?? 0;
          return turn % 2 === 0 ? "usr_ann" : "usr_bob";
        };
        // Most of the moments lie around the edges that a feed has.
        const edges = feeds.flatMap(({ events }) => events.slice(0, 12).flatMap((event) => [event.start, event.end]));
        const moments = [...edges, ...edges.map((ms) => ms - 1000), ...clock.changes].concat(
          Array.from({ length: 40 }, (_, index) => now - 27 * DAY + index * 2.7 * DAY),
        );
        const wrong = moments
          .filter((ms) => ms > now - 28 * DAY && ms < now + 84 * DAY)
          .map((ms) => {
            const shown = feeds.filter(({ events }) => events.some((event) => event.start <= ms && ms < event.end));
            return { at: iso(ms), told: shown.map(({ userId }) => userId).join(), expected: slow(ms) ?? "" };
          })
          .filter(({ told, expected }) => told !== expected);
        expect(wrong).toEqual([]);
      }),
      { numRuns: Number(process.env["CALENDAR_RUNS"] ?? 1) },
    );
  });
});

describe("one's own shifts", () => {
  test("are those of four weeks with the present one, whole", () => {
    const people = peopleWith("Europe/Berlin", [{ ...daily, unit: "week" }]);
    const shifts = toShiftViews(people, "usr_ann", Date.parse("2026-12-01T12:00:00Z"));

    expect(shifts).toEqual([
      { groupId, groupName: "Ops", start: "2026-11-30T08:00:00.000Z", end: "2026-12-07T08:00:00.000Z", inGroup: true },
      { groupId, groupName: "Ops", start: "2026-12-14T08:00:00.000Z", end: "2026-12-21T08:00:00.000Z", inGroup: true },
      { groupId, groupName: "Ops", start: "2026-12-28T08:00:00.000Z", end: "2027-01-04T08:00:00.000Z", inGroup: true },
    ]);
    expect(toShiftViews(people, "usr_bob", Date.parse("2026-12-01T12:00:00Z")).map(({ inGroup }) => inGroup)).toEqual([
      false,
      false,
    ]);
  });

  test("have no end where none is in sight", () => {
    const people = peopleWith("UTC", [{ ...daily, participants: ["usr_ann"] }]);

    expect(toShiftViews(people, "usr_ann", first)).toMatchObject([{ end: null }]);
  });
});
