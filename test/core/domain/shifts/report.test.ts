import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OnCallSchedule } from "../../../../core/domain/on-call/index.ts";
import { buildPeople } from "../../../../core/domain/people/people.ts";
import { formatReportCsv } from "../../../../core/domain/shifts/report-csv.ts";
import type { Pay } from "../../../../core/domain/shifts/pay.ts";
import {
  sumHoursByClass,
  canStoreMonthReport,
  listMonths,
  type PagesOfDay,
  collectReportData,
  buildReportRows,
} from "../../../../core/domain/shifts/report.ts";

const RUNS = Number(process.env["REPORT_RUNS"] ?? 30);
const MINUTE = 60_000;
const createdAt = "2020-01-01T00:00:00.000Z";
const at = (iso: string) => Date.parse(iso);

type Override = { userId: string; start: string; end: string; insteadOf?: string };

/** Ops has Ann and Bob, and Net has Ann. Eve is a member of the workspace and in no group. */
const peopleWith = (
  schedules: Readonly<Record<string, OnCallSchedule & { restHours?: number }>>,
  overrides: readonly Override[] = [],
) =>
  buildPeople({
    members: ["Ann", "Bob", "Eve"].map((name) => ({ userId: `usr_${name}`, name, email: "", createdAt })),
    groups: ["Ops", "Net"].map((name) => ({ id: `grp_${name}`, name, workspaceId: "ws_1", createdAt })),
    groupMembers: [
      ["grp_Ops", "usr_Ann"],
      ["grp_Ops", "usr_Bob"],
      ["grp_Net", "usr_Ann"],
    ].map(([groupId = "", userId = ""]) => ({ groupId, userId })),
    schedules: Object.entries(schedules).map(([groupId, schedule]) => ({ groupId, ...schedule, updatedAt: createdAt })),
    overrides: overrides.map((override, index) => ({ id: `ovr_${index}`, groupId: "grp_Ops", createdAt, ...override })),
  });

const dailySchedule = (...participants: OnCallSchedule["layers"][number]["participants"]): OnCallSchedule => ({
  timeZone: "UTC",
  layers: [{ start: "2026-03-02T00:00", every: 1, unit: "day", participants }],
});
/** The week from Monday, 2 March 2026. */
const week = { from: at("2026-03-02T00:00:00Z"), to: at("2026-03-09T00:00:00Z") };

const rowsOf = (
  people: ReturnType<typeof peopleWith>,
  { by = "person", pages = [], pay = null }: { by?: "person" | "group"; pages?: PagesOfDay[]; pay?: Pay } = {},
) => buildReportRows([{ ...week, recorded: collectReportData(people, pages, pay, week) }], by, { showsPay: true });

