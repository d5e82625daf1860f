import * as v from "valibot";
import { HOUR_MS, MINUTE_MS } from "../basics/units.ts";

/* A temporary acknowledgement ends after a policy's `ackMinutes` or at the end of a snooze. */

/** The acknowledger is asked to extend the acknowledgement when a fifth of its time or 5 minutes are left, whichever is less. */
const ASKED_SHARE = 5;
const ASKED_BEFORE_MINUTES = 5;
/** The maximum duration of a chain of temporary acknowledgements, including the escalation steps between them. */
const CHAIN_HOURS = 24;
/** The time after the end of a chain of acknowledgements until its remaining work, such as a step, is dropped. */
const CHAIN_LATE_HOURS = 1;

/** A temporary acknowledgement. `at`: when the acknowledgement began or was last extended. Times are in milliseconds. */
export const TemporaryAck = v.object({ until: v.number(), at: v.number(), id: v.string(), name: v.string() });
export type TemporaryAck = v.InferOutput<typeof TemporaryAck>;

/** `since`: when the event was acknowledged first, before all extensions. */
export type PresentAck = TemporaryAck & { since: number };

/** A temporary acknowledgement that ended at `on` (ms), so that the event was open again. */
export const ReopenedAck = v.object({ ...TemporaryAck.entries, on: v.number() });
export type ReopenedAck = v.InferOutput<typeof ReopenedAck>;

/** Returns when an acknowledgement of `minutes` that begins at `atMs` ends (ms). */
export const computeAckEnd = (atMs: number, minutes: number): number => atMs + minutes * MINUTE_MS;

/** Returns when to ask the acknowledger whether to extend the acknowledgement. */
export const computeConfirmationTime = ({ at, until }: Pick<TemporaryAck, "at" | "until">): number =>
  until - Math.min(ASKED_BEFORE_MINUTES * MINUTE_MS, Math.floor((until - at) / ASKED_SHARE));

/** Returns the latest time up to which a temporary acknowledgement that began at `beganMs` can be extended. */
export const findLatestAckEnd = (beganMs: number): number => beganMs + CHAIN_HOURS * HOUR_MS;

/** Returns the earliest beginning (ms) of a temporary acknowledgement that can be extended up to `atMs`. */
export const computeEarliestAckStart = (atMs: number): number => atMs - CHAIN_HOURS * HOUR_MS;

/** Returns whether it is too late to escalate. `latestAckEnd`: the latest end of a temporary acknowledgement (ms). */
export const isTooLateToEscalate = (latestAckEnd: number | undefined, nowMs: number): boolean =>
  latestAckEnd !== undefined && nowMs > latestAckEnd + CHAIN_LATE_HOURS * HOUR_MS;

/** Returns the shortest `ackMinutes` of the policies; undefined if all their acknowledgements are permanent. */
export const findShortestAckMinutes = (
  policies: readonly ({ ackMinutes?: number | null | undefined } | undefined)[],
): number | undefined => {
  const minutes = policies.flatMap((policy) => policy?.ackMinutes ?? []);
  return minutes.length === 0 ? undefined : Math.min(...minutes);
};
