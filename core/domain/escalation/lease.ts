import * as v from "valibot";
import { HOUR_MS, MINUTE_MS } from "../basics/units.ts";

/*
 * An acknowledgement may end: after the `ackMinutes` of a policy, or at the end of a snooze. The time until its end is
 * its lease.
 */

/** The holder is asked whether they still work on the event when a fifth of the lease is left, or 5 minutes if less. */
const ASKED_SHARE = 5;
const ASKED_BEFORE_MINUTES = 5;
/** The maximum length of a chain of temporary acknowledgements, including the escalation steps between them. */
const CHAIN_HOURS = 24;
/** Work for a chain that ended longer ago than this is dropped and notifies nobody. */
const CHAIN_LATE_HOURS = 1;

/** A temporary acknowledgement: its end (`until`), when it began or was last extended (`at`), and its holder. Times in ms. */
export const Lease = v.object({ until: v.number(), at: v.number(), id: v.string(), name: v.string() });
export type Lease = v.InferOutput<typeof Lease>;

/** A lease that has not ended. `since`: when the event was acknowledged, before all extensions of the lease. */
export type PresentLease = Lease & { since: number };

/**
 * The end of a lease, which opened an event again: the lease, and when it ended (`on`, milliseconds). Earlier
 * acknowledgements no longer count, except permanent ones that came after the lease began.
 */
export const Reopened = v.object({ ...Lease.entries, on: v.number() });
export type Reopened = v.InferOutput<typeof Reopened>;

/** Returns when a lease that starts at `atMs` ends after a number of minutes. */
export const leaseEnd = (atMs: number, minutes: number): number => atMs + minutes * MINUTE_MS;

/** Returns when the holder of a lease is asked whether they are still working on the event. */
export const confirmationDueAt = ({ at, until }: Pick<Lease, "at" | "until">): number =>
  until - Math.min(ASKED_BEFORE_MINUTES * MINUTE_MS, Math.floor((until - at) / ASKED_SHARE));

/**
 * Returns when a chain of acknowledgements that began at `beganMs` is over. After that time, no acknowledgement of the
 * chain ends.
 */
export const leaseChainEnd = (beganMs: number): number => beganMs + CHAIN_HOURS * HOUR_MS;

/** Returns the earliest possible beginning of a chain of acknowledgements that is not over at `atMs`. */
export const earliestOpenChainStart = (atMs: number): number => atMs - CHAIN_HOURS * HOUR_MS;

/** Returns whether work for a chain of acknowledgements is so late that it is dropped. `ends`: when the chain is over. */
export const isTooLateForChain = (ends: number | undefined, nowMs: number): boolean =>
  ends !== undefined && nowMs > ends + CHAIN_LATE_HOURS * HOUR_MS;

/** Returns the shortest `ackMinutes` of the policies; undefined if none has any. */
export const shortestAckMinutes = (
  policies: readonly ({ ackMinutes?: number | null | undefined } | undefined)[],
): number | undefined => {
  const minutes = policies.flatMap((policy) => policy?.ackMinutes ?? []);
  return minutes.length === 0 ? undefined : Math.min(...minutes);
};
