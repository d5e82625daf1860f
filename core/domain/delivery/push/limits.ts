/** What FCM, APNs and Web Push allow, and where we stop short of it. */

/**
 * FCM refuses a message above this. It counts keys and values of `notification` and `data`, and APNs counts the JSON that
 * FCM makes of them. We count more than either: the JSON of the whole message but the token, in UTF-8.
 */
export const PUSH_MAX_BYTES = 4096;

/**
 * Kept free for what is added on the way: firebase-admin writes some keys and values longer (`channel_id`,
 * `PRIORITY_HIGH`), FCM adds its own to the APNs payload (`gcm.message_id`, `google.c.sender.id` and the like, which the
 * headers in our count outweigh).
 */
export const PUSH_RESERVE_BYTES = 64;

/** A url that would leave less than this for title and body is left out of the push; the app fetches it with the event. */
export const PUSH_MIN_TEXT_BYTES = 1000;

/** A site's name is a prefix of the title; a longer one would push the title itself off the lock screen. */
export const PUSH_SITE_NAME_MAX_BYTES = 120;

/** APNs refuses a longer `apns-collapse-id`. */
export const APNS_COLLAPSE_ID_MAX_BYTES = 64;

/** RFC 8030 allows a Web Push topic of at most this many characters. */
export const WEB_PUSH_TOPIC_MAX_CHARACTERS = 32;

/**
 * What is left for a message of the 4,096 bytes that every push service takes, when encryption (RFC 8291) has added its
 * salt, key, delimiter and tag.
 */
export const WEB_PUSH_MAX_BYTES = 3993;
