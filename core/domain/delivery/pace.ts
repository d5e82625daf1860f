import type { ContactChannel } from "../device/device.ts";
import { MINUTE_MS, SECOND_MS } from "../basics/units.ts";
import { isFinal, type DeviceAttempt } from "./notification.ts";
import type { PackAttempts } from "./pack.ts";
import type { PushOutcome, Slow } from "./push/outcome.ts";

/*
 * The pace of a channel: AWS accepts a limited number of messages a second from an account. Each message has its
 * turn, a time of its own, so that no request is refused and retries do not come together.
 */

/** How many messages a second each channel takes; a channel that is not named has no pace. */
export type Pace = Partial<Record<ContactChannel, number>>;

/** The share of AWS's rate that is used: requests take different times, and AWS counts arrivals. */
const SHARE = 0.95;
/** A batch comes this long before its first turn, and the sender waits for the rest: SQS delays by whole seconds. */
const LEAD_MS = 2 * SECOND_MS;
/** A sender waits at most this long for a turn, and otherwise returns the batch. */
export const AHEAD_MS = LEAD_MS + SECOND_MS;
/** A turn that was missed by more is lost: the batch gets another one. */
const LATE_MS = 3 * SECOND_MS;

/** Microseconds between two turns of a channel; double for each of the first tries for which it was too slow. */
export const stepMicros = (perSecond: number, tries: number): number =>
  Math.ceil((1e6 / (perSecond * SHARE)) * 2 ** Math.min(4, tries));

const PAUSE_OF: Readonly<Record<Slow, number>> = {
  rate: SECOND_MS,
  // Calls end after some seconds.
  busy: 15 * SECOND_MS,
  // A quota of 24 hours comes back bit by bit, and an operator may raise a limit at any time.
  quota: MINUTE_MS,
};
export const QUOTA_PAUSE_MAX_MS = 5 * MINUTE_MS;

/** How long nothing is sent on a channel after AWS has reported a reached limit for the nth time (`tries`). */
export const pauseAfter = (limit: Slow, tries: number): number =>
  limit === "quota" ? Math.min(QUOTA_PAUSE_MAX_MS, PAUSE_OF.quota * 2 ** (tries - 1)) : PAUSE_OF[limit];

/** An attempt that a claim was about to make, but does not. */
export const unsent = (attempt: DeviceAttempt): DeviceAttempt => ({
  ...attempt,
  outcome: attempt.unknowns > 0 ? "unknown" : "retry",
  tries: attempt.tries - 1,
});

/** The attempts that a claim is about to make. */
const sendingIn = (attempts: PackAttempts): DeviceAttempt[] =>
  [...attempts.values()].flatMap((ofOne) => Object.values(ofOne)).filter(({ outcome }) => outcome === "sending");

const hasTurn = ({ at }: DeviceAttempt, now: number, urgentUntil: number): boolean =>
  at !== undefined && at >= Math.max(now - LATE_MS, urgentUntil);

/** Whether some attempts of a claim have a turn on a paced channel. */
export const haveTurns = (attempts: PackAttempts, pace: Pace): boolean =>
  sendingIn(attempts).some(({ way, at }) => at !== undefined && way !== undefined && pace[way] !== undefined);

/** How many attempts of a claim need a turn on a channel, and how often the one tried most was tried before. */
export const turnless = (
  attempts: PackAttempts,
  channel: ContactChannel,
  { now, urgentUntil }: { now: number; urgentUntil: number },
): { count: number; tries: number } => {
  const wanting = sendingIn(attempts).filter((one) => one.way === channel && !hasTurn(one, now, urgentUntil));
  return { count: wanting.length, tries: Math.max(0, ...wanting.map(({ tries }) => tries - 1)) };
};

/** Turns that a channel has given, from the `first` on, `step` apart: both in microseconds. */
export type Turns = { first: number; step: number };

/** The time of a turn, in milliseconds. */
export const turnAt = ({ first, step }: Turns, index: number): number => Math.ceil((first + index * step) / 1000);

/** Changes each attempt of a claim that is about to be made. */
const eachSending = (
  attempts: PackAttempts,
  change: (attempt: DeviceAttempt) => DeviceAttempt,
): Map<number, Record<string, DeviceAttempt>> =>
  new Map(
    [...attempts].map(([position, ofOne]) => [
      position,
      Object.fromEntries(
        Object.entries(ofOne).map(([key, one]) => [key, one.outcome === "sending" ? change(one) : one]),
      ),
    ]),
  );

/** Gives the attempts of a claim that need a turn on a channel theirs. */
export const withTurns = (
  attempts: PackAttempts,
  channel: ContactChannel,
  turns: Turns,
  at: { now: number; urgentUntil: number },
): PackAttempts => {
  let index = 0;
  return eachSending(attempts, (one) => {
    if (one.way !== channel || hasTurn(one, at.now, at.urgentUntil)) return one;
    const turn = turnAt(turns, index);
    index += 1;
    return { ...one, at: turn };
  });
};

/** Leaves out of a claim what comes later: a turn that a sender does not wait for, or a pause that a service requested. */
export const dueOf = (attempts: PackAttempts, pace: Pace, now: number): PackAttempts =>
  eachSending(attempts, (one) => {
    const waits = one.way !== undefined && pace[one.way] !== undefined ? AHEAD_MS : 0;
    return one.at !== undefined && one.at > now + waits ? unsent(one) : one;
  });

/** When the sender comes back for an open attempt. */
export const comesAt = ({ way, at }: DeviceAttempt, pace: Pace): number | undefined =>
  at !== undefined && way !== undefined && pace[way] !== undefined ? at - LEAD_MS : at;

/** Whether something waits for its turn. */
export const waitsForTurn = (attempts: readonly DeviceAttempt[], pace: Pace): boolean =>
  attempts.some((one) => !isFinal(one) && one.at !== undefined && one.way !== undefined && pace[one.way] !== undefined);

/** The limit that a channel's answers report as reached, the longest one first. */
export const slowestOf = (answers: readonly (PushOutcome | undefined)[]): Slow | undefined => {
  const said = answers.flatMap((answer) =>
    answer?.kind === "retry" && answer.slow !== undefined ? [answer.slow] : [],
  );
  return (["quota", "busy", "rate"] as const).find((slow) => said.includes(slow));
};
