import { MINUTE_MS } from "../domain/basics/units.ts";

/** The deadline from the call to its outcome, including credentials. FCM answers in about 50 ms; a later answer is unlikely. */
export const PUSH_DEADLINE_MS = 5000;

/** A device without an answer occupies only its own connection until its deadline. Lambda allows 1,024 open files. */
export const MAX_CONNECTIONS = 128;

/** After refused credentials, the secret is read again in case it was replaced, but at most once in this time. */
export const CREDENTIALS_RELOAD_MS = MINUTE_MS;

/**
 * How long a secret is cached before a push waits for a new read, so that a rotation takes effect within this
 * time. At half of it, a read starts in the background, so that no push on a busy instance ever waits.
 */
export const SECRET_KEPT_MS = 5 * MINUTE_MS;
export const SECRET_AHEAD_MS = SECRET_KEPT_MS / 2;

/** The longest wait for a secret: slightly more than two tries of its client. */
export const SECRET_WAIT_MS = 2500;

/** FCM requires a wait of at least a minute after a 429 without a Retry-After. */
export const QUOTA_RETRY_AFTER_MS = MINUTE_MS;