const hours = fc.constantFrom<OnCallSchedule["layers"][number]["restrictions"]>(
  undefined,
  [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:30", to: "17:10" }],
  [{ days: ["sat", "sun"], from: "00:00", to: "24:00" }],
);
const turn = fc.constantFrom<OnCallSchedule["layers"][number]["participants"][number]>(
  "usr_Ann",
  "usr_Bob",
  "usr_Eve",
  ["usr_Ann", "usr_Bob"],
  [],
);
const layer = fc
  .record({
    unit: fc.constantFrom("hour" as const, "day" as const, "week" as const),
    every: fc.integer({ min: 5, max: 30 }),
    participants: fc.array(turn, { minLength: 1, maxLength: 4 }),
    restrictions: hours,
    start: fc.constantFrom("2026-03-24T09:20", "2026-03-27T00:00"),
  })
  .map(({ unit, every, restrictions, ...rest }) => ({
    ...rest,
    unit,
    every: unit === "hour" ? every : 1,
    ...(restrictions === undefined ? {} : { restrictions }),
  }));
/** Dates near the clock changes of Berlin and of Lord Howe, where the clock moves by half an hour. */
const zones = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu");
const clocks = { from: at("2026-03-26T00:00:00Z"), to: at("2026-04-07T00:00:00Z") };

it("the on-call hours of all people add up to the covered hours of the schedule, minute by minute", () => {
  fc.assert(
    fc.property(zones, fc.array(layer, { minLength: 1, maxLength: 2 }), (timeZone, layers) => {
      const schedule: OnCallSchedule = { timeZone, layers, holidays: ["2026-03-30"] };
      const override = { userId: "usr_Bob", start: "2026-03-28T10:07:00.000Z", end: "2026-03-28T19:00:00.000Z" };
      const people = peopleWith({ grp_Ops: schedule }, [override]);
      const duty = people.duty("grp_Ops");
      const minutes = new Map<string, number>();
      for (let ms = clocks.from; ms < clocks.to; ms += MINUTE)
        for (const { userId, blocked } of duty.at(ms).people)
          if (blocked === undefined) minutes.set(userId, (minutes.get(userId) ?? 0) + 1);

      const rows = buildReportRows([{ ...clocks, recorded: collectReportData(people, [], null, clocks) }], "person", {
        showsPay: false,
      });

      expect(new Map(rows.map(({ person, hours: { total } }) => [person?.id, Math.round(total * 60)]))).toEqual(
        minutes,
      );
    }),
    { numRuns: RUNS },
  );
}, 120_000);

it.each(["Europe/Berlin", "Australia/Lord_Howe", "Asia/Beirut", "Asia/Jerusalem", "Pacific/Apia"])(
  "hours on call in %s have the same pay classes as a minute-by-minute calculation in local time",
  (timeZone) => {
    const span = { from: at("2026-03-20T00:00:00Z"), to: at("2026-04-10T00:00:00Z") };
    const format = new Intl.DateTimeFormat("en-CA", {
      timeZone,
      dateStyle: "short",
      timeStyle: "short",
      hourCycle: "h23",
    });
    const counted = { weekday: 0, night: 0, weekend: 0, holiday: 0 };
    for (let ms = span.from; ms < span.to; ms += MINUTE) {
      const [date = "", time = ""] = format.format(ms).split(", ");
      const day = new Date(date).getUTCDay();
      const hour = Number(time.slice(0, 2));
      const workday = hour >= 22 || hour < 7 ? "night" : "weekday";
      counted[date === "2026-04-01" ? "holiday" : day % 6 === 0 ? "weekend" : workday] += MINUTE;
    }

    expect(sumHoursByClass(timeZone, ["2026-04-01"], span)).toEqual(counted);
  },
);

describe("an on-call report", () => {
  it("counts the hours of each person by pay class", () => {
    expect(
      rowsOf(peopleWith({ grp_Ops: dailySchedule("usr_Ann", "usr_Bob") })).map(({ person, hours: of }) => [person, of]),
    ).toEqual([
      [
        { id: "usr_Ann", name: "Ann" },
        { weekday: 45, night: 27, weekend: 24, holiday: 0, total: 96 },
      ],
      [
        { id: "usr_Bob", name: "Bob" },
        { weekday: 30, night: 18, weekend: 24, holiday: 0, total: 72 },
      ],
    ]);
  });

  it("counts no hours for a person whom events do not notify", () => {
    expect(rowsOf(peopleWith({ grp_Ops: dailySchedule("usr_Eve") }))).toEqual([]);
  });

  it("sums up the people of a group", () => {
    const rows = rowsOf(
      peopleWith({ grp_Ops: dailySchedule(["usr_Ann", "usr_Bob"]), grp_Net: dailySchedule("usr_Ann") }),
      {
        by: "group",
      },
    );

    expect(rows.map(({ group, hours: of }) => [group?.name, of.total])).toEqual([
      ["Net", 168],
      ["Ops", 336],
    ]);
  });

  it("counts rests that are shorter than the schedule requires, between shifts of any groups", () => {
    const scheduleBetween = (from: string, to: string, restHours: number) => ({
      ...dailySchedule("usr_Ann"),
      restHours,
      layers: [{ ...dailySchedule("usr_Ann").layers[0]!, restrictions: [{ days: ["mon" as const], from, to }] }],
    });
    const people = peopleWith({
      grp_Ops: scheduleBetween("18:00", "20:00", 11),
      grp_Net: scheduleBetween("00:00", "08:00", 11),
    });
    const joined = peopleWith({
      grp_Ops: scheduleBetween("08:00", "10:00", 11),
      grp_Net: scheduleBetween("00:00", "08:00", 11),
    });
    const rested = peopleWith({
      grp_Ops: scheduleBetween("00:00", "08:00", 11),
      grp_Net: scheduleBetween("18:00", "20:00", 10),
    });

    expect(rowsOf(people).map(({ shortRests }) => shortRests)).toEqual([1]);
    expect([rested, joined].map((some) => rowsOf(some)[0]?.shortRests)).toEqual([0, 0]);
  });

  it("counts rest from the end of the longer of two shifts, even if the shorter shift begins later", () => {
    const long = {
      ...dailySchedule("usr_Ann").layers[0]!,
      restrictions: [{ days: ["mon" as const], from: "00:00", to: "12:00" }],
    };
    const short = { ...long, restrictions: [{ days: ["mon" as const], from: "03:00", to: "04:00" }] };
    const next = { userId: "usr_Ann", start: "2026-03-02T20:00:00.000Z", end: "2026-03-02T21:00:00.000Z" };
    const schedules = {
      grp_Ops: { ...dailySchedule(), layers: [long] },
      grp_Net: { ...dailySchedule(), layers: [short] },
    };

    const restsOf = (...overrides: Override[]) => rowsOf(peopleWith(schedules, overrides))[0]?.shortRests;
    expect([restsOf(), restsOf(next)]).toEqual([0, 1]);
  });

  it("over two months counts a cover at the turn of the month once, shows the latest names, and pays each month's rates", () => {
    const cover = { at: week.to, by: "usr_Bob", insteadOf: "usr_Ann" };
    const group = { groupId: "grp_Ops", name: "Ops", timeZone: "UTC", holidays: [], restHours: 11, shifts: [] };
    const groups = [
      { ...group, covers: [cover], shifts: [[week.from, week.to, ["usr_Ann"]] as [number, number, string[]]] },
    ];
    const recordedPart = (name: string, pay: Pay) => ({
      people: [{ userId: "usr_Ann", name }],
      pay,
      groups,
      pages: [],
    });
    const pay = { weekday: 100, night: 0, weekend: 0, holiday: 0, nightPage: 0 };
    const parts = [
      { ...week, recorded: recordedPart("Ann", pay) },
      { from: week.to, to: week.to + 60 * MINUTE, recorded: recordedPart("Anne", null) },
    ];

    const rows = buildReportRows(parts, "person", { showsPay: true });
    expect(rows.map((row) => [row.person?.name, row.coversGiven, row.coversTaken, row.pay])).toEqual([
      ["", 0, 1, 0],
      ["Anne", 1, 0, 7_500],
    ]);
  });

  it("counts only covers that begin in the period of the report", () => {
    const times = [week.from - 1, week.from, week.to].map((ms) => new Date(ms).toISOString());
    const end = "2026-03-10T00:00:00.000Z";
    const overrides = times.map((start) => ({ userId: "usr_Bob", insteadOf: "usr_Eve", start, end }));
    const { groups, people } = collectReportData(
      peopleWith({ grp_Ops: dailySchedule("usr_Ann") }, overrides),
      [],
      null,
      week,
    );

    expect(groups.map(({ covers }) => covers)).toEqual([[{ at: week.from, by: "usr_Bob", insteadOf: "usr_Eve" }]]);
    expect(people.map(({ name }) => name)).toEqual(["Ann", "Bob", "Eve"]);
  });

  it("counts covers for the people who gave them and who took them", () => {
    const cover = {
      userId: "usr_Bob",
      insteadOf: "usr_Ann",
      start: "2026-03-02T08:00:00.000Z",
      end: "2026-03-02T12:00:00.000Z",
    };

    expect(
      rowsOf(peopleWith({ grp_Ops: dailySchedule("usr_Ann") }, [cover])).map(({ coversGiven, coversTaken }) => [
        coversGiven,
        coversTaken,
      ]),
    ).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  const page = {
    groupId: "grp_Ops",
    userId: "usr_Ann",
    date: "2026-03-03",
    pages: 3,
    atNight: 2,
    resolved: 2,
    resolvedMs: 15 * MINUTE,
  };

  it("counts pages, pages at night, and the mean minutes until the event ended", () => {
    const pages = ["2026-03-01", "2026-03-02", "2026-03-08", "2026-03-09"].map((date) => ({ ...page, date }));

    expect(rowsOf(peopleWith({}), { pages })).toMatchObject([
      { person: { name: "Ann" }, group: null, pages: 6, pagesAtNight: 4, minutesToResolve: 7.5 },
    ]);
  });

  it("includes a group without a schedule that pages people", () => {
    expect(rowsOf(peopleWith({}), { pages: [page, { ...page, groupId: "" }], by: "group" })).toMatchObject([
      { person: null, group: { name: "Ops" }, pages: 3 },
    ]);
  });

  it("sorts people without a name by their ids", () => {
    const pages = ["usr_zed", "usr_abe", "usr_ned"].map((userId) => ({ ...page, userId, groupId: "" }));

    expect(rowsOf(peopleWith({}), { pages }).map(({ person }) => person)).toEqual(
      ["usr_abe", "usr_ned", "usr_zed"].map((id) => ({ id, name: "" })),
    );
  });

  it("pays hours by class, and pages at night, in cents", () => {
    const pay = { weekday: 100, night: 200, weekend: 300, holiday: 0, nightPage: 1_000 };

    expect(rowsOf(peopleWith({ grp_Ops: dailySchedule("usr_Ann") }), { pages: [page], pay })[0]?.pay).toBe(
      75 * 100 + 45 * 200 + 48 * 300 + 2 * 1_000,
    );
  });

  it("has no pay if there are no rates", () => {
    expect(rowsOf(peopleWith({ grp_Ops: dailySchedule("usr_Ann") }))[0]).not.toHaveProperty("pay");
  });

  it("as CSV is a table in which a name cannot become a formula", () => {
    const [row] = rowsOf(peopleWith({ grp_Ops: dailySchedule("usr_Ann") }), {
      pay: { weekday: 1, night: 0, weekend: 0, holiday: 0, nightPage: 0 },
    });
    const items = [{ ...row!, person: { id: "usr_Ann", name: '=1+1,"x"' } }];

    expect(formatReportCsv({ by: "person", items })).toBe(
      "id,person,weekday_hours,night_hours,weekend_hours,holiday_hours,total_hours,pages,pages_at_night," +
        "minutes_to_resolve,short_rests,covers_given,covers_taken,pay\r\n" +
        `usr_Ann,"'=1+1,""x""",75,45,48,0,168,0,0,,0,0,0,75\r\n`,
    );
    const csvFieldOfName = (name: string) =>
      formatReportCsv({ by: "person", items: [{ ...row!, person: { id: "u", name } }] })
        .split("u,")
        .at(-1)!
        .split(",75,")[0];
    expect(["@a", "+a", "-a", "\ta", "a\rb", "a\nb", "a;b"].map(csvFieldOfName)).toEqual([
      "'@a",
      "'+a",
      "'-a",
      "'\ta",
      '"a\rb"',
      '"a\nb"',
      "a;b",
    ]);
  });
});

it("a month of the on-call report is closed a day after its end, when it has ended in every time zone", () => {
  const isClosedAt = (iso: string) => canStoreMonthReport({ from: 0, to: at("2026-12-01T00:00:00Z") }, at(iso));

  expect([isClosedAt("2026-12-01T23:59:59Z"), isClosedAt("2026-12-02T00:00:00Z")]).toEqual([false, true]);
});

it("a period is split into months without gaps or overlaps", () => {
  expect(listMonths({ from: at("2026-12-31T23:00:00Z"), to: at("2027-02-01T00:00:00Z") })).toEqual([
    { month: "2026-12", from: at("2026-12-01T00:00:00Z"), to: at("2027-01-01T00:00:00Z") },
    { month: "2027-01", from: at("2027-01-01T00:00:00Z"), to: at("2027-02-01T00:00:00Z") },
  ]);
});
