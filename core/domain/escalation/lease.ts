import * as v from "valibot";
import { HOUR_MS, MINUTE_MS } from "../basics/units.ts";

/* An acknowledgement may end by a policy's `ackMinutes` or at the end of a snooze. The time until its end is its lease. */

/** The holder is asked when a fifth of the lease or 5 minutes are left, whichever is less. */
const ASKED_SHARE = 5;
const ASKED_BEFORE_MINUTES = 5;
/** How long a chain of temporary acknowledgements may last, including the escalation steps between them. */
const CHAIN_HOURS = 24;
/** Work for a chain that ended earlier is dropped and notifies nobody. */
const CHAIN_LATE_HOURS = 1;

/** `at`: when the acknowledgement began or was last extended. Times in ms. */
export const Lease = v.object({ until: v.number(), at: v.number(), id: v.string(), name: v.string() });
export type Lease = v.InferOutput<typeof Lease>;

/** `since`: when the event was acknowledged, before all extensions of the lease. */
export type PresentLease = Lease & { since: number };

/**
 * A lease has ended and thereby opened the event again at `on` (milliseconds). Earlier acknowledgements no longer count,
 * except permanent ones that came after the lease began.
 */
export const Reopened = v.object({ ...Lease.entries, on: v.number() });
export type Reopened = v.InferOutput<typeof Reopened>;

export const leaseEnd = (atMs: number, minutes: number): number => atMs + minutes * MINUTE_MS;

export const confirmationDueAt = ({ at, until }: Pick<Lease, "at" | "until">): number =>
  until - Math.min(ASKED_BEFORE_MINUTES * MINUTE_MS, Math.floor((until - at) / ASKED_SHARE));

/** After this time, no acknowledgement of the chain ends. */
export const leaseChainEnd = (beganMs: number): number => beganMs + CHAIN_HOURS * HOUR_MS;

/** A chain that began earlier is over at `atMs`. */
export const earliestOpenChainStart = (atMs: number): number => atMs - CHAIN_HOURS * HOUR_MS;

/** Late work for a chain is dropped. `ends`: when the chain is over. */
export const isTooLateForChain = (ends: number | undefined, nowMs: number): boolean =>
  ends !== undefined && nowMs > ends + CHAIN_LATE_HOURS * HOUR_MS;

/** Returns undefined if no policy has any. */
export const shortestAckMinutes = (
  policies: readonly ({ ackMinutes?: number | null | undefined } | undefined)[],
): number | undefined => {
  const minutes = policies.flatMap((policy) => policy?.ackMinutes ?? []);
  return minutes.length === 0 ? undefined : Math.min(...minutes);
};
