/** "ours" marks limits that the service sets itself. */

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./units.ts";

export const BODY_MAX_BYTES = 256 * 1024; // ours: not required by the API specification
export const TITLE_MAX_CODE_POINTS = 200;
export const EVENT_BODY_MAX_CODE_POINTS = 2_000;
export const DETAIL_MAX_CODE_POINTS = 10_000;
export const URL_MAX_CODE_POINTS = 2_048; // ours
export const DEDUPE_KEY_MAX_CODE_POINTS = 512; // ours
export const IDEMPOTENCY_KEY_MAX_CODE_POINTS = 255; // ours
export const DATA_MAX_BYTES = 32 * 1024; // ours
export const DATA_MAX_DEPTH = 16; // ours
export const NUMBER_MAX_DIGITS = 38; // the precision of a DynamoDB number
export const NAME_MAX_CODE_POINTS = 100; // ours
export const EMAIL_MAX_CODE_POINTS = 254; // the longest valid email address
export const EVENT_KEY_MAX_CODE_POINTS = 256; // ours
export const MAPPED_PATH_MAX_CODE_POINTS = 200; // ours: for each path of a mapping
export const MAPPED_PATHS_MAX = 5; // ours: for each field of a mapping
export const MAPPED_WORDS_MAX = 50; // ours: for a mapping's priorities, and for its values that end an alert
export const TARGETS_MAX = 10; // ours
export const DEVICES_PER_USER_MAX = 10; // ours
export const PUSH_TOKEN_MAX_CODE_POINTS = 4_096; // ours
export const API_KEYS_MAX = 100; // ours: one item holds the hashes of all keys, and every admission reads it
export const KEY_PATTERNS_MAX = 20; // ours: event keys that one API key may send
export const SILENCES_MAX = 200; // ours: every event is compared with all active silences
/** When a silence ends, only the newest events that it held back (within HELD_HOURS) notify people. Ours. */
export const HELD_NOTIFIED_MAX = 1_000;
export const HELD_HOURS = 24;
/** A new or changed silence is compared with the newest events only. Ours. */
export const COVERED_EVENTS_MAX = 1_000;
export const HEARTBEATS_MAX = 1_000; // ours: one answer lists all of them
export const WEBHOOKS_MAX = 50; // ours: every change of an event is compared with each webhook
export const CONNECTIONS_MAX = 50; // ours: every matched event is compared with each connection
export const CONNECTION_TIES_MAX = 50; // ours: rules, and also groups, that one connection may name
/** How long a webhook's messages are stored, and how many messages one replay sends. Ours. */
export const MESSAGES_KEPT_DAYS = 30;
export const REPLAYED_MAX = 1_000;
export const SHADOW_DAYS_MAX = 14; // ours: a longer one is likely forgotten
export const SHADOW_PAGES_MAX = 200; // ours: of one event; its plan holds them
export const INCUMBENTS_MAX = 50; // ours: messages of the old service that an event keeps
export const INCUMBENT_EVENTS_SEARCHED_MAX = 300; // ours: the newest ones, for each such message
export const MEMBERS_MAX = 5_000; // ours
export const INVITATIONS_MAX = 500; // ours: open invitations of a workspace
export const INVITED_GROUPS_MAX = 20; // ours: groups that one invitation adds its recipient to
export const WORKSPACES_MADE_MAX = 10; // ours: workspaces that one person may create, unless an operator allows more
export const RULES_MAX = 10_000; // ours: each worker keeps all compiled rules in memory
export const GROUPS_MAX = 1_000; // ours: all groups are read when membership changes
export const POLICIES_MAX = 1_000; // ours: all policies are read when membership changes
export const GROUP_MEMBERS_MAX = 100_000; // ours: memberships of all groups together; all are read when membership changes
export const CONDITIONS_MAX_BYTES = 10_000_000; // ours: all rules and silences as JSON; a worker compiles this much within seconds
/** The maximum number of notifications that rules create for one event; an invocation can plan twice as many. Ours. */
export const EVENT_NOTIFICATIONS_MAX = 250_000;

export const DEDUPE_WINDOW_MS = 10 * MINUTE_MS;
export const IDEMPOTENCY_WINDOW_MS = DAY_MS; // ours

export const EVENTS_PAGE_DEFAULT = 50;
export const EVENTS_PAGE_MAX = 100; // ours
/** The maximum number of open events that the inbox counts and groups. */
export const URGENT_PAGE_MAX = 500; // ours
export const NOTIFICATIONS_DEFAULT = 50; // ours
export const NOTIFICATIONS_MAX = 200; // ours
/** The maximum number of unmatched rules in an explanation. Ours. */
export const EXPLAINED_RULES_MAX = 50;
/** The maximum number of matched rules in an explanation. Rules that notified the person in question come first. Ours. */
export const EXPLAINED_MATCHES_MAX = 200;
/** A filtered list searches only the newest events. Ours. */
export const EVENTS_SEARCHED_MAX = 1_000;
/** One page of the audit trail searches only the newest entries. Ours. */
export const AUDIT_SEARCHED_MAX = 1_000;
/** A list for one person searches only the newest notifications. Ours. */
export const NOTIFICATIONS_SEARCHED_MAX = 1_000;
/** The maximum number of weeks of statistics in one request, enough for a year. Ours. */
export const STATISTICS_WEEKS_MAX = 53;
/** The time after which an open event expires. Ours. */
export const OPEN_DAYS = 30;
/** The limits of the duration of an acknowledgement that a policy or a snooze sets. */
export const ACK_MINUTES_MIN = 5;
export const ACK_MINUTES_MAX = 1_440;
/** Limits per event: users and groups that one request adds, requests that add people, and notes. */
export const ADDED_AT_ONCE_MAX = 50;
export const ADDITIONS_MAX = 100;
export const NOTES_MAX = 100;
export const ACKNOWLEDGED_AT_ONCE_MAX = 100;
export const NOTE_MAX_CODE_POINTS = 2_000; // ours
export const SITE_LIST_DEPTH_MAX = 10_000; // ours

/** Limits for what is stored about the fields of each event type. All ours. */
export const TYPE_FIELDS_MAX = 200;
export const FIELD_SAMPLES_MAX = 5;
export const SAMPLE_MAX_CODE_POINTS = 64;
/** The number of a workspace's rules above which a dry run lists only rules for the event's key. */
export const DRY_RUN_RULES_MAX = 500;

/** Events are kept at least a day longer than an event can be open. Ours. */
export const RETENTION_DAYS_MIN = OPEN_DAYS + 1;
export const RETENTION_DAYS_MAX = 3_653;
/** The plan of workspaces without an assigned plan. Ours. */
export const DEFAULT_PLAN = { monthlyEvents: 100_000, eventsPerMinute: 300, burst: 100, retentionDays: 400 } as const;

/** The number of partitions for markers of unfinished work. */
export const MARKER_SHARDS = 16;
/** The number of partitions of a workspace's events. If the number changed, existing events would not be found. */
export const SPREAD_KEYS = 4;
/** The time after which an unfinished event is sent to the matcher again. */
export const EVENT_MARKER_DUE_MS = 45 * SECOND_MS;
/** The time after which a marker is deleted if its event was never stored. */
export const ORPHAN_MARKER_MS = 15 * MINUTE_MS;

/** The time after which a request has certainly finished or died. */
export const REQUEST_MS = 30 * SECOND_MS;
/** The hourly audit searches each workspace's event numbers for numbers without an event. */
export const AUDIT_INTERVAL_MS = HOUR_MS;
