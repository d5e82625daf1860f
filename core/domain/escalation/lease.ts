import * as v from "valibot";
import { HOUR_MS, MINUTE_MS } from "../basics/units.ts";

/*
 * An acknowledgement may end: after the `ackMinutes` of a policy, or at the end of a snooze. The time until then is its
 * lease.
 */

/** The share of a lease that is left when its holder is asked, and the most that may be left. */
const ASKED_SHARE = 5;
const ASKED_BEFORE_MINUTES = 5;
/** A chain of acknowledgements that end, and of the steps between them, is over after this time. */
const CHAIN_HOURS = 24;
/** Work of a chain that is this late counts as forgotten rather than delayed, and notifies nobody. */
const CHAIN_LATE_HOURS = 1;

/** Whose acknowledgement lasts until when, and when it was given or last extended (milliseconds). */
export const Lease = v.object({ until: v.number(), at: v.number(), id: v.string(), name: v.string() });
export type Lease = v.InferOutput<typeof Lease>;

/** A lease that has not ended. `since`: when the event was acknowledged by it, or by one that it extends. */
export type PresentLease = Lease & { since: number };

/**
 * How an event was opened again: by the end of which lease, whose it was, and when (milliseconds). Of the
 * acknowledgements before it, final ones count only if they came after the lease was given, and the others do not count.
 */
export const Reopened = v.object({ ...Lease.entries, on: v.number() });
export type Reopened = v.InferOutput<typeof Reopened>;

/** When a lease that was given at a time ends, after a number of minutes. */
export const leaseEnd = (atMs: number, minutes: number): number => atMs + minutes * MINUTE_MS;

/** When the holder of a lease is asked whether they are still working on it. */
export const askAt = ({ at, until }: Pick<Lease, "at" | "until">): number =>
  until - Math.min(ASKED_BEFORE_MINUTES * MINUTE_MS, Math.floor((until - at) / ASKED_SHARE));

/** When a chain is over that began at a time: nothing ends, and no step of it fires, after that. */
export const chainEnd = (beganMs: number): number => beganMs + CHAIN_HOURS * HOUR_MS;

/** The earliest beginning of a chain that is not over at a time. */
export const chainBeganFrom = (atMs: number): number => atMs - CHAIN_HOURS * HOUR_MS;

/** Whether work of a chain comes so late that it is dropped. `ends`: when the chain is over. */
export const isForgotten = (ends: number | undefined, nowMs: number): boolean =>
  ends !== undefined && nowMs > ends + CHAIN_LATE_HOURS * HOUR_MS;

/** The shortest `ackMinutes` of the policies; undefined if none of them has any. */
export const shortestAck = (
  policies: readonly ({ ackMinutes?: number | null | undefined } | undefined)[],
): number | undefined => {
  const minutes = policies.flatMap((policy) => policy?.ackMinutes ?? []);
  return minutes.length === 0 ? undefined : Math.min(...minutes);
};
