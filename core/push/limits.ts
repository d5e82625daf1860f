import { MINUTE_MS } from "../domain/basics/units.ts";

/** The deadline including credentials. FCM answers in about 50 ms; a later answer is unlikely. */
export const PUSH_DEADLINE_MS = 5000;

/** A request without an answer occupies a connection until its deadline. */
export const MAX_CONNECTIONS = 128;

/** The minimum time between two reads of a secret after refused credentials, which may have been replaced. */
export const CREDENTIALS_RELOAD_MS = MINUTE_MS;

/**
 * A push waits for a new read after this time. A rotation takes effect within this time. After half of this time, a read starts
 * in the background, so that no push on a busy instance waits.
 */
export const SECRET_KEPT_MS = 5 * MINUTE_MS;
export const SECRET_AHEAD_MS = SECRET_KEPT_MS / 2;

/** Slightly more than two tries of the secret's client. */
export const SECRET_WAIT_MS = 2500;

/** After a 429 without Retry-After, FCM requires a pause of at least a minute. */
export const QUOTA_RETRY_AFTER_MS = MINUTE_MS;
