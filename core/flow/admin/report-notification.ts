import type { Deps } from "../../deps.ts";
import { parsePackId } from "../../domain/basics/ids.ts";
import type { ReportedStatus } from "../../domain/delivery/notification.ts";
import { notFound } from "../../domain/basics/refusal.ts";
import { endEscalation } from "../../store/escalations.ts";
import { noteDelivered } from "../../store/devices.ts";
import { removeOpenEvent } from "../../store/open-events.ts";
import { reportNotification } from "../../store/packs.ts";
import { tellOver, type TellDeps } from "./tell-over.ts";
import { type Pack, type PackRecipient } from "../../domain/delivery/pack.ts";

/** Who reports: a person, either by an app with a session or by the receipt of one `device`. */
type Reporter = { id: string; name: string; device?: string };

/**
 * The devices that a report proves to work: the one that sent it, or those that took the push if the recipient's app
 * says that it was shown or opened. An acknowledgement by session may come from a list, so it proves none.
 */
const provenBy = (status: ReportedStatus, { userId, attempts }: PackRecipient, reporter?: Reporter): string[] => {
  if (reporter?.device !== undefined) return [reporter.device];
  if (status === "ACKNOWLEDGED" || reporter?.id !== userId) return [];
  return Object.entries(attempts ?? {}).flatMap(([device, { outcome }]) => (outcome === "accepted" ? [device] : []));
};

/**
 * Takes a report of the app. An acknowledgement is stored first and then ends the escalation of its event and rule,
 * even when it is repeated, because the first try may have died in between. Throws Refusal `not_found`.
 */
export const takeReport = async (
  deps: Pick<Deps, "table" | "now" | "log">,
  ws: string,
  notificationId: string,
  status: ReportedStatus,
  reporter?: Reporter,
): Promise<{ pack: Pack; recipient: PackRecipient; moved: boolean }> => {
  const by = status === "ACKNOWLEDGED" && reporter !== undefined ? { id: reporter.id, name: reporter.name } : undefined;
  const reported = await reportNotification(deps, ws, notificationId, status, by);
  if (reported === undefined) throw notFound("notification");
  const { pack, recipient, moved } = reported;
  const place = parsePackId(pack.packId);
  if (status === "ACKNOWLEDGED" && pack.escalates && place !== undefined)
    await endEscalation(deps, { ws, seq: place.seq, rule: place.rule });
  if (status === "ACKNOWLEDGED" && pack.requiresAck && place !== undefined) await removeOpenEvent(deps, ws, place.seq);
  for (const device of provenBy(status, recipient, reporter)) await noteDelivered(deps, ws, recipient.userId, device);
  deps.log.info("notification.reported", { workspaceId: ws, notificationId, status });
  return { pack, recipient, moved };
};

/** Takes a report, and tells the other devices of an acknowledgement if it is the first one in its pack. */
export const takeReportAndTell = async (
  deps: Pick<Deps, "table" | "now" | "log"> & TellDeps,
  ws: string,
  notificationId: string,
  status: ReportedStatus,
  reporter: Reporter,
): Promise<{ pack: Pack; recipient: PackRecipient }> => {
  const { pack, recipient, moved } = await takeReport(deps, ws, notificationId, status, reporter);
  const acknowledged = pack.recipients.filter((one) => one.status === "ACKNOWLEDGED").length;
  if (moved && status === "ACKNOWLEDGED" && pack.requiresAck && acknowledged === 1)
    await tellOver(deps, ws, pack.eventId, { state: "acknowledged", by: reporter, device: reporter.device });
  return { pack, recipient };
};
