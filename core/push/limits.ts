import { MINUTE_MS } from "../domain/basics/units.ts";

/** The deadline of a push, including credentials. FCM usually answers within 50 ms, so an answer after 5 s is unlikely. */
export const PUSH_DEADLINE_MS = 5000;

/** The maximum number of connections to a push service. An unanswered request occupies its connection until the deadline. */
export const MAX_CONNECTIONS = 128;

/** The minimum time between two reads of a secret after its credentials were refused. */
export const CREDENTIALS_RELOAD_MS = MINUTE_MS;

/** How long a cached secret is used; after half of this time, it is read again without delaying pushes. */
export const SECRET_KEPT_MS = 5 * MINUTE_MS;
export const SECRET_AHEAD_MS = SECRET_KEPT_MS / 2;

/** The maximum wait for a secret, slightly longer than two attempts of the secrets client. */
export const SECRET_WAIT_MS = 2500;

/** After a 429 without Retry-After, FCM requires a pause of at least a minute. */
export const QUOTA_RETRY_AFTER_MS = MINUTE_MS;
