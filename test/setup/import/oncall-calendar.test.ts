import { describe, expect, it } from "vitest";
import { type Imported, importSchedule } from "./oncall-export.ts";
import { countDifferences, listOnCallIn, listRemarks } from "./import-results.ts";

describe("an imported calendar", () => {
  const createCalendar = (...events: string[][]) => ({
    path: "out/Web.ics",
    text: [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:x",
      ...events.flatMap((event) => ["BEGIN:VEVENT", ...event, "END:VEVENT"]),
      "END:VCALENDAR",
    ].join("\r\n"),
  });
  const importCalendar = (...events: string[][]) =>
    importSchedule([], { type: "ical", time_zone: "Europe/Berlin" }, createCalendar(...events));
  const event = (summary: string, start: string, end: string, ...more: string[]) => [
    `UID:${summary}${start}`,
    `SUMMARY:${summary}`,
    `DTSTART${start}`,
    `DTEND${end}`,
    ...more,
  ];
  const listOnCallAt = ({ yaml }: Imported, ...times: string[]) =>
    times.map((time) => listOnCallIn(yaml, `2026-${time}Z`).join(" "));

  it("may have whole days, and times in UTC, in the schedule's time zone or in another one", () => {
    const moved = importCalendar(
      event("a", ":20260316T090000Z", ":20260316T100000Z"),
      event("b", ";TZID=America/New_York:20260317T090000", ";TZID=America/New_York:20260317T100000"),
      event("c", ":20260318T090000", ":20260318T100000"),
      event("a", ";TZID=UTC:20260319T090000", ";TZID=UTC:20260319T100000"),
      event("b", ";VALUE=DATE:20260320", ";VALUE=DATE:20260321"),
      event("c", ";TZID=Nowhere/Else:20260322T090030", ";TZID=Nowhere/Else:20260322T100000"),
      event("a", ";TZID=America/New_York;VALUE=DATE:20260324", ";TZID=America/New_York;VALUE=DATE:20260325"),
    );

    expect(
      listOnCallAt(moved, "03-16T09:00", "03-16T08:59", "03-17T13:00", "03-17T12:59", "03-18T08:00", "03-18T09:00"),
    ).toEqual(["a@x", "", "b@x", "", "c@x", ""]);
    expect(listOnCallAt(moved, "03-19T09:30", "03-19T08:30", "03-19T23:00", "03-20T22:59", "03-20T23:00")).toEqual([
      "a@x",
      "",
      "b@x",
      "b@x",
      "",
    ]);
    expect(
      listOnCallAt(moved, "03-22T08:00:29", "03-22T08:00:30", "03-23T23:00", "03-24T22:59", "03-24T23:00"),
    ).toEqual(["", "c@x", "a@x", "a@x", ""]);
  });

  it("puts on call the people in the event with the highest level, by name or address, ignoring case", () => {
    const moved = importCalendar(
      event("A@X, , B", ":20260316T090000Z", ":20260316T120000Z"),
      event("c", ":20260316T110000Z", ":20260316T130000Z"),
      event("[L10] c", ":20260316T093000Z", ":20260316T100000Z"),
      event("[l2] a", ":20260316T094000Z", ":20260316T101000Z"),
      event("c", ":20260316T140000Z", ":20260316T140000Z"),
    );

    expect(
      listOnCallAt(
        moved,
        "03-16T09:00",
        "03-16T09:30",
        "03-16T09:45",
        "03-16T10:00",
        "03-16T10:10",
        "03-16T11:00",
        "03-16T12:30",
        "03-16T14:00",
      ),
    ).toEqual(["a@x b@x", "c@x", "c@x", "a@x", "a@x b@x", "a@x b@x c@x", "c@x", ""]);
    expect(countDifferences(moved)).toBe(0);
    expect(moved.compared[0]?.source).toBe("its shifts and its calendar");
  });

  it("has recurring events for 91 days, with moved and cancelled occurrences", () => {
    const moved = importCalendar(
      event(
        "a",
        ";TZID=Europe/Berlin:20260301T100000",
        ";TZID=Europe/Berlin:20260301T110000",
        "RRULE:FREQ=DAILY",
        "EXDATE;TZID=Europe/Berlin:20260318T100000",
      ),
      [
        "UID:a;TZID=Europe/Berlin:20260301T100000",
        "RECURRENCE-ID;TZID=Europe/Berlin:20260317T100000",
        "SUMMARY:b",
        "DTSTART:20260317T150000Z",
        "DTEND:20260317T160000Z",
      ],
      [
        "UID:other",
        "RECURRENCE-ID:20260319T090000Z",
        "SUMMARY:c",
        "DTSTART:20260319T150000Z",
        "DTEND:20260319T160000Z",
      ],
      event("b", ":20260401T120000Z", ":20260401T130000Z", "RRULE:FREQ=DAILY;COUNT=2"),
    );

    expect(
      listOnCallAt(moved, "03-16T09:00", "03-17T09:00", "03-17T15:00", "03-18T09:00", "03-19T09:00", "03-19T15:00"),
    ).toEqual(["a@x", "", "b@x", "", "a@x", ""]);
    // Before this date, summer time has begun in the calendar's zone.
    expect(listOnCallAt(moved, "03-30T08:00", "03-30T09:00")).toEqual(["a@x", ""]);
    expect(listRemarks(moved, "different")).toEqual([
      "Schedule Web: its calendar: The 92 events of the next 91 days are imported one by one; later events of the calendar are not imported.",
    ]);
  });

  it("has only events that overlap the imported period", () => {
    const touching = importCalendar(
      event("a", ":20260315T090000Z", ":20260316T000000Z"),
      event("b", ":20260315T090000Z", ":20260316T000100Z"),
      event("c", ":20260614T235900Z", ":20260616T000000Z"),
      event("a", ":20260615T000000Z", ":20260616T000000Z"),
    );

    expect(listRemarks(touching, "different")[0]).toContain("The 2 events of the next 91 days");
  });

  it("is found by the name or the id of its schedule, and unknown people in the calendar are reported", () => {
    const importNamed = (path: string) =>
      listRemarks(
        importSchedule(
          [],
          { type: "ical" },
          { ...createCalendar(event("nobody, nameless", ":20260317T090000Z", ":20260317T100000Z")), path },
        ),
        "left",
      );
    const strangers = ["nobody", "nameless"].map(
      (name) => `Person ${name}: A calendar names somebody who is not in the export, or has no email address.`,
    );

    for (const path of ["S1.ics", "Web.ics", "Web.primary.ics", "x/S1.overrides.ics"])
      expect(importNamed(path)).toEqual(strangers);
    for (const path of ["Other.ics", "Web.x.y.ics"])
      expect(importNamed(path)).toEqual([
        'Schedule Web: its calendar: Save the calendar as "Web.ics" beside the export and import again, so that its events are imported.',
      ]);
    expect(listRemarks(importSchedule([], { type: "web" }), "left")).toEqual([]);
    expect(() => importSchedule([], {}, { path: "Web.ics", text: "BEGIN:NOTHING" })).toThrow(
      /^Web\.ics is not a calendar: ./,
    );
  });

  it("is overridden by an override, and itself takes precedence over rotations", () => {
    const override = { type: "override", frequency: null, start: "2026-03-16T09:30:00", duration: 900, users: ["UC"] };
    const moved = importSchedule(
      [{ rolling_users: [["UB"]] }, override],
      {},
      createCalendar(event("a", ":20260316T090000Z", ":20260316T100000Z")),
    );

    expect(listOnCallAt(moved, "03-16T08:59", "03-16T09:00", "03-16T09:30", "03-16T09:45", "03-16T10:00")).toEqual([
      "b@x",
      "a@x",
      "c@x",
      "a@x",
      "b@x",
    ]);
    expect(countDifferences(moved)).toBe(0);
  });
});
