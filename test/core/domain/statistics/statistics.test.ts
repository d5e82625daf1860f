import { describe, expect, it } from "vitest";
import {
  listPageAdditions,
  listStatisticsAdditions,
  sumStatisticsAdditions,
  isNightForUser,
  toPagesOfDays,
  toStatisticsView,
  computeMondayOfWeek,
  type Addition,
  type StatisticsEvent,
  type CountedNotification,
} from "../../../../core/domain/statistics/statistics.ts";
import { aPeople } from "../support.ts";

const at = (iso: string): number => Date.parse(iso);
const NOON = at("2026-11-21T12:00:00Z");
const SECOND = 1000;

describe("a week in the statistics", () => {
  it.each([
    ["2026-11-21T12:00:00Z", "2026-11-16"],
    ["2026-11-16T00:00:00Z", "2026-11-16"],
    ["2026-11-15T23:59:59.999Z", "2026-11-09"],
    ["1970-01-05T00:00:00Z", "1970-01-05"],
  ])("that contains %s began on Monday %s", (iso, monday) => {
    expect(computeMondayOfWeek(at(iso))).toBe(monday);
  });
});

const schedule = (groupId: string, timeZone: string) => ({
  groupId,
  timeZone,
  layers: [],
  updatedAt: "2026-11-01T00:00:00.000Z",
});
/** Ops uses Tokyo's time (+9), Lead New York's (-5 in November), and Web has no time zone. */
const people = aPeople({
  members: { usr_ann: "Ann", usr_bob: "Bob", usr_cat: "Cat" },
  groups: { grp_web: ["usr_ann", "usr_cat"], grp_ops: ["usr_ann"], grp_lead: ["usr_bob"] },
  schedules: [schedule("grp_ops", "Asia/Tokyo"), schedule("grp_lead", "America/New_York")],
});
const recipient = (userId: string, groupId?: string) => ({ userId, reason: groupId === undefined ? {} : { groupId } });

describe("the night hours in the statistics", () => {
  it.each([
    ["21:59:59", false, "do not include"],
    ["22:00:00", true, "include"],
    ["23:59:59", true, "include"],
    ["00:00:00", true, "include"],
    ["06:59:59", true, "include"],
    ["07:00:00", false, "do not include"],
  ])("$2 %s UTC for a person whose groups have no time zone", (time, night) => {
    expect(isNightForUser(people, recipient("usr_cat", "grp_web"), at(`2026-11-21T${time}Z`))).toBe(night);
  });

  it.each([
    // 13:00 UTC is 22:00 in Tokyo and 08:00 in New York; 03:30 UTC is 12:30 and 22:30.
    ["usr_ann", "grp_ops", "13:00", true, "include"],
    ["usr_ann", "grp_ops", "03:30", false, "do not include"],
    ["usr_ann", "grp_lead", "13:00", false, "do not include"],
    ["usr_ann", "grp_web", "13:00", true, "include"],
    ["usr_ann", "no group", "13:00", true, "include"],
    ["usr_bob", "no group", "13:00", false, "do not include"],
    ["usr_bob", "no group", "03:30", true, "include"],
    ["usr_cat", "no group", "13:00", false, "do not include"],
  ])("of %s, notified through %s, $4 %s UTC", (userId, groupId, time, night) => {
    expect(
      isNightForUser(
        people,
        recipient(userId, groupId === "no group" ? undefined : groupId),
        at(`2026-11-21T${time}:00Z`),
      ),
    ).toBe(night);
  });
});

const aNotified = (
  userId: string,
  groupId: string | undefined,
  changes: Partial<CountedNotification["told"][number]> = {},
) => ({
  recipient: recipient(userId, groupId),
  at: NOON,
  isNew: true,
  ...changes,
});
const aNotification = (changes: Partial<CountedNotification> = {}): CountedNotification => ({
  rule: { id: "rule_1", name: "Orders" },
  priority: "HIGH",
  asks: true,
  told: [aNotified("usr_ann", "grp_ops"), aNotified("usr_bob", undefined)],
  saved: 0,
  ...changes,
});
const anEvent = (changes: Partial<StatisticsEvent> = {}): StatisticsEvent => ({
  receivedAt: NOON,
  knownFrom: NOON,
  isNew: true,
  needsAck: true,
  notifiedByRule: [aNotification()],
  acknowledgedAt: undefined,
  resolvedAt: undefined,
  ...changes,
});
const countsOf = (event: StatisticsEvent) =>
  Object.fromEntries(
    listStatisticsAdditions(people, event).map(({ subject, counts }) => [
      subject.kind === "workspace" ? "all" : subject.id,
      counts,
    ]),
  );

