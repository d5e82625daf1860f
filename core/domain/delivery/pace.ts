import type { ContactChannel } from "../device/device.ts";
import { MINUTE_MS, SECOND_MS } from "../basics/units.ts";
import { isFinal, type DeviceAttempt } from "./notification.ts";
import type { PackAttempts } from "./pack.ts";
import type { PushOutcome, SlowReason } from "./push/outcome.ts";

/* AWS limits the messages per second of an account. Each message therefore gets a turn: the earliest time to send it. */

/** The maximum messages per second of each channel that has a limit. */
export type Pace = Partial<Record<ContactChannel, number>>;

/** Returns whether AWS limits the channel. The channel of a push is undefined, and has no limit. */
export const isRateLimited = (channel: ContactChannel | undefined, pace: Pace): boolean =>
  channel !== undefined && pace[channel] !== undefined;

/** The share of AWS's rate limit that we use: requests arrive unevenly, so AWS would refuse some requests at the full rate. */
const SHARE = 0.95;
/** How long before the time of sending SQS delivers a batch, because SQS can only delay by whole seconds. */
const LEAD_MS = 2 * SECOND_MS;
/** The maximum time that a sender waits for a message's turn. If the turn is later, the message goes back to the queue. */
export const AHEAD_MS = LEAD_MS + SECOND_MS;
/** The lateness from which a message loses its turn and gets another turn. */
const LATE_MS = 3 * SECOND_MS;

/** Returns the time between two messages on a channel, which doubles with each of the first four earlier attempts (`tries`). */
export const computeTurnIntervalMicros = (perSecond: number, tries: number): number =>
  Math.ceil((1e6 / (perSecond * SHARE)) * 2 ** Math.min(4, tries));

const PAUSE_OF: Readonly<Record<SlowReason, number>> = {
  rate: SECOND_MS,
  // AWS limits simultaneous calls, and a call ends within seconds.
  busy: 15 * SECOND_MS,
  // A daily quota becomes free gradually, and an operator may raise it at any time.
  quota: MINUTE_MS,
};
export const QUOTA_PAUSE_MAX_MS = 5 * MINUTE_MS;

/** Returns how long a channel pauses after a refusal by AWS (ms). `earlierQuotas`: the number of earlier `quota` refusals. */
export const computePauseAfterLimit = (limit: SlowReason, earlierQuotas: number): number =>
  limit === "quota" ? Math.min(QUOTA_PAUSE_MAX_MS, PAUSE_OF.quota * 2 ** earlierQuotas) : PAUSE_OF[limit];

/** Undoes the start of an attempt for which nothing was sent. */
export const revertSending = (attempt: DeviceAttempt): DeviceAttempt => ({
  ...attempt,
  outcome: attempt.unknowns > 0 ? "unknown" : "retry",
  tries: attempt.tries - 1,
});

/** Returns the attempts with the outcome `sending`, of all recipients. */
const listAttemptsToSend = (attempts: PackAttempts): DeviceAttempt[] =>
  [...attempts.values()].flatMap((ofOne) => Object.values(ofOne)).filter(({ outcome }) => outcome === "sending");

/** Returns whether the attempt has a time of sending (turn) that is not past and is after the turns of URGENT messages. */
const hasValidTurn = ({ at }: DeviceAttempt, now: number, urgentTurnsUntil: number): boolean =>
  (at ?? 0) >= Math.max(now - LATE_MS, urgentTurnsUntil);

/** Returns whether an attempt that is about to be sent has a time of sending (turn) on a rate-limited channel. */
export const hasTurn = (attempts: PackAttempts, pace: Pace): boolean =>
  listAttemptsToSend(attempts).some(({ way, at }) => at !== undefined && isRateLimited(way, pace));

/** Returns how many attempts on the channel need a time of sending (turn). `tries`: the maximum number of earlier tries. */
export const countTurnsNeeded = (
  attempts: PackAttempts,
  channel: ContactChannel,
  { now, urgentUntil }: { now: number; urgentUntil: number },
): { count: number; tries: number } => {
  const wanting = listAttemptsToSend(attempts).filter(
    (one) => one.way === channel && !hasValidTurn(one, now, urgentUntil),
  );
  return { count: wanting.length, tries: Math.max(0, ...wanting.map(({ tries }) => tries - 1)) };
};

/** Consecutive turns. `first`: the first turn; `step`: the interval. `first` and `step` are in microseconds. */
export type SendTurns = { first: number; step: number };

/** Returns when the message with the given index may be sent, in milliseconds. */
export const computeTurnTime = ({ first, step }: SendTurns, index: number): number =>
  Math.ceil((first + index * step) / 1000);

/** Returns all attempts; applies `change` to those that are about to be sent. */
const mapAttemptsToSend = (
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

/** Gives the next time of sending (turn) to each attempt on the channel without a valid turn. */
export const assignTurns = (
  attempts: PackAttempts,
  channel: ContactChannel,
  turns: SendTurns,
  times: { now: number; urgentUntil: number },
): PackAttempts => {
  let index = 0;
  return mapAttemptsToSend(attempts, (one) => {
    if (one.way !== channel || hasValidTurn(one, times.now, times.urgentUntil)) return one;
    const turn = computeTurnTime(turns, index);
    index += 1;
    return { ...one, at: turn };
  });
};

/** Undoes the start of attempts that are not due yet, unless they are due so soon that the sender can wait. */
export const revertAttemptsNotDue = (attempts: PackAttempts, pace: Pace, now: number): PackAttempts =>
  mapAttemptsToSend(attempts, (one) => {
    const waits = isRateLimited(one.way, pace) ? AHEAD_MS : 0;
    return (one.at ?? 0) > now + waits ? revertSending(one) : one;
  });

/** Returns when to continue the attempt (ms), on a rate-limited channel two seconds before it is due; undefined for any time. */
export const computeNextSendTime = ({ way, at }: DeviceAttempt, pace: Pace): number | undefined =>
  at !== undefined && isRateLimited(way, pace) ? at - LEAD_MS : at;

/** Returns whether an unfinished attempt on a rate-limited channel has a time at which it continues. */
export const isAnyDelayedByRateLimit = (attempts: readonly DeviceAttempt[], pace: Pace): boolean =>
  attempts.some((one) => !isFinal(one) && one.at !== undefined && isRateLimited(one.way, pace));

/** Returns the kind of refusal that needs the longest pause; undefined if AWS refused nothing because of a limit. */
export const findLimitWithLongestPause = (answers: readonly (PushOutcome | undefined)[]): SlowReason | undefined => {
  const reported = answers.flatMap((answer) =>
    answer?.kind === "retry" && answer.slow !== undefined ? [answer.slow] : [],
  );
  return (["quota", "busy", "rate"] as const).find((slow) => reported.includes(slow));
};
