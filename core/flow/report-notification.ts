import type { Deps } from "../deps.ts";
import { parsePackId } from "../domain/basics/ids.ts";
import type { ReportedStatus } from "../domain/delivery/notification.ts";
import { notFound } from "../domain/basics/refusal.ts";
import { endEscalation } from "../store/escalations.ts";
import { noteDelivered } from "../store/devices.ts";
import { removeOpenEvent } from "../store/open-events.ts";
import { reportNotification } from "../store/packs.ts";
import { type Pack, type PackRecipient } from "../domain/delivery/pack.ts";

/**
 * Takes a report of the app. An acknowledgement is stored first and then ends the escalation of its event and rule,
 * also when it comes again: the first try may have died in between. DELIVERED and OPENED, reported by the recipient
 * (`reporter`), prove the devices that took the push. Throws Refusal `not_found`.
 */
export const takeReport = async (
  deps: Pick<Deps, "table" | "now" | "log">,
  ws: string,
  notificationId: string,
  status: ReportedStatus,
  reporter?: { id: string; name: string },
): Promise<{ pack: Pack; recipient: PackRecipient }> => {
  const reported = await reportNotification(
    deps,
    ws,
    notificationId,
    status,
    status === "ACKNOWLEDGED" ? reporter : undefined,
  );
  if (reported === undefined) throw notFound("notification");
  const { pack, recipient } = reported;
  const place = parsePackId(pack.packId);
  if (status === "ACKNOWLEDGED" && pack.escalates && place !== undefined)
    await endEscalation(deps, { ws, seq: place.seq, rule: place.rule });
  // Who acknowledges may do so in a list; the other two only an app knows that has shown the push.
  if (status !== "ACKNOWLEDGED" && reporter?.id === recipient.userId)
    for (const [device, { outcome }] of Object.entries(recipient.attempts ?? {}))
      if (outcome === "accepted") await noteDelivered(deps, ws, recipient.userId, device);
  if (status === "ACKNOWLEDGED" && pack.requiresAck && place !== undefined) await removeOpenEvent(deps, ws, place.seq);
  deps.log.info("notification.reported", { workspaceId: ws, notificationId, status });
  return { pack, recipient };
};
