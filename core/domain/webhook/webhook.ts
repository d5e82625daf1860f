import * as v from "valibot";
import { patchSchema } from "../basics/changes.ts";
import { Authored, versionedEntries } from "../basics/authored.ts";
import { EventKeyPattern, matchesEventKey } from "../basics/event-key.ts";
import { WorkspaceId } from "../basics/ids.ts";
import { KEY_PATTERNS_MAX, MESSAGES_KEPT_DAYS, NAME_MAX_CODE_POINTS, URL_MAX_CODE_POINTS } from "../basics/limits.ts";
import { UserGroupState } from "../on-call/user-group.ts";
import { nameSchema, textSchema } from "../basics/text.ts";
import { normalizeUrl } from "../basics/web-address.ts";
import { toIso, toIsoOrNull } from "../basics/time.ts";
import { DAY_MS, HOUR_MS } from "../basics/units.ts";

/* Each message has an id, a time and a signature (Standard Webhooks), and is retried until it is accepted. */

export const EVENT_TYPES = [
  "event.opened",
  "event.acknowledged",
  "event.escalated",
  "event.unreached",
  "event.resolved",
] as const;
export const EventType = v.picklist(EVENT_TYPES);
export type EventType = v.InferOutput<typeof EventType>;

/** Messages about people on call and the configuration are sent only if the webhook names their types. */
export const WEBHOOK_TYPES = [...EVENT_TYPES, "oncall.changed", "audit.recorded"] as const;
export const WebhookType = v.picklist(WEBHOOK_TYPES, `types must be among ${WEBHOOK_TYPES.join(", ")}.`);
export type WebhookType = v.InferOutput<typeof WebhookType>;

const entries = {
  name: nameSchema("name", NAME_MAX_CODE_POINTS),
  url: v.pipe(textSchema("url", URL_MAX_CODE_POINTS), v.transform(normalizeUrl)),
  types: v.pipe(
    v.array(WebhookType, "types must be an array."),
    v.minLength(1, "types must have at least one type; leave it out for all event types."),
    v.check((types) => new Set(types).size === types.length, "types must not name a type twice."),
  ),
  eventKeys: v.nullable(
    v.pipe(
      v.array(EventKeyPattern, "eventKeys must be an array of patterns, or null for all events."),
      v.minLength(1, "eventKeys must have at least one pattern, or be null for all events."),
      v.maxLength(KEY_PATTERNS_MAX, `eventKeys must have at most ${KEY_PATTERNS_MAX} patterns.`),
    ),
  ),
  paused: v.boolean("paused must be true or false."),
};

export const WebhookInput = v.strictObject({
  name: entries.name,
  url: entries.url,
  types: v.optional(entries.types, [...EVENT_TYPES]),
  eventKeys: v.optional(entries.eventKeys, null),
  paused: v.optional(entries.paused, false),
});
export type WebhookInput = v.InferOutput<typeof WebhookInput>;

export const WebhookPatch = patchSchema(entries);
export type WebhookPatch = v.InferOutput<typeof WebhookPatch>;

const stored = {
  id: v.string(),
  workspaceId: WorkspaceId,
  name: v.string(),
  url: v.string(),
  types: v.array(v.string()),
  eventKeys: v.nullable(v.array(v.string())),
  paused: v.boolean(),
};

/** A stored webhook, whose secrets are derived from the service's key and the number `secret`. */
export const Webhook = v.object({
  ...stored,
  /** The current secret's number. `before`: until when messages are also signed with the previous secret (ms). */
  secret: v.number(),
  before: v.optional(v.number()),
  /** When the webhook stopped getting the audit trail (ms). Its older messages about the trail stay stored for some time. */
  trailUntil: v.optional(v.number()),
  ...versionedEntries,
  ...Authored.entries,
});
export type Webhook = v.InferOutput<typeof Webhook>;

type WebhookFilter = Pick<Webhook, "types" | "eventKeys">;

/** Returns whether one of the webhook's patterns matches the event key; true if the webhook has no patterns. */
const selectsEventKey = ({ eventKeys }: Pick<WebhookFilter, "eventKeys">, eventKey: string): boolean =>
  eventKeys === null || eventKeys.some((pattern) => matchesEventKey(pattern, eventKey));

/** Returns whether the webhook gets messages about changes of the type to events with the event key. */
export const wantsChange = (webhook: WebhookFilter, type: EventType, eventKey: string): boolean =>
  webhook.types.includes(type) && selectsEventKey(webhook, eventKey);

/** Returns whether the webhook gets any message about events with the event key. */
export const followsEventKey = (webhook: WebhookFilter, eventKey: string): boolean =>
  EVENT_TYPES.some((type) => webhook.types.includes(type)) && selectsEventKey(webhook, eventKey);

