import type { Answers } from "../../app/types.ts";
import { texts } from "../../page-texts/events.ts";
import { MINUTE_MS } from "../../../core/domain/basics/units.ts";

type Event = Answers["Event"];
type Notification = Answers["Notification"];
type NotificationPage = NonNullable<Notification["rings"]>[number];

type EntryLook = "came" | "matched" | "called" | "sent" | "taken" | "over" | "noted" | "bad";
export type TimelineEntry = { at: string; key: string; text: string; look: EntryLook };
/** A timeline entry about one person (`who`). Entries with the same key are merged. */
type UserEntry = Omit<TimelineEntry, "text"> & { who: string; say: (who: string) => string };

export const nameOrId = ({ id, name }: { id: string; name: string }): string => (name === "" ? id : name);

const describeChannels = (ways: NotificationPage["ways"]): string => ways.map((way) => texts.ways[way]).join(", ");

/** Lists a notification's pages after its push, by other channels, until the acknowledgement. */
const listLaterPages = ({ rings, acknowledgedAt }: Notification): NotificationPage[] =>
  (rings ?? []).filter(
    ({ at, ways }) => ways.some((way) => way !== "push") && (acknowledgedAt === null || at < acknowledgedAt),
  );

/** Lists the pages that follow if nobody acknowledges, earliest first. */
export const listComingPages = (event: Event, nowMs: number): { at: string; text: string }[] =>
  event.state !== "open"
    ? []
    : event.notifications
        .flatMap((one) => listLaterPages(one).map((ring) => ({ ...ring, who: nameOrId(one.user) })))
        .filter(({ at }) => Date.parse(at) > nowMs)
        .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
        .map(({ at, ways, who }) => ({ at, text: texts.event.willPage(who, describeChannels(ways)) }));

/** Returns a function that lists the timeline entries of a notification until `nowMs`. */
const createEntryLister =
  (nowMs: number) =>
  (notification: Notification): UserEntry[] => {
    const { createdAt, sentAt, acknowledgedAt, acknowledgedBy, status, failedReason, rule, escalationStep, added } =
      notification;
    const who = nameOrId(notification.user);
    const by = `${rule.id} ${escalationStep} ${added?.because ?? ""} ${createdAt}`;
    const describeRecipients = (names: string): string =>
      added === null
        ? texts.event.called(names, rule.name, escalationStep)
        : texts.event.added[added.because](names, added.by?.name || texts.event.somebody, added.note);
    const entries: UserEntry[] = [{ at: createdAt, key: `called ${by}`, look: "called", who, say: describeRecipients }];
    if (sentAt !== null) {
      const minutes = Math.floor((Date.parse(sentAt) - Date.parse(createdAt)) / MINUTE_MS);
      entries.push({ at: sentAt, key: `sent ${by} ${minutes}`, look: "sent", who, say: texts.event.sent });
    }
    for (const { at, ways } of listLaterPages(notification)) {
      if (Date.parse(at) > nowMs) continue;
      const channels = describeChannels(ways);
      const describePages = (names: string): string => texts.event.paged(names, channels);
      entries.push({ at, key: `paged ${by} ${at} ${channels}`, look: "called", who, say: describePages });
    }
    if (acknowledgedAt !== null) {
      const taker = acknowledgedBy?.name || who;
      const key = `taken ${taker} ${acknowledgedAt}`;
      entries.push({ at: acknowledgedAt, key, look: "taken", who: taker, say: texts.event.acknowledged });
    }
    if (status === "FAILED") {
      const reason = failedReason ?? "";
      const describeFailures = (names: string): string => texts.event.failed(names, reason);
      entries.push({ at: createdAt, key: `failed ${by} ${reason}`, look: "bad", who, say: describeFailures });
    }
    return entries;
  };

/** The maximum number of people who are named; more people are only counted. */
const NAMED_MAX = 3;
const joinNames = (names: readonly string[]): string =>
  names.length > NAMED_MAX ? texts.event.recipients(names.length) : names.join(", ");

/** Merges the entries with the same key into one entry with the earliest time and the names of all people. */
const mergeEntries = (entries: readonly UserEntry[]): TimelineEntry[] =>
  [...Map.groupBy(entries, ({ key }) => key)].flatMap(([key, some]) => {
    const [first] = some.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
    if (first === undefined) return [];
    const names = [...new Set(some.map(({ who }) => who))];
    return [{ at: first.at, key, look: first.look, text: first.say(joinNames(names)) }];
  });

export const isResolvedOrExpired = ({ state }: Event): boolean => state === "resolved" || state === "expired";

const listActionEntries = (event: Event): TimelineEntry[] => {
  const { acknowledgedAt, acknowledgedBy, resolvedAt, resolvedBy, note, expiredAt } = event;
  const actions: TimelineEntry[] = [];
  if (acknowledgedAt !== null) {
    const text = texts.event.acknowledged(acknowledgedBy?.name || texts.event.somebody);
    actions.push({ at: acknowledgedAt, key: "acknowledged", look: "taken", text });
  }
  if (resolvedAt !== null) {
    const text = texts.event.resolved(resolvedBy?.name || texts.event.somebody, note);
    actions.push({ at: resolvedAt, key: "resolved", look: "over", text });
  }
  if (expiredAt !== null) actions.push({ at: expiredAt, key: "expired", look: "bad", text: texts.event.expired });
  return actions;
};

/** Returns whether the same acknowledgement caused both entries: it applies to the event and to all its notifications. */
const areFromOnePress = (entry: TimelineEntry, other: TimelineEntry): boolean =>
  entry.look === "taken" && entry.text === other.text && Date.parse(other.at) - Date.parse(entry.at) < MINUTE_MS;

/** Returns the timeline of an event, sorted by time. Among entries of the same time, causes come before effects. */
export const buildTimeline = (event: Event, nowMs: number): TimelineEntry[] => {
  const noted = event.notes.map(({ id, createdAt, by, text }): TimelineEntry => ({
    at: createdAt,
    key: id,
    look: "noted",
    text: texts.event.noted(by.name || texts.event.somebody, text),
  }));
  const repeated: TimelineEntry[] =
    event.repeatedAt === null
      ? []
      : [{ at: event.repeatedAt, key: "repeated", look: "came", text: texts.event.repeats(event.repeats) }];
  const later = [
    ...mergeEntries(event.notifications.toReversed().flatMap(createEntryLister(nowMs))),
    ...listActionEntries(event),
    ...noted,
    ...repeated,
  ]
    .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
    .filter((entry, index, all) => !all.slice(0, index).some((earlier) => areFromOnePress(earlier, entry)));
  const [first] = later;
  return [
    { at: event.receivedAt, key: "received", look: "came", text: texts.event.received },
    ...event.matchedRules.map(({ id, name, version }): TimelineEntry => ({
      at: first?.at ?? event.receivedAt,
      key: id,
      look: "matched",
      text: texts.event.matched(name, version),
    })),
    ...later,
  ];
};
