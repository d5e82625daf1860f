import * as v from "valibot";
import type { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";
import { isNoticeRule } from "../event/notice.ts";
import { isNightIn } from "../basics/clock/night.ts";
import type { People } from "../people/people.ts";
import type { Recipient } from "../people/recipient.ts";
import type { PagesOfDay } from "../shifts/report.ts";
import { DAY_MS, WEEK_MS } from "../basics/units.ts";

/* Each duration is counted in a bucket of similar durations: the counts of several weeks can be added to compute a median. */

/** The first Monday after 1970-01-01, at 00:00 UTC. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
/** A duration and the middle of its bucket differ by at most 9.1 %. */
const BUCKETS_PER_DOUBLING = 4;

/** Returns the date (UTC) of the Monday that begins the week. */
export const computeMondayOfWeek = (ms: number): string =>
  toIso(Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS).slice(0, "2026-01-05".length);

export type Subject = { kind: "workspace" } | { kind: "rule" | "group" | "person"; id: string; name: string };

export type Counts = Readonly<Record<string, number>>;

/** Counts to add to stored counts. `week`: the date of the week's Monday; for a person, the date of the month's first day. */
export type Addition = { week: string; subject: Subject; counts: Counts };

/** Returns the bucket of a duration. The first bucket is for durations up to a second. */
const computeBucketIndex = (ms: number): number =>
  ms <= 1000 ? 0 : Math.ceil(Math.log2(ms / 1000) * BUCKETS_PER_DOUBLING);
/** Returns the middle of a bucket, in seconds. */
const computeBucketMiddleSeconds = (bucket: number): number =>
  bucket === 0 ? 1 : 2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING);

/** The first letter of the counts of each kind of duration, such as the sum `aMs` and the buckets `a0`, `a1`, ... */
const durations = { acknowledged: "a", resolved: "r" } as const;
type Duration = keyof typeof durations;

/** Returns the counts of one duration: its milliseconds, and 1 in its bucket. */
const toDurationCounts = (kind: Duration, durationMs: number): Counts => ({
  [`${durations[kind]}Ms`]: Math.max(0, durationMs),
  [`${durations[kind]}${computeBucketIndex(durationMs)}`]: 1,
});

