import type { TimedDeps } from "../../deps.ts";
import type { WorkspaceId } from "../../domain/basics/ids.ts";
import { computeConfirmationTime, computeAckEnd } from "../../domain/escalation/temporary-ack.ts";
import { isEventOver } from "../../domain/event/lifecycle.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { StoredEvent } from "../../domain/event/stored-event.ts";
import { setAcknowledged } from "../../store/events/progress.ts";
import { putMarker } from "../../store/events/markers.ts";
import { extendTemporaryAck, replaceTemporaryAck } from "../../store/events/temporary-acks.ts";

type Person = { id: string; name: string };

const createAckMarker = (ws: WorkspaceId, eventId: string, ack: { at: number; until: number }): Marker => ({
  ws,
  eventId,
  due: computeConfirmationTime(ack),
  term: { work: "ask", until: ack.until },
  since: ack.at,
  tries: 0,
});

/** Acknowledges an event for some minutes; for good if temporary acknowledgements would last too long in total. */
export const acknowledgeForMinutes = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  eventId: string,
  { id, name }: Person,
  minutes: number,
): Promise<StoredEvent | undefined> => {
  const at = deps.now();
  const ack = { at, until: computeAckEnd(at, minutes), id, name };
  await putMarker(deps, createAckMarker(ws, eventId, ack));
  const extended = await extendTemporaryAck(deps, ws, eventId, ack);
  if (extended === undefined || extended.kind === "done" || isEventOver(extended.event.life)) return extended?.event;
  const present = extended.event.life.term;
  // The current acknowledgement already lasts at least until the new end.
  if (present !== undefined && present.until >= ack.until) return extended.event;
  return (await setAcknowledged(deps, ws, eventId, { at, id, name })) ?? extended.event;
};

/** Acknowledges an event until `until`, in milliseconds. Replaces the current acknowledgement, even one that ends later. */
export const acknowledgeUntil = async (
  deps: TimedDeps,
  ws: WorkspaceId,
  eventId: string,
  { id, name }: Person,
  until: number,
): Promise<StoredEvent | undefined> => {
  const ack = { at: deps.now(), until, id, name };
  await putMarker(deps, createAckMarker(ws, eventId, ack));
  return (await replaceTemporaryAck(deps, ws, eventId, ack))?.event;
};
