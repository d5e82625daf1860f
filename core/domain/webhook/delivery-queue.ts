import type { Failure } from "./webhook.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../basics/units.ts";

/* A delivery queue sends its messages in order: while its first message fails, its other messages wait. */

/** `refused`: the receiver works but refuses this message. `gone`: the receiver no longer accepts any message. */
export type PostOutcome =
  | { kind: "taken"; code: string }
  /** `isFinal`: true if retries are useless. */
  | { kind: "refused"; code: string; isFinal?: true }
  | { kind: "gone"; code: string }
  | {
      kind: "failed";
      code: string;
      retryAfterMs?: number | undefined;
      /** True if somebody must fix the problem, so that the owners are notified at once. */
      needsSomebody?: true;
      /** True if the receiver only asked to slow down, which is not a failure. */
      isPaced?: true;
    };

export type PostRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };
/** Sends a request to a customer's address. Does not follow redirects, and does not throw if the receiver fails. */
export type Post = (request: PostRequest) => Promise<PostOutcome>;

/** The pauses between attempts of a message. The last pause repeats; the sixth attempt is just over an hour after the first. */
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
/** A random part of up to this share is added to pauses: receivers that failed together are then retried at different times. */
const JITTER = 0.1;
/** A random part of up to this share is added to a pause that a receiver asked for, because a receiver may have many queues. */
const PACED_JITTER = 0.5;
/** After how many days a delivery queue is suspended if its receiver accepts nothing. */
const SUSPENDED_AFTER_DAYS = 3;
const SUSPENDED_AFTER_MS = SUSPENDED_AFTER_DAYS * 24 * HOUR_MS;
/** The number of refusals after which a message is discarded. */
export const REFUSED_TRIES = 4;
/** How long a receiver must have failed before the owners are notified. */
const NOTIFIED_AFTER_MS = HOUR_MS;

/** Returns the outcome of an HTTP status: 2xx means accepted, 410 means gone, and 400, 413 and 422 mean refused. */
export const toPostOutcome = (status: number, retryAfterMs: number | undefined): PostOutcome => {
  const code = `HTTP_${status}`;
  if (status >= 200 && status < 300) return { kind: "taken", code };
  if (status === 410) return { kind: "gone", code };
  if (status === 400 || status === 413 || status === 422) return { kind: "refused", code };
  return retryAfterMs === undefined ? { kind: "failed", code } : { kind: "failed", code, retryAfterMs };
};

/** The failed tries of a queue's first message. `failingSince`: the time of its first failed try, in milliseconds. */
export type QueueHead = { tries: number; failingSince: number | undefined };
export const freshHead: QueueHead = { tries: 0, failingSince: undefined };

/** The queue continues, retries at `due`, discards the first message, or is suspended. `tell`: whether to notify owners. */
export type NextOfQueue =
  | { kind: "goes_on" }
  | { kind: "waits"; head: QueueHead & { failingSince: number }; due: number; failure: Failure; tell: boolean }
  | { kind: "set_aside"; failure: Failure }
  | { kind: "suspended"; failure: Failure; because: "gone" | "silent"; since: number };

/** Decides what the queue does after an attempt at `at` (ms). `random`: 0 to 1. `longestMs`: the maximum pause of our own. */
export const decideNextQueueAction = (
  head: QueueHead,
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
