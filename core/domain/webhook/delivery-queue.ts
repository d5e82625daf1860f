import type { Failure } from "./webhook.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../basics/units.ts";

/* A delivery queue keeps its order: while the first message fails, the others wait. */

/** `refused`: the receiver works but refuses this message. `gone`: the receiver no longer accepts any message. */
export type PostOutcome =
  | { kind: "taken"; code: string }
  /** `isFinal`: retries are useless. */
  | { kind: "refused"; code: string; isFinal?: true }
  | { kind: "gone"; code: string }
  | {
      kind: "failed";
      code: string;
      retryAfterMs?: number | undefined;
      /** Somebody must fix the problem, so the owners are notified at once. */
      needsSomebody?: true;
      /** The receiver only asked to slow down, so this is not a failure. */
      isPaced?: true;
    };

export type PostRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };
/** Sends a request to a customer's address. Does not follow redirects, and does not throw if the receiver fails. */
export type Post = (request: PostRequest) => Promise<PostOutcome>;

/** The pauses between attempts of a message. The last pause repeats; the sixth attempt comes just after an hour. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
];
const LONGEST_PAUSE_MS = 10 * HOUR_MS;
/** The minimum pause after a receiver asked to slow down. */
const PACED_PAUSE_MS = SECOND_MS;
/** Pauses are lengthened at random by up to this share, so that receivers that failed together are retried at different times. */
const JITTER = 0.1;
/** Pauses that a receiver asked for are lengthened by up to this share, because one receiver may slow down many queues. */
const PACED_JITTER = 0.5;
/** After how many days a webhook that accepts nothing is suspended. */
const SUSPENDED_AFTER_DAYS = 3;
const SUSPENDED_AFTER_MS = SUSPENDED_AFTER_DAYS * 24 * HOUR_MS;
/** A message is discarded after this number of refusals. */
export const REFUSED_TRIES = 4;
/** After a receiver has failed for this time, the owners are notified. */
const NOTIFIED_AFTER_MS = HOUR_MS;

/** Returns the outcome of an HTTP status: 2xx is accepted, 410 is gone, 400, 413 and 422 refuse the message. */
export const toPostOutcome = (status: number, retryAfterMs: number | undefined): PostOutcome => {
  const code = `HTTP_${status}`;
  if (status >= 200 && status < 300) return { kind: "taken", code };
  if (status === 410) return { kind: "gone", code };
  if (status === 400 || status === 413 || status === 422) return { kind: "refused", code };
  return retryAfterMs === undefined ? { kind: "failed", code } : { kind: "failed", code, retryAfterMs };
};

export type Head = { tries: number; failingSince: number | undefined };
export const freshHead: Head = { tries: 0, failingSince: undefined };

/** The queue continues, retries at `due`, discards the first message, or is suspended. `tell`: notify the owners now. */
export type NextOfQueue =
  | { kind: "goes_on" }
  | { kind: "waits"; head: Head & { failingSince: number }; due: number; failure: Failure; tell: boolean }
  | { kind: "set_aside"; failure: Failure }
  | { kind: "suspended"; failure: Failure; because: "gone" | "silent"; since: number };

/** Decides what the queue does after an attempt at `at` (ms). `random`: 0 to 1. `longestMs`: the longest unrequested pause. */
export const decideNextQueueAction = (
  head: Head,
  outcome: PostOutcome,
  at: number,
  random: number,
  longestMs = LONGEST_PAUSE_MS,
): NextOfQueue => {
  if (outcome.kind === "taken") return { kind: "goes_on" };
  const failure = { at, code: outcome.code };
  const since = head.failingSince ?? at;
  if (outcome.kind === "gone") return { kind: "suspended", failure, because: "gone", since };
  const isPaced = outcome.kind === "failed" && outcome.isPaced === true;
  const tries = isPaced ? head.tries : head.tries + 1;
  if (outcome.kind === "refused" && (outcome.isFinal === true || tries >= REFUSED_TRIES))
    return { kind: "set_aside", failure };
  if (at - since >= SUSPENDED_AFTER_MS) return { kind: "suspended", failure, because: "silent", since };
  const planned = isPaced ? PACED_PAUSE_MS : Math.min(longestMs, PAUSES_MS[tries - 1] ?? longestMs);
  const asked = outcome.kind === "failed" ? (outcome.retryAfterMs ?? 0) : 0;
  const pause = Math.min(LONGEST_PAUSE_MS, Math.max(planned, asked) * (1 + (isPaced ? PACED_JITTER : JITTER) * random));
  const due = Math.ceil(Math.min(at + pause, Math.max(at + SECOND_MS, since + SUSPENDED_AFTER_MS)));
  const isUrgent = outcome.kind === "failed" && outcome.needsSomebody === true;
  const tell = isUrgent || at - since >= NOTIFIED_AFTER_MS;
  return { kind: "waits", head: { tries, failingSince: since }, due, failure, tell };
};
