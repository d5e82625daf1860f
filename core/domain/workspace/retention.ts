import * as v from "valibot";
import { OPEN_DAYS, RETENTION_DAYS_MAX, RETENTION_DAYS_MIN } from "../basics/limits.ts";
import { fromIso, toIso } from "../basics/time.ts";
import { DAY_MS, SECOND_MS } from "../basics/units.ts";
import { type Seconds, toSeconds } from "../basics/seconds.ts";

/*
 * Limits how long a workspace keeps its events. For each day (UTC), the audit stores the last event number of the day.
 * Events up to one number, the edge, are past retention and not shown. The items of an event are deleted days after the
 * edge has passed it, so no shown item is deleted.
 */

/** How many days the events of a workspace are shown. */
export const RetentionDays = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(RETENTION_DAYS_MIN),
  v.maxValue(RETENTION_DAYS_MAX),
);

/** A workspace's retention. `before`: the shorter one of an earlier plan, for events from before `till` (milliseconds). */
export type Retention = { days: number; before?: { days: number; till: number } | undefined };

/** Events up to `number` are past retention. The edge is valid while the last day past retention is not after `through`. */
export type Edge = { through: string; number: number };

/**
 * The days between the end of an event's retention and its deletion. The edge moves only when an audit runs, so
 * the audit may be late by this number of days minus one.
 */
const SPARE_DAYS = 7;

/** Returns the last moment at which an event is certainly shown, in milliseconds. */
const lastShownTime = (receivedAt: number, days: number): number => receivedAt + days * DAY_MS;

/** Returns when an event's items may be deleted, in epoch seconds, rounded up to the end of a day. */
export const deletableAt = (receivedAt: number, days: number): Seconds =>
  toSeconds((Math.floor(lastShownTime(receivedAt, days) / DAY_MS) + 1 + SPARE_DAYS) * DAY_MS);

/** Returns whether an event that is snoozed until a time (milliseconds) is still shown when its last page comes. */
export const isShownAfter = (until: number, kept: Seconds | undefined): boolean =>
  kept === undefined || until + (SPARE_DAYS + PAGES_DAYS) * DAY_MS <= kept * SECOND_MS;
/** The days added for the last page, which comes at most a day and an hour after the snooze, and for the rounding of `kept`. */
const PAGES_DAYS = 3;

/** Returns whether an event that arrived at a time (milliseconds) can be past retention, under any plan. */
export const mayBePastRetention = (receivedAt: number, now: number): boolean =>
  now - receivedAt >= RETENTION_DAYS_MIN * DAY_MS;

/** Returns whether a notification can be past retention. It may be created while its event can be open. */
export const mayNotificationBePast = (createdAt: number, now: number): boolean =>
  mayBePastRetention(createdAt - OPEN_DAYS * DAY_MS, now);

/** Returns the time before which nothing is shown, in milliseconds. The time never decreases, even if the plan changes. */
const retentionEdge = ({ days, before }: Retention, now: number): number => {
  const edge = now - days * DAY_MS;
  return before === undefined ? edge : Math.max(edge, Math.min(before.till, now - before.days * DAY_MS));
};

/** Returns the day (UTC) of a time, such as `2026-11-27`. */
export const toDay = (at: number): string => toIso(at).slice(0, 10);

/** Returns the last day whose events are all past retention. */
export const lastPastDay = (retention: Retention, now: number): string => toDay(retentionEdge(retention, now) - DAY_MS);

/** Returns the time (milliseconds) before which notifications belong to events past retention, if audits ran in time. */
export const lastNotificationTime = (retention: Retention, now: number): number =>
  firstShownTime(retention, now) - SPARE_DAYS * DAY_MS;

export const previousDay = (day: string): string => toDay((fromIso(day) ?? 0) - DAY_MS);

/** Returns the start of the first day whose events are shown, in milliseconds. */
export const firstShownTime = (retention: Retention, now: number): number =>
  Math.floor(retentionEdge(retention, now) / DAY_MS) * DAY_MS;

/**
 * Returns the retention under another plan. A shorter time applies at once. A longer time applies to events that arrive
 * at least a week from now; earlier events keep the shorter time.
 */
export const changeRetention = (retention: Retention, days: number, now: number): Retention => {
  if (days <= retention.days) return { ...retention, days };
  const { before } = retention;
  const isOver = before === undefined || now - retention.days * DAY_MS >= before.till;
  const fewest = isOver ? retention.days : Math.min(before.days, retention.days);
  return { days, before: { days: fewest, till: now + SPARE_DAYS * DAY_MS } };
};