const addCounts = (first: Counts, second: Counts): Counts => {
  const sum = { ...first };
  for (const [name, count] of Object.entries(second)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
};

/** Combines the additions to the same subject and week into one. Leaves out additions without counts. */
export const sumStatisticsAdditions = (additions: readonly Addition[]): Addition[] => {
  const sums = new Map<string, Addition>();
  for (const addition of additions) {
    const name = JSON.stringify([
      addition.week,
      addition.subject.kind,
      "id" in addition.subject && addition.subject.id,
    ]);
    const known = sums.get(name);
    sums.set(name, known === undefined ? addition : { ...addition, counts: addCounts(known.counts, addition.counts) });
  }
  return [...sums.values()].filter(({ counts }) => Object.keys(counts).length > 0);
};

/** Returns whether it is night in the time zone of the notified group's schedule, else of the person's groups, else in UTC. */
export const isNightForUser = (people: People, { userId, reason: { groupId } }: Recipient, ms: number): boolean => {
  const own = [...people.groups.values()]
    .filter(({ memberIds }) => memberIds.includes(userId))
    .map(({ group }) => group.id);
  const zone = [groupId ?? "", ...own]
    .map((id) => people.schedules.get(id)?.timeZone)
    .find((name) => name !== undefined);
  return isNightIn(zone ?? "UTC", ms);
};

/** Notifications by a rule and its escalation steps. */
export type CountedNotification = {
  rule: { id: string; name: string };
  priority: Priority;
  asks: boolean;
  /** The notifications. `isNew`: true if no earlier run counted the notification. */
  told: readonly { recipient: Recipient; at: number; isNew: boolean }[];
  /** How many people were not notified because of grouping, a threshold or flapping. */
  saved: number;
};

/** An event that the statistics count. All times are in milliseconds. */
export type StatisticsEvent = {
  receivedAt: number;
  /** When people were first notified: later than `receivedAt` if a silence or flapping held the event. */
  knownFrom: number;
  /** False if an earlier run counted the event, so that this run adds only new facts. */
  isNew: boolean;
  needsAck: boolean;
  notifiedByRule: readonly CountedNotification[];
  acknowledgedAt: number | undefined;
  resolvedAt: number | undefined;
};

type Share = { asks: boolean; notifications: number; atNight: number; saved: number };

/** Counts the notifications that were not counted before; with a `groupId`, only notifications to the group. */
const sumNotifications = (people: People, notifications: readonly CountedNotification[], groupId?: string): Share => {
  const share: Share = { asks: false, notifications: 0, atNight: 0, saved: 0 };
  for (const { priority, asks, told, saved } of notifications) {
    const mine = told.filter(({ recipient }) => groupId === undefined || recipient.reason.groupId === groupId);
    // Notifications that a rule prevented cannot be attributed to its groups.
    if (groupId === undefined) share.saved += saved;
    share.asks ||= asks;
    const fresh = mine.filter(({ isNew }) => isNew);
    share.notifications += fresh.length;
    if (priority !== "LOW")
      share.atNight += fresh.filter(({ recipient, at }) => isNightForUser(people, recipient, at)).length;
  }
  return share;
};

/** Lists what the event adds to the statistics of its workspace, its rules, and the notified groups. */
export const listStatisticsAdditions = (people: People, event: StatisticsEvent): Addition[] => {
  const { receivedAt, knownFrom, isNew, needsAck, notifiedByRule, acknowledgedAt, resolvedAt } = event;
  const week = computeMondayOfWeek(receivedAt);
  const toAddition = (subject: Subject, { asks, notifications, atNight, saved }: Share): Addition => ({
    week,
    subject,
    counts: {
      ...(isNew ? { events: 1 } : {}),
      ...(isNew && asks ? { asked: 1 } : {}),
      ...(notifications > 0 ? { notifications } : {}),
      ...(atNight > 0 ? { atNight } : {}),
      ...(isNew && saved > 0 ? { saved } : {}),
      ...(asks && acknowledgedAt !== undefined ? toDurationCounts("acknowledged", acknowledgedAt - knownFrom) : {}),
      ...(resolvedAt === undefined ? {} : toDurationCounts("resolved", resolvedAt - receivedAt)),
    },
  });
  const groupIds = new Set(
    notifiedByRule.flatMap(({ told }) => told.flatMap(({ recipient }) => recipient.reason.groupId ?? [])),
  );
  const byRules = notifiedByRule.filter(({ rule }) => !isNoticeRule(rule));
  return [
    toAddition({ kind: "workspace" }, { ...sumNotifications(people, notifiedByRule), asks: needsAck }),
    ...byRules.map((notifying) =>
      toAddition({ kind: "rule", ...notifying.rule }, sumNotifications(people, [notifying])),
    ),
    ...[...groupIds].map((id) => {
      const mine = notifiedByRule.filter(({ told }) => told.some(({ recipient }) => recipient.reason.groupId === id));
      const name = people.groups.get(id)?.group.name ?? "";
      return toAddition({ kind: "group", id, name }, sumNotifications(people, mine, id));
    }),
  ];
};

/** What is counted per person and day; the day of the month is added to the name, as in `pages07`. */
const ofPerson = ["pages", "atNight", "resolved", "resolvedMs"] as const;
const DATE_CHARACTERS = "2026-01-05".length;
const MONTH_CHARACTERS = "2026-01-".length;

/** Lists the pages that the event adds to the counts per person, day (UTC) and group. Silent notifications are not pages. */
export const listPageAdditions = (
  people: People,
  { notifiedByRule, resolvedAt }: Pick<StatisticsEvent, "notifiedByRule" | "resolvedAt">,
): Addition[] =>
  notifiedByRule
    .filter(({ priority }) => priority !== "LOW")
    .flatMap(({ told }) => told)
    .filter(({ recipient }) => recipient.quiet === undefined)
    .map(({ recipient, at, isNew }) => {
      const date = toIso(at).slice(0, DATE_CHARACTERS);
      const day = date.slice(MONTH_CHARACTERS);
      const counts = {
        ...(isNew ? { [`pages${day}`]: 1 } : {}),
        ...(isNew && isNightForUser(people, recipient, at) ? { [`atNight${day}`]: 1 } : {}),
        ...(resolvedAt === undefined || resolvedAt < at
          ? {}
          : { [`resolved${day}`]: 1, [`resolvedMs${day}`]: resolvedAt - at }),
      };
      const id = `${recipient.reason.groupId ?? ""}.${recipient.userId}`;
      return { week: `${date.slice(0, MONTH_CHARACTERS)}01`, subject: { kind: "person", id, name: "" }, counts };
    });

/** Returns the counts of a person's pages on each day of a month, the earliest day first. `week`: the month's first day. */
export const toPagesOfDays = ({ week, subject, counts }: Addition): PagesOfDay[] => {
  const [groupId = "", userId = ""] = subject.kind === "person" ? subject.id.split(".") : [];
  const days = [...new Set(Object.keys(counts).map((name) => name.slice(-2)))].sort();
  return days.map((day) => {
    const [pages = 0, atNight = 0, resolved = 0, resolvedMs = 0] = ofPerson.map((name) => counts[name + day]);
    return { groupId, userId, date: `${week.slice(0, MONTH_CHARACTERS)}${day}`, pages, atNight, resolved, resolvedMs };
  });
};

/** Statistics of durations, in seconds. The median and the 90th percentile are accurate to 10 %. */
const DurationView = v.object({
  count: v.number(),
  mean: v.nullable(v.number()),
  median: v.nullable(v.number()),
  p90: v.nullable(v.number()),
});

export const StatisticsView = v.object({
  /** The date of the week's Monday, in UTC. */
  week: v.string(),
  /** The rule and the group are both null in the statistics of the workspace. */
  rule: v.nullable(v.object({ id: v.string(), name: v.string() })),
  group: v.nullable(v.object({ id: v.string(), name: v.string() })),
  events: v.number(),
  /** How many events required an acknowledgement. */
  toAcknowledge: v.number(),
  notifications: v.number(),
  notificationsAtNight: v.number(),
  /** How many notifications grouping, thresholds and flapping prevented; 0 in the statistics of a group. */
  notificationsSaved: v.number(),
  acknowledged: DurationView,
  resolved: DurationView,
});
export type StatisticsView = v.InferOutput<typeof StatisticsView>;

const BUCKET = /^[ar](\d+)$/;

const toDurationView = (counts: Counts, kind: Duration): v.InferOutput<typeof DurationView> => {
  const letter = durations[kind];
  const buckets = Object.entries(counts)
    .filter(([name]) => name.startsWith(letter) && BUCKET.test(name))
    .map(([name, count]) => ({ bucket: Number(BUCKET.exec(name)?.[1]), count }))
    .sort((one, other) => one.bucket - other.bucket);
  const count = buckets.reduce((sum, one) => sum + one.count, 0);
  const computeQuantileSeconds = (share: number): number | null => {
    let left = Math.ceil(share * count);
    for (const one of buckets) {
      left -= one.count;
      if (left <= 0) return Math.round(computeBucketMiddleSeconds(one.bucket) * 10) / 10;
    }
    return null;
  };
  const mean = count === 0 ? null : Math.round((counts[`${letter}Ms`] ?? 0) / count / 100) / 10;
  return { count, mean, median: computeQuantileSeconds(0.5), p90: computeQuantileSeconds(0.9) };
};

export const toStatisticsView = ({ week, subject, counts }: Addition): StatisticsView => {
  const named = subject.kind === "workspace" ? null : { id: subject.id, name: subject.name };
  return {
    week,
    rule: subject.kind === "rule" ? named : null,
    group: subject.kind === "group" ? named : null,
    events: counts["events"] ?? 0,
    toAcknowledge: counts["asked"] ?? 0,
    notifications: counts["notifications"] ?? 0,
    notificationsAtNight: counts["atNight"] ?? 0,
    notificationsSaved: counts["saved"] ?? 0,
    acknowledged: toDurationView(counts, "acknowledged"),
    resolved: toDurationView(counts, "resolved"),
  };
};
