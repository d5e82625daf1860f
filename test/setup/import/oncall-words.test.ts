import { describe, expect, it } from "vitest";
import { importExport } from "../../../setup/import/import-export.ts";
import { differencesOf, onCallIn, remarksOf } from "./proof.ts";

/* Grafana OnCall's words, ours for each, and what is left out and said so. */

const FROM = Date.parse("2026-03-16T00:00:00Z");
const HOUR = 3_600;
const DAY = 24 * HOUR;

const users = [
  ...["A", "B", "C"].map((id) => ({
    id: `U${id}`,
    username: id.toLowerCase(),
    email: `${id}@x`,
    teams: id === "C" ? [] : ["T1"],
  })),
  { id: "UX", username: "nameless", email: "" },
  { id: "UY", username: null, email: null, teams: ["T2"] },
];
const imported = (answers: Readonly<Record<string, unknown[]>>, ...files: { path: string; text: string }[]) =>
  importExport(
    "oncall",
    [
      ...Object.entries({ users, ...answers }).map(([kind, results]) => ({
        path: `${kind}.json`,
        text: JSON.stringify({ results }),
      })),
      ...files,
    ],
    FROM,
  );
type Imported = ReturnType<typeof imported>;

const shift = {
  id: "H",
  name: "Main",
  type: "rolling_users",
  level: 1,
  start: "2026-01-05T09:00:00",
  duration: 7 * DAY,
  frequency: "weekly",
  interval: 1,
  week_start: "MO",
  rolling_users: [["UA"], ["UB"]],
};
const scheduled = (shifts: object[], more: object = {}, ...files: { path: string; text: string }[]) => {
  const named = shifts.map((one, index) => ({ ...shift, id: `H${index}`, ...one }));
  const schedule = { id: "S1", name: "Web", type: "web", time_zone: "UTC", shifts: named.map(({ id }) => id), ...more };
  return imported({ schedules: [schedule], shifts: named }, ...files);
};
const layersOf = ({ draft }: Imported, index = 0) => draft.setUp.schedules[index]?.layers;

