import type { TimedDeps } from "../../deps.ts";
import { parseNotificationId, parsePackId, type WorkspaceId } from "../../domain/basics/ids.ts";
import { traceRule } from "../../domain/rules/trace.ts";
import { toNotificationView } from "../../domain/delivery/notification-view.ts";
import { explainRecipient, type NotificationWhy } from "../../domain/planning/why.ts";
import { readEvent } from "../../store/events/events.ts";
import { readGroup } from "../../store/people/groups.ts";
import { readPack } from "../../store/delivery/packs.ts";
import { isShown } from "./shown-event.ts";
import { mayNotificationBePastRetention } from "../../domain/workspace/retention.ts";
import { readPlannedRule } from "../../store/events/plans.ts";
import { readRuleVersion } from "../../store/rules/rules.ts";

/** Explains why a notification was sent. Returns undefined if the notification does not exist. */
export const explainNotification = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  notificationId: string,
): Promise<NotificationWhy | undefined> => {
  const id = parseNotificationId(notificationId);
  const packId = id === undefined ? undefined : parsePackId(id.packId);
  if (id === undefined || packId === undefined) return undefined;
  const pack = await readPack(deps, ws, id.packId);
  const recipient = pack?.recipients[id.position];
  if (pack === undefined || recipient === undefined) return undefined;
  const { groupId } = recipient.reason;
  const [event, snapshot, group] = await Promise.all([
    readEvent(deps, ws, pack.eventId),
    readRuleVersion(deps, ws, pack.rule.id, pack.rule.version),
    groupId === undefined ? undefined : readGroup(deps, ws, groupId),
  ]);
  if (event === undefined) {
    // After retention, DynamoDB deletes an event's items in any order, so the event may be missing before its notifications.
    if (mayNotificationBePastRetention(pack.createdAt, deps.now())) return undefined;
    throw new Error(`event ${pack.eventId} of notification ${notificationId} is not stored`);
  }
  if (!(await isShown(deps, event))) return undefined;
  const trace = snapshot === undefined ? undefined : traceRule(snapshot, event.content, event.receivedAt);
  const { plan } = event;
  const planned = plan === undefined ? undefined : await readPlannedRule(deps, { ...event, plan }, packId.rule);
  return {
    ...toNotificationView(pack, recipient),
    why: explainRecipient(
      pack,
      recipient,
      { content: event.content, escalation: planned?.escalation },
      { snapshot, trace },
      group?.name,
    ),
  };
};
