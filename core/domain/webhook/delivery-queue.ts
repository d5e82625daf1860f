import type { Failure } from "./webhook.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../basics/units.ts";

/*
 * What becomes of a webhook's line after each try. The line keeps its order: while its first message is not taken, the
 * others wait behind it, and one request at a time asks whether the receiver is back.
 */

/** What came of a try. `refused`: the receiver is there and does not want this message; `gone`: it wants none. */
export type PostOutcome =
  | { kind: "taken"; code: string }
  /** `isFinal`: it will not be taken however often it is tried. */
  | { kind: "refused"; code: string; isFinal?: true }
  | { kind: "gone"; code: string }
  | {
      kind: "failed";
      code: string;
      retryAfterMs?: number | undefined;
      /** Whether somebody has to see to it, so that the owners are told at once. */
      needsSomebody?: true;
      /** Whether it only was too much at once: the time that is asked for is the pause, however often it is asked for. */
      isPaced?: true;
    };

/** The receiver that is sent a message: what it is called by, with which headers. */
export type PostRequest = { url: string; headers: Readonly<Record<string, string>>; body: string };
/** Posts once, without following redirects, and never throws for what the other side does. */
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
/** The least pause where a receiver took too much at once. */
const PACED_PAUSE_MS = SECOND_MS;
/** A pause is longer by up to this share, so that receivers behind one failure are not all tried at once. */
const JITTER = 0.1;
/** The same where a service says at one moment to many of them that it is too much at once. */
const PACED_JITTER = 0.5;
/** A webhook that has taken nothing for this long is suspended. */
const SUSPENDED_AFTER_DAYS = 3;
const SUSPENDED_AFTER_MS = SUSPENDED_AFTER_DAYS * 24 * HOUR_MS;
/** A message that the receiver refuses this often is set aside. */
export const REFUSED_TRIES = 4;
/** The owners are told when a webhook has taken nothing for this long. */
const NOTIFIED_AFTER_MS = HOUR_MS;

/** What statuses say: 2xx taken; 410 gone, by the specification; those about the message itself refused. */
export const outcomeOfStatus = (status: number, retryAfterMs: number | undefined): PostOutcome => {
  const code = `HTTP_${status}`;
  if (status >= 200 && status < 300) return { kind: "taken", code };
  if (status === 410) return { kind: "gone", code };
  if (status === 400 || status === 413 || status === 422) return { kind: "refused", code };
  return retryAfterMs === undefined ? { kind: "failed", code } : { kind: "failed", code, retryAfterMs };
};

/** How the first message of a line stands. */
export type Head = { tries: number; failingSince: number | undefined };
export const freshHead: Head = { tries: 0, failingSince: undefined };

/**
 * What happens to the line: it goes on; its first message is tried again at `due`; that message is set aside and the
 * line goes on; or nothing more is sent until somebody looks after the webhook. `tell`: the owners learn of it now.
 */
export type NextOfQueue =
  | { kind: "goes_on" }
  | { kind: "waits"; head: Head & { failingSince: number }; due: number; failure: Failure; tell: boolean }
  | { kind: "set_aside"; failure: Failure }
  | { kind: "suspended"; failure: Failure; because: "gone" | "silent"; since: number };

/** `random`: from 0 to 1. `longestMs`: of the pauses, unless a longer one is asked for. */
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
