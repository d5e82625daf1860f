import * as v from "valibot";
import { parsePackId } from "../basics/ids.ts";
import { NotificationStatus } from "../basics/notification-status.ts";
import { acknowledgerOf, type Pack, type PackRecipient } from "./pack.ts";
import { Priority } from "../basics/priority.ts";
import { toIso } from "../basics/time.ts";

/** A notification as the interface shows it. `escalationStep` counts from 1; 0 is the rule itself. */
export const NotificationView = v.object({
  id: v.string(),
  status: NotificationStatus,
  failedReason: v.nullable(v.string()),
  priority: Priority,
  requiresAck: v.boolean(),
  createdAt: v.string(),
  sentAt: v.nullable(v.string()),
  acknowledgedAt: v.nullable(v.string()),
  /** Who acknowledged it; this need not be its recipient. */
  acknowledgedBy: v.nullable(v.object({ id: v.string(), name: v.string() })),
  event: v.object({ id: v.string(), eventKey: v.string(), title: v.string() }),
  user: v.object({ id: v.string(), name: v.string(), email: v.string() }),
  rule: v.object({ id: v.string(), name: v.string(), version: v.number() }),
  escalationStep: v.number(),
});
export type NotificationView = v.InferOutput<typeof NotificationView>;

const isoOrNull = (ms: number | undefined): string | null => (ms === undefined ? null : toIso(ms));

/** One recipient's notification, taken from the pack that holds it. */
export const toNotificationView = (pack: Pack, recipient: PackRecipient): NotificationView => ({
  id: recipient.notificationId,
  status: recipient.status,
  failedReason: recipient.status === "FAILED" ? (recipient.failedReason ?? null) : null,
  priority: pack.priority,
  requiresAck: pack.requiresAck,
  createdAt: toIso(pack.createdAt),
  sentAt: isoOrNull(recipient.sentAt),
  acknowledgedAt: isoOrNull(recipient.acknowledgedAt),
  acknowledgedBy: recipient.acknowledgedAt === undefined ? null : acknowledgerOf(recipient),
  event: { id: pack.eventId, eventKey: pack.eventKey, title: pack.title },
  user: { id: recipient.userId, name: recipient.name, email: recipient.email },
  rule: { id: pack.rule.id, name: pack.rule.name, version: pack.rule.version },
  escalationStep: parsePackId(pack.packId)?.cursor ?? 0,
});

/** The newest first: an id begins with the time, and where times are equal its other digits decide. */
export const newestFirst = (views: readonly NotificationView[]): NotificationView[] =>
  views.toSorted((a, b) => (a.id < b.id ? 1 : -1));