/** Returns whether a type of message is about changes that are polled: changes of the people on call, or of the audit trail. */
export const needsPolling = (types: readonly WebhookType[]): boolean => types.some((type) => !v.is(EventType, type));

const includesAuditTrail = ({ types }: { types: readonly string[] }): boolean => types.includes("audit.recorded");

/** Returns whether only owners may manage the webhook, because it gets the audit trail or still stores messages of it. */
export const receivesAuditTrail = (webhook: Pick<Webhook, "types" | "trailUntil">, nowMs: number): boolean =>
  includesAuditTrail(webhook) || nowMs < (webhook.trailUntil ?? 0) + MESSAGES_KEPT_DAYS * DAY_MS;

/** Returns the changed webhook. `trailUntil`: when the webhook stopped getting the audit trail. */
export const patchWebhook = (webhook: Webhook, patch: WebhookPatch, nowMs: number): Webhook => {
  const changed = { ...webhook, ...patch };
  return includesAuditTrail(webhook) && !includesAuditTrail(changed) ? { ...changed, trailUntil: nowMs } : changed;
};

/** How long messages are signed with both secrets after a rotation, so that somebody can update the receiver. */
export const ROTATION_HOURS = 24;

/** Returns the webhook with its next secret. Messages are also signed with the previous secret for 24 hours. */
export const rotateToNextSecret = (webhook: Webhook, nowMs: number): Webhook => ({
  ...webhook,
  secret: webhook.secret + 1,
  before: nowMs + ROTATION_HOURS * HOUR_MS,
});

/** The last failure of a queue. `code`: `HTTP_` with the HTTP status, or the reason why there was no answer. */
export const Failure = v.object({ at: v.number(), code: v.string() });
export type Failure = v.InferOutput<typeof Failure>;

/** A stored delivery queue. Its messages wait in order: while the first message is refused, the other messages wait. */
export const DeliveryQueue = v.object({
  /** How often a message was queued. If this number has changed, a worker that has emptied the queue reads the queue again. */
  asked: v.optional(v.number(), 0),
  lease: v.optional(v.string()),
  /** The end of the worker's lease. All times are in milliseconds. */
  until: v.optional(v.number()),
  /** How often the queue's first message was tried, and since when its attempts have failed. */
  tries: v.optional(v.number(), 0),
  failingSince: v.optional(v.number()),
  /** When the queue's first message is tried again. */
  due: v.optional(v.number()),
  failure: v.optional(Failure),
  suspendedAt: v.optional(v.number()),
  /** The members of the Slack user group at the last update, if the queue updates a user group. */
  followed: v.optional(UserGroupState),
});
export type DeliveryQueue = v.InferOutput<typeof DeliveryQueue>;
export const emptyQueue: DeliveryQueue = { asked: 0, tries: 0 };

export const queueStateEntries = {
  /** `waiting`: the queue's first message was refused, and will be sent again at `nextTryAt`. */
  status: v.picklist(["active", "waiting", "suspended", "paused"]),
  failingSince: v.nullable(v.string()),
  nextTryAt: v.nullable(v.string()),
  lastFailure: v.nullable(v.object({ at: v.string(), code: v.string() })),
};

export const WebhookView = v.object({ ...stored, ...queueStateEntries, ...versionedEntries });
export type WebhookView = v.InferOutput<typeof WebhookView>;
/** The fields that only deliveries change, not people. */
export const WEBHOOK_MOVES: readonly string[] = ["status", "failingSince", "nextTryAt", "lastFailure"];

/** A webhook with its secret, which is shown only once. */
export const WebhookWithSecret = v.object({ ...WebhookView.entries, secret: v.string() });

const judgeQueueStatus = (paused: boolean, { suspendedAt, failingSince }: DeliveryQueue): WebhookView["status"] => {
  if (paused) return "paused";
  if (suspendedAt !== undefined) return "suspended";
  return failingSince === undefined ? "active" : "waiting";
};

export const toQueueState = (paused: boolean, queue: DeliveryQueue) => {
  const status = judgeQueueStatus(paused, queue);
  return {
    status,
    failingSince: toIsoOrNull(queue.failingSince),
    nextTryAt: status === "waiting" ? toIsoOrNull(queue.due) : null,
    lastFailure: queue.failure === undefined ? null : { at: toIso(queue.failure.at), code: queue.failure.code },
  };
};

export const toWebhookView = (webhook: Webhook, queue: DeliveryQueue): WebhookView => {
  const { id, workspaceId, name, url, types, eventKeys, paused, version, createdAt, updatedAt } = webhook;
  return {
    id,
    workspaceId,
    name,
    url,
    types,
    eventKeys,
    paused,
    ...toQueueState(paused, queue),
    version,
    createdAt,
    updatedAt,
  };
};
