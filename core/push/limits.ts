import { MINUTE_MS } from "../domain/basics/units.ts";

/** The deadline from the call to its outcome, including credentials. FCM answers in about 50 ms; a later answer is unlikely. */
export const PUSH_DEADLINE_MS = 5000;

/** The maximum number of connections. A request without an answer occupies one until its deadline. */
export const MAX_CONNECTIONS = 128;

/** The minimum time between two reads of a secret after refused credentials. They may have been replaced. */
export const CREDENTIALS_RELOAD_MS = MINUTE_MS;

/**
 * The time for which a secret is cached before a push waits for a new read. A rotation takes effect within this time. After half
 * of this time, a read starts in the background, so that no push on a busy instance waits.
 */
export const SECRET_KEPT_MS = 5 * MINUTE_MS;
export const SECRET_AHEAD_MS = SECRET_KEPT_MS / 2;

/** The longest wait for a secret: slightly more than two tries of its client. */
export const SECRET_WAIT_MS = 2500;

/** The pause after a 429 without Retry-After: FCM requires at least a minute. */
export const QUOTA_RETRY_AFTER_MS = MINUTE_MS;
