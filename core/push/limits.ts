/** From the call to its outcome, credentials included. FCM answers in some 50 ms; nothing good comes after this. */
export const PUSH_DEADLINE_MS = 5000;

/** A send waits for credentials for at most this part of its deadline, so that the rest is enough for FCM to answer. */
export const CREDENTIALS_SHARE = 0.5;

/** A stalled device holds one connection until its deadline, and nobody else's. Lambda allows 1,024 open files. */
export const MAX_CONNECTIONS = 128;

/**
 * A connection unused for longer is not used again. The other end may have closed it meanwhile, above all while Lambda had
 * the instance frozen, and a push written to such a connection has an unknown outcome.
 */
export const IDLE_CONNECTION_MS = 4000;

/** An access token is renewed this long before it expires. */
export const ACCESS_TOKEN_RENEW_MS = 5 * 60_000;

/** Until then the old token is used where a new one is not to be had; with less it could expire on the way. */
export const ACCESS_TOKEN_MIN_LEFT_MS = 30_000;

/** After refused credentials the secret is read again, in case it was replaced, but not more often than this. */
export const CREDENTIALS_RELOAD_MS = 60_000;

/** FCM asks for at least a minute after a 429 that does not say when to come back. */
export const QUOTA_RETRY_AFTER_MS = 60_000;

/** So long other secrets are kept in memory before they are read again: a rotation reaches everybody within this time. */
export const SECRET_KEPT_MS = 5 * 60_000;
