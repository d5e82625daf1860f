import type { Failure } from "./webhook.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../basics/units.ts";

/*
 * The state of a webhook's delivery queue after each try. The queue keeps its order: while its first message is
 * refused, the others wait, and one request at a time checks whether the receiver is back.
 */

/** The outcome of a try. `refused`: the receiver works and does not want this message; `gone`: it wants none. */
export type PostOutcome =
  | { kind: "taken"; code: string }
  /** `isFinal`: it will never be accepted. */
  | { kind: "refused"; code: string; isFinal?: true }
  | { kind: "gone"; code: string }
  | {
      kind: "failed";
      code: string;
      retryAfterMs?: number | undefined;
      /** Whether somebody has to act, so that the owners are notified at once. */
      needsSomebody?: true;
      /** Whether it was only too much at once: the requested time is the pause, however often it is requested. */
      isPaced?: true;
    };

/** The receiver of a message: its URL and the headers. */
export type PostRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };
/** Posts once, without following redirects, and never throws for a fault of the other side. */
export type Post = (request: PostRequest) => Promise<PostOutcome>;

/** The pauses between the tries of one message; the last one repeats. The sixth try is soon after the first hour. */
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
/** The shortest pause after a receiver got too much at once. */
const PACED_PAUSE_MS = SECOND_MS;
/** A pause is longer by up to this share, so that receivers behind one failure are not all tried at once. */
const JITTER = 0.1;
/** The same if a service reports to many of them at one moment that it is too much at once. */
const PACED_JITTER = 0.5;
/** A webhook that has accepted nothing for this long is suspended. */
const SUSPENDED_AFTER_DAYS = 3;
const SUSPENDED_AFTER_MS = SUSPENDED_AFTER_DAYS * 24 * HOUR_MS;
/** A message that the receiver refuses this often is set aside. */
export const REFUSED_TRIES = 4;
/** The owners are notified when a webhook has accepted nothing for this long. */
const NOTIFIED_AFTER_MS = HOUR_MS;

/** The meaning of statuses: 2xx accepted; 410 gone, by the specification; those about the message itself refused. */
export const outcomeOfStatus = (status: number, retryAfterMs: number | undefined): PostOutcome => {
  const code = `HTTP_${status}`;
  if (status >= 200 && status < 300) return { kind: "taken", code };
  if (status === 410) return { kind: "gone", code };
  if (status === 400 || status === 413 || status === 422) return { kind: "refused", code };
  return retryAfterMs === undefined ? { kind: "failed", code } : { kind: "failed", code, retryAfterMs };
};

/** The state of a queue's first message. */
export type Head = { tries: number; failingSince: number | undefined };
export const freshHead: Head = { tries: 0, failingSince: undefined };

/**
 * The queue's next state: it continues; its first message is retried at `due`; that message is set aside and the
 * queue continues; or nothing more is sent until somebody acts. `tell`: the owners are notified now.
 */
export type NextOfQueue =
  | { kind: "goes_on" }
  | { kind: "waits"; head: Head & { failingSince: number }; due: number; failure: Failure; tell: boolean }
  | { kind: "set_aside"; failure: Failure }
  | { kind: "suspended"; failure: Failure; because: "gone" | "silent"; since: number };

/** `random`: from 0 to 1. `longestMs`: of the pauses, unless a longer one is requested. */
export const afterTry = (
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