describe("a shift", () => {
  const base = { start: "2026-01-05T09:00", every: 1, unit: "week", participants: ["a@x", "b@x"] };
  const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
  const from9 = (days: string[], to: string) => ({ restrictions: [{ days, from: "09:00", to }] });

  it.each<[string, object, object[]]>([
    ["weekly", {}, [base]],
    ["of two weeks", { interval: 2, duration: 14 * DAY }, [{ ...base, every: 2 }]],
    ["of one week in two", { interval: 2 }, [{ ...base, participants: ["a@x", [], "b@x", []] }]],
    ["of some hours a week", { duration: 8 * HOUR }, [{ ...base, ...from9(["mon"], "17:00") }]],
    ["daily", { frequency: "daily", duration: DAY }, [{ ...base, unit: "day" }]],
    [
      "of some hours a day",
      { frequency: "daily", duration: 8 * HOUR },
      [{ ...base, unit: "day", ...from9(week, "17:00") }],
    ],
    [
      "of some hours every third day",
      { frequency: "daily", interval: 3, duration: 12 * HOUR },
      [{ ...base, unit: "day", participants: ["a@x", [], [], "b@x", [], []], ...from9(week, "21:00") }],
    ],
    [
      "of twelve hours",
      { frequency: "hourly", interval: 12, duration: 12 * HOUR },
      [{ ...base, every: 12, unit: "hour" }],
    ],
    [
      "with a gap",
      { frequency: "hourly", interval: 12, duration: 8 * HOUR },
      [{ ...base, every: 4, unit: "hour", participants: ["a@x", "a@x", [], "b@x", "b@x", []] }],
    ],
    [
      "that runs into the next",
      { frequency: "hourly", interval: 8, duration: 12 * HOUR },
      [{ ...base, every: 4, unit: "hour", participants: [["a@x", "b@x"], "a@x", ["a@x", "b@x"], "b@x"] }],
    ],
    [
      "that is never over before it comes again",
      { frequency: "daily", duration: 2 * DAY },
      [
        {
          ...base,
          every: 24,
          unit: "hour",
          participants: [
            ["a@x", "b@x"],
            ["a@x", "b@x"],
          ],
        },
      ],
    ],
    [
      "on some days of the week",
      { duration: 8 * HOUR, by_day: ["FR", "MO"] },
      [{ ...base, ...from9(["mon", "fri"], "17:00") }],
    ],
    [
      "on days of which none is its first: it waits for the first of them",
      { start: "2026-01-06T09:00:00", duration: 8 * HOUR, by_day: ["MO", "FR"] },
      [{ ...base, start: "2026-01-12T09:00", ...from9(["mon", "fri"], "17:00") }],
    ],
    [
      "that begins in the middle of a week's days: counted from the first of them",
      { start: "2026-01-07T09:00:00", duration: 8 * HOUR, by_day: ["MO", "WE"] },
      [{ ...base, ...from9(["mon", "wed"], "17:00") }],
    ],
    [
      "in weeks from Sunday on",
      { duration: 8 * HOUR, by_day: ["SU", "MO"], week_start: "SU" },
      [{ ...base, start: "2026-01-04T09:00", ...from9(["mon", "sun"], "17:00") }],
    ],
    [
      "in weeks from Sunday on, where none is said",
      { duration: 8 * HOUR, by_day: ["SU", "MO"], week_start: null },
      [{ ...base, start: "2026-01-04T09:00", ...from9(["mon", "sun"], "17:00") }],
    ],
    [
      "in weeks from Wednesday on, with the days of two calendar weeks",
      { start: "2026-01-09T09:00:00", duration: 8 * HOUR, by_day: ["FR", "MO"], week_start: "WE", interval: 2 },
      [{ ...base, start: "2026-01-09T09:00", participants: ["a@x", [], "b@x", []], ...from9(["mon", "fri"], "17:00") }],
    ],
    [
      "by duty, from day to day",
      { frequency: "daily", duration: 8 * HOUR, by_day: ["MO", "TU"] },
      [{ ...base, unit: "day", turns: "duty", ...from9(["mon", "tue"], "17:00") }],
    ],
    [
      "by duty, two days each",
      { frequency: "daily", duration: 8 * HOUR, by_day: ["MO", "TU", "WE"], interval: 2 },
      [
        {
          ...base,
          unit: "day",
          turns: "duty",
          participants: ["a@x", "a@x", "b@x", "b@x"],
          ...from9(["mon", "tue", "wed"], "17:00"),
        },
      ],
    ],
    [
      "of everybody every other day of some",
      {
        type: "recurrent_event",
        frequency: "daily",
        duration: 8 * HOUR,
        by_day: ["MO", "TU", "WE"],
        interval: 2,
        users: ["UA", "UB"],
      },
      [{ ...base, unit: "day", participants: [["a@x", "b@x"], []], ...from9(["mon", "tue", "wed"], "17:00") }],
    ],
    [
      "of everybody on some days",
      { type: "recurrent_event", duration: 8 * HOUR, by_day: ["MO"], users: ["UC"] },
      [{ ...base, participants: ["c@x"], ...from9(["mon"], "17:00") }],
    ],
    [
      "of the first turn, where it names no users",
      { type: "recurrent_event", duration: 7 * DAY },
      [{ ...base, participants: ["a@x"] }],
    ],
    [
      "from its second turn on, which is one of two people",
      { start_rotation_from_user_index: 1, rolling_users: [["UA"], ["UB", "UC"]] },
      [{ ...base, participants: [["b@x", "c@x"], "a@x"] }],
    ],
    ["with a person twice in a turn", { rolling_users: [["UA", "UA"]] }, [{ ...base, participants: ["a@x"] }]],
    ["that ends", { until: "2026-04-01T09:00:00" }, [{ ...base, until: "2026-04-01T09:00" }]],
    [
      "that begins to turn later than it begins",
      { rotation_start: "2026-03-19T09:00:00" },
      [
        { start: "2026-03-19T09:00", until: "2026-03-23T09:00", every: 1, unit: "week", participants: ["a@x"] },
        { ...base, start: "2026-03-23T09:00", first: 1 },
      ],
    ],
    [
      "once",
      { type: "single_event", start: "2026-03-20T09:00:00", duration: 2 * DAY, frequency: null, users: ["UC", "UA"] },
      [{ ...base, start: "2026-03-20T09:00", until: "2026-03-22T09:00", participants: [["c@x", "a@x"]] }],
    ],
    [
      "once, with a time before which it ends",
      {
        type: "single_event",
        start: "2026-03-20T09:00:00",
        until: "2026-03-21T09:00:00",
        duration: 2 * DAY,
        frequency: null,
      },
      [{ ...base, start: "2026-03-20T09:00", until: "2026-03-21T09:00", participants: ["a@x"] }],
    ],
    [
      "once, of turns",
      { start: "2026-03-20T09:00:00", duration: DAY, frequency: null },
      [{ ...base, start: "2026-03-20T09:00", until: "2026-03-21T09:00", participants: ["a@x"] }],
    ],
  ])("%s is a layer, with the same people at the same times", (_, more, layers) => {
    const moved = scheduled([more]);

    expect(layersOf(moved)).toEqual(layers);
    expect([remarksOf(moved, "left", "different"), differencesOf(moved)]).toEqual([[], 0]);
    expect(remarksOf(moved, "taken")).toEqual(["Schedule Web: group Web"]);
  });

  it.each([
    ["over", { until: "2026-03-16T00:00:00" }, "It is over."],
    [
      "over once",
      { type: "single_event", frequency: null, start: "2026-03-15T00:00:00", duration: DAY },
      "It is over.",
    ],
    ["of nobody", { rolling_users: [] }, "It has nobody."],
    ["of half hours", { frequency: "hourly", duration: 5_400 }, "No layer can say its events (hourly, 5400 s)."],
    [
      "monthly",
      { frequency: "monthly" },
      "No layer can say its events (monthly, 604800 s); the comparison leaves them out, too.",
    ],
    [
      "of months",
      { by_month: [1] },
      "No layer can say its events (weekly, by_month, 604800 s); the comparison leaves them out, too.",
    ],
    [
      "of days of months",
      { by_monthday: [1] },
      "No layer can say its events (weekly, by_monthday, 604800 s); the comparison leaves them out, too.",
    ],
    [
      "of hours on days",
      { frequency: "hourly", by_day: ["MO"] },
      "No layer can say its events (hourly, 604800 s); the comparison leaves them out, too.",
    ],
    [
      "of 101 turns",
      { rolling_users: Array.from({ length: 101 }, () => ["UA"]) },
      "It cannot be written: it has 101 turns, and a layer has at most 100.",
    ],
  ])("%s is left out, and it is said why", (_, more, why) => {
    const moved = scheduled([more]);

    expect(layersOf(moved)).toEqual([]);
    expect(remarksOf(moved, "left")).toEqual([`Schedule Web, shift Main: ${why}`]);
    expect(remarksOf(scheduled([{ ...more, name: null }]), "left")[0]).toContain("Schedule Web, shift H0: ");
  });

  const RUNS =
    "Schedule Web, shift Main: The last event of a turn runs into the first one of the next: here the next one decides.";
  it.each([
    [{ by_day: ["MO", "SU"], duration: DAY }, []],
    [{ by_day: ["MO", "SU"], duration: DAY + HOUR }, [RUNS]],
    [{ by_day: ["SU", "MO"], duration: DAY + HOUR, week_start: "SU", start: "2026-01-04T09:00:00" }, []],
    [{ by_day: ["MO", "SU"], duration: DAY + HOUR, rolling_users: [["UA"]] }, []],
    [{ by_day: ["MO", "WE"], duration: DAY, frequency: "daily" }, []],
    [{ by_day: ["MO", "WE"], duration: DAY + HOUR, frequency: "daily" }, [RUNS]],
    [{ frequency: "daily", duration: 2 * DAY }, []],
  ])("whose turns run into each other is named: %j", (more, remarks) => {
    expect(remarksOf(scheduled([more]), "different")).toEqual(remarks);
  });

  it("that no reading takes is on call in neither", () => {
    expect(
      scheduled([{ frequency: "monthly" }, { duration: 8 * HOUR, frequency: "daily" }]).compared[0]?.differences,
    ).toEqual([]);
    expect(
      scheduled([{ frequency: "hourly", duration: 5_400, rolling_users: [["UA"]] }]).compared[0]?.differences,
    ).toMatchObject([{ theirs: ["a@x"], ours: [] }]);
  });
});