describe("the statistics that an event adds", () => {
  it("count for its workspace, for its rules, and for the groups through which people were notified", () => {
    expect(listStatisticsAdditions(people, anEvent())).toStrictEqual([
      { week: "2026-11-16", subject: { kind: "workspace" }, counts: { events: 1, asked: 1, notifications: 2 } },
      {
        week: "2026-11-16",
        subject: { kind: "rule", id: "rule_1", name: "Orders" },
        counts: { events: 1, asked: 1, notifications: 2 },
      },
      {
        week: "2026-11-16",
        subject: { kind: "group", id: "grp_ops", name: "Ops" },
        counts: { events: 1, asked: 1, notifications: 1 },
      },
    ]);
  });

  it("do not change if the event was counted before and nothing has happened since", () => {
    const notifiedByRule = [aNotification({ told: [aNotified("usr_ann", "grp_ops", { isNew: false })] })];

    expect(countsOf(anEvent({ isNew: false, notifiedByRule }))).toStrictEqual({ all: {}, rule_1: {}, grp_ops: {} });
  });

  it("count a required acknowledgement for the workspace if the event requires it, for rule and group if the rule requires it", () => {
    const notifiedByRule = [
      aNotification({ asks: false }),
      aNotification({ rule: { id: "rule_2", name: "Web" }, told: [aNotified("usr_cat", "grp_web")] }),
    ];

    expect(countsOf(anEvent({ needsAck: true, notifiedByRule }))).toStrictEqual({
      all: { events: 1, asked: 1, notifications: 3 },
      rule_1: { events: 1, notifications: 2 },
      rule_2: { events: 1, asked: 1, notifications: 1 },
      grp_ops: { events: 1, notifications: 1 },
      grp_web: { events: 1, asked: 1, notifications: 1 },
    });
    expect(countsOf(anEvent({ needsAck: false }))["all"]).toStrictEqual({ events: 1, notifications: 2 });
  });

  it("count, for the workspace and the rule but not for the on-call group, the notifications that grouping prevented", () => {
    const kept = aNotification({ told: [], saved: 3 });
    const notifiedByRule = [kept, aNotification({ rule: { id: "rule_2", name: "Web" }, saved: 0 })];

    expect(countsOf(anEvent({ needsAck: false, notifiedByRule: [kept] }))).toStrictEqual({
      all: { events: 1, saved: 3 },
      rule_1: { events: 1, asked: 1, saved: 3 },
    });
    expect(countsOf(anEvent({ notifiedByRule }))["grp_ops"]).not.toHaveProperty("saved");
    expect(countsOf(anEvent({ isNew: false, notifiedByRule: [kept] }))["all"]).toStrictEqual({});
    const [all] = listStatisticsAdditions(people, anEvent({ notifiedByRule }));
    expect(toStatisticsView(all!)).toMatchObject({ notificationsSaved: 3, notifications: 2 });
  });

  it("contain nothing for the built-in rule of notices, and an empty name for a deleted group", () => {
    const notifiedByRule = [
      aNotification({ rule: { id: "service", name: "S" }, told: [aNotified("usr_ann", "grp_gone")] }),
    ];

    expect(listStatisticsAdditions(people, anEvent({ notifiedByRule })).map(({ subject }) => subject)).toStrictEqual([
      { kind: "workspace" },
      { kind: "group", id: "grp_gone", name: "" },
    ]);
  });

  it("count people notified at night, unless the notification is LOW", () => {
    const night = [
      aNotified("usr_ann", "grp_ops", { at: at("2026-11-21T13:00:00Z") }),
      aNotified("usr_bob", "grp_lead"),
    ];

    expect(countsOf(anEvent({ notifiedByRule: [aNotification({ told: night })] }))).toMatchObject({
      all: { notifications: 2, atNight: 1 },
      grp_ops: { notifications: 1, atNight: 1 },
      grp_lead: { notifications: 1 },
    });
    expect(
      countsOf(anEvent({ notifiedByRule: [aNotification({ told: night, priority: "LOW" })] }))["all"],
    ).toStrictEqual({
      events: 1,
      asked: 1,
      notifications: 2,
    });
  });

  it("measure the time to acknowledge from the first delivery, and the time to the end from the event's receipt", () => {
    const times = { knownFrom: NOON + 10 * SECOND, acknowledgedAt: NOON + 12 * SECOND, resolvedAt: NOON + 4 * SECOND };

    expect(
      countsOf(anEvent({ ...times, isNew: false, notifiedByRule: [aNotification({ asks: false, told: [] })] })),
    ).toStrictEqual({
      all: { aMs: 2_000, a4: 1, rMs: 4_000, r8: 1 },
      rule_1: { rMs: 4_000, r8: 1 },
    });
  });

  it("contain no acknowledgement time if the acknowledgement came before the first delivery", () => {
    expect(countsOf(anEvent({ acknowledgedAt: NOON - SECOND, notifiedByRule: [] }))["all"]).toStrictEqual({
      events: 1,
      asked: 1,
      aMs: 0,
      a0: 1,
    });
  });

  it.each([
    [1_000, "r0"],
    [1_001, "r1"],
    [1_189, "r1"],
    [1_190, "r2"],
    [2_000, "r4"],
    [60_000, "r24"],
  ])("count a time of %i ms until the end in the field %s", (ms, bucket) => {
    expect(countsOf(anEvent({ resolvedAt: NOON + ms }))["all"]).toMatchObject({ rMs: ms, [bucket]: 1 });
  });
});

