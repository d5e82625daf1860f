import * as v from "valibot";
import { OPEN_DAYS, RETENTION_DAYS_MAX, RETENTION_DAYS_MIN } from "../basics/limits.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { DAY_MS, SECOND_MS } from "../basics/units.ts";

/*
 * How long a workspace keeps its events. The audit stores for each day (UTC) the last number assigned by then, so
 * retention is a number up to which nothing is shown: the edge. Items that belong to an event are deleted by their time
 * to live, which is days after the edge has passed the event, so no shown item is deleted.
 */

/** For how many days the events of a workspace are shown. */
export const RetentionDays = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(RETENTION_DAYS_MIN),
  v.maxValue(RETENTION_DAYS_MAX),
);

/** `before`: the retention of events that came until a time (milliseconds), because the plan kept them for a shorter time. */
export type Retention = { days: number; before?: { days: number; till: number } | undefined };

/** The number up to which events are past retention while the last past day is `through` or an earlier one. */
export type Edge = { through: string; number: number };

/**
 * Days between the end of an event's retention and its deletion. The edge passes an event when the audit after it is as
 * old as the retention, so the audit may be late by this much, less a day.
 */
const SPARE_DAYS = 7;

/** The last moment at which an event is sure to be shown, in milliseconds. */
const shownUntil = (receivedAt: number, days: number): number => receivedAt + days * DAY_MS;

/** When what belongs to an event may be deleted, in epoch seconds: at the end of a day. */
export const keptUntil = (receivedAt: number, days: number): number =>
  ((Math.floor(shownUntil(receivedAt, days) / DAY_MS) + 1 + SPARE_DAYS) * DAY_MS) / SECOND_MS;

/** Whether an event that is snoozed until a time (milliseconds) finishes paging while it is shown. */
export const isShownAfter = (until: number, kept: number | undefined): boolean =>
  kept === undefined || until + (SPARE_DAYS + PAGES_DAYS) * DAY_MS <= kept * SECOND_MS;
/** The last page comes at most a day and an hour later, and `kept` was rounded up by a day. */
const PAGES_DAYS = 3;

/** Whether something that came at a time (milliseconds) can be past retention, under any plan. */
export const canBePast = (receivedAt: number, now: number): boolean => now - receivedAt >= RETENTION_DAYS_MIN * DAY_MS;

/** The same for a notification, which may have been made as long after its event as an event is open. */
export const canNotificationBePast = (createdAt: number, now: number): boolean =>
  canBePast(createdAt - OPEN_DAYS * DAY_MS, now);

/** The moment before which nothing is shown, in milliseconds. It never decreases, whichever plan follows another. */
const edgeTime = ({ days, before }: Retention, now: number): number => {
  const edge = now - days * DAY_MS;
  return before === undefined ? edge : Math.max(edge, Math.min(before.till, now - before.days * DAY_MS));
};

/** The day (UTC) of a time, such as `2026-11-27`. */
export const dayOf = (ms: number): string => toIso(ms).slice(0, 10);

/** The last day of which no event is shown. */
export const lastPastDay = (retention: Retention, now: number): string => dayOf(edgeTime(retention, now) - DAY_MS);

/** Notifications made before this time (milliseconds) belong to events that are not shown, if audits came in time. */
export const lastNotificationTime = (retention: Retention, now: number): number =>
  firstShownTime(retention, now) - SPARE_DAYS * DAY_MS;

/** The day before a day. */
export const dayBefore = (day: string): string => dayOf((fromIso(day) ?? 0) - DAY_MS);

/** The beginning of the first day of which events are shown, in milliseconds. */
export const firstShownTime = (retention: Retention, now: number): number =>
  Math.floor(edgeTime(retention, now) / DAY_MS) * DAY_MS;

/**
 * The retention under another plan. A shorter time applies at once. A longer time applies to events received a week from
 * now or later; earlier events keep their time.
 */
export const withDays = (retention: Retention, days: number, now: number): Retention => {
  if (days <= retention.days) return { ...retention, days };
  const { before } = retention;
  const isOver = before === undefined || now - retention.days * DAY_MS >= before.till;
  const fewest = isOver ? retention.days : Math.min(before.days, retention.days);
  return { days, before: { days: fewest, till: now + SPARE_DAYS * DAY_MS } };
};