describe("the shifts of a schedule", () => {
  const single = { rolling_users: [["UC"]] };
  const day = { ...single, frequency: "daily", duration: 8 * HOUR };

  it("win by their level, an override over all, and equal ones add up in several groups", () => {
    const override = {
      ...single,
      type: "override",
      frequency: null,
      start: "2026-03-17T09:00:00",
      duration: DAY,
      users: ["UC"],
    };
    const moved = scheduled([{}, { ...day, level: 2 }, override, { ...override, start: "2026-03-01T09:00:00" }]);
    const several = scheduled([{ level: 1 }, { ...single, level: 1 }, { ...single, level: 0 }]);

    expect(layersOf(moved)?.map(({ start, participants }) => [start, participants])).toEqual([
      ["2026-01-05T09:00", ["a@x", "b@x"]],
      ["2026-01-05T09:00", ["c@x"]],
      ["2026-03-17T09:00", ["c@x"]],
    ]);
    expect(remarksOf(moved, "taken")).toEqual([
      "Schedule Web: group Web",
      "Schedule Web: 1 overrides: layers that end with them",
    ]);
    expect(
      several.draft.setUp.schedules.map(({ group, layers }) => [
        group,
        ...layers.map(({ participants }) => participants.flat().join(" ")),
      ]),
    ).toEqual([
      ["Web: 1", "c@x", "c@x", "a@x b@x"],
      ["Web: 2", "c@x", "a@x b@x", "c@x"],
    ]);
    expect(remarksOf(several, "taken")).toEqual(["Schedule Web: groups Web: 1, Web: 2"]);
    expect([differencesOf(moved), differencesOf(several)]).toEqual([0, 0]);
  });

  it("share a lane of one level where their hours never meet", () => {
    const night = { ...single, frequency: "daily", start: "2026-01-05T17:00:00", duration: 16 * HOUR };
    const moved = scheduled([{ ...day }, night, { level: 3, ...day, rolling_users: [["UA"]] }]);

    expect(moved.draft.setUp.groups.map(({ name }) => name)).toEqual(["Web"]);
    expect(differencesOf(moved)).toBe(0);
  });

  it("are kept in the zone of most of them, others by the clock of the first day", () => {
    const zone = (time_zone: string) => ({ ...day, time_zone });
    const moved = scheduled(
      [{ ...zone("America/New_York"), level: 2 }, zone("Europe/Berlin"), { ...zone("Europe/Berlin"), level: 3 }],
      { time_zone: "Asia/Kolkata" },
    );

    expect(moved.draft.setUp.schedules[0]).toMatchObject({ timeZone: "Europe/Berlin" });
    expect(layersOf(moved)?.map(({ start, restrictions }) => [start, restrictions?.[0]?.from])).toEqual([
      ["2026-01-05T09:00", "09:00"],
      ["2026-01-05T14:00", "14:00"],
      ["2026-01-05T09:00", "09:00"],
    ]);
    expect(remarksOf(moved, "different")).toEqual([
      "Schedule Web, shift Main: Its times are of America/New_York, kept as they are in Europe/Berlin on the first day: they move where only one of the two changes its clocks.",
    ]);
    // From 29 March, Berlin is six hours ahead again.
    expect(moved.compared[0]?.differences[0]).toMatchObject({ from: Date.parse("2026-03-29T20:00:00Z") });
    expect(scheduled([], { time_zone: "Europe/Berlin" }).draft.setUp.schedules[0]).toMatchObject({
      timeZone: "Europe/Berlin",
      layers: [],
    });
    expect(scheduled([], { time_zone: null }).draft.setUp.schedules[0]).toMatchObject({ timeZone: "UTC" });
  });

  it("name people and shifts that the export has not", () => {
    const moved = scheduled([{ rolling_users: [["UA", "UX"], ["UZ"]] }], { shifts: ["H0", "H9"] });

    expect(remarksOf(moved, "left")).toEqual([
      "Schedule Web: shift H9: The export has no such shift.",
      "Person nameless (UX): The export has no person with that id and an e-mail address: their turns are turns of nobody.",
      "Person UZ: The export has no person with that id and an e-mail address: their turns are turns of nobody.",
    ]);
    expect(layersOf(moved)?.[0]?.participants).toEqual(["a@x", []]);
    expect(new Set(moved.compared[0]?.differences.flatMap(({ theirs }) => theirs))).toEqual(
      new Set(["UZ (not in the export)", "a@x", "nameless (not in the export)"]),
    );
    expect(moved.compared[0]).toMatchObject({
      schedule: "Web",
      groups: ["Web"],
      source: "its shifts, read by OnCall's rules",
    });
  });
});

