/** From the call to its outcome, credentials included. FCM answers in some 50 ms; nothing good comes after this. */
export const PUSH_DEADLINE_MS = 5000;

/** A stalled device holds one connection until its deadline, and nobody else's. Lambda allows 1,024 open files. */
export const MAX_CONNECTIONS = 128;

/** After refused credentials the secret is read again, in case it was replaced, but not more often than this. */
export const CREDENTIALS_RELOAD_MS = 60_000;

/** FCM asks for at least a minute after a 429 that does not say when to come back. */
export const QUOTA_RETRY_AFTER_MS = 60_000;