describe("several statistics in one write", () => {
  const addition = (week: string, subject: Addition["subject"], counts: Addition["counts"]) => ({
    week,
    subject,
    counts,
  });
  const all = { kind: "workspace" } as const;
  const rule = { kind: "rule", id: "x", name: "X" } as const;

  it("are summed for each week and each rule, group or workspace, without zeros", () => {
    const group = { kind: "group", id: "x", name: "X" } as const;
    const other = { kind: "rule", id: "y", name: "Y" } as const;

    expect(
      sumStatisticsAdditions([
        addition("2026-11-16", all, { events: 1, asked: 1 }),
        addition("2026-11-16", rule, { events: 1 }),
        addition("2026-11-16", group, { events: 5 }),
        addition("2026-11-16", other, { events: 7 }),
        addition("2026-11-23", all, {}),
        addition("2026-11-16", all, { events: 2, atNight: 1 }),
        addition("2026-11-23", rule, { events: 4 }),
      ]),
    ).toStrictEqual([
      addition("2026-11-16", all, { events: 3, asked: 1, atNight: 1 }),
      addition("2026-11-16", rule, { events: 1 }),
      addition("2026-11-16", group, { events: 5 }),
      addition("2026-11-16", other, { events: 7 }),
      addition("2026-11-23", rule, { events: 4 }),
    ]);
  });
});

describe("statistics in the API", () => {
  const none = { count: 0, mean: null, median: null, p90: null };

  it("are zero if nothing was counted", () => {
    expect(toStatisticsView({ week: "2026-11-16", subject: { kind: "workspace" }, counts: {} })).toStrictEqual({
      week: "2026-11-16",
      rule: null,
      group: null,
      events: 0,
      toAcknowledge: 0,
      notifications: 0,
      notificationsAtNight: 0,
      notificationsSaved: 0,
      acknowledged: none,
      resolved: none,
    });
  });

  it("contain their counts, and the rule or group that they are about", () => {
    const counts = { events: 4, asked: 3, notifications: 9, atNight: 2, atNightly: 1, resolvedMs: 1 };

    expect(toStatisticsView({ week: "w", subject: { kind: "rule", id: "r", name: "R" }, counts })).toMatchObject({
      rule: { id: "r", name: "R" },
      group: null,
      events: 4,
      toAcknowledge: 3,
      notifications: 9,
      notificationsAtNight: 2,
      notificationsSaved: 0,
      acknowledged: none,
      resolved: none,
    });
    expect(toStatisticsView({ week: "w", subject: { kind: "group", id: "g", name: "G" }, counts })).toMatchObject({
      rule: null,
      group: { id: "g", name: "G" },
    });
  });

  it("contain mean, median and ninth decile of each kind of duration", () => {
    // Buckets are sorted by number, not by text: 2 before 10.
    const counts = { aMs: 12_345, a0: 1, a10: 1, a2: 3, rMs: 60_000, r24: 1, x3: 5 };

    expect(toStatisticsView({ week: "w", subject: { kind: "workspace" }, counts })).toMatchObject({
      acknowledged: { count: 5, mean: 2.5, median: 1.3, p90: 5.2 },
      resolved: { count: 1, mean: 60, median: 58.7, p90: 58.7 },
    });
  });

  it("use the lower of two values as the median, and the ninth of ten values as the ninth decile", () => {
    const viewResolved = (counts: Addition["counts"]) =>
      toStatisticsView({ week: "w", subject: { kind: "workspace" }, counts }).resolved;

    expect(viewResolved({ r0: 1, r8: 1 })).toMatchObject({ median: 1, p90: 3.7 });
    expect(viewResolved({ r0: 9, r8: 1 })).toMatchObject({ median: 1, p90: 1 });
    expect(viewResolved({ r0: 8, r8: 2 })).toMatchObject({ median: 1, p90: 3.7 });
  });
});