describe("a calendar", () => {
  const calendar = (...events: string[][]) => ({
    path: "out/Web.ics",
    text: [
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:x",
      ...events.flatMap((event) => ["BEGIN:VEVENT", ...event, "END:VEVENT"]),
      "END:VCALENDAR",
    ].join("\r\n"),
  });
  const read = (...events: string[][]) =>
    scheduled([], { type: "ical", time_zone: "Europe/Berlin" }, calendar(...events));
  const event = (summary: string, start: string, end: string, ...more: string[]) => [
    `UID:${summary}${start}`,
    `SUMMARY:${summary}`,
    `DTSTART${start}`,
    `DTEND${end}`,
    ...more,
  ];
  const whoAt = ({ yaml }: Imported, ...times: string[]) =>
    times.map((time) => onCallIn(yaml, `2026-${time}Z`).join(" "));

  it("has times in UTC, of a zone, of the schedule's, to the second, and whole days of the schedule's", () => {
    const moved = read(
      event("a", ":20260316T090000Z", ":20260316T100000Z"),
      event("b", ";TZID=America/New_York:20260317T090000", ";TZID=America/New_York:20260317T100000"),
      event("c", ":20260318T090000", ":20260318T100000"),
      event("a", ";TZID=UTC:20260319T090000", ";TZID=UTC:20260319T100000"),
      event("b", ";VALUE=DATE:20260320", ";VALUE=DATE:20260321"),
      event("c", ";TZID=Nowhere/Else:20260322T090030", ";TZID=Nowhere/Else:20260322T100000"),
      event("a", ";TZID=America/New_York;VALUE=DATE:20260324", ";TZID=America/New_York;VALUE=DATE:20260325"),
    );

    expect(
      whoAt(moved, "03-16T09:00", "03-16T08:59", "03-17T13:00", "03-17T12:59", "03-18T08:00", "03-18T09:00"),
    ).toEqual(["a@x", "", "b@x", "", "c@x", ""]);
    expect(whoAt(moved, "03-19T09:30", "03-19T08:30", "03-19T23:00", "03-20T22:59", "03-20T23:00")).toEqual([
      "a@x",
      "",
      "b@x",
      "b@x",
      "",
    ]);
    expect(whoAt(moved, "03-22T08:00:29", "03-22T08:00:30", "03-23T23:00", "03-24T22:59", "03-24T23:00")).toEqual([
      "",
      "c@x",
      "a@x",
      "a@x",
      "",
    ]);
  });

  it("has one event at a time: that of the highest level, with everybody in it, by name or address, whatever the case", () => {
    const moved = read(
      event("A@X, , B", ":20260316T090000Z", ":20260316T120000Z"),
      event("c", ":20260316T110000Z", ":20260316T130000Z"),
      event("[L10] c", ":20260316T093000Z", ":20260316T100000Z"),
      event("[l2] a", ":20260316T094000Z", ":20260316T101000Z"),
      event("c", ":20260316T140000Z", ":20260316T140000Z"),
    );

    expect(
      whoAt(
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
    expect(differencesOf(moved)).toBe(0);
    expect(moved.compared[0]?.source).toBe("its shifts and its calendar");
  });

  it("repeats, with occurrences that were moved or called off, for 91 days, and no longer", () => {
    const moved = read(
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
      whoAt(moved, "03-16T09:00", "03-17T09:00", "03-17T15:00", "03-18T09:00", "03-19T09:00", "03-19T15:00"),
    ).toEqual(["a@x", "", "b@x", "", "a@x", ""]);
    // Its clock has changed by then.
    expect(whoAt(moved, "03-30T08:00", "03-30T09:00")).toEqual(["a@x", ""]);
    expect(remarksOf(moved, "different")).toEqual([
      "Schedule Web: its calendar: Its 92 events of 91 days are written down as they are; what the calendar says later is not seen.",
    ]);
  });

  it("has those events that touch the time that is read, and no others", () => {
    const touching = read(
      event("a", ":20260315T090000Z", ":20260316T000000Z"),
      event("b", ":20260315T090000Z", ":20260316T000100Z"),
      event("c", ":20260614T235900Z", ":20260616T000000Z"),
      event("a", ":20260615T000000Z", ":20260616T000000Z"),
    );

    expect(remarksOf(touching, "different")[0]).toContain("Its 2 events of 91 days");
  });

  it("is that of a schedule's name or id, and what it says of strangers is named", () => {
    const named = (path: string) =>
      remarksOf(
        scheduled(
          [],
          { type: "ical" },
          { ...calendar(event("nobody, nameless", ":20260317T090000Z", ":20260317T100000Z")), path },
        ),
        "left",
      );
    const strangers = ["nobody", "nameless"].map(
      (name) => `Person ${name}: A calendar names somebody whom the export has not, or not with an e-mail address.`,
    );

    for (const path of ["S1.ics", "Web.ics", "Web.primary.ics", "x/S1.overrides.ics"])
      expect(named(path)).toEqual(strangers);
    for (const path of ["Other.ics", "Web.x.y.ics"])
      expect(named(path)).toEqual([
        'Schedule Web: its calendar: Save the calendar as "Web.ics" beside the export: its events are read.',
      ]);
    expect(remarksOf(scheduled([], { type: "web" }), "left")).toEqual([]);
    expect(() => scheduled([], {}, { path: "Web.ics", text: "BEGIN:NOTHING" })).toThrow(/^Web\.ics is no calendar: ./);
  });

  it("gives way to an override, and decides where a shift is, too", () => {
    const override = { type: "override", frequency: null, start: "2026-03-16T09:30:00", duration: 900, users: ["UC"] };
    const moved = scheduled(
      [{ rolling_users: [["UB"]] }, override],
      {},
      calendar(event("a", ":20260316T090000Z", ":20260316T100000Z")),
    );

    expect(whoAt(moved, "03-16T08:59", "03-16T09:00", "03-16T09:30", "03-16T09:45", "03-16T10:00")).toEqual([
      "b@x",
      "a@x",
      "c@x",
      "a@x",
      "b@x",
    ]);
    expect(differencesOf(moved)).toBe(0);
  });
});

describe("a chain", () => {
  const step = (type: string, more: object = {}) => ({ type, ...more });
  const schedules = [{ id: "S1", name: "Web", time_zone: "UTC", shifts: ["H"] }];
  const chained = (...steps: object[]) =>
    imported({
      schedules,
      shifts: [shift],
      teams: [
        { id: "T1", name: "Ops" },
        { id: "T2", name: "Ghosts" },
      ],
      escalation_chains: [
        { id: "C1", name: "First" },
        { id: "C2", name: "Other" },
      ],
      escalation_policies: [
        ...steps.map((one, position) => ({ id: `P${position}`, escalation_chain_id: "C1", position, ...one })),
        { id: "PX", escalation_chain_id: "C2", position: 0, type: "notify_persons", persons_to_notify: ["UC"] },
      ].toReversed(),
      integrations: [{ id: "I1", name: "In" }],
      routes: [{ id: "R1", integration_id: "I1", escalation_chain_id: "C1", is_the_last_route: true }],
    });
  const persons = (...ids: string[]) => step("notify_persons", { persons_to_notify: ids });
  const wait = (duration?: number) => step("wait", duration === undefined ? {} : { duration });
  const schedule = step("notify_on_call_from_schedule", { notify_on_call_from_schedule: "S1" });
  const notified = ({ draft }: Imported) => {
    const [rule] = draft.setUp.rules;
    const policy = draft.setUp.policies.find(({ name }) => name === "First");
    return [
      rule?.groups,
      ...(policy?.steps ?? []).map(({ delayMinutes, targets }) =>
        [delayMinutes, ...targets.map((target) => ("user" in target ? target.user : target.group))].join(" "),
      ),
    ];
  };

  it.each([
    [
      [schedule, wait(300), persons("UA"), persons("UB"), wait(60), wait(60), persons("UC")],
      [["Web"], "5 a@x b@x", "2 c@x"],
    ],
    [[schedule, wait(), step("notify_team_members", { notify_to_team_members: "T1" })], [["Web", "First: first"]]],
    [
      [schedule, wait(60), step("notify_team_members", { notify_to_team_members: "T1" })],
      [["Web"], "1 Ops"],
    ],
    [
      [schedule, wait(60), step("notify_person_next_each_time", { persons_to_notify_next_each_time: ["UA", "UB"] })],
      [["Web"], "1 a@x b@x"],
    ],
    [
      [schedule, wait(600), step("repeat_escalation")],
      [["Web"], "10 Web"],
    ],
    [
      [step("repeat_escalation"), schedule],
      [["Web"], "1 Web"],
    ],
    [
      [schedule, wait(120), persons("UA"), wait(300), step("repeat_escalation")],
      [["Web"], "2 a@x", "5 Web"],
    ],
  ])("tells by its steps in their order (%#)", (steps, expected) => {
    expect(notified(chained(...steps))).toEqual(expected);
  });

  it("repeats five times, and says what differs of each step, or that it is left out", () => {
    const moved = chained(
      schedule,
      wait(60),
      step("notify_person_next_each_time", { persons_to_notify_next_each_time: ["UA"] }),
      step("notify_on_call_from_schedule", { notify_on_call_from_schedule: "S9" }),
      step("notify_on_call_from_schedule"),
      persons("UX", "UZ"),
      step("notify_team_members", { notify_to_team_members: "T2" }),
      step("notify_team_members"),
      step("trigger_webhook"),
      { type: null },
      step("repeat_escalation"),
    );

    expect(moved.draft.setUp.policies[0]).toMatchObject({ repeat: 5 });
    expect(remarksOf(moved, "warning")).toContain(
      "Escalation First: A step takes turns from alert to alert there; here all of its people are notified at once.",
    );
    expect(remarksOf(moved, "left")).toEqual([
      "Team Ghosts: No user of the export is in it.",
      "Escalation First: schedule S9: The export has no such schedule.",
      "Escalation First: schedule : The export has no such schedule.",
      "Escalation First: nameless: The export has no user with that id and an e-mail address.",
      "Escalation First: UZ: The export has no user with that id and an e-mail address.",
      "Escalation First: a team: The export has no such team, or nobody in it.",
      "Escalation First: a step trigger_webhook: No step here does that.",
      "Escalation First: a step without a type: No step here does that.",
    ]);
    expect(moved.draft.setUp.groups).toContainEqual({ name: "Ops", members: ["a@x", "b@x"] });
  });

  it("of nobody tells nobody", () => {
    expect(remarksOf(chained(), "left")).toContain("Escalation First: It tells nobody whom this service can tell.");
  });
});

describe("an integration", () => {
  const base = {
    escalation_chains: [{ id: "C1", name: "First" }],
    escalation_policies: [{ id: "P", escalation_chain_id: "C1", type: "notify_persons", persons_to_notify: ["UA"] }],
  };
  const routed = (integration: object, ...routes: object[]) =>
    imported({
      ...base,
      integrations: [
        { id: "I1", name: "In", ...integration },
        { id: "I2", name: "Not asked", type: "manual" },
      ],
      routes: [
        ...routes.map((route, index) => ({
          id: `R${index}`,
          integration_id: "I1",
          escalation_chain_id: "C1",
          position: index,
          ...route,
        })),
        { id: "RX", integration_id: "I2", escalation_chain_id: "C1", routing_regex: ".*" },
      ],
    });
  const last = { is_the_last_route: true };

  it.each([
    ["alertmanager", "alertmanager", "alertmanager.firing"],
    ["legacy_alertmanager", "alertmanager", "alertmanager.firing"],
    ["grafana", "grafana", "grafana.firing"],
    ["grafana_alerting", "grafana", "grafana.firing"],
    ["legacy_grafana_alerting", "grafana", "grafana.firing"],
    ["sentry", "sentry", "sentry.firing"],
    ["sentry_platform", "sentry", "sentry.firing"],
    ["amazon_sns", "cloudwatch", "cloudwatch.firing"],
    ["pagerduty", "pagerduty", "pagerduty.firing"],
    ["toString", undefined, "*"],
    [null, undefined, "*"],
  ])("of type %s has a key of source %s, and rules for %s", (type, source, eventKey) => {
    const moved = routed({ type }, last);

    expect(moved.draft.setUp.keys).toEqual([{ name: "In", ...(source === undefined ? {} : { source }) }]);
    expect(moved.draft.setUp.rules).toMatchObject([
      {
        name: "In: default",
        eventKey,
        conditions: [{ field: "sender", operator: "equals", value: "In" }],
        groups: ["First: first"],
      },
    ]);
    expect(remarksOf(moved, "taken")).toContain(
      "Integration In: key In: its address takes the place of the integration's",
    );
    expect(remarksOf(moved, "different")).toEqual(
      source === undefined
        ? [
            `Integration In: No source here takes what ${type ?? "webhook"} sends: let it POST /v1/events with the key, and what it sent before as data.`,
          ]
        : [],
    );
  });

  it.each(["inbound_email", "direct_paging", "manual", "maintenance", "slack_channel"])(
    "of type %s has no key: no program sends to it",
    (type) => {
      const moved = routed({ type, name: null }, last);

      expect(moved.draft.setUp.keys).toEqual([]);
      expect(remarksOf(moved, "left")[0]).toBe(`Integration I1: No program sends to it (${type}).`);
    },
  );

  it("tries its routes in order, the last one last, and takes those that compare, or find everything", () => {
    const moved = routed(
      { type: "alertmanager" },
      { ...last, position: 0 },
      { routing_type: "jinja2", routing_regex: " {{ payload.commonLabels.a == 'x' }} ", position: 3 },
      { routing_type: "regex", routing_regex: " .+ ", position: 5 },
      { routing_type: "jinja2", routing_regex: "{{ payload.commonLabels.b == 'y' }}", position: 1 },
    );

    expect(moved.draft.setUp.rules.map(({ name, conditions }) => [name, conditions.slice(1)])).toEqual([
      ["In: {{ payload.commonLabels.b == 'y' }}", [{ field: "data.commonLabels.b", operator: "equals", value: "y" }]],
      ["In: {{ payload.commonLabels.a == 'x' }}", [{ field: "data.commonLabels.a", operator: "equals", value: "x" }]],
      ["In: .+", []],
    ]);
    expect(moved.draft.setUp.rules.map(({ chain, position }) => [chain, position])).toEqual(
      [10, 20, 30].map((position) => ["In", position]),
    );
    expect(remarksOf(moved, "left")).toEqual([
      "Route default of In: An earlier one always decides before it.",
      "Integration Not asked: No program sends to it (manual).",
      "Route RX of Not asked: No program sends to its integration.",
    ]);
  });

  it.each([
    [
      { routing_regex: "a|b" },
      "Route a|b of In: Its condition cannot be written as one of ours: the expression a|b, which is searched for in the whole alert as JSON.",
    ],
    [
      { routing_type: "jinja2", routing_regex: "{{ x }}" },
      "Route {{ x }} of In: Its condition cannot be written as one of ours: the template {{ x }}",
    ],
    [{ routing_type: "labels" }, "Route R0 of In: Its condition cannot be written as one of ours: its type is labels."],
  ])("leaves out %j, and says why", (route, left) => {
    const moved = routed({ type: "alertmanager" }, route);

    expect(moved.draft.setUp.rules).toEqual([]);
    expect(remarksOf(moved, "left")[0]).toBe(left);
  });

  it.each([
    [{ ...last, escalation_chain_id: null }, "default"],
    [{ routing_regex: ".*", escalation_chain_id: "C9" }, ".*"],
  ])("ends at %j, and notifies nobody", (route, label) => {
    const moved = routed({ type: "alertmanager" }, route);

    expect(moved.draft.setUp.rules.map(({ groups }) => groups)).toEqual([["Nobody"]]);
    expect(remarksOf(moved, "different")).toContain(
      `Route ${label} of In: It leads to no escalation chain of the export that notifies anybody.`,
    );
    expect(remarksOf(moved, "taken")).toContain(`Route ${label} of In: rule In: ${label}, notifying nobody`);
  });

  it.each(["", ".*", ".+", null])("takes the expression %j for everything", (routing_regex) => {
    expect(routed({ type: "grafana" }, { routing_regex }).draft.setUp.rules).toHaveLength(1);
  });

  it.each<[string, string, string, string[] | null]>([
    ["one field", "webhook", "{{ payload.host }}", ["data.host"]],
    ["several, with text between", "webhook", "{{payload['site']}}-{{- payload.a.b -}}", ["data.site", "data.a.b"]],
    ["what events keep of a label", "grafana_alerting", "{{ payload.commonLabels.team }}", ["data.commonLabels.team"]],
    ["what events do not keep", "grafana_alerting", "{{ payload.groupKey }}", null],
    ["more than a field", "webhook", "{{ payload.host | lower }}", null],
    ["a field and a condition", "webhook", "{{ payload.host }}{% if payload.a %}x{% endif %}", null],
    ["four fields", "webhook", "{{payload.a}}{{payload.b}}{{payload.c}}{{payload.d}}", null],
    ["a text alone", "webhook", "everything", null],
  ])("groups by a template of %s, where a rule can", (_, type, grouping_key, groupBy) => {
    const { draft } = routed({ type, templates: { grouping_key } }, last);

    const kinds = draft.remarks.filter(({ what }) => what === "Integration In: its grouping").map(({ kind }) => kind);
    expect(draft.setUp.rules).toMatchObject([{ groupBy, groupMinutes: groupBy === null ? null : 1_440 }]);
    expect(kinds).toEqual(groupBy === null ? ["left"] : ["taken", "different"]);
  });

  it("without routes tells nobody, and says what is missing", () => {
    expect(remarksOf(routed({ type: "grafana" }), "missing")).toEqual([
      "Integration In: its routes: The export has none: it tells nobody.",
    ]);
  });
});

describe("an answer of OnCall that cannot be read", () => {
  it.each<[string, object, string]>([
    ["shifts", { ...shift, id: "" }, "id: an id must not be empty."],
    ["shifts", { ...shift, type: "x" }, "type: type must be rolling_users, recurrent_event, single_event or override."],
    ["shifts", { ...shift, start: "2026" }, "start: must be a date and time such as 2026-03-02T09:00:00."],
    ["shifts", { ...shift, duration: 0 }, "duration: duration must be a number of seconds."],
    ["shifts", { ...shift, interval: 0.5 }, "interval: interval must be a whole number from 1."],
    ["shifts", { ...shift, level: -1 }, "level: level must be a whole number."],
    ["shifts", { ...shift, frequency: "yearly" }, "frequency: frequency must be hourly, daily, weekly or monthly."],
    ["shifts", { ...shift, by_day: ["XX"] }, "by_day[0]: a day must be one of MO, TU, WE, TH, FR, SA, SU."],
    ["shifts", { ...shift, rolling_users: ["UA"] }, "rolling_users[0]: a turn must be a list of users."],
    [
      "shifts",
      { ...shift, start_rotation_from_user_index: -1 },
      "start_rotation_from_user_index: start_rotation_from_user_index must be from 0.",
    ],
    ["schedules", { id: "S", name: 5 }, "name: name must be a text."],
    ["chains", { id: 5, name: "x" }, "id: an id must be a text."],
  ])("is named and left out where its %s are wrong (%#)", (kind, thing, fault) => {
    const file = { shifts: "on_call_shifts", chains: "escalation_chains" }[kind] ?? kind;
    expect(remarksOf(imported({ [file]: [thing] }), "left")).toEqual([
      expect.stringContaining(`${file}.json: [0]: It cannot be read: ${fault}`),
    ]);
  });

  it("may write local times with an offset, which means nothing", () => {
    for (const end of ["Z", "+02:00", "-0500"])
      expect(layersOf(scheduled([{ start: `2026-01-05T09:00:00${end}` }]))?.[0]?.start).toBe("2026-01-05T09:00");
  });
});
