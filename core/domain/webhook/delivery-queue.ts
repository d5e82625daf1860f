import type { Failure } from "./webhook.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../basics/units.ts";

/* A delivery queue keeps its order: while its first message fails, the others wait. */

/** `refused`: the receiver works but does not accept this message. `gone`: the receiver accepts no messages. */
export type PostOutcome =
  | { kind: "taken"; code: string }
  /** `isFinal`: retries cannot succeed. */
  | { kind: "refused"; code: string; isFinal?: true }
  | { kind: "gone"; code: string }
  | {
      kind: "failed";
      code: string;
      retryAfterMs?: number | undefined;
      /** A person must fix this, so the owners are notified at once. */
      needsSomebody?: true;
      /** The receiver only asked to slow down, so the try does not count as failed. */
      isPaced?: true;
    };

export type PostRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };
/** Does not follow redirects. Does not throw if the receiver fails. */
export type Post = (request: PostRequest) => Promise<PostOutcome>;

/** The pauses between the tries of one message. The last pause repeats. The sixth try is shortly after the first hour. */
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
/** The shortest pause after a receiver asked to slow down. */
const PACED_PAUSE_MS = SECOND_MS;
/** Pauses are extended at random, so that receivers with the same problem are not all retried at once. */
const JITTER = 0.1;
/** Larger, because a receiver that asks to slow down may ask many queues at once. */
const PACED_JITTER = 0.5;
/** A webhook that accepts nothing for this time is suspended. */
const SUSPENDED_AFTER_DAYS = 3;
const SUSPENDED_AFTER_MS = SUSPENDED_AFTER_DAYS * 24 * HOUR_MS;
/** A message is set aside after this number of refusals. */
export const REFUSED_TRIES = 4;
/** The owners are notified if a webhook accepts nothing for this time. */
const NOTIFIED_AFTER_MS = HOUR_MS;

/** 2xx is accepted; 410 is gone, by the specification; statuses about the message itself are refused. */
export const interpretStatus = (status: number, retryAfterMs: number | undefined): PostOutcome => {
  const code = `HTTP_${status}`;
  if (status >= 200 && status < 300) return { kind: "taken", code };
  if (status === 410) return { kind: "gone", code };
  if (status === 400 || status === 413 || status === 422) return { kind: "refused", code };
  return retryAfterMs === undefined ? { kind: "failed", code } : { kind: "failed", code, retryAfterMs };
};

export type Head = { tries: number; failingSince: number | undefined };
export const freshHead: Head = { tries: 0, failingSince: undefined };

/**
 * The queue continues, retries its first message at `due`, sets that message aside, or sends nothing until a person acts.
 * `tell`: the owners must be notified now.
 */
export type NextOfQueue =
  | { kind: "goes_on" }
  | { kind: "waits"; head: Head & { failingSince: number }; due: number; failure: Failure; tell: boolean }
  | { kind: "set_aside"; failure: Failure }
  | { kind: "suspended"; failure: Failure; because: "gone" | "silent"; since: number };

/** `random`: from 0 to 1. `longestMs`: the longest unrequested pause. */
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
