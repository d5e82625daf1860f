import type { Deps, TableDeps, TimedDeps } from "../../deps.ts";
import { parseNotificationId, parsePackId, type WorkspaceId, type DeviceId, isId } from "../../domain/basics/ids.ts";
import type { ReportedStatus } from "../../domain/delivery/notification.ts";
import { MINUTE_MS } from "../../domain/basics/units.ts";
import { notFoundRefusal, Refusal } from "../../domain/basics/refusal.ts";
import { setAcknowledged } from "../../store/events/progress.ts";
import { endEscalation, preventEscalation } from "../../store/events/escalations.ts";
import { storePushConfirmed } from "../../store/people/device-states.ts";
import { isEventOver } from "../../domain/event/lifecycle.ts";
import { readEvent } from "../../store/events/events.ts";
import { removeOpenEvent } from "../../store/events/open-events.ts";
import { readPack, reportNotification } from "../../store/delivery/packs.ts";
import { sendChangeToWebhooks, type FollowDeps } from "./follow.ts";
import { scheduleHandoff } from "./acknowledged.ts";
import { acknowledgeAndEndEscalations } from "./lifecycle.ts";
import { acknowledgeForMinutes } from "./temporary-ack.ts";
import { replacePushes, type NotifyDeps } from "./notify-end.ts";
import { findAcknowledger, type Pack, type PackRecipient } from "../../domain/delivery/pack.ts";

/** `device`: the reporting device; undefined if a signed-in person reports. */
type Reporter = { id: string; name: string; device?: DeviceId };

/**
 * Returns the devices that work, according to a report. A receipt confirms the device that sent it. A signed-in person's report
 * that a push was shown or opened confirms all apps and browsers that accepted the push. A signed-in person's acknowledgement
 * confirms no device, because the person may have used a list of events.
 */
const listConfirmedDevices = (status: ReportedStatus, { attempts }: PackRecipient, reporter?: Reporter): DeviceId[] => {
  if (reporter?.device !== undefined) return [reporter.device];
  if (status === "ACKNOWLEDGED" || reporter === undefined) return [];
  return Object.entries(attempts ?? {}).flatMap(([device, { outcome, way }]) =>
    outcome === "accepted" && way === undefined && isId("dev", device) ? [device] : [],
  );
};

/**
 * Repeats the acknowledgement of `storedAt` (ms) if the end of a temporary acknowledgement may have removed it. Returns whether a
 * temporary acknowledgement is active.
 */
const reapplyAcknowledgement = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  eventId: string,
  actor: Pick<Reporter, "id" | "name">,
  storedAt: number,
): Promise<boolean> => {
  const { reopened, term } = (await readEvent(deps, ws, eventId))?.life ?? {};
  if (term !== undefined) return true;
  if (reopened !== undefined && storedAt <= reopened.at)
    await setAcknowledged(deps, ws, eventId, { at: deps.now(), ...actor });
  return false;
};

/** Ends an escalation for good, unless somebody has acknowledged the event temporarily since `storedAt` (ms). */
const endEscalationFinally = async (
  deps: TableDeps,
  ref: { ws: WorkspaceId; seq: number; rule: number },
  eventId: string,
  storedAt: number,
): Promise<void> => {
  if (await endEscalation(deps, ref)) return;
  const event = await readEvent(deps, ref.ws, eventId);
  const ack = event?.life.term;
  if (ack === undefined || ack.at < storedAt) await preventEscalation(deps, { ...ref, keptUntil: event?.keptUntil });
};

