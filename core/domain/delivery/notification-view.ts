import * as v from "valibot";
import { parsePackId } from "../basics/ids.ts";
import { NotificationStatus } from "../basics/notification-status.ts";
import { addedReasons } from "./added.ts";
import { findAcknowledger, type Pack, type PackRecipient } from "./pack.ts";
import { computeAckEnd } from "../escalation/temporary-ack.ts";
import { ScheduledStepsView, toScheduledStepsView } from "../people/notification-rules.ts";
import { Quiet } from "../people/recipient.ts";
import { Priority } from "../basics/priority.ts";
import { toIso, toIsoOrNull } from "../basics/time.ts";

/** A notification as the API shows it. `escalationStep`: 0 for the rule itself, otherwise the step's number, from 1. */
export const NotificationView = v.object({
  id: v.string(),
  status: NotificationStatus,
  failedReason: v.nullable(v.string()),
  priority: Priority,
  requiresAck: v.boolean(),
  /** Why the push is silent; null if it has the sound of its priority. */
  quiet: v.nullable(Quiet),
  /** When the person's own steps page; null if every device is notified at once. */
  rings: ScheduledStepsView,
  createdAt: v.string(),
  sentAt: v.nullable(v.string()),
  acknowledgedAt: v.nullable(v.string()),
  acknowledgedBy: v.nullable(v.object({ id: v.string(), name: v.string() })),
  event: v.object({ id: v.string(), eventKey: v.string(), title: v.string() }),
  /** When the acknowledgement ends, ignoring later extensions; null if it is permanent. */
  acknowledgedUntil: v.nullable(v.string()),
  user: v.object({ id: v.string(), name: v.string(), email: v.string() }),
  rule: v.object({ id: v.string(), name: v.string(), version: v.number() }),
  escalationStep: v.number(),
  /** Why the person was added to the event; null if a rule or an escalation step notified the person. */
  added: v.nullable(
    v.object({
      because: v.picklist(addedReasons),
      by: v.nullable(v.object({ id: v.string(), name: v.string() })),
      note: v.nullable(v.string()),
    }),
  ),
});
export type NotificationView = v.InferOutput<typeof NotificationView>;

/** Returns when the acknowledgement ends; null if it has no time limit. */
const formatAcknowledgementEnd = ({ ackMinutes }: Pack, { acknowledgedAt }: PackRecipient): string | null =>
  ackMinutes === undefined || acknowledgedAt === undefined ? null : toIso(computeAckEnd(acknowledgedAt, ackMinutes));

/** Returns why the pack's people were added to the event; null if a rule notified them. */
const toReasonForAddition = ({ added }: Pack): NotificationView["added"] =>
  added === undefined ? null : { because: added.because, by: added.by ?? null, note: added.note ?? null };

export const toNotificationView = (pack: Pack, recipient: PackRecipient): NotificationView => ({
  id: recipient.notificationId,
  status: recipient.status,
  failedReason: recipient.status === "FAILED" ? (recipient.failedReason ?? null) : null,
  priority: pack.priority,
  requiresAck: pack.requiresAck,
  quiet: recipient.quiet ?? null,
  rings: toScheduledStepsView(recipient.rings),
  createdAt: toIso(pack.createdAt),
  sentAt: toIsoOrNull(recipient.sentAt),
  acknowledgedAt: toIsoOrNull(recipient.acknowledgedAt),
  acknowledgedBy: recipient.acknowledgedAt === undefined ? null : findAcknowledger(recipient),
  acknowledgedUntil: formatAcknowledgementEnd(pack, recipient),
  event: { id: pack.eventId, eventKey: pack.eventKey, title: pack.title },
  user: { id: recipient.userId, name: recipient.name, email: recipient.email },
  rule: { id: pack.rule.id, name: pack.rule.name, version: pack.rule.version },
  escalationStep: pack.added === undefined ? (parsePackId(pack.packId)?.cursor ?? 0) : 0,
  added: toReasonForAddition(pack),
});

/** Sorts notifications by id, because ids begin with the time. */
export const sortNewestFirst = (views: readonly NotificationView[]): NotificationView[] =>
  views.toSorted((a, b) => (a.id < b.id ? 1 : -1));
