import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCalendarSecret, parseCalendarSecret, renderFeed } from "../../../../core/domain/shifts/calendar.ts";
import { toShiftViews } from "../../../../core/domain/shifts/shifts.ts";
import { createWallClock, zones } from "../../../support/wall-clock.ts";
import {
  daily,
  DAY,
  DAYS,
  firstDay,
  groupId,
  lastDay,
  peopleWith,
  readFeed,
  shape,
  compareWithCalendar,
  type Layer,
} from "./feeds.ts";

const MINUTE = 60_000;
const first = Date.UTC(2020, 3, 1);

describe("a calendar feed of shifts", () => {
  test("has one event per person of a shared turn and none for an empty turn, and ends when the rotation ends", () => {
    const from = Date.UTC(2026, 2, 2, 9);
    const layer: Layer = {
      start: "2026-03-02T09:00",
      until: "2026-03-06T12:00",
      every: 1,
      unit: "day",
      participants: [["usr_ann", "usr_bob"], "usr_bob", []],
    };
    const people = peopleWith("UTC", [layer]);

    const { events } = readFeed(renderFeed(people, { kind: "group", id: groupId }, from)!);

    const days = (ms: number) => (ms - from) / DAY;
    expect(events.map(({ summary, start, end }) => [summary, days(start), days(end)])).toEqual([
      ["ann (Ops)", 0, 1],
      ["bob (Ops)", 0, 2],
      ["ann (Ops)", 3, 4],
      ["bob (Ops)", 3, 4.125],
    ]);
    expect(readFeed(renderFeed(people, { kind: "user", id: "usr_ann" }, from)!).events).toHaveLength(2);
  });

  test("has the expected iCalendar text for a group and for a person", () => {
    const layer = { ...daily, start: "2026-03-02T09:00", until: "2026-03-03T09:00" };
    const people = peopleWith("UTC", [layer], [], "Ops\u0007;\r1,\r\n2\\");
    const calendarText = (name: string, summary: string) =>
      [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//event-alerting//on-call//EN",
        "CALSCALE:GREGORIAN",
        `NAME:${name}`,
        `X-WR-CALNAME:${name}`,
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        "BEGIN:VEVENT",
        "UID:grp_ops-usr_ann-20260302T090000Z@event-alerting",
        "DTSTAMP:20200101T000000Z",
        "DTSTART:20260302T090000Z",
        "DTEND:20260303T090000Z",
        `SUMMARY:${summary}`,
        "TRANSP:TRANSPARENT",
        "END:VEVENT",
        "END:VCALENDAR",
        "",
      ].join("\r\n");
    const now = Date.UTC(2026, 1, 28, 12);

    expect(renderFeed(people, { kind: "group", id: groupId }, now)).toBe(
      calendarText("On call: Ops\\; 1\\, 2\\\\", "ann (Ops\\; 1\\, 2\\\\)"),
    );
    expect(renderFeed(people, { kind: "user", id: "usr_ann" }, now)).toBe(
      calendarText("On call: ann", "On call: Ops\\; 1\\, 2\\\\"),
    );
  });

  test("is accepted by a strict parser, even with names that contain iCalendar syntax", () => {
    const name = "Käufer; Zürich, 東京\\京都 \n👩‍👩‍👧 BEGIN:VEVENT ".repeat(3);
    const text = renderFeed(peopleWith("Europe/Berlin", [daily], [], name), { kind: "group", id: groupId }, first)!;
    const lines = text.split("\r\n");
    const { version, events } = readFeed(text);

    expect(version).toBe("2.0");
    expect(lines.at(-1)).toBe("");
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75);
    expect(text.replaceAll("\r\n", "")).not.toMatch(/\p{Cc}|\ufffd/u);
    expect(events).toHaveLength(113);
    expect(events.map(({ summary }) => summary)).toContain(`ann (${name.replaceAll("\n", " ")})`);
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(113);
    expect(events.every(({ start, end, stamped }) => start < end && stamped)).toBe(true);
  });

  test("keeps the UID of each shift whenever the feed is read again", () => {
    const people = peopleWith("Europe/Berlin", [{ ...daily, unit: "week" }]);
    const readUids = (now: number) =>
      readFeed(renderFeed(people, { kind: "user", id: "usr_ann" }, now)!).events.map(({ uid }) => uid);

    expect(readUids(first + 3 * DAY).filter((uid) => readUids(first).includes(uid))).toHaveLength(9);
  });

  test("shows a shift without an end from its real start, and does not change during a day", () => {
    const long = [{ ...daily, participants: ["usr_ann"] }];
    const feedAt = (hour: number) =>
      renderFeed(peopleWith("UTC", long), { kind: "user", id: "usr_ann" }, Date.UTC(2026, 2, 2, hour))!;

    expect(feedAt(23)).toBe(feedAt(1));
    expect(feedAt(1)).toContain("DTSTART:20200106T090000Z\r\nDTEND:20260601T000000Z");
  });

  test("fits into one answer, however many shifts there are and however long the names are", () => {
    const name = "\u{1F525}".repeat(100);
    const formatMinute = (minute: number) => new Date(minute * MINUTE).toISOString().slice(11, 16);
    const layers = Array.from({ length: 10 }, (_, layer) => ({
      ...daily,
      restrictions: Array.from({ length: 10 }, (__, nr) => {
        const minute = (layer * 10 + nr) * 14;
        return { days: [...DAYS], from: formatMinute(minute), to: formatMinute(minute + 2) };
      }),
    }));
    const people = peopleWith("UTC", layers, [], name);
    for (const member of people.members.values()) Object.assign(member, { name });

    const text = renderFeed(people, { kind: "group", id: groupId }, first)!;

    expect(text.split("BEGIN:VEVENT")).toHaveLength(4_001);
    expect(Buffer.byteLength(JSON.stringify({ body: text }))).toBeLessThan(6 * 1024 * 1024);
  });

  test("is empty for a deleted person or group", () => {
    const people = peopleWith("UTC", [daily]);

    expect(renderFeed(people, { kind: "user", id: "usr_cyd" }, first)).toBeUndefined();
    expect(renderFeed(people, { kind: "group", id: "grp_other" }, first)).toBeUndefined();
  });

  test("has a URL that contains its workspace and 256 random bits", async () => {
    let count = 0;
    const secret = await createCalendarSecret((prefix) => `${prefix}_${(count += 1)}`, "ws_1abc");

    const ofFourIds = createHash("sha256").update("req_1,req_2,req_3,req_4").digest("base64url");
    expect(secret).toBe(`cal_1abc_${ofFourIds}`);
    expect(parseCalendarSecret(secret)).toBe("ws_1abc");
    expect(["", "cal_1abc_", `${secret}x`, `x${secret}`, "cal_a#b_" + "x".repeat(43)].map(parseCalendarSecret)).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
  });

  test.each(zones)("has the same hours for everybody as an independent calendar in %s", (timeZone) => {
    const clock = createWallClock(timeZone, firstDay - 100 * DAY, lastDay + 200 * DAY);
    const now = fc.oneof(
      fc.integer({ min: firstDay, max: lastDay }),
      fc.constantFrom(...clock.changes.filter((ms) => firstDay <= ms && ms <= lastDay), firstDay),
    );
    fc.assert(
      fc.property(now, shape, (moment, chosen) => {
        expect(compareWithCalendar(timeZone, clock, moment, chosen).wrong).toEqual([]);
      }),
      { numRuns: 1 },
    );
  });
});

describe("a person's own shifts", () => {
  test("cover four weeks, with the current shift in full", () => {
    const people = peopleWith("Europe/Berlin", [{ ...daily, unit: "week" }]);
    const shifts = toShiftViews(people, "usr_ann", Date.parse("2026-12-01T12:00:00Z"));

    expect(shifts).toEqual([
      { groupId, groupName: "Ops", start: "2026-11-30T08:00:00.000Z", end: "2026-12-07T08:00:00.000Z", inGroup: true },
      { groupId, groupName: "Ops", start: "2026-12-14T08:00:00.000Z", end: "2026-12-21T08:00:00.000Z", inGroup: true },
      { groupId, groupName: "Ops", start: "2026-12-28T08:00:00.000Z", end: "2027-01-04T08:00:00.000Z", inGroup: true },
    ]);
    expect(toShiftViews(people, "usr_bob", Date.parse("2026-12-01T12:00:00Z")).map(({ inGroup }) => inGroup)).toEqual([
      true,
      true,
    ]);
  });

  test("have no end if no end is known", () => {
    const people = peopleWith("UTC", [{ ...daily, participants: ["usr_ann"] }]);

    expect(toShiftViews(people, "usr_ann", first)).toMatchObject([{ end: null }]);
  });
});
