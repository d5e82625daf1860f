import { MINUTE_MS } from "../domain/basics/units.ts";

/** From the call to its outcome, credentials included. FCM answers in about 50 ms; no answer is likely after this. */
export const PUSH_DEADLINE_MS = 5000;

/** A stalled device holds one connection until its deadline, and no other device's. Lambda allows 1,024 open files. */
export const MAX_CONNECTIONS = 128;

/** After refused credentials the secret is read again, in case it was replaced, but at most once in this time. */
export const CREDENTIALS_RELOAD_MS = MINUTE_MS;

/**
 * A secret is cached this long before a push waits for it to be read again, so a rotation takes effect within
 * this time. Halfway it is read again in the background, so that on a busy instance no push ever waits.
 */
export const SECRET_KEPT_MS = 5 * MINUTE_MS;
export const SECRET_AHEAD_MS = SECRET_KEPT_MS / 2;

/** The longest wait for a secret: a little more than the two tries of its client. */
export const SECRET_WAIT_MS = 2500;

/** FCM asks for a wait of at least a minute after a 429 that names no time. */
export const QUOTA_RETRY_AFTER_MS = MINUTE_MS;
