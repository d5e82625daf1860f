import type { TableDeps, TimedDeps } from "../../deps.ts";
import { parsePackId } from "../../domain/basics/ids.ts";
import { ACKNOWLEDGED_MEANWHILE, RESOLVED_BEFORE } from "../../domain/delivery/notification.ts";
import { listDueSteps, isPackFinished, isStepDue, type Pack } from "../../domain/delivery/pack.ts";
import { isEventOver, isAcknowledgedOrFinal, toLifecycleView } from "../../domain/event/lifecycle.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import type { PackMessage } from "../../queue/messages.ts";
import { readEscalation } from "../../store/events/escalations.ts";
import { readEvent } from "../../store/events/events.ts";
import { removeMarker } from "../../store/events/markers.ts";
import { readPack } from "../../store/delivery/packs.ts";
import { buildNotificationText } from "./queue-packs.ts";
import { readWrittenViews } from "../read/read-event.ts";

export type PageMarker = Marker & { ring: NonNullable<Marker["ring"]> };

/** Returns whether the event or the pack's rule is acknowledged, or the event is over. */
const isPackAcknowledged = async (deps: TableDeps, event: StoredEvent, pack: Pack): Promise<boolean> => {
  if (isAcknowledgedOrFinal(event.life)) return true;
  const id = parsePackId(pack.packId);
  if (pack.escalates && id !== undefined) {
    const escalation = await readEscalation(deps, { ws: event.workspaceId, seq: event.seq, rule: id.rule });
    if (escalation !== undefined) return escalation.acknowledged;
  }
  const views = await readWrittenViews(deps, event);
  const ofRule = views.filter(({ rule }) => rule.id === pack.rule.id);
  return toLifecycleView(event.life, ofRule).state === "acknowledged";
};

/** Returns why the pack needs no more pages. Returns undefined if the pack needs more pages. */
export const reasonNotToPage = async (deps: TableDeps, event: StoredEvent, pack: Pack): Promise<string | undefined> => {
  if (isEventOver(event.life)) return RESOLVED_BEFORE;
  return pack.requiresAck && (await isPackAcknowledged(deps, event, pack)) ? ACKNOWLEDGED_MEANWHILE : undefined;
};

/**
 * Returns the message with which the sender pages people whose own steps are due, or records that a first notification became
 * unnecessary; none if the event needs no more pages. A repeated message pages nobody twice. "not written": no pack exists yet.
 */
export const toPageMessages = async (deps: TimedDeps, marker: PageMarker): Promise<PackMessage[] | "not written"> => {
  const { ws, eventId, due, ring } = marker;
  const [event, pack] = await Promise.all([readEvent(deps, ws, eventId), readPack(deps, ws, ring.packId)]);
  const id = parsePackId(ring.packId);
  if (event === undefined || pack === undefined || id === undefined) return "not written";
  const isUnnotified = pack.recipients.some(
    (recipient) => recipient.status === "QUEUED" && listDueSteps(recipient, pack, due).length > 0,
  );
  const isOpen = isUnnotified || (await reasonNotToPage(deps, event, pack)) === undefined;
  const isBegun = !isPackFinished(pack);
  if (!isBegun && !(isOpen && isStepDue(pack, due))) {
    await removeMarker(deps, marker);
    return [];
  }
  return [
    {
      marker: { ws, eventId, due, ring },
      packId: ring.packId,
      userIds: pack.recipients.map(({ userId }) => userId),
      sizes: [[id.rule, 1]],
      first: id.pack,
      ...(pack.priority === "URGENT" ? { urgent: true } : {}),
      rings: true,
      text: buildNotificationText(event, pack.added),
    },
  ];
};