describe("the pages of people", () => {
  const MIDNIGHT = at("2026-11-22T00:00:00Z");
  const addition = (id: string, counts: object) => ({
    week: "2026-11-01",
    subject: { kind: "person", id, name: "" },
    counts,
  });
  const countPages = (
    told: CountedNotification["told"],
    changes: Partial<CountedNotification> = {},
    resolvedAt?: number,
  ) => listPageAdditions(people, { notifiedByRule: [aNotification({ told, ...changes })], resolvedAt });

  it("are counted by group on the day of each page, with a separate count of pages at night", () => {
    const told = [
      aNotified("usr_ann", "grp_ops", { at: at("2026-11-21T13:00:00Z") }),
      aNotified("usr_bob", undefined, { at: NOON }),
      aNotified("usr_cat", "grp_web", { at: MIDNIGHT }),
    ];

    expect(countPages(told)).toEqual([
      addition("grp_ops.usr_ann", { pages21: 1, atNight21: 1 }),
      addition(".usr_bob", { pages21: 1 }),
      addition("grp_web.usr_cat", { pages22: 1, atNight22: 1 }),
    ]);
  });

  it("are not counted again when their event ends", () => {
    const told = [aNotified("usr_bob", undefined, { isNew: false })];

    expect(countPages(told, {}, NOON + 90 * SECOND)).toEqual([
      addition(".usr_bob", { resolved21: 1, resolvedMs21: 90 * SECOND }),
    ]);
  });

  it("add the time until the event's end, unless the event ended before the page", () => {
    const told = [
      aNotified("usr_bob", undefined, { at: NOON + 90 * SECOND }),
      aNotified("usr_bob", undefined, { at: NOON + 91 * SECOND }),
    ];

    expect(countPages(told, {}, NOON + 90 * SECOND)).toEqual([
      addition(".usr_bob", { pages21: 1, resolved21: 1, resolvedMs21: 0 }),
      addition(".usr_bob", { pages21: 1 }),
    ]);
  });

  it("do not include silent notifications", () => {
    const quiet = { ...aNotified("usr_ann", "grp_ops"), recipient: { ...recipient("usr_ann"), quiet: {} as never } };

    expect(countPages([quiet])).toEqual([]);
    expect(countPages([aNotified("usr_ann", "grp_ops")], { priority: "LOW" })).toEqual([]);
  });

  it("are listed by day, the earliest first", () => {
    const month: Addition = {
      week: "2026-11-01",
      subject: { kind: "person", id: "grp_ops.usr_ann", name: "" },
      counts: { pages21: 2, resolved03: 1, resolvedMs03: 5, pages03: 1, atNight21: 1 },
    };

    const ann = { groupId: "grp_ops", userId: "usr_ann", pages: 0, atNight: 0, resolved: 0, resolvedMs: 0 };
    expect(toPagesOfDays(month)).toEqual([
      { ...ann, date: "2026-11-03", pages: 1, resolved: 1, resolvedMs: 5 },
      { ...ann, date: "2026-11-21", pages: 2, atNight: 1 },
    ]);
    expect(toPagesOfDays({ ...month, subject: { kind: "workspace" } })[0]).toMatchObject({ groupId: "", userId: "" });
  });
});
