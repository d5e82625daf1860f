import type { TimedDeps } from "../../deps.ts";
import { Refusal } from "../../domain/basics/refusal.ts";
import { ADDED_RULE, type Addition } from "../../domain/delivery/added.ts";
import type { Marker } from "../../domain/event/marker.ts";
import type { PlannedEvent } from "../../domain/event/stored-event.ts";
import type { Recipient } from "../../domain/people/recipient.ts";
import { decideFiring, listFirings } from "../../store/events/escalations.ts";
import { putMarker, removeMarker } from "../../store/events/markers.ts";

/** The marker of an addition of people, with a rule number that no plan contains. */
export type AdditionMarker = Marker & { step: { rule: number; cursor: number } };

/**
 * Adds recipients to an event, independent of its rules and steps, and returns the addition's marker. Repeated calls with the
 * same `once` add the recipients once. Throws Refusal `limit_reached` if people were already added to the event `atMost` times.
 */
export const addPeople = async (
  deps: TimedDeps,
  { workspaceId: ws, eventId, seq, keptUntil }: Pick<PlannedEvent, "workspaceId" | "eventId" | "seq" | "keptUntil">,
  recipients: readonly Recipient[],
  addition: Addition,
  atMost = Infinity,
): Promise<AdditionMarker> => {
  const createMarkerAt = (due: number, cursor: number): AdditionMarker => ({
    ws,
    eventId,
    due,
    step: { rule: ADDED_RULE, cursor },
    since: due,
    tries: 0,
  });
  const added = (await listFirings(deps, { ws, seq })).filter(({ rule }) => rule === ADDED_RULE);
  if (added.length >= atMost)
    throw new Refusal("limit_reached", `People can be added to one event at most ${atMost} times.`);
  const before = added.find((firing) => firing.addition?.once === addition.once);
  if (before !== undefined) return createMarkerAt(before.at, before.cursor);
  const at = deps.now();
  for (let cursor = Math.max(0, ...added.map((firing) => firing.cursor)) + 1; ; cursor += 1) {
    const marker = createMarkerAt(at, cursor);
    await putMarker(deps, marker);
    const ref = { ws, seq, rule: ADDED_RULE, keptUntil };
    const decided = await decideFiring(deps, ref, cursor, { at, recipients, addition });
    if (decided.addition?.once === addition.once) return marker;
    // Another request has added people at this cursor. Additions at the same time share this marker, so it is kept.
    if (decided.at !== at) await removeMarker(deps, marker);
  }
};