/** Ends the escalation of a notification's rule; for an added person, acknowledges the event. `moved`: the status changed. */
const endEscalationOfRule = async (
  deps: Pick<Deps, "table" | "now" | "log"> & FollowDeps,
  ws: WorkspaceId,
  { pack, recipient, moved }: { pack: Pack; recipient: PackRecipient; moved: boolean },
  actor: Pick<Reporter, "id" | "name">,
): Promise<void> => {
  const id = parsePackId(pack.packId);
  if (id === undefined) return;
  if (pack.added !== undefined) {
    const whole = pack.requiresAck ? await readEvent(deps, ws, pack.eventId) : undefined;
    if (whole !== undefined && !isEventOver(whole.life)) await acknowledgeAndEndEscalations(deps, whole, actor);
    return;
  }
  const own = pack.recipients.filter(({ userId }) => userId === actor.id);
  const { ackMinutes } = pack;
  if (pack.requiresAck)
    await scheduleHandoff(deps, ws, pack.eventId, actor, {
      told: own.map(({ reason }) => reason.groupId),
      rang: pack.group === undefined ? [] : [{ key: pack.group, priority: pack.priority }],
      ends: ackMinutes === undefined ? undefined : deps.now() + ackMinutes * MINUTE_MS,
    });
  const storedAt = recipient.acknowledgedAt ?? deps.now();
  const event =
    ackMinutes === undefined ? undefined : await acknowledgeForMinutes(deps, ws, pack.eventId, actor, ackMinutes);
  const isAgain = ackMinutes === undefined && pack.requiresAck && !moved;
  if (isAgain) await reapplyAcknowledgement(deps, ws, pack.eventId, actor, storedAt);
  const until = event?.life.term?.until;
  const escalation = { ws, seq: id.seq, rule: id.rule };
  if (pack.escalates && until === undefined) await endEscalationFinally(deps, escalation, pack.eventId, storedAt);
  else if (pack.escalates) await endEscalation(deps, escalation, until);
  const isForATime = isAgain && (await reapplyAcknowledgement(deps, ws, pack.eventId, actor, storedAt));
  if (pack.requiresAck) await sendChangeToWebhooks(deps, { workspaceId: ws, eventId: pack.eventId, plan: pack });
  if (pack.requiresAck && !isForATime) await removeOpenEvent(deps, ws, id.seq);
};

/** Stores a report. Each acknowledgement ends the rule's escalation: an earlier call may have died. Throws `not_found`. */
export const processReport = async (
  deps: Pick<Deps, "table" | "now" | "log"> & FollowDeps,
  ws: WorkspaceId,
  notificationId: string,
  status: ReportedStatus,
  reporter?: Reporter,
): Promise<{ pack: Pack; recipient: PackRecipient; moved: boolean }> => {
  const by = status === "ACKNOWLEDGED" && reporter !== undefined ? { id: reporter.id, name: reporter.name } : undefined;
  const reported = await reportNotification(deps, ws, notificationId, status, by);
  if (reported === undefined) throw notFoundRefusal("notification");
  const { pack, recipient, moved } = reported;
  if (status === "ACKNOWLEDGED") await endEscalationOfRule(deps, ws, reported, by ?? findAcknowledger(recipient));
  for (const device of listConfirmedDevices(status, recipient, reporter))
    await storePushConfirmed(deps, ws, recipient.userId, device);
  deps.log.info("notification.reported", { workspaceId: ws, notificationId, status });
  return { pack, recipient, moved };
};

/** Throws Refusal `not_the_recipient` if another person reports that a push arrived or was opened. */
const requireRecipient = async (
  deps: TableDeps,
  ws: WorkspaceId,
  notificationId: string,
  status: ReportedStatus,
  reporter: Reporter,
): Promise<void> => {
  if (status === "ACKNOWLEDGED" || reporter.device !== undefined) return;
  const id = parseNotificationId(notificationId);
  const pack = id === undefined ? undefined : await readPack(deps, ws, id.packId);
  const recipient = pack?.recipients.find((one) => one.notificationId === notificationId);
  if (recipient === undefined) throw notFoundRefusal("notification");
  if (recipient.userId !== reporter.id)
    throw new Refusal(
      "not_the_recipient",
      `Only the recipient can report ${status}; every member may report ACKNOWLEDGED.`,
    );
};

/** Processes a report. If the report is a pack's first acknowledgement, also replaces the event's pushes on other devices. */
export const processReportAndNotify = async (
  deps: Pick<Deps, "table" | "now" | "log"> & NotifyDeps,
  ws: WorkspaceId,
  notificationId: string,
  status: ReportedStatus,
  reporter: Reporter,
): Promise<{ pack: Pack; recipient: PackRecipient }> => {
  await requireRecipient(deps, ws, notificationId, status, reporter);
  const { pack, recipient, moved } = await processReport(deps, ws, notificationId, status, reporter);
  const acknowledged = pack.recipients.filter((one) => one.status === "ACKNOWLEDGED").length;
  if (moved && status === "ACKNOWLEDGED" && pack.requiresAck && acknowledged === 1)
    await replacePushes(deps, ws, pack.eventId, { state: "acknowledged", by: reporter, device: reporter.device });
  return { pack, recipient };
};
