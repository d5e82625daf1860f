/** The limits of the service, with the unit in each name. "Ours" marks those that the API leaves open. */

export const BODY_MAX_BYTES = 256 * 1024; // ours
export const TITLE_MAX_CODE_POINTS = 200;
export const EVENT_BODY_MAX_CODE_POINTS = 2_000;
export const DETAIL_MAX_CODE_POINTS = 10_000;
export const URL_MAX_CODE_POINTS = 2_048; // ours
export const DEDUPE_KEY_MAX_CODE_POINTS = 512; // ours
export const IDEMPOTENCY_KEY_MAX_CODE_POINTS = 255; // ours
export const DATA_MAX_BYTES = 32 * 1024; // ours
export const DATA_MAX_DEPTH = 16; // ours
export const NUMBER_MAX_DIGITS = 38; // what a DynamoDB number holds
export const NAME_MAX_CODE_POINTS = 100; // ours
export const EMAIL_MAX_CODE_POINTS = 254; // what a mail address can have
export const EVENT_KEY_MAX_CODE_POINTS = 256; // ours
export const MAPPED_PATH_MAX_CODE_POINTS = 200; // ours: of each path of a mapping
export const MAPPED_PATHS_MAX = 5; // ours: of each field of a mapping
export const MAPPED_WORDS_MAX = 50; // ours: of a mapping, for priorities and for the end of an alert
export const TARGETS_MAX = 10; // ours
export const DEVICES_PER_USER_MAX = 10; // ours
export const PUSH_TOKEN_MAX_CODE_POINTS = 4_096; // ours
export const API_KEYS_MAX = 100; // ours: every admission pays for the item that holds their hashes
export const KEY_PATTERNS_MAX = 20; // ours: of the event keys that an API key may send
export const SILENCES_MAX = 200; // ours: every event is compared with all that are in force
/** When a silence ends, people are notified of the newest events that it held back, if they came in the last hours. Ours. */
export const HELD_NOTIFIED_MAX = 1_000;
export const HELD_HOURS = 24;
/** Events that a new or changed silence is compared with, the newest first. Ours. */
export const COVERED_EVENTS_MAX = 1_000;
export const HEARTBEATS_MAX = 1_000; // ours: listed in one answer
export const WEBHOOKS_MAX = 50; // ours: each is looked at for every change of an event that it may want
export const CONNECTIONS_MAX = 50; // ours: each is compared with every event that is matched
export const CONNECTION_TIES_MAX = 50; // ours: rules, and groups, that one connection names
/** How long a webhook's messages, sent or waiting, are stored; and how many one replay sends again. Ours. */
export const MESSAGES_KEPT_DAYS = 30;
export const REPLAYED_MAX = 1_000;
export const MEMBERS_MAX = 5_000; // ours
export const INVITATIONS_MAX = 500; // ours: open ones of a workspace
export const INVITED_GROUPS_MAX = 20; // ours: that an invitation leads to
export const WORKSPACES_MADE_MAX = 10; // ours: by one person, unless an operator allows more
export const RULES_MAX = 10_000; // ours: a worker keeps them all in memory, compiled
export const GROUPS_MAX = 1_000; // ours: read together with the members when people change
export const POLICIES_MAX = 1_000; // ours, for the same reason
export const GROUP_MEMBERS_MAX = 100_000; // ours, for the same reason: members of all groups together
export const CONDITIONS_MAX_BYTES = 10_000_000; // ours: of all rules and silences as JSON; a worker compiles them in seconds
/** The most notifications that rules may make of one event. Ours: one invocation could freeze a plan of twice as many. */
export const EVENT_NOTIFICATIONS_MAX = 250_000;

export const DEDUPE_WINDOW_SECONDS = 600;
export const IDEMPOTENCY_WINDOW_SECONDS = 24 * 3600; // ours

export const EVENTS_PAGE_DEFAULT = 50;
export const EVENTS_PAGE_MAX = 100; // ours
/** Open events on one page by urgency: an inbox counts and groups them. */
export const URGENT_PAGE_MAX = 500; // ours
export const NOTIFICATIONS_DEFAULT = 50; // ours
export const NOTIFICATIONS_MAX = 200; // ours
/** How many rules that did not match an explanation lists. Ours. */
export const EXPLAINED_RULES_MAX = 50;
/** How many matched rules an explanation lists at most; those that notified the person come first. Our choice. */
export const EXPLAINED_MATCHES_MAX = 200;
/** Events that a filtered list scans, the newest first. Ours. */
export const EVENTS_SEARCHED_MAX = 1_000;
/** Entries of the audit trail that one page scans, the newest first. Ours. */
export const AUDIT_SEARCHED_MAX = 1_000;
/** Notifications that a list of one person's notifications scans, the newest first. Ours. */
export const NOTIFICATIONS_SEARCHED_MAX = 1_000;
/** Weeks of statistics in one answer. Ours: a year. */
export const STATISTICS_WEEKS_MAX = 53;
/** An event that is open for this long ends as expired. Ours. */
export const OPEN_DAYS = 30;
/** How long an acknowledgement may last by a policy, or a snooze. */
export const ACK_MINUTES_MIN = 5;
export const ACK_MINUTES_MAX = 1_440;
/** Users and groups that one request adds to an event, how often people can be added to one, and its notes. Ours. */
export const ADDED_AT_ONCE_MAX = 50;
export const ADDITIONS_MAX = 100;
export const NOTES_MAX = 100;
export const ACKNOWLEDGED_AT_ONCE_MAX = 100;
export const NOTE_MAX_CODE_POINTS = 2_000; // ours
export const SITE_LIST_DEPTH_MAX = 10_000; // ours

/** How much is stored of the data of an event type. All ours. */
export const TYPE_FIELDS_MAX = 200;
export const FIELD_SAMPLES_MAX = 5;
export const SAMPLE_MAX_CODE_POINTS = 64;
/** A dry run shows all rules of a workspace up to this number; beyond it, it leaves out those for other event keys. */
export const DRY_RUN_RULES_MAX = 500;

/** For how many days a plan may keep events. At least a day longer than an event is open. Ours. */
export const RETENTION_DAYS_MIN = OPEN_DAYS + 1;
export const RETENTION_DAYS_MAX = 3_653;
/** The usage plan of a workspace without its own. Ours. */
export const DEFAULT_PLAN = { monthlyEvents: 100_000, eventsPerMinute: 300, burst: 100, retentionDays: 400 } as const;

/** How many partitions share the markers of unfinished work. */
export const MARKER_SHARDS = 16;
/**
 * Partitions over which the items of one workspace's events are spread. Another number needs another mark in the ids
 * of events, because an item's key follows from its id alone.
 */
export const SPREAD_KEYS = 4;
/** An event that is not finished after this time is sent to the matcher again. */
export const EVENT_MARKER_DUE_SECONDS = 45;
/** A marker whose event never came is dropped after this time. */
export const ORPHAN_MARKER_SECONDS = 15 * 60;

/** How often the sequence of a workspace is searched for numbers whose event never came. */
export const AUDIT_INTERVAL_SECONDS = 3600;
