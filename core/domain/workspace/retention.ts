import * as v from "valibot";
import { OPEN_DAYS, RETENTION_DAYS_MAX, RETENTION_DAYS_MIN } from "../basics/limits.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { DAY_MS, SECOND_MS } from "../basics/units.ts";
import { type Seconds, toSeconds } from "../basics/seconds.ts";

/* Events up to a certain number, the edge, are past retention: such events are not shown, and are deleted some days later. */

/** How many days events are shown. */
export const RetentionDays = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(RETENTION_DAYS_MIN),
  v.maxValue(RETENTION_DAYS_MAX),
);

/** How long events are shown. `before`: an earlier, shorter retention of events that arrived before `till` (milliseconds). */
export type Retention = { days: number; before?: { days: number; till: number } | undefined };

/** The number of the last event past retention; valid until a day after the day `through` is past retention. */
export type Edge = { through: string; number: number };

/** Days between the end of an event's retention and its deletion: even a late audit hides the event in this time. */
const SPARE_DAYS = 7;

/** Returns until when the event is shown, in milliseconds. */
const computeEndOfRetention = (receivedAt: number, days: number): number => receivedAt + days * DAY_MS;

/** Returns when the event may be deleted, in epoch seconds, rounded up to the end of a day. */
export const computeDeletableTime = (receivedAt: number, days: number): Seconds =>
  toSeconds((Math.floor(computeEndOfRetention(receivedAt, days) / DAY_MS) + 1 + SPARE_DAYS) * DAY_MS);

/** Returns whether an event that is kept until `keptUntil` still exists at its last page after a snooze; true if undefined. */
export const isKeptAfterSnooze = (snoozeEndMs: number, keptUntil: Seconds | undefined): boolean =>
  keptUntil === undefined || snoozeEndMs + (SPARE_DAYS + PAGES_DAYS) * DAY_MS <= keptUntil * SECOND_MS;
/** A snooze's end and its last page are at most a day and an hour apart; the limit is higher because `keptUntil` is rounded. */
const PAGES_DAYS = 3;

/** Returns whether the event may be past retention under any usage plan. */
export const mayBePastRetention = (receivedAt: number, now: number): boolean =>
  now - receivedAt >= RETENTION_DAYS_MIN * DAY_MS;

/** Whether the notification's event may be past retention. The event may be up to `OPEN_DAYS` older than the notification. */
export const mayNotificationBePastRetention = (createdAt: number, now: number): boolean =>
  mayBePastRetention(createdAt - OPEN_DAYS * DAY_MS, now);

/** Returns the time before which events are past retention, in milliseconds. Never decreases, even if the usage plan changes. */
const computeRetentionEdge = ({ days, before }: Retention, now: number): number => {
  const edge = now - days * DAY_MS;
  return before === undefined ? edge : Math.max(edge, Math.min(before.till, now - before.days * DAY_MS));
};

/** Returns the day in UTC, such as `2026-11-27`. */
export const formatUtcDay = (ms: number): string => toIso(ms).slice(0, 10);

/** Returns the last day whose events are all past retention. */
export const computeLastPastDay = (retention: Retention, now: number): string =>
  formatUtcDay(computeRetentionEdge(retention, now) - DAY_MS);

/** Returns the time (ms) before which notifications belong to events past retention, if audits ran in time. */
export const computeNotificationRetentionEdge = (retention: Retention, now: number): number =>
  computeFirstShownTime(retention, now) - SPARE_DAYS * DAY_MS;

/** Returns the day before `day`, both such as `2026-11-27`. */
export const computePreviousDay = (day: string): string => formatUtcDay((fromIso(day) ?? 0) - DAY_MS);

/** Returns the start of the first day whose events are shown, in milliseconds. */
export const computeFirstShownTime = (retention: Retention, now: number): number =>
  Math.floor(computeRetentionEdge(retention, now) / DAY_MS) * DAY_MS;

/** Returns the new retention. A shorter retention applies at once, a longer one to events that arrive a week later. */
export const changeRetention = (retention: Retention, days: number, now: number): Retention => {
  if (days <= retention.days) return { ...retention, days };
  const { before } = retention;
  const isOver = before === undefined || now - retention.days * DAY_MS >= before.till;
  const fewest = isOver ? retention.days : Math.min(before.days, retention.days);
  return { days, before: { days: fewest, till: now + SPARE_DAYS * DAY_MS } };
};
